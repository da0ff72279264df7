"""AM1xx: faults, for which a manifest is refused."""

from __future__ import annotations

from ._finding import FindingKind

__all__ = ["FAULTS"]


def _fault(code: str, title: str, meaning: str, mend: str, example: str = "", mended: str = "") -> FindingKind:
    return FindingKind(code, title, "error", meaning, mend, example, mended, can_suppress=False)


FAULTS: tuple[FindingKind, ...] = (
    _fault(
        "AM101",
        "Not valid TOML",
        "The text is no TOML, so nothing in it could be read. A key that is given twice is such a fault too.",
        "Mend the syntax at the place shown.",
        '[sandbox]\ntimeout = "30s\n',
        '[sandbox]\ntimeout = "30s"\n',
    ),
)
