"""What a command comes to: data for machines, text for people, messages, problems, an exit code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["CliError", "Message", "Outcome", "Problem", "Settings", "Terminated"]


@dataclass(frozen=True, slots=True)
class Settings:
    """How to speak. `verbosity` is -1 for quiet; `color` says whether colours were left allowed."""

    json: bool = False
    verbosity: int = 0
    color: bool = True

    @staticmethod
    def guess(argv: list[str]) -> Settings:
        """The settings of a command line that could not be parsed."""
        own = argv[: argv.index("--")] if "--" in argv else argv
        return Settings(json="--json" in own, color="--no-color" not in own)


@dataclass(frozen=True, slots=True)
class Message:
    """Something worth saying that is no failure. `level` is `warning`, `hint` or `detail` (said with -v)."""

    level: str
    text: str


@dataclass(frozen=True, slots=True)
class Problem:
    """A failure: a stable code, sentences that say what happened and where, and what to do next.

    `where` holds fields for machines (file, line, column, …). `excerpt` is shown below the message as it is.
    """

    code: str
    message: str
    hint: str = ""
    where: Mapping[str, Any] = field(default_factory=dict[str, Any])
    excerpt: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished command. `data` must have a JSON form; `text` is what people get on stdout instead of it."""

    data: Any = None
    text: str = ""
    messages: tuple[Message, ...] = ()
    problems: tuple[Problem, ...] = ()
    exit_code: int = 0


class CliError(Exception):
    """A command cannot go on; `problem` says why."""

    def __init__(self, code: str, message: str, hint: str = "", *, exit_code: int = 2) -> None:
        super().__init__(message)
        self.problem = Problem(code, message, hint)
        self.exit_code = exit_code


class Terminated(BaseException):
    """SIGTERM asked us to end; raised in the main thread, so that scripts and tools are ended first."""
