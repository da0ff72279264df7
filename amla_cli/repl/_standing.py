"""Where the session stands: what the bottom bar shows."""

from __future__ import annotations

from typing import NamedTuple

from amla_cli._terminal import text_width

__all__ = ["Standing", "fitting", "seconds_text", "size_text"]

_UNITS = ("B", "kB", "MB", "GB")


class Standing(NamedTuple):
    """A look at the session between two inputs. `left` is None where no grant limits the calls."""

    language: str
    cwd: str = "/workspace"
    size: int = 0
    files: int = 0
    calls: int = 0
    left: int | None = None
    status: int | None = None
    seconds: float = 0.0

    def parts(self) -> list[tuple[str, str]]:
        """What there is to say, the most important first: a style and a text."""
        parts = [("", self.cwd)]
        if self.status is not None:
            parts.append(("good" if self.status == 0 else "bad", _status_text(self.status, self.seconds)))
        budget = "" if self.left is None else f", {self.left:,} left"
        parts.append(("", _counted(self.calls, "call") + budget))
        return [*parts, ("", f"{size_text(self.size)} in {_counted(self.files, 'file')}")]


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _status_text(status: int, seconds: float) -> str:
    return f"{'✓' if status == 0 else f'✗ {status}'} {seconds_text(seconds)}"


def fitting(parts: list[tuple[str, str]], width: int) -> list[tuple[str, str]]:
    """The first parts, as many as fit beside each other with two blanks between."""
    kept: list[tuple[str, str]] = []
    for style, text in parts:
        width -= text_width(text) + 2
        if width < 0:
            break
        kept.append((style, text))
    return kept


def seconds_text(seconds: float) -> str:
    """A duration as people say it: `0.4 ms`, `35 ms`, `1.2 s`, `2m05s`."""
    if seconds < 0.01:
        return f"{seconds * 1000:.1f} ms"
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{int(seconds) // 60}m{int(seconds) % 60:02d}s"


def size_text(size: float) -> str:
    """A size as people say it: `512 B`, `12.3 kB`."""
    unit = 0
    while size >= 1000 and unit < len(_UNITS) - 1:
        size, unit = size / 1000, unit + 1
    return f"{size:.0f} {_UNITS[unit]}" if unit == 0 or size >= 100 else f"{size:.1f} {_UNITS[unit]}"
