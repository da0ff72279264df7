"""What became of the cache in one use of it."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import NamedTuple

__all__ = ["CacheError", "CacheStatus", "CacheWarning", "MissingError", "Outcome"]


class CacheError(Exception):
    """A file or folder of the cache cannot be used; the message says which, why, and what to do."""


class MissingError(CacheError):
    """Nothing is kept there yet."""


class CacheWarning(UserWarning):
    """The guest had to be compiled in memory; the next start will be as slow."""


class Outcome(Enum):
    """How the module was, or would be, obtained."""

    USED = "used"
    STORED = "stored"
    MISSING = "missing"
    BYPASSED = "bypassed"


class CacheStatus(NamedTuple):
    """``reason`` says why the cache was bypassed, or what was wrong with the file that was passed over or replaced."""

    outcome: Outcome
    path: Path | None = None
    reason: str = ""

    @property
    def ready(self) -> bool:
        """Whether the next start finds the module compiled."""
        return self.outcome in (Outcome.USED, Outcome.STORED)
