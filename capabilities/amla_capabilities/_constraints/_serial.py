"""Constraints as plain JSON: the inverse of `to_dict`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from amla_capabilities._errors import ConstraintError
from amla_capabilities._paths import parse_path
from amla_capabilities._suggest import did_you_mean
from amla_capabilities._values import as_list, as_mapping

from ._constraint import Constraint
from ._leaf import Each, Leaf
from ._logic import AllOf, AnyOf, Not, When
from ._operators import OPERATORS

__all__ = ["constraint_from_dict"]

_Data = Mapping[str, Any]


def constraint_from_dict(data: object) -> Constraint:
    """The constraint that `to_dict` described. Raises `ConstraintError` on anything unknown or missing."""
    table = as_mapping(data)
    if table is None:
        raise ConstraintError(f"a constraint is an object with a 'type', not {type(data).__name__}")
    kind = str(table.get("type"))
    if kind in OPERATORS:
        return _leaf(table)
    if kind not in _KINDS:
        raise ConstraintError(f"unknown constraint type {kind!r}{did_you_mean(kind, [*OPERATORS, *_KINDS])}")
    keys, build = _KINDS[kind]
    return build(_only(table, keys))


def _only(data: _Data, keys: str, optional: str = "optional") -> _Data:
    required = keys.split()
    for key in data:
        if key not in {"type", *required, *optional.split()}:
            raise ConstraintError(f"unknown key {key!r} in a constraint{did_you_mean(key, required)}")
    for key in required:
        if key not in data:
            raise ConstraintError(f"a constraint of type {data['type']!r} needs {key!r}")
    return data


def _leaf(data: _Data) -> Constraint:
    takes_value = data["type"] not in ("exists", "not_exists")
    _only(data, "param value" if takes_value else "param", "optional length")
    return Leaf.build(
        data["type"],
        parse_path(_string(data["param"])),
        data.get("value"),
        optional=_flag(data, "optional"),
        of_length=_flag(data, "length"),
    )


def _string(value: object) -> str:
    if isinstance(value, str):
        return value
    raise ConstraintError(f"'param' is a string, not {type(value).__name__}")


def _flag(data: _Data, key: str) -> bool:
    value = data.get(key, False)
    if isinstance(value, bool):
        return value
    raise ConstraintError(f"{key!r} is true or false, not {value!r}")


def _list(value: object) -> tuple[Constraint, ...]:
    items = as_list(value)
    if not items:
        raise ConstraintError("'constraints' is a list of at least one constraint")
    return tuple(map(constraint_from_dict, items))


_KINDS: Mapping[str, tuple[str, Callable[[_Data], Constraint]]] = {
    "all": ("constraints", lambda data: AllOf(_list(data["constraints"]))),
    "any": ("constraints", lambda data: AnyOf(_list(data["constraints"]))),
    "not": ("constraint", lambda data: Not(constraint_from_dict(data["constraint"]))),
    "when": (
        "condition constraint",
        lambda data: When(constraint_from_dict(data["condition"]), constraint_from_dict(data["constraint"])),
    ),
    "each": (
        "param constraint",
        lambda data: Each(
            parse_path(_string(data["param"])), _flag(data, "optional"), constraint_from_dict(data["constraint"])
        ),
    ),
}
