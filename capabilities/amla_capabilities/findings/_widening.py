"""AM5xx: rights that a manifest has and its older version had not."""

from __future__ import annotations

from ._finding import FindingKind

__all__ = ["WIDENING"]

WIDENING: tuple[FindingKind, ...] = ()
