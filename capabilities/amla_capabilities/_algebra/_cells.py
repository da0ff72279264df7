"""Values that stand for all values, where constraints tell only finitely many apart.

Comparisons with constants cut the JSON values into cells: each constant, what lies between two neighbouring numbers
(whole or not), every other string, and so on. All values of a cell meet the same comparisons, so one of each decides
any question about them. Prefixes, lengths, expressions and elements cut finer; for those there is no such list.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from math import nan
from typing import Any

from amla_capabilities._constraints._leaf import Leaf
from amla_capabilities._values import Json, as_list, type_name

__all__ = ["cells"]

_CUTTING = frozenset({"le", "lt", "ge", "gt", "eq", "ne", "is_in", "not_in", "is_type", "exists", "not_exists"})
_MOST = 100  # constants at one place; arbitrary: comparing all of their cells takes time
_EXACT = 2**40  # beyond it, halves between whole numbers may not exist as floats


def cells(leaves: Sequence[Leaf]) -> list[Json] | None:
    """One value of each cell that leaves about one place distinguish; None where they may distinguish more."""
    if not all(leaf.operator.name in _CUTTING and not leaf.of_length for leaf in leaves):
        return None
    constants = [value for leaf in leaves for value in _constants(leaf)]
    if len(constants) > _MOST:
        return None
    numbers = _numbers([value for value in constants if type_name(value) == "number"])
    if numbers is None:
        return None
    others = [value for value in constants if type_name(value) in ("string", "array", "object")]
    fresh = "other" + "".join(value for value in others if isinstance(value, str))
    return [*numbers, *others, fresh, [fresh], {fresh: fresh}, None, True, False, nan]


def _constants(leaf: Leaf) -> Iterable[Json]:
    if leaf.operator.name in ("is_in", "not_in"):
        return as_list(leaf.operand) or ()
    return () if leaf.operator.name in ("is_type", "exists", "not_exists") else (leaf.operand,)


def _numbers(constants: Sequence[Any]) -> list[Any] | None:
    """The constants, and between and beyond them a whole number and one that is not."""
    exact = {Fraction(Decimal(repr(value))): value for value in constants or [0]}
    points = sorted(exact)
    if max(map(abs, points)) > _EXACT:
        return None
    low, high = points[0] // 1 - 2, points[-1] // 1 + 3
    found: list[Any] = list(exact.values())
    for start, end in pairwise([Fraction(low), *points, Fraction(high)]):
        inside = list(_between(start, end))
        if not inside:
            return None
        found += inside
    return found


def _between(start: Fraction, end: Fraction) -> Iterator[Any]:
    """A number that is not whole and, if there is one, a whole number, strictly between."""
    middle = float((start + end) / 2)
    for candidate in (middle, middle + 0.25):
        if not candidate.is_integer() and start < Fraction(Decimal(repr(candidate))) < end:
            yield candidate
            break
    whole = start // 1 + 1
    if whole < end:
        yield whole
