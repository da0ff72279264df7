"""How a constraint may turn out on arguments of which only some parts are known.

Each leaf is true, untrue (false or a fault), or may be either; `& | ~ when each` combine that as they combine truth
(R11). "May be true" errs on the side of true, so a call that cannot be allowed is one indeed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from amla_capabilities._constraints._constraint import Constraint
from amla_capabilities._constraints._leaf import Each, Leaf, Pathed
from amla_capabilities._constraints._logic import AllOf, AnyOf, Not, When
from amla_capabilities._paths import Step
from amla_capabilities._values import type_name

from ._partial import UNKNOWN, Partial, Text
from ._texts import outcomes

__all__ = ["Chance", "chance", "culprits", "undecided"]


class Chance(NamedTuple):
    """Whether something may be true, and whether it may be untrue."""

    true: bool
    untrue: bool


_EITHER = Chance(True, True)
_ABSENT: tuple[Step, ...] = ("absent",)


def chance(constraint: Constraint, value: Any, *, lenient: bool = False, negated: bool = False) -> Chance:
    """How the constraint (or, `negated`, its negation) may turn out.

    `lenient` says that what is missing below the first level may be filled in before the constraint is judged.
    """
    return _Judge(lenient).of(constraint, value, negated)


def undecided(constraint: Constraint, value: Any, *, lenient: bool = False) -> Iterator[Pathed]:
    """The leaves that may turn out either way."""
    for leaf, negated in _leaves(constraint, False):
        if chance(leaf, value, lenient=lenient, negated=negated) == _EITHER:
            yield leaf


def culprits(constraint: Constraint, value: Any, *, lenient: bool = False) -> Iterator[Constraint]:
    """Of a constraint that cannot be true, the parts for which it cannot."""
    parts = constraint.constraints if isinstance(constraint, AllOf) else ()
    guilty = [part for part in parts if not chance(part, value, lenient=lenient).true]
    if guilty:
        yield from culprits(guilty[0], value, lenient=lenient)
    else:
        yield constraint


def _leaves(constraint: Constraint, negated: bool) -> Iterator[tuple[Pathed, bool]]:
    """Each leaf, and whether it is its negation that counts."""
    if isinstance(constraint, Pathed):
        yield constraint, negated
    elif isinstance(constraint, AllOf | AnyOf):
        for part in constraint.constraints:
            yield from _leaves(part, negated)
    elif isinstance(constraint, Not):
        yield from _leaves(constraint.constraint, not negated)
    elif isinstance(constraint, When):
        yield from _leaves(constraint.condition, not negated)
        yield from _leaves(constraint.constraint, negated)


def _every(chances: Iterable[Chance]) -> Chance:
    each = list(chances)
    return Chance(all(one.true for one in each), any(one.untrue for one in each))


def _some(chances: Iterable[Chance]) -> Chance:
    each = list(chances)
    return Chance(any(one.true for one in each), all(one.untrue for one in each))


class _Judge:
    def __init__(self, lenient: bool) -> None:
        self._lenient = lenient

    def of(self, constraint: Constraint, value: Any, negated: bool) -> Chance:
        if isinstance(constraint, Pathed):
            return self._follow(constraint, value, 0, negated)
        if isinstance(constraint, AllOf | AnyOf):
            join = _every if isinstance(constraint, AllOf) is not negated else _some
            return join(self.of(part, value, negated) for part in constraint.constraints)
        if isinstance(constraint, Not):
            return self.of(constraint.constraint, value, not negated)
        if isinstance(constraint, When):
            join = _every if negated else _some
            condition = self.of(constraint.condition, value, not negated)
            return join([condition, self.of(constraint.constraint, value, negated)])
        return _EITHER

    def _follow(self, leaf: Pathed, value: Any, depth: int, negated: bool) -> Chance:
        """What a leaf comes to, from the step `depth` of its path on."""
        for index in range(depth, len(leaf.path)):
            step = leaf.path[index]
            if value is UNKNOWN:
                return _EITHER
            if isinstance(value, Text):
                return _known(leaf, leaf.path[index:], "", negated)  # as any text
            if not isinstance(value, Partial):
                return _known(leaf, leaf.path[index:], value, negated)
            if (value.kind == "object") is not isinstance(step, str):
                return _known(leaf, leaf.path[index:], {} if value.kind == "object" else [], negated)
            if step is None:  # every element
                return _elements(
                    [self._follow(leaf, item, index + 1, negated) for item in value.items.values()], value.open, negated
                )
            if step not in value.items:
                return _EITHER if value.open or (self._lenient and index > 0) else _known(leaf, _ABSENT, {}, negated)
            value = value.items[step]
        return self._arrive(leaf, value, negated)

    def _arrive(self, leaf: Pathed, value: Any, negated: bool) -> Chance:
        if value is UNKNOWN:
            return _EITHER
        if isinstance(value, Text):
            return _of_text(leaf, value, negated)
        if not isinstance(value, Partial):
            return _known(leaf, (), value, negated)
        if isinstance(leaf, Each):
            if value.kind == "object":
                return _known(leaf, (), {}, negated)
            each = [self.of(leaf.constraint, item, negated) for item in value.items.values()]
            return _elements(each, value.open, negated)
        like: Any = {} if value.kind == "object" else []
        accepted = isinstance(leaf, Leaf) and type_name(like) in leaf.accepted
        return _EITHER if accepted and not _is_presence(leaf) else _known(leaf, (), like, negated)


def _elements(each: list[Chance], is_open: bool, negated: bool) -> Chance:
    """What a constraint on every element comes to; where `is_open`, further elements may follow."""
    whole = _some(each) if negated else _every(each)
    if not is_open:
        return whole
    return Chance(True, whole.untrue) if negated else Chance(whole.true, True)


def _is_presence(leaf: Pathed) -> bool:
    return isinstance(leaf, Leaf) and leaf.operator.name in ("exists", "not_exists")


def _of_text(leaf: Pathed, text: Text, negated: bool) -> Chance:
    if not isinstance(leaf, Leaf):
        return _known(leaf, (), "", negated)
    true, false, fault = outcomes(leaf, text)
    return Chance(false if negated else true, fault or (true if negated else false))


def _known(leaf: Pathed, path: tuple[Step, ...], value: Any, negated: bool) -> Chance:
    """What a leaf comes to on a value that is known, for the rest of its path."""
    holds = replace(leaf, path=path).judge(value, (), negated, None)
    return Chance(holds, not holds)
