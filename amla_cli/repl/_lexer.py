"""Colours of the input while it is typed."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.lexers import Lexer, PygmentsLexer

from amla_cli._scripts import Lang

from ._words import is_dot

__all__ = ["STYLE", "InputLexer", "load_lexer"]

_LEXERS = {Lang.js: ("javascript", "JavascriptLexer"), Lang.shell: ("shell", "BashLexer")}

STYLE = {
    "pygments.keyword": "ansimagenta",
    "pygments.keyword.constant": "ansicyan",
    "pygments.name.builtin": "ansicyan",
    "pygments.name.variable": "ansicyan",
    "pygments.literal.string": "ansigreen",
    "pygments.literal.string.interpol": "ansicyan",
    "pygments.literal.number": "ansicyan",
    "pygments.comment": "ansibrightblack",
    "pygments.error": "",
    "dot": "ansicyan bold",
}
"""Colours of the terminal's own palette, of which those are left out that a light or a dark one makes unreadable."""


def load_lexer(language: Lang) -> Lexer:
    """The lexer of a language; loading its module takes some ten milliseconds."""
    module, name = _LEXERS[language]
    return PygmentsLexer(getattr(import_module(f"pygments.lexers.{module}"), name))


class InputLexer(Lexer):
    """A language's lexer, loaded when there is something to read; dot commands are coloured by their first word."""

    def __init__(self, language: Lang) -> None:
        self._language = language
        self._lexer: Lexer | None = None

    def lex_document(self, document: Document) -> Callable[[int], StyleAndTextTuples]:
        if is_dot(document.text):
            return lambda line: _dot_line(document.lines[line])
        if not document.text:
            return lambda _: []
        if self._lexer is None:
            self._lexer = load_lexer(self._language)
        return self._lexer.lex_document(document)


def _dot_line(line: str) -> StyleAndTextTuples:
    word, space, rest = line.partition(" ")
    return [("class:dot", word), ("", space + rest)]
