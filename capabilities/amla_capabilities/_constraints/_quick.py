"""Fast answers for the common case.

`quick(constraint)` is a test that says yes only where the constraint holds. Where it does not say yes, `judge` has to
look: at NaN, at a float against an integer, at dots in a path, at everything that is refused and needs a reason. So
nothing here decides what a constraint means; it only spares most calls the walk.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from math import inf
from types import MappingProxyType
from typing import Any

from amla_capabilities._paths import Step
from amla_capabilities._values import MAX_DIGITS, Json

from ._constraint import Constraint
from ._leaf import Each, Leaf
from ._logic import AllOf, AnyOf

__all__ = ["quick"]

Test = Callable[[Json], bool]

_LARGE = 10**MAX_DIGITS
_OBJECTS = frozenset({dict, MappingProxyType})
_ARRAYS = frozenset({list, tuple})
_MEASURED = frozenset({str, list, tuple, dict, MappingProxyType})
_MISSING: Any = object()
_DOTTED = re.compile(r"[^ -~]|%|\.(?![A-Za-z0-9])|(?<![A-Za-z0-9])\.")  # what may be a dot segment, and much besides


def quick(constraint: Constraint) -> Test:
    """A test of arguments that is true only where the constraint holds."""
    if isinstance(constraint, AllOf):
        parts = [quick(part) for part in constraint.constraints]
        return lambda arguments: all(part(arguments) for part in parts)
    if isinstance(constraint, AnyOf):
        parts = [quick(part) for part in constraint.constraints]
        return lambda arguments: any(part(arguments) for part in parts)
    if isinstance(constraint, Leaf):
        return _along(constraint.path, _length(constraint) if constraint.of_length else _value_test(constraint))
    if isinstance(constraint, Each):
        return _along((*constraint.path, None), quick(constraint.constraint))
    return _no


def _no(_: Json) -> bool:
    return False


def _along(path: Sequence[Step], test: Test) -> Test:
    """The test of what a path reaches."""
    for step in reversed(path):
        if isinstance(step, int):
            return _no
        test = _of_every(test) if step is None else _of_key(step, test)
    return test


def _of_key(key: str, test: Test) -> Test:
    def look(value: Json) -> bool:
        if type(value) not in _OBJECTS:
            return False
        found = value.get(key, _MISSING)
        return found is not _MISSING and test(found)

    return look


def _of_every(test: Test) -> Test:
    return lambda value: type(value) in _ARRAYS and all(map(test, value))


def _value_test(leaf: Leaf) -> Test:
    name, operand = leaf.operator.name, leaf.operand
    if name in _BOUNDS:
        return _BOUNDS[name](operand)
    if name in ("eq", "is_in", "not_in"):
        return _members([operand] if name == "eq" else operand, name == "not_in")
    build = _TEXTS.get(name)
    return build(operand) if build and isinstance(operand, str) else _no


def _length(leaf: Leaf) -> Test:
    if leaf.operator.name not in _BOUNDS:
        return _no
    test = _BOUNDS[leaf.operator.name](leaf.operand)
    return lambda value: type(value) in _MEASURED and test(len(value))


# A value of the bound's own type, that is no NaN and no over-long integer.


def _at_most(bound: Any) -> Test:
    if isinstance(bound, float):
        return lambda value: type(value) is float and -inf < value <= bound
    return lambda value: type(value) is int and -_LARGE < value <= bound


def _below(bound: Any) -> Test:
    if isinstance(bound, float):
        return lambda value: type(value) is float and -inf < value < bound
    return lambda value: type(value) is int and -_LARGE < value < bound


def _at_least(bound: Any) -> Test:
    if isinstance(bound, float):
        return lambda value: type(value) is float and bound <= value < inf
    return lambda value: type(value) is int and bound <= value < _LARGE


def _above(bound: Any) -> Test:
    if isinstance(bound, float):
        return lambda value: type(value) is float and bound < value < inf
    return lambda value: type(value) is int and bound < value < _LARGE


_BOUNDS: Mapping[str, Callable[[Any], Test]] = {"le": _at_most, "lt": _below, "ge": _at_least, "gt": _above}


def _members(members: Sequence[Json], outside: bool) -> Test:
    """One of some strings, or none of them."""
    if not all(type(member) is str for member in members):
        return _no
    texts = frozenset(members)
    if outside:
        return lambda value: type(value) is str and value not in texts
    return lambda value: type(value) is str and value in texts


def _starts_with(prefix: str) -> Test:
    if "/" not in prefix:
        return lambda value: type(value) is str and value.startswith(prefix)
    return lambda value: type(value) is str and value.startswith(prefix) and _DOTTED.search(value) is None


def _under(folder: str) -> Test:
    inside = folder if folder == "/" else folder + "/"

    def test(value: Json) -> bool:
        if type(value) is not str or not value.startswith(inside) or "\\" in value or "\0" in value:
            return False
        return "//" not in value and "/." not in value and value[-1] != "/"

    return test


_TEXTS: Mapping[str, Callable[[str], Test]] = {
    "starts_with": _starts_with,
    "ends_with": lambda suffix: lambda value: type(value) is str and value.endswith(suffix),
    "contains": lambda part: lambda value: type(value) is str and part in value,
    "under": _under,
}
