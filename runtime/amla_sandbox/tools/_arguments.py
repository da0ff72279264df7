"""From the guest's bytes to the arguments that policy, approval, audit and tool all see (R9, R14, R20, R22).

The order is fixed: caps, strict parse, numbers, schema, defaults, freeze, conversion. The bytes are never read again.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ._errors import ArgumentError
from ._json import (
    MAX_DIGITS,
    Caps,
    extend_path,
    freeze,
    integer_too_long,
    is_array,
    is_fresh_array,
    is_fresh_object,
    parse_text,
    show,
    text_of,
    thaw,
)
from ._schema import JsonSchema, branches

if TYPE_CHECKING:
    from ._contract import Flat
    from ._definition import Arguments, ToolDefinition

__all__ = ["bind_arguments", "bind_value"]

_NO_NUMBERS = frozenset({str, bool, type(None)})


def bind_arguments(tool: ToolDefinition, data: bytes | memoryview, caps: Caps | None = None) -> Arguments:
    """The frozen arguments of one call of ``tool``, from JSON bytes that the guest wrote.

    Raises ArgumentError: its message starts with the tool's path and says which parameter is wrong, what it accepts.
    """
    caps = caps or Caps()
    try:
        text = text_of(data, caps)
        value = parse_text(text, caps)
    except ArgumentError as error:
        raise ArgumentError(f"{tool.path}: {error}", error.parameter) from None
    return _settle(tool, value, surrogates="\\u" in text)


def bind_value(tool: ToolDefinition, value: Mapping[str, Any]) -> Arguments:
    """The same for arguments that the host itself holds (a changed approval, a test of the policy, a framework)."""
    return _settle(tool, thaw(value), surrogates=True)


def _settle(tool: ToolDefinition, value: Any, *, surrogates: bool) -> Arguments:
    if not is_fresh_object(value):
        raise ArgumentError(f"{tool.path}: takes one object of named parameters, not {show(value)}")
    plain = _is_plain(value)
    if not plain:
        _check_numbers(tool, value, "")
    contract = tool.contract
    contract.check(value, surrogates=surrogates)
    flat = contract.flat
    arguments = _completed(tool, value) if flat is None else _completed_flat(flat, value, floats=not plain)
    if tool.convert is not None:
        tool.convert(arguments)
    return arguments


def _is_plain(value: Any) -> bool:
    """Whether nothing in a value needs a second look for its numbers: no float, and no integer that is too long."""
    if is_fresh_object(value):
        return all(map(_is_plain, value.values()))
    if is_fresh_array(value):
        return all(map(_is_plain, value))
    return not integer_too_long(value) if type(value) is int else type(value) in _NO_NUMBERS


def _completed(tool: ToolDefinition, value: dict[str, Any]) -> Arguments:
    _complete(value, tool.schema, tool.schema, True, set())
    frozen: Arguments = freeze(value)
    return frozen


def _completed_flat(flat: Flat, value: dict[str, Any], *, floats: bool) -> Arguments:
    for name in flat.integers if floats else ():
        given = value.get(name)
        if isinstance(given, float):
            value[name] = int(given)  # integral, or the schema would have refused it
    for name, default in flat.defaults:
        value.setdefault(name, default)
    return MappingProxyType(value)


def _check_numbers(tool: ToolDefinition, value: Any, path: str) -> None:
    if isinstance(value, float | int):
        _check_number(tool, value, path)
    elif is_fresh_object(value):
        for key, item in value.items():
            if not isinstance(item, str):
                _check_numbers(tool, item, extend_path(path, key))
    elif is_array(value):
        for index, item in enumerate(value):
            if not isinstance(item, str):
                _check_numbers(tool, item, f"{path}[{index}]")


def _check_number(tool: ToolDefinition, value: float | int, path: str) -> None:
    if isinstance(value, int):
        if integer_too_long(value):
            raise ArgumentError(f"{tool.path}: {path} has more than {MAX_DIGITS} digits", path)
    elif not math.isfinite(value):
        raise ArgumentError(f"{tool.path}: {path} is {show(value)}; numbers must be finite", path)


def _complete(value: Any, schema: Any, root: JsonSchema, certain: bool, seen: set[tuple[int, int]]) -> Any:
    """Fill defaults in where the schema leaves no choice, and make integral floats under ``integer`` ints; in place.

    ``seen`` bounds the work by values times schemas, where a recursive union would otherwise be walked exponentially
    often.
    """
    if isinstance(value, float):
        return int(value) if value.is_integer() and _is_integer(schema, root) else value
    if not is_fresh_object(schema):
        return value
    for branch, sure in branches(schema, root, certain):
        visit = (id(value), id(branch))
        if visit in seen:
            continue
        seen.add(visit)
        if is_fresh_object(value):
            _complete_object(value, branch, root, sure, seen)
        elif is_fresh_array(value):
            _complete_array(value, branch, root, sure, seen)
    return value


def _complete_object(
    value: dict[str, Any], schema: JsonSchema, root: JsonSchema, certain: bool, seen: set[tuple[int, int]]
) -> None:
    properties: dict[str, Any] = schema.get("properties", {})
    for name, item in value.items():
        below = properties.get(name, schema.get("additionalProperties"))
        if below is not None:
            value[name] = _complete(item, below, root, certain, seen)
    if certain:
        for name, entry in properties.items():
            # a null default means "absent"; filled in, it would be a value that every constraint faults on
            if name not in value and is_fresh_object(entry) and entry.get("default") is not None:
                value[name] = thaw(entry["default"])


def _complete_array(
    value: list[Any], schema: JsonSchema, root: JsonSchema, certain: bool, seen: set[tuple[int, int]]
) -> None:
    first: list[Any] = schema.get("prefixItems", [])
    rest = schema.get("items")
    for index, item in enumerate(value):
        below = first[index] if index < len(first) else rest
        if below is not None:
            value[index] = _complete(item, below, root, certain, seen)


def _is_integer(schema: Any, root: JsonSchema) -> bool:
    types: set[str] = set()
    for branch, _ in branches(schema, root):
        declared = branch.get("type", [])
        types.update([declared] if isinstance(declared, str) else declared)
    return "integer" in types and "number" not in types
