"""What a run came to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from amla_capabilities import Decision

__all__ = ["CallRecord", "ExecutionResult", "ScriptFailure", "Usage"]

_SHOWN = 100
"""Characters of a source line that an error shows; arbitrary, a terminal's width."""


class CallRecord(NamedTuple):
    """One tool call of a run, also one that was refused, with what was decided about it.

    `outcome` is `ok`, `denied`, `refused` (the arguments do not fit), `failed` or `abandoned` (the run ended before the
    tool did). `seconds` is the time that the tool took. `arguments` is None where they were not read, and for calls
    after the first 16 MB of arguments; secret ones are masked. Calls beyond the limit `max_attempts` are left out, but
    for the first.

    `decision` is None for a refused call, which no policy was asked about. `approval` says what a person answered:
    `yes`, `always`, `changed`, `no` or `unanswered`; empty if nobody was asked. `size` is that of the result, in bytes
    of JSON. `number` tells the calls of a run apart.
    """

    tool: str
    arguments: Mapping[str, Any] | None
    outcome: str
    message: str = ""
    seconds: float = 0.0
    decision: Decision | None = None
    approval: str = ""
    size: int | None = None
    number: int = 0


class ScriptFailure(NamedTuple):
    """An error that ended a script. Lines and columns count from 1; `stack` has its frames, innermost first."""

    name: str
    message: str
    code: str = ""
    file: str | None = None
    line: int | None = None
    column: int | None = None
    source_line: str | None = None
    stack: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The error in one or two lines: what happened, and where."""
        head = self.message if not self.name else f"{self.name}: {self.message}" if self.message else self.name
        if self.file is None or self.line is None:
            return head
        place = f"{self.file}:{self.line}" + (f":{self.column}" if self.column is not None else "")
        return f"{head}\n    at {place}" + (f": {self._excerpt()}" if self.source_line else "")

    def _excerpt(self) -> str:
        """The source line, or of a long one the part around the error."""
        line = (self.source_line or "").strip()
        if len(line) <= _SHOWN:
            return line
        indent = len(self.source_line or "") - len((self.source_line or "").lstrip())
        start = max(0, min((self.column or 1) - 1 - indent - _SHOWN // 3, len(line) - _SHOWN))
        end = start + _SHOWN
        return ("…" if start else "") + line[start:end] + ("…" if end < len(line) else "")


class Usage(NamedTuple):
    """What a run used. `cpu_seconds`: while guest code ran; `wall_seconds`: with tools; bytes otherwise."""

    cpu_seconds: float = 0.0
    wall_seconds: float = 0.0
    memory_bytes: int = 0
    output_bytes: int = 0
    output_dropped: int = 0
    calls: int = 0


@dataclass(frozen=True)
class ExecutionResult:
    """A finished run.

    `return_value` is what the script returned, or the value of its last expression; None if that has no JSON form.
    `error` is None, or one or two lines that say what happened and where. `stdout` and `stderr` are text in which bytes
    that are not UTF-8 are replaced; the streams' own bytes are in `stdout_bytes` and `stderr_bytes`.
    """

    stdout_bytes: bytes = b""
    stderr_bytes: bytes = b""
    return_value: Any = None
    error: str | None = None
    exit_code: int = 0
    failure: ScriptFailure | None = None
    calls: tuple[CallRecord, ...] = field(default=(), repr=False)
    usage: Usage = field(default_factory=Usage)

    @property
    def stdout(self) -> str:
        return self.stdout_bytes.decode("utf-8", "replace")

    @property
    def stderr(self) -> str:
        return self.stderr_bytes.decode("utf-8", "replace")

    def to_tool_message(self) -> str:
        """Text for a model: the output, then what went to stderr, then the error; `(no output)` if there is nothing."""
        parts = [self.stdout.rstrip("\n")] if self.stdout else []
        if self.stderr:
            parts.append(f"[stderr]\n{self.stderr.rstrip()}")
        if self.error:
            parts.append(f"[error]\n{self.error}")
        elif self.exit_code:
            parts.append(f"[exit status {self.exit_code}]")
        return "\n".join(parts) or "(no output)"

    def __str__(self) -> str:
        return self.to_tool_message()

    @property
    def success(self) -> bool:
        """Whether the script ended by itself with status 0."""
        return self.exit_code == 0 and self.error is None
