"""Which limits of a grant are kept where others decide in its stead."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from amla_capabilities._budgets._bounds import Limited

__all__ = ["lost_limits"]


class Limits(Limited, Protocol):
    """What bounds calls besides constraints: a capability, a tool's own table."""

    @property
    def approval(self) -> object: ...


def lost_limits(demands: Limits, others: Sequence[Limits]) -> list[str]:
    """The kinds of limit that `demands` has, and that none of the others, which all bind, keeps as strictly."""
    return [kind for kind, kept in _KINDS.items() if not kept(demands, others)]


def _approval(demands: Limits, others: Sequence[Limits]) -> bool:
    return demands.approval is None or any(other.approval is not None for other in others)


def _max_calls(demands: Limits, others: Sequence[Limits]) -> bool:
    return demands.max_calls is None or any(_at_most(other, demands.max_calls) for other in others)


def _at_most(limits: Limits, calls: int) -> bool:
    return limits.max_calls is not None and limits.max_calls <= calls


def _rate(demands: Limits, others: Sequence[Limits]) -> bool:
    rate = demands.rate
    return rate is None or any(
        _at_most(other, rate.calls) or (other.rate is not None and other.rate.within(rate)) for other in others
    )


def _total(demands: Limits, others: Sequence[Limits]) -> bool:
    stated = [total for other in others for total in other.total]
    return all(any(own.param == total.param and own.within(total) for own in stated) for total in demands.total)


def _expires(demands: Limits, others: Sequence[Limits]) -> bool:
    end = demands.expires
    return end is None or any(other.expires is not None and other.expires <= end for other in others)


_KINDS: Mapping[str, Callable[[Limits, Sequence[Limits]], bool]] = {
    "approval": _approval,
    "max_calls": _max_calls,
    "rate": _rate,
    "total": _total,
    "expires": _expires,
}
