"""Candidates for what is being typed: of the session for code, of the table of dot commands for those."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from amla_cli._terminal import printable

from . import _dots
from ._words import is_dot

if TYPE_CHECKING:
    from ._repl import Repl

__all__ = ["InputCompleter"]

_MOST = 300
"""Candidates that a menu shows; arbitrary."""


class InputCompleter(Completer):
    """Completes the inputs of a session, in the language that it has just now."""

    def __init__(self, repl: Repl) -> None:
        self._repl = repl

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:  # noqa: ARG002 - the base class's signature
        text = document.text
        if text.startswith(".") and (is_dot(text) or text[1:].isalpha() or text == "."):
            yield from self._of_dots(document.text_before_cursor)
            return
        found = self._repl.guest.complete(text, document.cursor_position, self._repl.language)
        for each in found.candidates[:_MOST]:
            about = "  ".join(part for part in (each.kind, each.detail) if part)
            yield Completion(
                each.text,
                found.start - document.cursor_position,
                display=printable(each.text),
                display_meta=printable(about),
            )

    def _of_dots(self, before: str) -> Iterable[Completion]:
        for text, start, about in _dots.candidates(self._repl, before):
            yield Completion(text, start - len(before), display=printable(text), display_meta=printable(about))
