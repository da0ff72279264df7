"""Folding: of long output the beginning and the end are shown, and how much lies between."""

from __future__ import annotations

import re
import time

__all__ = ["Fold"]

_SHOWN = 1_000
"""Rows that are shown as they come; arbitrary."""

_TAIL = 15
"""Rows of the end that are shown when the output is over; arbitrary."""

_KEPT = 16_000_000
"""Characters that are kept for `.more`; a session without a limit on its output must not fill the memory."""

_TICK = 0.1
"""Seconds between two words on how much has come."""

_COLOR = re.compile(r"\x1b\[[0-9;:]*m")


class Fold:
    """The text that one input prints. What `take` and `end` return is to be shown."""

    def __init__(self, columns: int, *, progress: bool, shown: int = _SHOWN) -> None:
        """`progress` tells in a line of its own how much was folded so far."""
        self._columns = max(1, columns)
        self._progress = progress
        self._room = shown
        self._parts: list[str] = []
        self._size = 0
        self._hidden = self._hidden_lines = 0
        """Characters, and line ends, that came and were not shown."""
        self._end = ""
        self._next = 0.0

    @property
    def text(self) -> str:
        """All that was printed, or of very much the beginning."""
        return "".join(self._parts)

    @property
    def is_folding(self) -> bool:
        """Whether what comes is not shown any more."""
        return bool(self._hidden)

    def take(self, text: str) -> str:
        if self._size < _KEPT:
            self._parts.append(text)
            self._size += len(text)
        cut = self._cut(text)
        return text[:cut] + (self._folded(text[cut:]) if cut < len(text) else "")

    def end(self) -> str:
        """The end of what was folded, below a line that says how much is missing."""
        if not self._hidden:
            return ""
        tail = "\n".join(self._end.split("\n")[-_TAIL - 1 :])
        return ("\r\x1b[K" if self._progress else "") + self._missing(tail) + _COLOR.sub("", tail)

    def _cut(self, text: str) -> int:
        """Where the room ends, charging for each row."""
        at = 0
        while at < len(text) and self._room > 0:
            end = text.find("\n", at) + 1 or len(text)
            end = min(end, at + self._room * self._columns)
            self._room -= max(1, -(-(end - at) // self._columns))
            at = end
        return at

    def _folded(self, text: str) -> str:
        self._hidden += len(text)
        self._hidden_lines += text.count("\n")
        self._end = (self._end + text)[-_TAIL * self._columns :]
        now = time.monotonic()
        if not self._progress or now < self._next:
            return ""
        self._next = now + _TICK
        return f"\r\x1b[K\x1b[0m… {self._hidden_lines:,} more lines"

    def _missing(self, tail: str) -> str:
        lines, characters = self._hidden_lines - tail.count("\n"), self._hidden - len(tail)
        what = f"{lines:,} lines" if lines else f"{characters:,} characters"
        return f"\x1b[0m… {what} are folded; .more shows them …\n" if characters else ""
