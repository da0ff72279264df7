"""What a script prints, made harmless to a terminal (R3, R33).

Colours pass. Everything else that a terminal obeys is spelled out: moving the cursor, clearing, titles, the clipboard,
queries that the terminal answers as if somebody had typed.
"""

from __future__ import annotations

import codecs
import re
import unicodedata

__all__ = ["EscapeFilter", "harmless"]

_COLOR = re.compile(r"(\x1b\[[0-9;:]*m)")
_OFF = "\x1b[0m"
_PLAIN = re.compile(r"[\n\t\r\x20-\x7e]*\Z")
_BEGUN = re.compile(r"\x1b(?:\[[0-9;:]{0,30})?\Z")
_OBEYED = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_HARMLESS = {"\n", "\t", "\r", "\u200c", "\u200d"}  # the last two join letters, and the parts of an emoji


class _Spelling(dict[int, str]):
    """How each character is shown, found out when it first appears."""

    def __missing__(self, point: int) -> str:
        char = chr(point)
        harmless = char in _HARMLESS or unicodedata.category(char) not in _OBEYED
        self[point] = char if harmless else f"\\x{point:02x}" if point < 0x100 else f"\\u{{{point:x}}}"
        return self[point]


_SPELLING = _Spelling()


def harmless(text: str) -> str:
    """The text as a terminal may have it."""
    if _PLAIN.match(text):
        return text
    parts = _COLOR.split(text)
    return "".join(part if at % 2 else part.translate(_SPELLING) for at, part in enumerate(parts))


class EscapeFilter:
    """One stream's filter; it remembers what was cut in two."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._begun = ""
        self._colored = False

    def take(self, data: bytes) -> str:
        """The next bytes as text that a terminal may have."""
        text = self._begun + self._decoder.decode(data)
        begun = _BEGUN.search(text)
        self._begun = begun[0] if begun else ""
        return self._shown(text[: len(text) - len(self._begun)])

    def end(self) -> str:
        """What is left, and colours off again."""
        rest, self._begun = self._begun + self._decoder.decode(b"", final=True), ""
        shown = self._shown(rest)
        off, self._colored = _OFF if self._colored else "", False
        return shown + off

    def _shown(self, text: str) -> str:
        shown = harmless(text)
        if "\x1b" in shown:
            self._colored = _COLOR.findall(shown)[-1] not in (_OFF, "\x1b[m")
        return shown
