"""Where in a TOML text each key and value stands.

`tomllib` gives values without places, so a fault in a manifest could not be shown. This scanner walks a text that
tomllib has already accepted and notes offsets; it checks nothing, and is only run when there is a fault to show.
Places form a tree, so that time and memory grow with the text and not with the length of its paths.
"""

from __future__ import annotations

import re
import tomllib

__all__ = ["Path", "Place", "scan", "too_deep"]

Path = tuple[str | int, ...]

MAX_DEPTH = 64  # brackets around a value, and parts of a dotted key; arbitrary, far above what any manifest has


class Place:
    """Offsets into the text: of the key (or header) that names something, and of its value; with what is inside."""

    __slots__ = ("elements", "inner", "key", "value")

    def __init__(self, key: int, value: int) -> None:
        self.key = key
        self.value = value
        self.inner: dict[str | int, Place] | None = None
        self.elements = -1  # of an array of tables, how many were met so far

    def at(self, step: str | int) -> Place | None:
        return None if self.inner is None else self.inner.get(step)

    def ensure(self, step: str | int, key: int, value: int) -> Place:
        """The place of `step` within this one, made if it is new."""
        if self.inner is None:
            self.inner = {}
        found = self.inner.get(step)
        if found is None:
            found = self.inner[step] = Place(key, value)
        return found

    def find(self, path: Path) -> tuple[Place, bool]:
        """The place at a path, or else the nearest around it; and whether it is the path's own."""
        here = self
        for step in path:
            there = here.at(step)
            if there is None:
                return here, False
            here = there
        return here, True


# Only one way leads through a text, and a quote that is never closed ends with it, so nothing is tried twice.
# Possessive groups would say so, but Python before 3.11.5 matches them wrongly.
_LONG_STRING = r'"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*(?:"{3,5})?|' + r"'''[^']*(?:'(?!'')[^']*)*(?:'{3,5})?"
_CLOSED_STRING = r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"|' + r"'[^'\n]*'"
_SHORT_STRING = r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|' + r"'[^'\n]*'?"
_PART = rf"(?:[A-Za-z0-9_+-]+|{_CLOSED_STRING})[ \t]*"
_NEXT = rf"(?:\.[ \t]*{_PART})"
_LEXEME = re.compile(
    rf"#[^\n]*|{_LONG_STRING}|(?P<long>{_PART}{_NEXT}{{{MAX_DEPTH}}})|{_PART}{_NEXT}{{0,{MAX_DEPTH}}}|{_SHORT_STRING}"
    r"|[\[{]|[\]}]",
    re.DOTALL,
)
_OPENING = {"[": 1, "{": 1, "]": -1, "}": -1}


def too_deep(text: str) -> int | None:
    """The offset where a text, valid or not, nests deeper than `MAX_DEPTH`; parsers are slow or fail on such."""
    depth = 0
    for lexeme in _LEXEME.finditer(text):
        depth += _OPENING.get(lexeme[0], 0)
        if lexeme["long"] is not None or depth > MAX_DEPTH:
            return lexeme.start()
    return None


def scan(text: str) -> Place:
    """The place of a valid TOML document, with those of all its tables, keys and elements inside."""
    scanner = _Scanner(text)
    scanner.document()
    return scanner.top


_BLANKS = re.compile(r"[ \t\r\n]*(?:#[^\n]*[ \t\r\n]*)*")
_BLANKS_AND_COMMAS = re.compile(r"[ \t\r\n,]*(?:#[^\n]*[ \t\r\n,]*)*")
_SPACE = re.compile(r"[ \t]*")
_BARE_KEY = re.compile(r"[^\s.=\]]*")
_PLAIN_VALUE = re.compile(r"[^,\]}#\n]*")
_MAX_ELEMENTS = 10_000  # of an array; a fault in a later one is shown at the array, which saves much memory
_TEXT = re.compile(f"{_LONG_STRING}|{_SHORT_STRING}", re.DOTALL)


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self.top = Place(0, 0)

    def document(self) -> None:
        table = self.top
        self._skip(_BLANKS)
        while self._at < len(self._text):
            if self._text[self._at] == "[":
                table = self._header()
            else:
                self._pair(table)
            self._skip(_BLANKS)

    def _header(self) -> Place:
        start = self._at
        is_element = self._text.startswith("[[", self._at)
        self._at += 2 if is_element else 1
        keys = self._keys()
        self._at = self._text.index("]", self._at) + (2 if is_element else 1)
        table = self.top
        for key, offset in keys[:-1]:
            table = self._last(table.ensure(key, offset, start))
        last, offset = keys[-1]
        table = table.ensure(last, offset, start)
        if is_element:
            table.elements += 1
            return table.ensure(table.elements, offset, start)
        table = self._last(table)
        table.key, table.value = offset, start
        return table

    def _last(self, table: Place) -> Place:
        """In a header, an array of tables means its last element so far."""
        return table if table.elements < 0 else table.ensure(table.elements, self._at, self._at)

    def _pair(self, table: Place) -> None:
        keys = self._keys()
        for key, offset in keys:
            table = table.ensure(key, offset, offset)
        self._at = self._text.index("=", self._at) + 1
        self._skip(_SPACE)
        table.key, table.value = keys[-1][1], self._at
        self._value(table)

    def _keys(self) -> list[tuple[str, int]]:
        """A dotted key: its parts and their offsets."""
        keys: list[tuple[str, int]] = []
        while True:
            self._skip(_SPACE)
            start = self._at
            keys.append((self._key(), start))
            self._skip(_SPACE)
            if not self._text.startswith(".", self._at):
                return keys
            self._at += 1

    def _key(self) -> str:
        start = self._at
        if self._text[start] in "\"'":
            self._skip(_TEXT)
            return str(tomllib.loads(f"k = {self._text[start : self._at]}")["k"])
        self._skip(_BARE_KEY)
        return self._text[start : self._at]

    def _value(self, place: Place) -> None:
        opening = self._text[self._at]
        if opening in "\"'":
            self._skip(_TEXT)
        elif opening == "[":
            self._array(place)
        elif opening == "{":
            self._inline_table(place)
        else:
            self._skip(_PLAIN_VALUE)

    def _array(self, place: Place) -> None:
        self._at += 1
        self._skip(_BLANKS)
        index = 0
        while self._text[self._at] != "]":
            known = index < _MAX_ELEMENTS
            self._value(place.ensure(index, self._at, self._at) if known else Place(0, 0))
            self._skip(_BLANKS_AND_COMMAS)
            index += 1
        self._at += 1

    def _inline_table(self, place: Place) -> None:
        self._at += 1
        self._skip(_BLANKS)
        while self._text[self._at] != "}":
            self._pair(place)
            self._skip(_BLANKS_AND_COMMAS)
        self._at += 1

    def _skip(self, pattern: re.Pattern[str]) -> None:
        found = pattern.match(self._text, self._at)
        self._at = found.end() if found else self._at
