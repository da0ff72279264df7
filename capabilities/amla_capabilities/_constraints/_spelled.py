"""Constraints written as people write them: the inverse of `constraints_from_dict`.

The short spelling is tried first, and kept if it is read back equal; else each part is written out in full.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from amla_capabilities._paths import path_text

from ._comparisons import SYMBOLS, Misspelt, split_comparison
from ._constraint import Constraint
from ._constraint_set import ConstraintSet
from ._leaf import Each, Leaf
from ._logic import AllOf, AnyOf, Not, When
from ._spelling import constraints_from_dict, is_operator

__all__ = ["spelled"]

_SIGNS = {name: symbol for symbol, name in SYMBOLS.items()}
_PLAIN = (str, int, float, bool)


def spelled(constraints: ConstraintSet) -> dict[str, Any]:
    """The shortest mapping that is read back equal."""
    by_param: dict[str, list[Any]] = {}
    for part in constraints:
        for param, spelling in _one(part).items():
            by_param.setdefault(param, []).append(spelling)
    short = {param: given[0] if len(given) == 1 else _joined(given) for param, given in by_param.items()}
    if _reads_back(short, constraints):
        return short
    return {"": [_one(part) for part in constraints]}


def _joined(spellings: list[Any]) -> list[Any]:
    """All of several: plain values have to become comparisons."""
    return [spelling if _compares(spelling) else _wrapped(spelling) for spelling in spellings]


def _compares(spelling: Any) -> bool:
    if isinstance(spelling, str):
        return split_comparison(spelling, ()) is not None
    return isinstance(spelling, Mapping)


def _wrapped(spelling: Any) -> dict[str, Any]:
    return {"is_in" if isinstance(spelling, list) else "eq": spelling}


def _reads_back(mapping: dict[str, Any], constraints: ConstraintSet) -> bool:
    try:
        return constraints_from_dict(mapping) == constraints
    except ValueError:
        return False


def _one(part: Constraint) -> dict[str, Any]:
    """One constraint as a mapping of one entry."""
    if isinstance(part, Leaf) and not (part.operand is None and part.optional):
        short = {_param(part): _short(part)}
        if _reads_back(short, ConstraintSet([part])):
            return short
    return _FULL[type(part)](part)


def _short(leaf: Leaf) -> Any:
    """A leaf in few characters, which may mean something else: the caller looks."""
    name, operand = leaf.operator.name, leaf.operand
    if name in ("exists", "not_exists"):
        return {"exists": name == "exists"}
    if name == "is_in" and not (leaf.optional or leaf.of_length):
        return operand
    if name == "eq" and isinstance(operand, _PLAIN) and not (leaf.optional or leaf.of_length):
        return operand
    spelling: Any = _comparison(leaf)
    if leaf.of_length:
        spelling = {"length": spelling}
    if leaf.optional:
        key = _SIGNS.get(name, name)
        spelling = {**(spelling if isinstance(spelling, dict) else {key: operand}), "optional": True}
    return spelling


def _comparison(leaf: Leaf) -> Any:
    sign = _SIGNS.get(leaf.operator.name)
    if sign is not None and leaf.operand is None:
        return f"{sign}null"
    if sign is None or not isinstance(leaf.operand, _PLAIN):
        return {leaf.operator.name: leaf.operand}
    if isinstance(leaf.operand, str):
        return {leaf.operator.name: leaf.operand} if _is_odd(leaf.operand) else f"{sign}{leaf.operand}"
    return f"{sign}{str(leaf.operand).lower()}"


def _is_odd(text: str) -> bool:
    try:
        return split_comparison(text, ()) is not None
    except Misspelt:
        return True


# In full


def _param(part: Leaf | Each) -> str:
    """The path as a key that no operator is called like."""
    from json import dumps

    text = path_text(part.path)
    return f"[{dumps(text)}]" if is_operator(text) or text in ("optional", "when") else text


def _leaf(leaf: Leaf) -> dict[str, Any]:
    name, operand = leaf.operator.name, leaf.operand
    if operand is None and name in ("eq", "ne"):  # TOML has no null
        judged: dict[str, Any] = {"all_of": [f"{_SIGNS[name]}null"]}
    else:
        judged = {name: operand}
    table = {"length": judged} if leaf.of_length else judged
    return {_param(leaf): {**table, "optional": True} if leaf.optional else table}


def _each(each: Each) -> dict[str, Any]:
    table = {"each": _one(each.constraint)}
    return {_param(each): {**table, "optional": True} if each.optional else table}


_FULL: Mapping[type[Constraint], Callable[[Any], dict[str, Any]]] = {
    Leaf: _leaf,
    Each: _each,
    AllOf: lambda part: {"": {"all_of": [_one(inner) for inner in part.constraints]}},
    AnyOf: lambda part: {"": {"any_of": [_one(inner) for inner in part.constraints]}},
    Not: lambda part: {"": {"not": _one(part.constraint)}},
    When: lambda part: {"": {"when": _one(part.condition), "all_of": [_one(part.constraint)]}},
}
