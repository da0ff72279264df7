"""Comparisons as one string spells them: `<=1000`, `!='<b>'`, `startswith:/api/`.

What looks like a comparison and is none is an error, never a string to compare with (R18).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from amla_capabilities._errors import ConstraintError
from amla_capabilities._suggest import did_you_mean

from ._operators import OPERATORS

__all__ = ["SYMBOLS", "Misspelt", "Where", "split_comparison"]

Where = tuple[str | int, ...]  # keys and indexes from the mapping to the faulty value
SYMBOLS = {row.symbol: row.name for row in OPERATORS.values() if row.name in ("le", "lt", "ge", "gt", "eq", "ne")}


class Misspelt(ConstraintError):  # noqa: N818
    """A spelling that does not parse: `where` in the mapping, and at which character of a string."""

    def __init__(self, problem: str, where: Where = (), text: str = "", offset: int = 0) -> None:
        caret = f"\n    {text}\n    {' ' * offset}^" if text else ""
        super().__init__(f"{problem}{caret}")
        self.problem = problem
        self.where = where
        self.text = text
        self.offset = offset

    def inside(self, where: Where) -> Misspelt:
        """The same fault, seen from further out."""
        return Misspelt(self.problem, (*where, *self.where), self.text, self.offset)


_SIGNS = "<>=!~"
_COMPARISON = re.compile(r"\s*(<=|>=|==|!=|<|>)\s*")
_WORD = re.compile(r"\s*([A-Za-z_]+)\s*:")
_WORDS = {
    "startswith": "starts_with",
    "starts_with": "starts_with",
    "endswith": "ends_with",
    "ends_with": "ends_with",
    "contains": "contains",
    "matches": "matches",
}
# Signs that only look like those of a comparison, and ones behind characters that nobody sees.
_ALIKE = {
    "≤": "<=",
    "⩽": "<=",
    "≥": ">=",
    "⩾": ">=",
    "≠": "!=",
    "\uff1c": "<",
    "\uff1e": ">",
    "\uff1d": "=",
    "\uff01": "!",
    "\uff5e": "~",
}
_BEGINS_ALIKE = re.compile(rf"[\s\u00ad\u200b-\u200f\u2060-\u2064\ufeff]*([{_SIGNS}{''.join(_ALIKE)}])")
# Names of operators that only a table has, and names that operators have elsewhere.
_TABLE_WORDS = {*OPERATORS, "in", "length", "each", "any_of", "all_of", "not"} - {*_WORDS}
_WORDS_MEANT = {
    **dict.fromkeys(("regex", "regexp", "pattern"), "matches"),
    "prefix": "startswith",
    "suffix": "endswith",
}
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_LITERALS: Mapping[str, Any] = {"true": True, "false": False, "null": None}
_REPAIRS = {"=<": "<=", "=>": ">=", "=": "==", "!": "!=", "<>": "!=", "~": "!=", "===": "==", "!==": "!="}


def split_comparison(text: str, where: Where) -> tuple[str, Any, int] | None:
    """Operator name, operand and the operand's offset; None for a plain string. Raises `Misspelt`."""
    bare = text.lstrip()
    if bare[:1] and bare[0] in _SIGNS:
        return _symbolic(text, where)
    if alike := _BEGINS_ALIKE.match(text):
        meant = f"write {_ALIKE[alike[1]]!r}" if alike[1] in _ALIKE else "something that nobody sees is before it"
        raise Misspelt(f"{alike[1]!r} starts no comparison here: {meant}", where, text, alike.start(1))
    word = _WORD.match(text)
    if word is None:
        return None
    if word[1] in _WORDS:
        return _WORDS[word[1]], text[word.end() :], word.end()
    if hint := _hint(word[1].lower()):
        problem = f'"{text}" looks like a comparison{hint} (for equality with this text write {{ eq = … }})'
        raise Misspelt(problem, where, text, word.start(1))
    return None


def _hint(word: str) -> str:
    """What was meant by a word and a colon that are no comparison, if any is likely."""
    if word in _TABLE_WORDS:
        return f"; write {{ {word} = … }}"
    if word in _WORDS_MEANT:
        return f"; did you mean {_WORDS_MEANT[word]!r}?"
    return did_you_mean(word, ["startswith", "endswith", "contains", "matches"])


def _symbolic(text: str, where: Where) -> tuple[str, Any, int]:
    found = _COMPARISON.match(text)
    rest = text[found.end() :].rstrip() if found else ""
    if found is None or rest[:1] in tuple(_SIGNS):
        raise Misspelt(_not_a_comparison(text), where, text, len(text) - len(text.lstrip()))
    name = SYMBOLS[found[1]]
    if not rest:
        raise Misspelt(f"{found[1]} needs something to compare with", where, text, len(text))
    if name in ("eq", "ne"):
        return name, _scalar(rest, where, text, found.end()), found.end()
    number = _number(rest)
    if number is None:
        raise Misspelt(_not_a_number(found[1], rest), where, text, found.end())
    return name, number, found.end()


def _not_a_comparison(text: str) -> str:
    bare = text.strip()
    signs = bare[: len(bare) - len(bare.lstrip(_SIGNS))]
    meant = f'; did you mean "{_REPAIRS[signs]}{bare[len(signs) :].strip()}"?' if signs in _REPAIRS else ""
    return f'"{bare}" starts like a comparison and is none{meant} (comparisons: <= < >= > == !=)'


def _not_a_number(symbol: str, rest: str) -> str:
    if re.search(r"[<>=!&|]|\b(and|or)\b", rest):
        return 'one comparison per string; write a list such as [">=100", "<=1000"], which means all of them'
    if re.fullmatch(r"[0-9]{1,3}([,_][0-9]{3})+", rest):
        return f"write the number without separators: {symbol}{re.sub('[,_]', '', rest)}"
    return f"{symbol} compares numbers, and {rest!r} is not one"


def _number(text: str) -> Any:
    found = _NUMBER.fullmatch(text)
    if found is None:
        return None
    if found[1] is None and found[2] is None:
        return int(text) if len(text) <= 4000 else None  # longer than that, Python refuses to convert
    from decimal import Decimal

    return Decimal(text)


def _scalar(text: str, where: Where, whole: str, offset: int) -> Any:
    """What `==` and `!=` compare with: a number, true, false, null, a quoted string, or the bare text."""
    if text in _LITERALS:
        return _LITERALS[text]
    number = _number(text)
    if number is not None:
        return number
    if text[0] not in "\"'":
        return text
    if len(text) < 2 or text[-1] != text[0] or text[0] in text[1:-1]:
        raise Misspelt("this quoted string does not end", where, whole, offset)
    return text[1:-1]
