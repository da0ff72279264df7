"""Whether one capability is narrower than another, limits included.

Limits are compared as the bounds on all histories of calls that they are. What one states and the other does not can
still follow from something else: calls in an interval from `max_calls`, a sum from `max_calls` and a bound per call.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from amla_capabilities._algebra._algebra import implies
from amla_capabilities._budgets._bounds import Total
from amla_capabilities._constraints._leaf import Leaf
from amla_capabilities._paths import EVERY, parse_path
from amla_capabilities._patterns import pattern_is_subset, patterns_overlap

if TYPE_CHECKING:
    from ._capability import MethodCapability

__all__ = ["are_disjoint", "check_attenuated", "is_narrower"]


def is_narrower(child: MethodCapability, parent: MethodCapability) -> bool:
    """Whether every history of calls that `child` allows, `parent` allows. Raises `UndecidableError`."""
    if child.max_calls == 0:
        return True
    return (
        _within_scope(child, parent)
        and (parent.approval is None or child.approval is not None)
        and (parent.expires is None or (child.expires is not None and child.expires <= parent.expires))
        and (parent.max_calls is None or (child.max_calls is not None and child.max_calls <= parent.max_calls))
        and _within_rate(child, parent)
        and pattern_is_subset(child.method_pattern, parent.method_pattern)
        and parent.constraints.subsumes(child.constraints)
        and all(_within_total(child, total) for total in parent.total)
    )


def are_disjoint(one: MethodCapability, other: MethodCapability) -> bool:
    """Whether no call fits both. Raises `UndecidableError`."""
    if not patterns_overlap(one.method_pattern, other.method_pattern) or not _scopes_overlap(one, other):
        return True
    return one.constraints.is_disjoint(other.constraints)


def check_attenuated(child: MethodCapability, parent: MethodCapability) -> None:
    """Raise `ValueError` unless `child` keeps every limit of `parent`, as written. Never undecided."""
    if not pattern_is_subset(child.method_pattern, parent.method_pattern):
        raise ValueError(f"pattern {child.method_pattern!r} reaches beyond {parent.method_pattern!r}")
    of = f"of {parent.method_pattern!r}"
    if not set(parent.constraints) <= set(child.constraints):
        raise ValueError(f"the constraints {of} are not all kept")
    if parent.max_calls is not None and (child.max_calls is None or child.max_calls > parent.max_calls):
        raise ValueError(f"max_calls {child.max_calls} is more than the {parent.max_calls} {of}")
    if parent.rate is not None and (child.rate is None or not child.rate.within(parent.rate)):
        raise ValueError(f"rate {child.rate} is not always within the {parent.rate} {of}")
    for total in parent.total:
        if not _stated_total(child, total):
            raise ValueError(f"the {total} {of} is not kept")
    if parent.expires is not None and (child.expires is None or child.expires > parent.expires):
        raise ValueError(f"expires is later than the {parent.expires.isoformat()} {of}")
    if (parent.approval is not None and child.approval is None) or not _within_scope(child, parent):
        raise ValueError(f"approval or scope {of} is not kept")


def _within_scope(child: MethodCapability, parent: MethodCapability) -> bool:
    return parent.scope is None or (child.scope is not None and child.scope.within(parent.scope))


def _scopes_overlap(one: MethodCapability, other: MethodCapability) -> bool:
    """Whether some path may lie in both scopes."""
    if one.scope is None or other.scope is None:
        return True
    shared = one.scope.servers & other.scope.servers
    return (
        bool(shared) or any(map(other.scope.covers, one.scope.tools)) or any(map(one.scope.covers, other.scope.tools))
    )


def _within_rate(child: MethodCapability, parent: MethodCapability) -> bool:
    if parent.rate is None:
        return True
    if child.max_calls is not None and child.max_calls <= parent.rate.calls:
        return True
    return child.rate is not None and child.rate.within(parent.rate)


def _within_total(child: MethodCapability, total: Total) -> bool:
    return _stated_total(child, total) or _follows(child, total)


def _stated_total(child: MethodCapability, total: Total) -> bool:
    return any(own.param == total.param and own.within(total) for own in child.total)


def _follows(child: MethodCapability, total: Total) -> bool:
    """Whether the total follows from the child's number of calls and its constraints on each."""
    path = parse_path(total.param)
    each = Fraction(total.bound) / child.max_calls if child.max_calls else Fraction(0)
    if EVERY in path:
        return False  # an array may have any number of elements
    bound = _plain_below(each)
    strict = total.operator == "<" and bool(child.max_calls) and Fraction(Decimal(repr(bound))) == each
    wanted = [Leaf.build("ge", path, 0), Leaf.build("lt" if strict else "le", path, bound)]
    return implies(tuple(child.constraints), wanted)


def _plain_below(bound: Fraction) -> int | float:
    """The largest number that JSON can hold and that is no larger."""
    from math import inf, nextafter

    if bound.denominator == 1:
        return int(bound)
    number = float(bound)
    while Fraction(Decimal(repr(number))) > bound:
        number = nextafter(number, -inf)
    return number
