"""What is left of a budget, as a value for people and prompts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._amounts import exact
from ._bounds import plain

if TYPE_CHECKING:
    from datetime import datetime
    from decimal import Decimal

    from ._bounds import Rate, Total

__all__ = ["BudgetState", "TotalState"]


@dataclass(frozen=True, slots=True)
class TotalState:
    """How much of a total is used and left; None for both where the parameter is secret."""

    param: str
    bound: str
    used: Decimal | None
    left: Decimal | None

    @staticmethod
    def of(total: Total, used: Decimal | None, secret: bool) -> TotalState:
        from decimal import Decimal

        if secret:
            return TotalState(total.param, total.spelling(), None, None)
        used = used or Decimal(0)
        return TotalState(total.param, total.spelling(), used, max(Decimal(0), exact().subtract(total.bound, used)))


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
                t.param: {"bound": t.bound, "used": _digits(t.used), "left": _digits(t.left)} for t in self.totals
            }
        if self.expires is not None:
            data |= {"expires": self.expires.isoformat(), "expired": self.expired}
        return data


def _digits(number: Decimal | None) -> str | None:
    return None if number is None else plain(number)
