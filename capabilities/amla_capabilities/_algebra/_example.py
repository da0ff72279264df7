"""Arguments that meet constraints, found at a glance: most constraints can be met, and this shows it soonest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from amla_capabilities._constraints._constraint import Constraint
from amla_capabilities._constraints._leaf import Leaf
from amla_capabilities._paths import Step
from amla_capabilities._values import Json

from ._witnesses import meets, place

__all__ = ["example"]

_OF_TYPE: Mapping[str, Json] = {
    "null": None,
    "boolean": True,
    "integer": 1,
    "number": 1,
    "string": "x",
    "array": [],
    "object": {},
}

# What meets a comparison, by its operand; those that leave least room come first.
_MEETING: Mapping[str, Callable[[Any], Json]] = {
    "eq": lambda operand: operand,
    "is_in": lambda operand: operand[0],
    "starts_with": lambda operand: operand,
    "under": lambda operand: operand,
    "host_in": lambda operand: f"https://{operand[0]}/",
    "ge": lambda operand: operand,
    "gt": lambda operand: operand + 1,
    "le": lambda operand: operand,
    "lt": lambda operand: operand - 1,
    "is_type": lambda operand: _OF_TYPE[operand],
}
_RANK = {name: rank for rank, name in enumerate(_MEETING)}


def example(constraints: Iterable[Constraint]) -> Json | None:
    """Arguments that meet all the constraints; None where none are found, which says nothing."""
    every = tuple(constraints)
    plain = [part for part in every if isinstance(part, Leaf) and part.operator.name in _MEETING]
    first: dict[tuple[Step, ...], Leaf] = {}
    for leaf in sorted(plain, key=lambda leaf: _RANK[leaf.operator.name]):
        if not leaf.of_length:
            first.setdefault(leaf.path, leaf)
    arguments: Json = {}
    for path, leaf in first.items():
        arguments = place(arguments, path, _MEETING[leaf.operator.name](leaf.operand))
    return arguments if meets(arguments, every) else None
