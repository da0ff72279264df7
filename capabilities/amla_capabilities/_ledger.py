"""Counts of charged calls. They only grow, and no guest reaches them (R6)."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Iterable

__all__ = ["Budget", "Ledger", "RunMeter"]

Budget = tuple[Hashable, str, int | None]  # whose calls these are, its name for people, how many it may make


class Ledger:
    """How many calls each capability and tool has made; shared by all runs and forks of one sandbox."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._used: dict[Hashable, int] = {}

    def used(self, account: Hashable) -> int:
        return self._used.get(account, 0)

    def exhausted(self, budgets: Iterable[Budget]) -> Budget | None:
        """The first budget with no call left."""
        for budget in budgets:
            if budget[2] is not None and self.used(budget[0]) >= budget[2]:
                return budget
        return None

    def charge(self, budgets: Iterable[Budget]) -> None:
        """Count one call against each. The caller holds `lock` and has checked all of them."""
        for account, _, _ in budgets:
            self._used[account] = self.used(account) + 1


class RunMeter:
    """The calls of one run: those tried and those made, against the run's limits (0 for none)."""

    def __init__(self, max_calls: int = 0, max_attempts: int = 0) -> None:
        self.max_calls = max_calls
        self.max_attempts = max_attempts
        self.calls = 0
        self.attempts = 0

    def attempt(self) -> bool:
        """Count an attempt, refused or not (R9). False when there were too many."""
        self.attempts += 1
        return not self.max_attempts or self.attempts <= self.max_attempts

    def has_room(self) -> bool:
        return not self.max_calls or self.calls < self.max_calls
