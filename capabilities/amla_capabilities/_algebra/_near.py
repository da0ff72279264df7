"""Of many sets of constraints those that are not apart at a glance from another one.

A manifest with thousands of grants has them for values of one parameter: `id = "a"`, `path = "startswith:/b/"`. They
are found by these values, so that comparing each with each takes no longer than writing them down.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

from amla_capabilities._constraints._constraint import Constraint
from amla_capabilities._constraints._leaf import Leaf
from amla_capabilities._paths import Step
from amla_capabilities._values import type_name

from ._apart import plain_leaves, values_of

__all__ = ["Near"]

_Path = tuple[Step, ...]


class Near:
    """Sets of constraints in order, found again by the values that they demand."""

    def __init__(self, sets: Iterable[Iterable[Constraint]]) -> None:
        self._sets = [tuple(each) for each in sets]
        self._places: dict[_Path, _Place] = {}
        for number, constraints in enumerate(self._sets):
            for path, leaf in _telling(constraints).items():
                self._places.setdefault(path, _Place()).add(leaf, number)

    def of(self, constraints: Sequence[Constraint], before: int) -> Iterable[int]:
        """Which of the first sets, so many of them, may have something in common with this one, in order."""
        best: tuple[int, _Place | None, set[int]] = (before, None, set())
        for path, leaf in _telling(constraints).items():
            place = self._places.get(path)
            if place is not None:
                found = place.met_by(leaf)
                size = len(found) + len(self._sets) - len(place.members)
                best = min(best, (size, place, found), key=lambda one: one[0])
        _, place, found = best
        if place is None:
            return range(before)
        if len(place.members) < len(self._sets):
            found = found | (set(range(before)) - place.members)
        return sorted(number for number in found if number < before)


def _telling(constraints: Iterable[Constraint]) -> dict[_Path, Leaf]:
    """For each place the first comparison that says which values, or which beginning, it admits."""
    found: dict[_Path, Leaf] = {}
    for leaf in plain_leaves(constraints):
        if _keys(leaf) is not None or leaf.operator.name == "starts_with":
            found.setdefault(leaf.path, leaf)
    return found


class _Place:
    """What sets demand at one path."""

    def __init__(self) -> None:
        self.members: set[int] = set()
        self._values: dict[tuple[str, Any], list[int]] = {}
        self._beginnings: dict[str, list[int]] = {}

    def add(self, leaf: Leaf, number: int) -> None:
        self.members.add(number)
        keys = _keys(leaf)
        if keys is None:
            self._beginnings.setdefault(leaf.operand, []).append(number)
        for key in keys or ():
            self._values.setdefault(key, []).append(number)

    def met_by(self, leaf: Leaf) -> set[int]:
        """The members that some value which the leaf admits may meet."""
        keys = _keys(leaf)
        if keys is None:
            return self._beginning_with(leaf.operand) | self._that_begin(leaf.operand)
        found = {number for key in keys for number in self._values.get(key, ())}
        return found.union(*(self._that_begin(value) for kind, value in keys if kind == "string"))

    def _that_begin(self, text: str) -> set[int]:
        """Those of beginnings of the text."""
        if not self._beginnings:
            return set()
        lengths = range(min(len(text), self._longest) + 1)
        return {number for length in lengths for number in self._beginnings.get(text[:length], ())}

    def _beginning_with(self, text: str) -> set[int]:
        values = (number for each in _from(self._texts, text) for number in self._values["string", each])
        beginnings = (number for each in _from(self._ordered, text) for number in self._beginnings[each])
        return {*values, *beginnings}

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self._beginnings))

    @cached_property
    def _texts(self) -> list[str]:
        return sorted(value for kind, value in self._values if kind == "string")

    @cached_property
    def _ordered(self) -> list[str]:
        return sorted(self._beginnings)


def _from(texts: Sequence[str], beginning: str) -> Iterator[str]:
    """Those of sorted texts that begin so."""
    for text in islice(texts, bisect_left(texts, beginning), None):
        if not text.startswith(beginning):
            return
        yield text


def _keys(leaf: Leaf) -> list[tuple[str, Any]] | None:
    """Keys of the values that a leaf lists: equal where the values are the same. None for a leaf that lists none."""
    values = values_of(leaf)
    if values is None or any(type_name(value) in ("array", "object") for value in values):
        return None
    return [(type_name(value), _exact(value)) for value in values]


def _exact(value: Any) -> Any:
    if not isinstance(value, float):
        return value
    from decimal import Decimal

    return Decimal(repr(value))
