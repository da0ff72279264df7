"""Checking and charging the budgets that one call debits: the tool's own, the capability's, its ancestors' (R5, R7).

Amounts are read off the arguments before the lock is taken; under it every budget is checked, and only when all have
room is any charged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from typing import TYPE_CHECKING, Any, Protocol

from ._failure import Failure
from ._paths import Step, parse_path
from ._values import Json, show

if TYPE_CHECKING:
    from datetime import datetime
    from decimal import Context, Decimal

    from ._budgets import Rate, Total
    from ._constraint_set import ConstraintSet
    from ._ledger import Account

__all__ = ["Amounts", "Budget", "BudgetState", "Debits", "Refusal", "TotalState"]

Amounts = Mapping[str, "Decimal"]  # what a call adds to each total, by parameter


class Limited(Protocol):
    """Whatever has the limits of a budget."""

    @property
    def max_calls(self) -> int | None: ...
    @property
    def rate(self) -> Rate | None: ...
    @property
    def total(self) -> tuple[Total, ...]: ...
    @property
    def expires(self) -> datetime | None: ...


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

    def charge(self, amounts: Amounts, now: float) -> None:
        """Count a call. The caller holds the ledger's lock and has checked every budget."""
        self.account.calls += 1
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

        from ._units import format_duration

        fits = format_duration(ceil(self.wait(now)))
        reason = f"rate limit exceeded: {self.name} allows {rate}; the next call fits in {fits}"
        return Refusal("RATE_LIMIT", reason, f"a higher rate than {rate} for {self.name}, or waiting")

    def _too_much(self, total: Total, amount: Decimal) -> Refusal:
        used = _plain(self.account.sums.get(total.param))
        what = f"{total.param} {total.operator} {_plain(total.bound)} in total"
        reason = (
            f"total limit exceeded: {self.name} allows {what}; used is {used}, this call would add {_plain(amount)}"
        )
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
            totals=tuple(_total_state(total, account, total.param in secret) for total in self.total),
            expires=self.expires,
            expired=self.ends is not None and now >= self.ends,
        )


class Debits:
    """All budgets that a call of one tool under one capability debits."""

    __slots__ = ("_totals", "budgets")

    def __init__(self, budgets: Sequence[Budget]) -> None:
        self.budgets = budgets
        self._totals = [total for budget in budgets for total in budget.total]

    def amounts(self, arguments: Json) -> Amounts | Failure:
        """What the call adds to each total, or why that is no amount (R13)."""
        if not self._totals:
            return _NOTHING
        amounts: dict[str, Decimal] = {}
        for total in self._totals:
            failure = _amount_rule(total.param).check(arguments)
            if failure is not None:
                return _as_total(failure, total)
            amounts[total.param] = _amount(arguments, parse_path(total.param))
        return amounts

    def refusal(self, amounts: Amounts, now: float) -> Refusal | None:
        """The first budget's without room."""
        for budget in self.budgets:
            refusal = budget.refusal(amounts, now)
            if refusal is not None:
                return refusal
        return None

    def charge(self, amounts: Amounts, now: float) -> None:
        for budget in self.budgets:
            budget.charge(amounts, now)


@dataclass(frozen=True, slots=True)
class TotalState:
    """How much of a total is used and left; None for both where the parameter is secret."""

    param: str
    bound: str
    used: Decimal | None
    left: Decimal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetState:
    """What is left of one holder's budget, for people and prompts.

    None for what has no limit. `rate_wait` is the time in seconds until the rate has room, 0 if it has.
    """

    name: str
    calls: int
    max_calls: int | None
    calls_left: int | None
    rate: Rate | None
    rate_room: int | None
    rate_wait: float
    totals: tuple[TotalState, ...]
    expires: datetime | None
    expired: bool

    @property
    def is_limited(self) -> bool:
        """Whether there is any limit at all."""
        return bool(self.totals) or any(limit is not None for limit in (self.max_calls, self.rate, self.expires))

    def to_dict(self) -> dict[str, Any]:
        """The same as JSON, without what has no limit."""
        data: dict[str, Any] = {"name": self.name, "calls": self.calls}
        if self.max_calls is not None:
            data |= {"max_calls": self.max_calls, "calls_left": self.calls_left}
        if self.rate is not None:
            data |= {"rate": str(self.rate), "rate_room": self.rate_room, "rate_wait": self.rate_wait}
        if self.totals:
            data["totals"] = {
                t.param: {"bound": t.bound, "used": _shown(t.used), "left": _shown(t.left)} for t in self.totals
            }
        if self.expires is not None:
            data |= {"expires": self.expires.isoformat(), "expired": self.expired}
        return data


# Amounts

_NOTHING: Amounts = {}


@lru_cache(maxsize=1)
def exact() -> Context:
    """Arithmetic that keeps every digit of sums of JSON numbers, and would rather fail than round."""
    from decimal import Context, Inexact, InvalidOperation

    return Context(prec=2000, traps=[Inexact, InvalidOperation])


@lru_cache(maxsize=1024)
def _amount_rule(param: str) -> ConstraintSet:
    from ._constraint_set import ConstraintSet
    from ._leaf import Leaf

    return ConstraintSet([Leaf.build("ge", parse_path(param), 0)])


def _as_total(failure: Failure, total: Total) -> Failure:
    reasons = {
        "missing": "is missing",
        "type": f"is {show(failure.actual)}, which is no number",
        "violation": f"{show(failure.actual)} is no amount",
    }
    return replace(
        failure, constraint=str(total), message=f"{failure.path} {reasons[failure.kind]}; the {total} needs one"
    )


def _amount(arguments: Json, steps: tuple[Step, ...]) -> Decimal:
    from decimal import Decimal

    numbers = [_decimal(number) for number in _reached(arguments, steps)]
    if len(numbers) == 1:
        return numbers[0]
    return reduce(exact().add, numbers, Decimal(0))


def _decimal(number: Json) -> Decimal:
    from decimal import Decimal

    return Decimal(number) if isinstance(number, int) else Decimal(repr(float(number)))


def _reached(value: Json, steps: tuple[Step, ...]) -> Iterator[Json]:
    """All values that a path reaches; it is known to reach them."""
    if not steps:
        yield value
    elif steps[0] is None:  # EVERY
        for item in value:
            yield from _reached(item, steps[1:])
    else:
        yield from _reached(value[steps[0]], steps[1:])


def _plain(number: Decimal | None) -> str:
    return format(number, "f") if number else "0"


def _shown(number: Decimal | None) -> str | None:
    return None if number is None else _plain(number)


def _total_state(total: Total, account: Account, secret: bool) -> TotalState:
    from decimal import Decimal

    bound = f"{total.operator}{_plain(total.bound)}"
    if secret:
        return TotalState(total.param, bound, None, None)
    used = account.sums.get(total.param, Decimal(0))
    return TotalState(total.param, bound, used, max(Decimal(0), exact().subtract(total.bound, used)))
