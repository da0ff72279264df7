"""AM6xx: calls that a script made when it was run on trial."""

from __future__ import annotations

from ._finding import FindingKind

__all__ = ["RUNS"]

RUNS: tuple[FindingKind, ...] = ()
