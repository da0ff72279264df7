"""Where in a TOML text each key and value stands.

`tomllib` gives values without places, so a fault in a manifest could not be shown. This scanner walks a text that
tomllib has already accepted and notes offsets; it checks nothing, and is only run when there is a fault to show.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Path", "Spot", "scan"]

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Spot:
    """Offsets into the text: of the key (or header) that names something, and of its value."""

    key: int
    value: int


def scan(text: str) -> dict[Path, Spot]:
    """Each path of a valid TOML document, tables and array elements included, with its place."""
    scanner = _Scanner(text)
    scanner.document()
    return scanner.spots


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._lengths: dict[Path, int] = {}  # of the arrays of tables met so far
        self.spots: dict[Path, Spot] = {(): Spot(0, 0)}

    def document(self) -> None:
        table: Path = ()
        self._blank()
        while self._at < len(self._text):
            if self._text[self._at] == "[":
                table = self._header()
            else:
                self._pair(table)
            self._blank()

    def _header(self) -> Path:
        start = self._at
        is_element = self._text.startswith("[[", self._at)
        self._at += 2 if is_element else 1
        keys = self._keys()
        self._at = self._text.index("]", self._at) + (2 if is_element else 1)
        path = self._known([key for key, _ in keys[:-1]])
        last, offset = keys[-1]
        if not is_element:
            path = self._known([key for key, _ in keys])
            self.spots[path] = Spot(offset, start)
            return path
        path = (*path, last)
        count = self._lengths.get(path, 0)
        self._lengths[path] = count + 1
        self.spots.setdefault(path, Spot(offset, start))
        self.spots[(*path, count)] = Spot(offset, start)
        return (*path, count)

    def _known(self, keys: list[str]) -> Path:
        """The path of a header's table: an array of tables on the way means its last element so far."""
        path: Path = ()
        for key in keys:
            path = (*path, key)
            if path in self._lengths:
                path = (*path, self._lengths[path] - 1)
            else:
                self.spots.setdefault(path, Spot(self._at, self._at))
        return path

    def _pair(self, table: Path) -> None:
        path = table
        keys = self._keys()
        for key, offset in keys:
            path = (*path, key)
            self.spots.setdefault(path, Spot(offset, offset))
        self._at = self._text.index("=", self._at) + 1
        self._space()
        self.spots[path] = Spot(keys[-1][1], self._at)
        self._value(path)

    def _keys(self) -> list[tuple[str, int]]:
        """A dotted key: its parts and their offsets."""
        keys: list[tuple[str, int]] = []
        while True:
            self._space()
            start = self._at
            keys.append((self._key(), start))
            self._space()
            if not self._text.startswith(".", self._at):
                return keys
            self._at += 1

    def _key(self) -> str:
        start = self._at
        if self._text[start] in "\"'":
            self._string()
            return str(tomllib.loads(f"k = {self._text[start : self._at]}")["k"])
        self._skip(lambda c: c.isalnum() or c in "_-")
        return self._text[start : self._at]

    def _value(self, path: Path) -> None:
        opening = self._text[self._at]
        if opening in "\"'":
            self._string()
        elif opening == "[":
            self._array(path)
        elif opening == "{":
            self._inline_table(path)
        else:
            self._skip(lambda c: c not in ",]}#\n")

    def _string(self) -> None:
        quote = self._text[self._at]
        closing = quote * 3 if self._text.startswith(quote * 3, self._at) else quote
        self._at += len(closing)
        while not self._text.startswith(closing, self._at):
            self._at += 2 if quote == '"' and self._text[self._at] == "\\" else 1
        self._at += len(closing)
        while len(closing) == 3 and self._text.startswith(quote, self._at):
            self._at += 1  # a long string may end in up to two more quotes

    def _array(self, path: Path) -> None:
        self._at += 1
        self._blank()
        index = 0
        while self._text[self._at] != "]":
            self.spots[(*path, index)] = Spot(self._at, self._at)
            self._value((*path, index))
            self._blank(",")
            index += 1
        self._at += 1

    def _inline_table(self, path: Path) -> None:
        self._at += 1
        self._blank()
        while self._text[self._at] != "}":
            self._pair(path)
            self._blank(",")
        self._at += 1

    def _blank(self, also: str = "") -> None:
        """Skip white space, line ends, comments, and the characters in `also`."""
        while self._at < len(self._text) and self._text[self._at] in " \t\r\n#" + also:
            if self._text[self._at] == "#":
                self._skip(lambda c: c != "\n")
            else:
                self._at += 1

    def _space(self) -> None:
        self._skip(lambda c: c in " \t")

    def _skip(self, while_: Callable[[str], bool]) -> None:
        while self._at < len(self._text) and while_(self._text[self._at]):
            self._at += 1
