"""How much the calls under NEW can be, at most, against what OLD allowed.

Calls that one budget of OLD would have been charged with may, in NEW, come through several capabilities and reach
several tools; each of those has limits of its own. The sum of those limits bounds the calls, summed either by
capability or by tool, whichever is less. A tool's limit bounds what each capability lets through to it, and the other
way round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import partial
from math import ceil, inf
from typing import NamedTuple

from amla_capabilities._budgets._bounds import Limited, Total, plain

__all__ = ["Excess", "Flow", "excesses"]


@dataclass(frozen=True, slots=True)
class Flow:
    """Calls that pass one capability and then one tool's limits; budgets are told apart by identity."""

    grant: Limited
    tool: Limited


class Excess(NamedTuple):
    """A budget that NEW can overdraw: its key in a manifest, and how much it was and can be now."""

    key: str
    old: str
    new: str


class _Most(NamedTuple):
    """An upper bound, and whether it can be reached. Of two the laxer is the greater."""

    value: float | Fraction
    reached: bool = True


_NO_BOUND = _Most(inf)


def excesses(old: Limited, flows: Sequence[Flow]) -> Iterator[Excess]:
    """What of a budget of OLD can be exceeded by the calls of NEW that would have been charged to it."""
    if old.max_calls is not None:
        most = _bound(flows, _calls)
        if most > _Most(old.max_calls):
            yield Excess("max_calls", str(old.max_calls), _shown(most))
    if old.rate is not None:
        most = _bound(flows, partial(_calls_within, old.rate.seconds))
        if most > _Most(old.rate.calls):
            unit = str(old.rate).partition("/")[2]
            yield Excess("rate", str(old.rate), f"{_shown(most)}/{unit}")
    for total in old.total:
        most = _bound(flows, partial(_sum, total.param))
        if most > _limit(total):
            yield Excess("total", f"{total.param} {total.spelling()}", _shown(most))


def _bound(flows: Sequence[Flow], most: Callable[[Limited], _Most]) -> _Most:
    """The most that all flows together can come to, where `most` says it for each budget alone."""
    by_grant = _cover([(flow.grant, flow.tool) for flow in flows], most)
    by_tool = _cover([(flow.tool, flow.grant) for flow in flows], most)
    return min(by_grant, by_tool)


def _cover(pairs: Sequence[tuple[Limited, Limited]], most: Callable[[Limited], _Most]) -> _Most:
    """The sum over the first budgets; each lets through no more than the second ones behind it take together."""
    behind: dict[int, tuple[Limited, dict[int, Limited]]] = {}
    for first, second in pairs:
        behind.setdefault(id(first), (first, {}))[1][id(second)] = second
    return _sum_of(min(most(first), _sum_of(map(most, seconds.values()))) for first, seconds in behind.values())


def _sum_of(bounds: Iterable[_Most]) -> _Most:
    every = list(bounds)
    return _Most(sum(bound.value for bound in every), all(bound.reached for bound in every))


def _calls(budget: Limited) -> _Most:
    return _NO_BOUND if budget.max_calls is None else _Most(budget.max_calls)


def _calls_within(seconds: float, budget: Limited) -> _Most:
    """The most calls in any interval of that length: so many intervals of the budget's own rate cover it."""
    if budget.rate is None:
        return _calls(budget)
    intervals = ceil(Fraction(seconds) / Fraction(budget.rate.seconds))
    return min(_calls(budget), _Most(budget.rate.calls * intervals))


def _sum(param: str, budget: Limited) -> _Most:
    return min((_limit(total) for total in budget.total if total.param == param), default=_NO_BOUND)


def _limit(total: Total) -> _Most:
    return _Most(Fraction(total.bound), total.operator == "<=")


def _shown(most: _Most) -> str:
    if most.value == inf:
        return "no limit"
    number = Fraction(most.value)
    text = plain(Decimal(number.numerator) / Decimal(number.denominator))
    return text if most.reached else f"less than {text}"
