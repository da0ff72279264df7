"""What was charged: calls, their times, sums of arguments. It only grows, and no guest reaches it (R6).

Each capability and each tool has an account. A capability's budget belongs to the object: whoever holds the object,
in whichever policy, debits one account. So that counts outlive a process, an account has a stable key as well, made
from what the capability names and constrains (not from its limits, so that raising one forgets no call) and, among
equals, from its place. An unknown object with a known key joins that account: a manifest that is loaded again goes on
where it was, and at worst two grants that look alike share what one of them allows.
"""

from __future__ import annotations

import threading
import time
from bisect import bisect_right, insort
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any, Protocol
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from decimal import Decimal

__all__ = ["Account", "Holder", "Ledger", "RunMeter"]


class Holder(Hashable, Protocol):
    """Whose account it may be; compared by identity, alike where `identity()` is equal."""

    def identity(self) -> str: ...


class Account:
    """What was charged to one capability or tool.

    `times` are those of the calls in the last `window` seconds, in order; `sums` are by parameter.
    """

    __slots__ = ("calls", "sums", "times", "window")

    def __init__(self) -> None:
        self.calls = 0
        self.times: list[float] = []
        self.window = 0.0
        self.sums: dict[str, Decimal] = {}

    def note_time(self, now: float, window: float) -> None:
        """Remember the time of a call. Calls of a future that the clock stepped back from stay (R15)."""
        self.window = max(self.window, window)
        del self.times[: bisect_right(self.times, now - self.window)]
        insort(self.times, now)

    def since(self, start: float) -> int:
        """How many calls were made after `start`."""
        return len(self.times) - bisect_right(self.times, start)


class Ledger:
    """The accounts of all capabilities and tools of one sandbox; shared by its runs and forks.

    `lock` makes checking and charging one step. `clock` gives seconds since the epoch.
    """

    def __init__(self, *, clock: Callable[[], float] = time.time) -> None:
        self.lock = threading.RLock()
        self._clock = clock
        self._accounts: dict[str, Account] = {}
        self._keys: WeakKeyDictionary[Holder, str] = WeakKeyDictionary()
        self._unnamed: dict[Holder, Account] = {}  # of the first policy; their keys are made when they matter

    def now(self) -> float:
        """The time. Raises `ValueError` for a clock that gives none: NaN is before no end, so no right would expire."""
        now = self._clock()
        if not isfinite(now):
            raise ValueError(f"the ledger's clock gives {now}, which is no time")
        return now

    def tool(self, path: str) -> Account:
        """The account of a tool's own limits."""
        with self.lock:
            return self._account(f"tool:{path}")

    def bind(self, holders: Iterable[Holder]) -> Mapping[Holder, Account]:
        """The account of each holder of a policy, in order."""
        every = list(dict.fromkeys(holders))
        with self.lock:
            if not self._accounts and not self._unnamed:
                self._unnamed = {holder: Account() for holder in every}
                return self._unnamed
            self._name()
            return {holder: self._account(key) for holder, key in self._keys_of(every)}

    def export(self) -> dict[str, Any]:
        """All counts as JSON; `restore` reads them back."""
        with self.lock:
            self._name()
            return {"version": 1, "accounts": {k: _written(a) for k, a in self._accounts.items() if _is_used(a)}}

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Take over saved counts; where both have one the higher stays (R6). Raises `ValueError`, changing nothing."""
        from ._saved_counts import read_accounts

        accounts = read_accounts(saved)
        with self.lock:
            self._name()
            for key, account in accounts.items():
                _raise_to(self._account(key), account)

    def _account(self, key: str) -> Account:
        found = self._accounts.get(key)
        if found is None:
            found = self._accounts[key] = Account()
        return found

    def _name(self) -> None:
        """Give the holders of the first policy their keys."""
        unnamed, self._unnamed = self._unnamed, {}
        for holder, key in self._keys_of(list(unnamed)):
            self._accounts[key] = unnamed[holder]

    def _keys_of(self, holders: Sequence[Holder]) -> list[tuple[Holder, str]]:
        taken = {self._keys[holder] for holder in holders if holder in self._keys}
        for holder in holders:
            if holder not in self._keys:
                self._keys[holder] = key = _free_key(holder.identity(), taken)
                taken.add(key)
        return [(holder, self._keys[holder]) for holder in holders]


def _free_key(identity: str, taken: set[str]) -> str:
    number = 1
    while (key := f"cap:{identity}#{number}") in taken:
        number += 1
    return key


def _is_used(account: Account) -> bool:
    return bool(account.calls or account.times or account.sums)


def _written(account: Account) -> dict[str, Any]:
    sums = {param: format(total, "f") for param, total in account.sums.items()}
    return {"calls": account.calls, "times": list(account.times), "window": account.window, "sums": sums}


def _raise_to(account: Account, saved: Account) -> None:
    """Each count to the higher of the two; times that both know are the same calls."""
    from collections import Counter

    account.calls = max(account.calls, saved.calls)
    account.window = max(account.window, saved.window)
    account.times = sorted((Counter(account.times) | Counter(saved.times)).elements())
    for param, total in saved.sums.items():
        account.sums[param] = max(account.sums.get(param, total), total)


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
