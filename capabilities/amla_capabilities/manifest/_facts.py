"""What a schema says of arguments, as constraints: so that a rule and a schema that exclude each other are found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from amla_capabilities._constraints._constraint import Constraint
from amla_capabilities._constraints._leaf import Leaf
from amla_capabilities._constraints._walk import looks
from amla_capabilities._errors import ConstraintError
from amla_capabilities._values import as_list, as_mapping

__all__ = ["facts"]

_BOUNDS = {"minimum": "ge", "exclusiveMinimum": "gt", "maximum": "le", "exclusiveMaximum": "lt", "const": "eq"}


def facts(schema: Mapping[str, Any], constraints: Iterable[Constraint]) -> list[Constraint]:
    """What the schema guarantees of the parameters that the constraints name: values, bounds, plain types.

    Only what holds of every call that passed validation; a parameter that may be missing is so here too.
    """
    properties = as_mapping(schema.get("properties")) or {}
    required = {name for name in as_list(schema.get("required")) or () if isinstance(name, str)}
    found: list[Constraint] = []
    for name in dict.fromkeys(_named(constraints)):
        entry = as_mapping(properties.get(name)) or {}
        found += _of(name, entry, optional=name not in required and "default" not in entry)
    return found


def _of(name: str, entry: Mapping[str, Any], *, optional: bool) -> Iterator[Constraint]:
    values, kind = as_list(entry.get("enum")), entry.get("type")
    told: list[tuple[str, Any]] = [("is_in", values)] if values else []
    told += [(operator, entry[keyword]) for keyword, operator in _BOUNDS.items() if keyword in entry]
    if isinstance(kind, str) and not told:
        told.append(("is_type", kind))
    for operator, operand in told:
        try:
            yield Leaf.build(operator, (name,), operand, optional=optional)
        except ConstraintError:  # an operand that no constraint has, such as an object
            continue


def _named(constraints: Iterable[Constraint]) -> Iterator[str]:
    """The parameters that constraints look at or into."""
    return (path[0] for path, _ in looks(constraints) if path and isinstance(path[0], str))
