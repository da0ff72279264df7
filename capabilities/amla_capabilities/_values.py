"""JSON values: their types, exact comparison, and how they are shown.

Nothing converts: `"5"`, `5` and `true` are three values of three types. Numbers compare exactly across int and
float; a float stands for its shortest decimal, so 0.1 is one tenth (R14).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from ._errors import ConstraintError

if TYPE_CHECKING:
    import json

__all__ = [
    "MAX_DIGITS",
    "Json",
    "Number",
    "as_list",
    "as_mapping",
    "is_finite",
    "less",
    "plain_number",
    "plain_value",
    "same",
    "show",
    "type_name",
]

Json = Any  # None, bool, int, float, str, list or tuple of Json, mapping from str to Json
Number = int | float

MAX_DIGITS = 400  # of an integer (R14); forced to be finite, because comparing costs time by length
_TOO_LARGE = 10**MAX_DIGITS
_SHOWN = 80  # characters of a value in a message

_TYPES: dict[type[Any], str] = {
    type(None): "null",
    bool: "boolean",
    int: "number",
    float: "number",
    str: "string",
    list: "array",
    tuple: "array",
    dict: "object",
    MappingProxyType: "object",
}


def type_name(value: Json) -> str:
    """`null`, `boolean`, `number`, `string`, `array` or `object`; the class's name for what is not JSON."""
    kind = type_of(value)
    return _TYPES.get(kind) or _inherited_type(kind)


def type_of(value: Json) -> type[Any]:
    return type(value)  # pyright: ignore[reportUnknownVariableType]


def _inherited_type(kind: type[Any]) -> str:
    if issubclass(kind, Mapping):
        return "object"
    return next((name for base, name in _TYPES.items() if issubclass(kind, base)), kind.__name__)


def as_mapping(value: object) -> Mapping[str, Any] | None:
    """`value` if it is a mapping."""
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else None


def as_list(value: object) -> list[Any] | None:
    """`value` as a list, if it is a list or a tuple."""
    return list(cast("list[Any]", value)) if isinstance(value, list | tuple) else None


def is_finite(value: Json) -> bool:
    """Whether no NaN, infinity or over-long integer is in the value; those never satisfy anything."""
    kind = type_name(value)
    if kind == "number":
        return math.isfinite(value) if isinstance(value, float) else -_TOO_LARGE < int(value) < _TOO_LARGE
    if kind == "array":
        return all(map(is_finite, value))
    if kind == "object":
        return all(map(is_finite, value.values()))
    return True


def same(first: Json, second: Json) -> bool:
    """Deep equality without coercion."""
    kind = type_name(first)
    if kind != type_name(second):
        return False
    if kind == "number":
        return bool(_number_key(first, second) == _number_key(second, first))
    if kind == "array":
        return len(first) == len(second) and all(map(same, first, second))
    if kind == "object":
        return bool(first.keys() == second.keys()) and all(same(first[key], second[key]) for key in first)
    return bool(first == second)


def less(first: Number, second: Number) -> bool:
    """`first < second`, exactly."""
    return bool(_number_key(first, second) < _number_key(second, first))


def _number_key(number: Number, other: Number) -> Any:
    """`number` in a form that compares exactly with `other`'s."""
    if type(number) is type(other):
        return number  # shortest decimals are ordered as the floats they stand for
    from decimal import Decimal

    return Decimal(repr(float(number))) if isinstance(number, float) else Decimal(int(number))


def plain_number(value: object) -> Number:
    """A bound as int or float, the same number exactly. Raises `ConstraintError` for anything else (R14)."""
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise ConstraintError(f"{show(value)} is not a number; quote nothing, and true is not a number")
    if isinstance(value, int):
        number: Number = int(value)
    elif isinstance(value, float):
        number = float(value)
    else:
        number = _from_decimal(value)
    if not is_finite(number):
        raise ConstraintError(
            f"{show(value)} cannot be a bound: it must be finite and have at most {MAX_DIGITS} digits"
        )
    return number


def _from_decimal(value: object) -> Number:
    from decimal import Decimal

    if not isinstance(value, Decimal):
        raise ConstraintError(f"{type(value).__name__} cannot be a bound: use int, float or Decimal")
    if not value.is_finite() or value.adjusted() > MAX_DIGITS:
        return math.nan
    if value == value.to_integral_value():
        return int(value)
    if Decimal(repr(float(value))) != value:
        raise ConstraintError(f"{value} has more digits than a JSON number keeps; write at most 15")
    return float(value)


def plain_value(value: object) -> Json:
    """An operand as plain finite JSON. Raises `ConstraintError` for what JSON cannot hold."""
    if value is None or isinstance(value, bool | str):
        return value
    items, table = as_list(value), as_mapping(value)
    if items is not None:
        return [plain_value(item) for item in items]
    if table is not None:
        return {_key(key): plain_value(item) for key, item in table.items()}
    if hasattr(value, "__float__"):
        return plain_number(value)
    raise ConstraintError(f"a constraint compares JSON values, and {type(value).__name__} is not one")


def _key(key: object) -> str:
    if isinstance(key, str):
        return key
    raise ConstraintError(f"object keys are strings, and {key!r} is not one")


def show(value: object) -> str:
    """The value as ASCII JSON for a message, cut to a readable length."""
    if isinstance(value, int) and not is_finite(value):
        return f"a number of more than {MAX_DIGITS} digits"
    text = str(value) if type(value) is int else _encoder().encode(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


@lru_cache(maxsize=1)
def _encoder() -> json.JSONEncoder:
    import json

    return json.JSONEncoder(default=_jsonable)


def _jsonable(value: object) -> object:
    table = as_mapping(value)
    return str(value) if table is None else dict(table)
