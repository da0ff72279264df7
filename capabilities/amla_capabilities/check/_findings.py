"""Verdicts as findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from amla_capabilities.findings import Finding

    from ._judge import SiteVerdict
    from ._site import SiteError

__all__ = ["error_finding", "site_finding"]

_WIDTH = 100
"""Characters of a source line that a finding shows; arbitrary."""


def site_finding(verdict: SiteVerdict, file: str, source: str) -> Finding | None:
    """What a verdict on a site of `source` comes to; None for an allowed call."""
    site = verdict.site
    if not verdict.code:
        return None
    return _finding(verdict.code, verdict.reason, file, source, site.line, site.column, verdict.hint)


def error_finding(error: SiteError, file: str, source: str) -> Finding:
    """A script that could not be looked at."""
    return _finding("AM407", error.message, file, source, error.line, error.column)


def _finding(code: str, message: str, file: str, source: str, line: int, column: int, hint: str = "") -> Finding:
    from amla_capabilities.findings import FINDINGS, Finding

    text, caret = _excerpt(source, line, column)
    return Finding(
        code,
        _printable(message),
        FINDINGS[code].severity,
        file,
        line,
        column,
        hint=_printable(hint),
        source=text,
        caret=caret,
    )


def _excerpt(source: str, line: int, column: int) -> tuple[str, int]:
    """The source line, or the part of it around the column, and where in that the column is (R3)."""
    lines = source.split("\n")
    text = lines[line - 1] if line <= len(lines) else ""
    start = max(0, column - 1 - _WIDTH // 2) if len(text) > _WIDTH else 0
    return _printable(text[start : start + _WIDTH]), column - 1 - start


def _printable(text: str) -> str:
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)
