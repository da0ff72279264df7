"""Checking and charging the budgets that one call debits: the tool's own, the capability's, its ancestors' (R5, R7).

Amounts are read off the arguments before the lock is taken; under it every budget is checked, and only when all have
room is any charged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from amla_capabilities._constraints._failure import Failure
from amla_capabilities._values import Json

from ._amounts import Amounts, exact, read_amounts
from ._bounds import plain
from ._state import BudgetState, TotalState

if TYPE_CHECKING:
    from decimal import Decimal

    from ._bounds import Limited, Rate, Total
    from ._ledger import Account

__all__ = ["Budget", "Debits", "Refusal"]

_NOTHING: Amounts = {}


@dataclass(frozen=True, slots=True)
class Refusal:
    """A budget without room: the code of the decision, and a sentence each for the script and the owner."""

    code: str
    reason: str
    needed: str
    limit: tuple[str, int] | None = None  # of CALL_LIMIT: whose calls, and how many they were
    param: str | None = None  # of TOTAL_LIMIT


class Budget:
    """The limits of one holder, a capability or a tool, beside what was charged to it."""

    __slots__ = ("account", "ends", "expires", "max_calls", "name", "rate", "total")

    def __init__(self, name: str, limits: Limited, account: Account) -> None:
        self.name = name
        self.account = account
        self.max_calls, self.rate, self.total = limits.max_calls, limits.rate, limits.total
        self.expires = limits.expires
        self.ends = limits.expires.timestamp() if limits.expires else None

    def refusal(self, amounts: Amounts, now: float) -> Refusal | None:
        """Why the holder has no room for a call with these amounts, if so."""
        if self.ends is not None and now >= self.ends:
            return self._expired()
        if self.max_calls is not None and self.account.calls >= self.max_calls:
            return self._used_up(self.max_calls)
        if self.rate is not None and self.account.since(now - self.rate.seconds) >= self.rate.calls:
            return self._too_fast(self.rate, now)
        for total in self.total:
            if not total.admits(self._sum(total, amounts[total.param])):
                return self._too_much(total, amounts[total.param])
        return None

    @property
    def is_limited(self) -> bool:
        """Whether any call can be refused."""
        return self.max_calls is not None or self.ends is not None or self.rate is not None or bool(self.total)

    def note(self, amounts: Amounts, now: float) -> None:
        """Remember when a call was made, and its amounts."""
        if self.rate is not None:
            self.account.note_time(now, self.rate.seconds)
        for total in self.total:
            self.account.sums[total.param] = self._sum(total, amounts[total.param])

    def _sum(self, total: Total, amount: Decimal) -> Decimal:
        used = self.account.sums.get(total.param)
        return amount if used is None else exact().add(used, amount)

    def wait(self, now: float) -> float:
        """Seconds until the rate has room, 0 if it has."""
        if self.rate is None:
            return 0
        times = self.account.times
        over = self.account.since(now - self.rate.seconds) - self.rate.calls
        return times[len(times) - self.rate.calls] + self.rate.seconds - now if over >= 0 else 0

    def _expired(self) -> Refusal:
        when = self.expires.isoformat() if self.expires else ""
        return Refusal("EXPIRED", f"expired: {self.name} ended {when}", f"a later expires for {self.name}")

    def _used_up(self, limit: int) -> Refusal:
        calls = "1 call" if limit == 1 else f"{limit} calls"
        reason = f"call limit exceeded: {self.name} allows {calls}"
        return Refusal("CALL_LIMIT", reason, f"a higher max_calls than {limit} for {self.name}", (self.name, limit))

    def _too_fast(self, rate: Rate, now: float) -> Refusal:
        from math import ceil

        from amla_capabilities._units import format_duration

        fits = format_duration(ceil(self.wait(now)))
        reason = f"rate limit exceeded: {self.name} allows {rate}; the next call fits in {fits}"
        return Refusal("RATE_LIMIT", reason, f"a higher rate than {rate} for {self.name}, or waiting")

    def _too_much(self, total: Total, amount: Decimal) -> Refusal:
        used = self.account.sums.get(total.param)
        what = f"{total.param} {total.operator} {plain(total.bound)} in total"
        would = f"used is {plain(used) if used else 0}, and this call would add {plain(amount)}"
        reason = f"total limit exceeded: {self.name} allows {what}; {would}"
        return Refusal("TOTAL_LIMIT", reason, f"a higher total of {total.param} for {self.name}", param=total.param)

    def state(self, now: float, hidden: Iterable[str] = ()) -> BudgetState:
        """What is left. Sums of `hidden` parameters are not told."""
        account, secret = self.account, set(hidden)
        room = None if self.rate is None else max(0, self.rate.calls - account.since(now - self.rate.seconds))
        return BudgetState(
            name=self.name,
            calls=account.calls,
            max_calls=self.max_calls,
            calls_left=None if self.max_calls is None else max(0, self.max_calls - account.calls),
            rate=self.rate,
            rate_room=room,
            rate_wait=self.wait(now),
            totals=tuple(
                TotalState.of(total, account.sums.get(total.param), total.param in secret) for total in self.total
            ),
            expires=self.expires,
            expired=self.ends is not None and now >= self.ends,
        )


class Debits:
    """All budgets that a call of one tool under one capability debits."""

    __slots__ = ("_accounts", "_counting", "_limited", "_totals")

    def __init__(self, budgets: Sequence[Budget]) -> None:
        self._accounts = [budget.account for budget in budgets]
        self._limited = [budget for budget in budgets if budget.is_limited]
        self._counting = [budget for budget in budgets if budget.rate is not None or budget.total]
        self._totals = [total for budget in budgets for total in budget.total]

    def amounts(self, arguments: Json) -> Amounts | Failure:
        """What the call adds to each total, or why that is no amount (R13)."""
        return read_amounts(self._totals, arguments) if self._totals else _NOTHING

    def refusal(self, amounts: Amounts, now: float) -> Refusal | None:
        """The first budget's without room."""
        for budget in self._limited:
            refusal = budget.refusal(amounts, now)
            if refusal is not None:
                return refusal
        return None

    def charge(self, amounts: Amounts, now: float) -> None:
        """Count a call. The caller holds the ledger's lock and has checked every budget."""
        for account in self._accounts:
            account.calls += 1
        for budget in self._counting:
            budget.note(amounts, now)
