"""AM4xx: tool calls found in scripts."""

from __future__ import annotations

from ._finding import FindingKind

__all__ = ["SITES"]

SITES: tuple[FindingKind, ...] = ()
