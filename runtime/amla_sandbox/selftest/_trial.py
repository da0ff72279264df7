"""What a trial is."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

__all__ = ["Trial", "Verdict"]


class Trial(NamedTuple):
    """An attempt that must come to nothing. `attempt` says what went wrong, or returns an empty string."""

    group: str
    name: str
    attempt: Callable[[], str]


class Verdict(NamedTuple):
    """How a trial went: `fault` is empty if the sandbox held. `seconds` is how long it took."""

    trial: Trial
    fault: str
    seconds: float

    @property
    def held(self) -> bool:
        return not self.fault
