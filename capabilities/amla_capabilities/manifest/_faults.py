"""Faults of a manifest: collected, placed, and shown all at once."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from amla_capabilities.findings import FINDINGS, Finding

from ._masking import masked, without_tokens
from ._positions import Path, Place, scan

__all__ = ["ManifestError", "Source", "fault_in", "path_name", "raise_faults"]


class ManifestError(ValueError):
    """A manifest that cannot be used; `faults` holds everything that is wrong with it (codes `AM1xx`)."""

    def __init__(self, faults: Sequence[Finding]) -> None:
        self.faults = tuple(faults)
        count = f"{len(faults)} faults in the manifest:\n" if len(faults) > 1 else ""
        super().__init__(count + "\n".join(map(str, faults)))


MAX_FAULTS = 100  # of one file; arbitrary: nobody reads on, and a hostile manifest would have a great many
_MAX_TEXT = 2000  # characters of a message or a path
_WIDTH = 160  # characters of a source line; longer ones are shown in part


@dataclass(slots=True)
class Source:
    """One manifest file: its text, and the faults found in it so far."""

    file: str
    text: str
    faults: list[Finding] = field(default_factory=list[Finding])
    warnings: list[Finding] = field(default_factory=list[Finding])
    _top: Place | None = None
    _starts: list[int] = field(default_factory=list[int])  # of the lines
    _shown: tuple[int, str] = (-1, "")  # the line shown last, fit to print

    def fault(self, code: str, path: Path, message: str, *, at_key: bool = False, offset: int = 0) -> None:
        """Note a fault at a path's value, or its key; `offset` characters into a value that is a string.

        Raises `ManifestError` when there are so many that it makes no sense to look for more.
        """
        self._note(self.place(code, path, message, at_key=at_key, offset=offset))

    def warn(self, code: str, path: Path, message: str) -> None:
        if len(self.warnings) < MAX_FAULTS:
            self.warnings.append(self.place(code, path, message))

    def place_at(self, code: str, offset: int, message: str, *, hint: str = "") -> Finding:
        """A finding at an offset of the text."""
        return self._at(code, offset, "", message, hint)

    def fault_at(self, code: str, offset: int, message: str) -> None:
        """Note a fault at an offset of the text, as for a syntax error."""
        self._note(self.place_at(code, offset, message))

    def _note(self, fault: Finding) -> None:
        if len(self.faults) == MAX_FAULTS:
            message = f"more faults follow; these are the first {MAX_FAULTS}"
            more = replace(fault_in(self.file, "AM102", message), line=fault.line, column=fault.column)
            raise ManifestError([*_sorted(self.faults), more])
        self.faults.append(fault)

    def place(
        self, code: str, path: Path, message: str, *, at_key: bool = False, offset: int = 0, hint: str = ""
    ) -> Finding:
        """A finding with its place; something absent is placed at the nearest table that is there."""
        if self._top is None:
            self._top = scan(self.text)
        place, exact = self._top.find(path)
        start = place.key if at_key or not exact else self._inside(place.value, offset)
        return self._at(code, start, path_name(path), message, hint)

    def _inside(self, start: int, offset: int) -> int:
        """An offset within a string's text, where that is plain: one line, no escapes."""
        quoted = self.text[start : start + offset + 2]
        plain = quoted[:1] in ('"', "'") and quoted[:3] not in ('"""', "'''") and "\\" not in quoted
        return start + 1 + offset if offset and plain else start

    def _at(self, code: str, offset: int, path: str, message: str, hint: str) -> Finding:
        if not self._starts:
            self._starts = [0, *(found.end() for found in _LINE_END.finditer(self.text))]
        number = bisect_right(self._starts, offset)
        column = offset - self._starts[number - 1]
        shown, caret = _window(self._line(number), column)
        return Finding(
            code,
            _visible(message),
            FINDINGS[code].severity,
            self.file,
            number,
            column + 1,
            _visible(path),
            _visible(hint),
            shown,
            caret,
        )

    def _line(self, number: int) -> str:
        """A source line fit to print; the last one is kept, since faults of one line come together."""
        if self._shown[0] != number:
            start = self._starts[number - 1]
            end = self._starts[number] - 1 if number < len(self._starts) else len(self.text)
            self._shown = (number, _printable(self.text[start:end]))
        return self._shown[1]


_LINE_END = re.compile("\n")


def _window(line: str, column: int) -> tuple[str, int]:
    """As much of a line around a column as is worth showing, and the column in that."""
    if len(line) <= _WIDTH:
        return line, column
    start = max(0, min(column - _WIDTH // 2, len(line) - _WIDTH))
    ahead, behind = "…" if start else "", "…" if start + _WIDTH < len(line) else ""
    return ahead + line[start : start + _WIDTH] + behind, column - start + len(ahead)


def raise_faults(sources: Iterable[Source]) -> None:
    """Raise `ManifestError` if any source has a fault, all of them in order."""
    faults = [fault for source in sources for fault in _sorted(source.faults)]
    if faults:
        raise ManifestError(faults)


def fault_in(file: str, code: str, message: str) -> Finding:
    """A fault of a file as a whole, of whose text nothing is shown."""
    return Finding(code, _visible(message), FINDINGS[code].severity, file, 1, 1)


def _sorted(faults: Iterable[Finding]) -> list[Finding]:
    return sorted(faults, key=lambda fault: (fault.line, fault.column))


def _printable(line: str) -> str:
    """A source line fit to print: what looks secret is masked (R2), control characters are replaced (R3)."""
    return "".join(c if c.isprintable() else " " for c in masked(line.rstrip("\r")))


def _visible(message: str) -> str:
    """A message fit to print. It may quote a value, and a value may be a key."""
    message = without_tokens(message)
    message = message if len(message) <= _MAX_TEXT else f"{message[:_MAX_TEXT]}…"
    return "".join(c if c.isprintable() or c == "\n" else f"\\u{ord(c):04x}" for c in message)


_BARE = re.compile(r"[A-Za-z0-9_-]+")


def path_name(path: Path) -> str:
    """A path as TOML writes it: `tools."git/log".max_calls`, `capabilities[0].method`."""
    return "".join(map(_step, path)).removeprefix(".")


def _step(step: str | int) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    return f".{step}" if _BARE.fullmatch(step) else f'."{step}"'
