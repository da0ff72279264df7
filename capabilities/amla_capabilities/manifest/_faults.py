"""Faults of a manifest: collected, placed, and shown all at once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ._positions import Path, Spot, scan

__all__ = ["Fault", "ManifestError", "Source", "path_name", "raise_faults"]


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: `file:line:column` (from 1), the path in the file, a sentence, the source line and its caret."""

    file: str
    line: int
    column: int
    path: str
    message: str
    source: str = ""

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}:{self.column}: {self.path + ': ' if self.path else ''}{self.message}"
        return f"{where}\n    {self.source}\n    {' ' * (self.column - 1)}^" if self.source else where


class ManifestError(ValueError):
    """A manifest that cannot be used; `faults` holds everything that is wrong with it."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        count = f"{len(faults)} faults in the manifest:\n" if len(faults) > 1 else ""
        super().__init__(count + "\n".join(map(str, faults)))


@dataclass(slots=True)
class Source:
    """One manifest file: its text, and the faults found in it so far."""

    file: str
    text: str
    faults: list[Fault] = field(default_factory=list[Fault])
    warnings: list[Fault] = field(default_factory=list[Fault])
    _spots: dict[Path, Spot] | None = None

    def fault(self, path: Path, message: str, *, at_key: bool = False, offset: int = 0) -> None:
        """Note a fault at a path's value, or its key; `offset` characters into a value that is a string."""
        self.faults.append(self.place(path, message, at_key=at_key, offset=offset))

    def warn(self, path: Path, message: str) -> None:
        self.warnings.append(self.place(path, message))

    def fault_at(self, offset: int, message: str) -> None:
        """Note a fault at an offset of the text, as for a syntax error."""
        self.faults.append(self._at(offset, "", message))

    def place(self, path: Path, message: str, *, at_key: bool = False, offset: int = 0) -> Fault:
        """The fault with its place; something absent is placed at the nearest table that is there."""
        if self._spots is None:
            self._spots = scan(self.text)
        known = path
        while known not in self._spots:
            known = known[:-1]
        spot = self._spots[known]
        start = spot.key if at_key or known != path else self._inside(spot.value, offset)
        return self._at(start, path_name(path), message)

    def _inside(self, start: int, offset: int) -> int:
        """An offset within a string's text, where that is plain: one line, no escapes."""
        quoted = self.text[start : start + offset + 2]
        plain = quoted[:1] in ('"', "'") and quoted[:3] not in ('"""', "'''") and "\\" not in quoted
        return start + 1 + offset if offset and plain else start

    def _at(self, offset: int, path: str, message: str) -> Fault:
        line_start = self.text.rfind("\n", 0, offset) + 1
        line_end = self.text.find("\n", offset)
        line = self.text[line_start : line_end if line_end >= 0 else len(self.text)]
        number = self.text.count("\n", 0, offset) + 1
        return Fault(self.file, number, offset - line_start + 1, _visible(path), _visible(message), _shown(line))


def raise_faults(sources: Iterable[Source]) -> None:
    """Raise `ManifestError` if any source has a fault, all of them in order."""
    faults = [fault for source in sources for fault in sorted(source.faults, key=lambda f: (f.line, f.column))]
    if faults:
        raise ManifestError(faults)


_SECRET_KEY = re.compile(r"(?i)token|secret|passw|credential|api.?key|authorization|bearer|private")
_STRING = re.compile(r"\"[^\"]*\"|'[^']*'")


def _shown(line: str) -> str:
    """A source line fit to print: what looks secret is masked (R2), control characters are replaced (R3)."""
    if _SECRET_KEY.search(line):
        line = _STRING.sub(lambda found: _masked(found[0]), line)
    return "".join(c if c.isprintable() else " " for c in line.rstrip("\r"))


def _masked(quoted: str) -> str:
    """The string with its text starred out, unless that is too short, or clearly no secret."""
    plain = len(quoted) < 10 or "${" in quoted or "://" in quoted
    return quoted if plain else quoted[0] + "*" * (len(quoted) - 2) + quoted[0]


def _visible(message: str) -> str:
    return "".join(c if c.isprintable() or c == "\n" else f"\\u{ord(c):04x}" for c in message)


_BARE = re.compile(r"[A-Za-z0-9_-]+")


def path_name(path: Path) -> str:
    """A path as TOML writes it: `tools."git/log".max_calls`, `capabilities[0].method`."""
    name = ""
    for step in path:
        if isinstance(step, int):
            name += f"[{step}]"
        else:
            name += ("." if name else "") + (step if _BARE.fullmatch(step) else f'"{step}"')
    return name
