"""What a command comes to: data for machines, text for people, messages, problems, an exit code."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

__all__ = ["CliError", "Message", "Outcome", "Problem", "Settings", "Terminated"]


class Settings(NamedTuple):
    """How to speak. `verbosity` is -1 for quiet; `color` says whether colours were left allowed."""

    json: bool = False
    verbosity: int = 0
    color: bool = True

    @staticmethod
    def guess(argv: list[str]) -> Settings:
        """The settings of a command line that could not be parsed."""
        own = argv[: argv.index("--")] if "--" in argv else argv
        return Settings(json="--json" in own, color="--no-color" not in own)


class Message(NamedTuple):
    """Something worth saying that is no failure. `level` is `warning`, `hint` or `detail` (said with -v)."""

    level: str
    text: str


class Problem(NamedTuple):
    """A failure: a stable code, sentences that say what happened and where, and what to do next.

    `where` holds fields for machines (file, line, column, …). `excerpt` is shown below the message as it is.
    """

    code: str
    message: str
    hint: str = ""
    where: Mapping[str, Any] = MappingProxyType({})
    excerpt: str = ""


class Outcome(NamedTuple):
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
