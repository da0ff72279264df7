"""Why arguments of which only some parts are known cannot fit a tool's schema.

Only what a plain schema says is looked at: names, what is required, types and enumerations of single parameters. The
validator judges arguments that are known altogether.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from amla_capabilities._suggest import did_you_mean
from amla_capabilities._values import as_list, as_mapping, same, show, type_name

from ._partial import UNKNOWN, Partial, Text
from ._texts import may_be

__all__ = ["defaults_of", "fills_below", "is_plain", "misfit"]

_COMBINERS = ("$ref", "allOf", "anyOf", "oneOf", "not", "if", "patternProperties", "propertyNames", "dependentSchemas")


def misfit(schema: Mapping[str, Any], arguments: Any) -> str | None:
    """A sentence that says what can never fit; None where it may."""
    if not isinstance(arguments, Partial) or not is_plain(schema):
        return None
    properties = as_mapping(schema["properties"]) or {}
    for name, value in arguments.items.items():
        if value is UNKNOWN:
            continue
        if name not in properties:
            if schema.get("additionalProperties") is False:
                return f"there is no parameter {show(name)}{did_you_mean(str(name), properties)}"
        elif (problem := _unfit(properties[str(name)], value)) is not None:
            return f"{name} {problem}"
    return None if arguments.open else _missing(schema, properties, arguments)


def _missing(schema: Mapping[str, Any], properties: Mapping[str, Any], arguments: Partial) -> str | None:
    for name in as_list(schema.get("required")) or ():
        entry = as_mapping(properties.get(name)) or {}
        if name not in arguments.items and "default" not in entry:
            return f"{name} is missing, which the tool requires"
    return None


def _unfit(entry: Any, value: Any) -> str | None:
    """Why a single parameter's value, if it is known, is not as its schema says."""
    rule = as_mapping(entry)
    if rule is None or isinstance(value, Partial) or any(word in rule for word in _COMBINERS):
        return None
    types = rule.get("type")
    allowed = [types] if isinstance(types, str) else as_list(types)
    if allowed and not any(_is(value, name) for name in allowed):
        return f"must be {' or '.join(map(str, allowed))}, not {_shown(value)}"
    choices = as_list(rule.get("enum"))
    if choices is not None and not any(_may_be(value, choice) for choice in choices):
        return f"must be one of {', '.join(map(show, choices))}, not {_shown(value)}"
    return None


def _may_be(value: Any, choice: Any) -> bool:
    return may_be(value, choice) if isinstance(value, Text) else same(value, choice)


def _shown(value: Any) -> str:
    return show(value.example) if isinstance(value, Text) else show(value)


def _is(value: Any, name: object) -> bool:
    if isinstance(value, Text):
        return name == "string"
    if name == "integer":
        return type_name(value) == "number" and value == value // 1
    return type_name(value) == name


def defaults_of(schema: Mapping[str, Any]) -> dict[str, Any]:
    """What is filled in for parameters that are absent."""
    properties = as_mapping(schema.get("properties")) or {}
    entries = {name: as_mapping(entry) or {} for name, entry in properties.items()}
    return {name: entry["default"] for name, entry in entries.items() if entry.get("default") is not None}


def fills_below(schema: Mapping[str, Any]) -> bool:
    """Whether there may be defaults elsewhere than among the schema's own parameters."""
    entries = [as_mapping(entry) or {} for entry in (as_mapping(schema.get("properties")) or {}).values()]
    below = [value for entry in entries for key, value in entry.items() if key != "default"]
    return _mentions_default([below, [value for key, value in schema.items() if key != "properties"]])


def _mentions_default(schema: Any) -> bool:
    table, items = as_mapping(schema), as_list(schema)
    if table is not None:
        return "default" in table or any(map(_mentions_default, table.values()))
    return items is not None and any(map(_mentions_default, items))


def is_plain(schema: Mapping[str, Any]) -> bool:
    """Whether a schema's own properties are all that it says of parameters."""
    return as_mapping(schema.get("properties")) is not None and not any(word in schema for word in _COMBINERS)
