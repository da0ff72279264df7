"""Texts that a regular expression matches, for values made from a schema. Covers what schemas are made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

__all__ = ["texts"]

_CHARACTERS = "a0A-_ .@/:" + "".join(map(chr, range(0x21, 0x7F))) + "\t\né日"
_QUANTIFIER = re.compile(r"([*+?]|\{(\d+)(,(\d*))?\})[?+]?")
_CLASS = re.compile(r"\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]", re.DOTALL)
_PROPERTIES = {"L": "a", "N": "0", "P": "-", "S": "+", "Z": " ", "Lu": "A", "Ll": "a", "Nd": "0"}
_MOST = 1_000
"""Repetitions of one part; arbitrary."""

_Part = Callable[[int, int], str]
"""Makes the text of a part, given how much more than the least to repeat, and which alternative to take."""


def texts(pattern: str, least: int = 0) -> Iterator[str]:
    """Texts that `pattern` is meant to match, short ones first, then some of about `least` characters."""
    try:
        make = _Parser(pattern).parsed()
    except (ValueError, IndexError, re.error):
        return
    for more in dict.fromkeys((0, 1, 2, 3, min(least, _MOST))):
        for alternative in range(4):
            yield make(more, alternative)


class _Parser:
    """A recursive descent over the pattern. Raises ValueError for what it does not know, such as a look-around."""

    def __init__(self, pattern: str) -> None:
        self._pattern, self._at = pattern, 0

    def parsed(self) -> _Part:
        part = self._alternatives()
        if self._at < len(self._pattern):
            raise ValueError("a bracket too many")
        return part

    def _alternatives(self) -> _Part:
        parts = [self._sequence()]
        while self._next("|"):
            parts.append(self._sequence())
        return lambda more, which: parts[which % len(parts)](more, which)

    def _sequence(self) -> _Part:
        parts: list[_Part] = []
        while self._at < len(self._pattern) and self._pattern[self._at] not in "|)":
            parts.append(self._quantified(self._atom()))
        return lambda more, which: "".join(part(more, which) for part in parts)

    def _quantified(self, part: _Part) -> _Part:
        found = _QUANTIFIER.match(self._pattern, self._at)
        if found is None:
            return part
        self._at = found.end()
        low, high = _bounds(found)
        return lambda more, which: part(more, which) * min(low + more, high, _MOST)

    def _atom(self) -> _Part:
        char = self._pattern[self._at]
        if char == "(":
            return self._group()
        if char == "[":
            found = _CLASS.match(self._pattern, self._at)
            if found is None:
                raise ValueError("an open class")
            self._at = found.end()
            return _fixed(_character(found[0]))
        self._at += 1
        if char == "\\":
            return self._escape()
        return _fixed({"^": "", "$": "", ".": "a"}.get(char, char))

    def _group(self) -> _Part:
        found = re.compile(r"\((\?:|\?P?<\w+>|(?!\?))").match(self._pattern, self._at)
        if found is None:
            raise ValueError("a group that looks around")
        self._at = found.end()
        part = self._alternatives()
        if not self._next(")"):
            raise ValueError("an open group")
        return part

    def _escape(self) -> _Part:
        char = self._pattern[self._at]
        self._at += 1
        if char in "bBAzZ":
            return _fixed("")
        if char in "pP":
            found = re.compile(r"\{([\w=]+)\}|(\w)").match(self._pattern, self._at)
            if found is None or char == "P":
                raise ValueError("a property")
            self._at = found.end()
            return _fixed(_PROPERTIES.get((found[1] or found[2]).rpartition("=")[2], "a"))
        if char in "xu":
            found = re.compile(r"[0-9a-fA-F]{4}|[0-9a-fA-F]{2}").match(self._pattern, self._at)
            if found is None:
                raise ValueError("an escape")
            self._at = found.end()
            return _fixed(chr(int(found[0], 16)))
        if char.isdigit():
            raise ValueError("a reference back")
        return _fixed(_character(f"\\{char}"))

    def _next(self, char: str) -> bool:
        if self._pattern[self._at : self._at + 1] != char:
            return False
        self._at += 1
        return True


def _bounds(found: re.Match[str]) -> tuple[int, int]:
    if found[2] is None:
        return {"*": (0, _MOST), "+": (1, _MOST), "?": (0, 1)}[found[1]]
    low = int(found[2])
    return low, low if found[3] is None else int(found[4] or _MOST)


def _character(kind: str) -> str:
    """A character of a class or an escape such as `[^a-z]` or `\\d`."""
    compiled = re.compile(kind)
    return next(filter(compiled.fullmatch, _CHARACTERS), "")


def _fixed(text: str) -> _Part:
    return lambda _more, _which: text
