"""Places in JSON Schemas: what a path in a constraint leads to, as far as a schema says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from amla_capabilities._values import as_list, as_mapping, type_name

from ._references import target

__all__ = ["TYPES", "absent_step", "own_types", "param_types"]

TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")


def absent_step(schema: Mapping[str, Any], steps: Sequence[str | int | None]) -> tuple[str, list[str]] | None:
    """The first step of a path that the schema cannot have, and the names that it has there instead."""
    here: list[Any] = [schema]
    for step in steps:
        there = _bounded(inner for part in here for inner in _inside(schema, part, step))
        if not there:
            names = [
                name for part in here for branch in _branches(schema, part) for name in branch.get("properties", {})
            ]
            return (str(step) if step is not None else "[*]"), names
        here = there
    return None


def param_types(schema: Mapping[str, Any], steps: Sequence[str | int | None]) -> frozenset[str] | None:
    """The JSON types that the value at a path may have (`integer` counts as number); None when that is open."""
    here: list[Any] = [schema]
    for step in steps:
        here = _bounded(inner for part in here for inner in _inside(schema, part, step))
    found: set[str] = set()
    for part in here:
        for branch in _branches(schema, part):
            types = own_types(branch)
            if types is None:
                return None
            found |= types
    return frozenset(found) or None


def own_types(schema: Mapping[str, Any]) -> frozenset[str] | None:
    if "const" in schema:
        return frozenset({type_name(schema["const"])})
    if (values := as_list(schema.get("enum"))) is not None:
        return frozenset(map(type_name, values))
    declared = schema.get("type")
    names: Iterable[Any] = as_list(declared) or [declared]
    return frozenset("number" if name == "integer" else str(name) for name in names if name in TYPES) or None


_MAX_BRANCHES = 256  # alternatives at one place; of more, or behind a longer reference, nothing is known
_MAX_REFERENCE = 512  # characters


def _bounded(schemas: Iterable[Any]) -> list[Any]:
    """The first of the schemas, with one that allows anything in place of the rest."""
    found = list(islice(schemas, _MAX_BRANCHES + 1))
    return [*found[:_MAX_BRANCHES], {}] if len(found) > _MAX_BRANCHES else found


def _branches(root: Mapping[str, Any], schema: Any) -> list[Mapping[str, Any]]:
    """The schemas that one schema stands for, through local references and alternatives."""
    return _bounded(_alternatives(root, schema, 0))


def _alternatives(root: Mapping[str, Any], schema: Any, depth: int) -> Iterator[Mapping[str, Any]]:
    table = as_mapping(schema)
    if table is None or depth > 16:
        yield {}
    elif isinstance(ref := table.get("$ref"), str):
        yield from _alternatives(root, target(root, ref) if len(ref) <= _MAX_REFERENCE else {}, depth + 1)
    elif alternatives := [item for key in ("anyOf", "oneOf", "allOf") for item in as_list(table.get(key)) or ()]:
        if "properties" in table:
            yield table
        for item in alternatives:
            yield from _alternatives(root, item, depth + 1)
    else:
        yield table


def _inside(root: Mapping[str, Any], schema: Any, step: str | int | None) -> Iterator[Any]:
    for branch in _branches(root, schema):
        yield from _property(branch, step) if isinstance(step, str) else _element(branch, step)


def _property(branch: Mapping[str, Any], name: str) -> Iterator[Any]:
    types = own_types(branch)
    if types is not None and "object" not in types:
        return
    properties = as_mapping(branch.get("properties")) or {}
    if name in properties:
        yield properties[name]
    elif branch.get("additionalProperties", "properties" not in branch) is not False or "patternProperties" in branch:
        yield branch.get("additionalProperties", {})


def _element(branch: Mapping[str, Any], index: int | None) -> Iterator[Any]:
    types = own_types(branch)
    if types is not None and "array" not in types:
        return
    prefix = as_list(branch.get("prefixItems")) or []
    if index is None:
        yield from prefix
    elif index < len(prefix):
        yield prefix[index]
        return
    if branch.get("items", True) is not False:
        yield branch.get("items", {})
