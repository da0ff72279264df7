"""A script and what is known of the error that ended it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, cast

from ._result import ScriptFailure

__all__ = ["Script", "failure_of"]

_MAX_TEXT, _MAX_LINE, _MAX_FRAME, _MAX_FRAMES = 10_000, 10_000, 1000, 50
"""Characters, and frames, that are taken of what a guest says; arbitrary."""


class Script(NamedTuple):
    """What to run. `filename` is how errors name it."""

    source: str
    filename: str = "script.js"
    language: str = "javascript"
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = MappingProxyType({})
    cwd: str = "/workspace"
    stdin: bytes = b""
    pieces: Iterator[bytes] | None = None
    """Standard input that comes in pieces, in place of `stdin`."""
    session: Mapping[str, Any] | None = None
    """What makes it a line of a session: its number, and how its value is shown."""

    def line(self, number: int | None) -> str | None:
        """A line of the source, counted from 1."""
        lines = self.source.split("\n")
        return lines[number - 1][:_MAX_LINE] if number is not None and 0 < number <= len(lines) else None


def failure_of(said: Mapping[str, Any], script: Script) -> ScriptFailure:
    """What the guest says of an error, taken field by field; the source line is looked up here."""
    line, file = _number(said, "line"), _text(said, "file") or None
    name, message = _text(said, "name"), _text(said, "message")
    if _text(said, "text").startswith("Uncaught "):
        name, message = "", _text(said, "text")
    return ScriptFailure(
        name=name,
        message=message,
        code=_text(said, "code"),
        file=file,
        line=line,
        column=_number(said, "column"),
        source_line=script.line(line) if file == script.filename else None,
        stack=_frames(said.get("stack")),
    )


def _text(said: Mapping[str, Any], key: str) -> str:
    value = said.get(key)
    return _printable(value[:_MAX_TEXT]) if isinstance(value, str) else ""


def _printable(text: str) -> str:
    """Text that can be encoded: a lone surrogate in a script's error must not break the host's print."""
    return text.encode("utf-8", "replace").decode()


def _number(said: Mapping[str, Any], key: str) -> int | None:
    value = said.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 2**31 else None


def _frames(stack: object) -> tuple[str, ...]:
    if not isinstance(stack, list):
        return ()
    return tuple(_printable(str(frame)[:_MAX_FRAME]) for frame in cast("list[object]", stack)[:_MAX_FRAMES])
