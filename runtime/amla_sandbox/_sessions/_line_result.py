"""What a line of a session came to."""

from __future__ import annotations

from dataclasses import dataclass

from amla_sandbox._result import ExecutionResult

__all__ = ["LineResult"]


@dataclass(frozen=True)
class LineResult(ExecutionResult):
    """A finished line. `return_value` is always None: the value is a thing of the session's.

    `error` of a line in JavaScript is what Node's REPL says of an uncaught error, and where.
    """

    shown: str | None = None
    """The value as Node's inspect shows it; None where nothing is to be shown."""
    cwd: str = "/workspace"
    """The folder that the next line starts in."""
    note: str = ""
    """What the user has to be told besides, such as that the line's effects are undone."""
    is_last: bool = False
    """Whether the line asked for the session's end (`exit`, `process.exit()`)."""
