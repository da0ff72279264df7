"""Inputs from lines: of a pipe, where nothing is shown, or of a terminal that can do no more than lines."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, BinaryIO

from amla_cli._scripts import Lang
from amla_cli._streams import write_all

from ._interrupts import raising
from ._words import is_dot

if TYPE_CHECKING:
    from ._repl import Repl

__all__ = ["Lines"]

_MARKS = {Lang.js: b"js> ", Lang.shell: b"sh> "}
_MORE = b"... "


class Lines:
    """Gathers lines until a parser wants no more of them."""

    def __init__(self, repl: Repl, *, prompts: bool, stream: BinaryIO | None = None) -> None:
        self._repl = repl
        self._ask: Callable[[bytes], None] = _prompt if prompts else _say_nothing
        self._stream = stream or sys.stdin.buffer

    def read(self, text: str = "") -> str:
        """The next input; `text` is one that was edited elsewhere. Raises EOFError at the end."""
        if text:
            self._repl.screen.say(text)
            return text
        try:
            with self._repl.interrupts.calling(raising):
                text = self._gather()
        except KeyboardInterrupt:
            self._ask(b"\n")
            raise
        if not text:
            raise EOFError
        return text.removesuffix("\n")

    def _gather(self) -> str:
        self._ask(_MARKS[self._repl.language])
        text = ""
        while line := self._stream.readline():
            text += line.decode("utf-8", "replace")
            if not self._goes_on(text):
                break
            self._ask(_MORE)
        return text

    def _goes_on(self, text: str) -> bool:
        return bool(text.strip()) and not is_dot(text) and self._repl.guest.is_incomplete(text, self._repl.language)


def _prompt(mark: bytes) -> None:
    write_all(1, mark)


def _say_nothing(mark: bytes) -> None:
    pass
