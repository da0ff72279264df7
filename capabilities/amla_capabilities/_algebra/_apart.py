"""Sets of constraints that exclude each other at a glance; what most well-made grants of one tool do.

The algebra decides the rest. This is a hundred times cheaper, and looks at pairs of comparisons of one parameter only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from amla_capabilities._constraints._constraint import Constraint
from amla_capabilities._constraints._leaf import Leaf
from amla_capabilities._values import as_list, less

from ._witnesses import is_number, place

__all__ = ["plain_leaves", "plainly_apart", "values_of"]


def plainly_apart(first: Iterable[Constraint], second: Iterable[Constraint]) -> bool:
    """Whether two of their comparisons alone show that nothing meets both sets. False says nothing."""
    others = list(plain_leaves(second))
    return any(_apart(one, other) for one in plain_leaves(first) for other in others if one.path == other.path)


def plain_leaves(constraints: Iterable[Constraint]) -> Iterator[Leaf]:
    """Comparisons of what one path reaches that hold of every call under the constraints."""
    for part in constraints:
        if isinstance(part, Leaf) and not part.optional and not part.of_length and None not in part.path:
            yield part


def _apart(one: Leaf, other: Leaf) -> bool:
    names = (one.operator.name, other.operator.name)
    if names == ("starts_with", "starts_with"):
        return not one.operand.startswith(other.operand) and not other.operand.startswith(one.operand)
    return _no_value(one, other) or _no_value(other, one) or _no_number(one, other) or _no_number(other, one)


def _no_value(one: Leaf, other: Leaf) -> bool:
    """Whether `one` lists the values that it admits, and `other` refuses each."""
    values = values_of(one)
    return values is not None and not any(other.holds(place(None, one.path, value)) for value in values)


def values_of(leaf: Leaf) -> Sequence[Any] | None:
    if leaf.operator.name == "eq":
        return [leaf.operand]
    return as_list(leaf.operand) if leaf.operator.name == "is_in" else None


def _no_number(low: Leaf, high: Leaf) -> bool:
    """Whether `low` is a lower bound above the upper bound that `high` is."""
    strict = {("ge", "le"): False, ("gt", "le"): True, ("ge", "lt"): True, ("gt", "lt"): True}
    pair = (low.operator.name, high.operator.name)
    if pair not in strict or not is_number(low.operand) or not is_number(high.operand):
        return False
    return less(high.operand, low.operand) or (strict[pair] and not less(low.operand, high.operand))
