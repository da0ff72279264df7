"""JSON Schemas of tools: what we accept as one (R20, R21), and how to walk one.

The schemas reach us from owners' manifests, from frameworks and from our own reading of Python signatures.
``normal_schema`` brings them to one form whose meaning is closed: every reference stays within the document, and only
declared names are parameters.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from ._errors import ToolDefinitionError
from ._json import is_array, is_fresh_object

__all__ = ["JsonSchema", "branches", "is_recursive", "normal_schema", "parameter_schema", "resolve", "subschemas"]

JsonSchema: TypeAlias = dict[str, Any]

# keywords that hold a schema, several, or several by name; and those that hold none
_ONE: frozenset[str] = frozenset(
    {"additionalProperties", "additionalItems", "contains", "contentSchema", "else", "if", "items"}
    | {"not", "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties"}
)
_MANY: frozenset[str] = frozenset({"allOf", "anyOf", "oneOf", "prefixItems", "items"})
_NAMED: frozenset[str] = frozenset(
    {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"}
)
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_COMBINERS = ("$ref", "allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas", "dependencies")


def normal_schema(schema: Mapping[str, Any], tool: str, *, owner_written: bool = False) -> JsonSchema:
    """A private copy of ``schema`` as the closed description of one argument object.

    ``owner_written`` schemas may not put a ``default`` where filling it in would be a guess; those that we derive
    from Python types may, because conversion to the type checks the outcome. ``strict`` (manifests) also refuses
    unknown keywords. Raises ToolDefinitionError naming ``tool`` and the place.
    """
    try:
        copy: JsonSchema = json.loads(json.dumps(dict(schema), allow_nan=False))
    except (TypeError, ValueError) as error:
        raise ToolDefinitionError(f"{tool}: the schema is not JSON: {error}") from None
    _require_object(copy, tool)
    _check_references(copy, tool)
    if owner_written:
        _check_defaults(copy, tool)
    _close(copy)
    return copy


def subschemas(schema: Any, place: str = "") -> Iterator[tuple[str, JsonSchema]]:
    """Every schema object in a document, outermost first, with its place (``properties.items.anyOf[1]``)."""
    if not is_fresh_object(schema):
        return
    yield place, schema
    for keyword, value in schema.items():
        at = f"{place}.{keyword}" if place else keyword
        if keyword in _NAMED and is_fresh_object(value):
            for name, item in value.items():
                yield from subschemas(item, f"{at}.{name}")
        elif keyword in _MANY and is_array(value):
            for index, item in enumerate(value):
                yield from subschemas(item, f"{at}[{index}]")
        elif keyword in _ONE:
            yield from subschemas(value, at)


def resolve(reference: str, root: JsonSchema) -> JsonSchema:
    """The schema that a ``#/…`` pointer names; an empty one where it names none (the validator reports that itself)."""
    from urllib.parse import unquote

    node: Any = root
    for escaped in reference.removeprefix("#").split("/")[1:]:
        step = unquote(escaped).replace("~1", "/").replace("~0", "~")
        node = node.get(step) if is_fresh_object(node) else None
    return node if is_fresh_object(node) else {}


def branches(schema: JsonSchema, root: JsonSchema, certain: bool = True) -> Iterator[tuple[JsonSchema, bool]]:
    """The schemas that describe the same value as ``schema``: itself, what it refers to, and its alternatives.

    The flag says whether the branch certainly applies (to an object or array): through ``$ref``, ``allOf``, and
    ``anyOf`` or ``oneOf`` with one structured alternative, as in "an address or null".
    """
    yield from _branches(schema, root, certain, set())


def _branches(schema: Any, root: JsonSchema, certain: bool, seen: set[int]) -> Iterator[tuple[JsonSchema, bool]]:
    if not is_fresh_object(schema) or id(schema) in seen:
        return
    seen.add(id(schema))
    yield schema, certain
    if isinstance(schema.get("$ref"), str):
        yield from _branches(resolve(schema["$ref"], root), root, certain, seen)
    for part in schema.get("allOf", ()):
        yield from _branches(part, root, certain, seen)
    for keyword in ("anyOf", "oneOf"):
        alternatives: list[Any] = schema.get(keyword, [])
        sole = sum(not _is_scalar(part) for part in alternatives) == 1
        for part in alternatives:
            yield from _branches(part, root, certain and sole, seen)


def _is_scalar(schema: Any) -> bool:
    return is_fresh_object(schema) and schema.get("type") in ("null", "string", "number", "integer", "boolean")


def parameter_schema(schema: JsonSchema, name: str) -> JsonSchema:
    """What ``schema`` (a root) says about one parameter; empty when it says nothing."""
    for branch, _ in branches(schema, schema):
        declared = branch.get("properties", {}).get(name)
        if is_fresh_object(declared):
            return declared
    return {}


def is_recursive(root: JsonSchema) -> bool:
    """Whether a value of this schema may nest without end through references."""
    targets = {id(resolve(node["$ref"], root)) for _, node in subschemas(root) if isinstance(node.get("$ref"), str)}
    return any(_reaches_itself(node, root) for _, node in subschemas(root) if id(node) in targets)


def _reaches_itself(start: JsonSchema, root: JsonSchema) -> bool:
    pending, seen = [start], set[int]()
    while pending:
        for _, node in subschemas(pending.pop()):
            if not isinstance(node.get("$ref"), str):
                continue
            target = resolve(node["$ref"], root)
            if target is start:
                return True
            if id(target) not in seen:
                seen.add(id(target))
                pending.append(target)
    return False


def _require_object(schema: JsonSchema, tool: str) -> None:
    if schema.get("type", "object") not in ("object", ["object"]):
        raise ToolDefinitionError(f'{tool}: a tool takes one object, so its schema must have type = "object"')
    if not isinstance(schema.get("properties", {}), dict):
        raise ToolDefinitionError(f'{tool}: "properties" in the schema must be an object of parameter schemas')
    if not any(keyword in schema for keyword in _COMBINERS):
        schema.setdefault("type", "object")
        schema.setdefault("properties", {})


def _check_references(schema: JsonSchema, tool: str) -> None:
    for place, node in subschemas(schema):
        for keyword in _REFERENCES:
            target = node.get(keyword)
            if target is not None and not (isinstance(target, str) and target.startswith("#")):
                raise ToolDefinitionError(
                    f"{tool}: {place or 'the schema'} refers to {target!r}; "
                    "only references within the document (#/$defs/…) are followed"
                )


def _check_defaults(schema: JsonSchema, tool: str) -> None:
    fillable = _fillable(schema)
    for place, node in subschemas(schema):
        if "default" in node and id(node) not in fillable:
            raise ToolDefinitionError(
                f"{tool}: the default at {place or 'the schema'} would not be filled in; "
                'give defaults directly to the entries of "properties"'
            )


def _fillable(root: JsonSchema) -> set[int]:
    """The property schemas whose defaults are filled in: no choice between alternatives leads to them."""
    found, seen, pending = set[int](), set[int](), [root]
    while pending:
        for branch, certain in branches(pending.pop(), root):
            if not certain or id(branch) in seen:
                continue
            seen.add(id(branch))
            properties: dict[str, Any] = branch.get("properties", {})
            found.update(id(entry) for entry in properties.values())
            children = [*properties.values(), *branch.get("prefixItems", ())]
            children += [branch.get(keyword) for keyword in ("items", "additionalProperties")]
            pending += filter(is_fresh_object, children)
    return found


def _close(schema: JsonSchema) -> None:
    """Refuse undeclared parameters (R22) unless the schema speaks about them itself."""
    if any(keyword in schema for keyword in ("additionalProperties", "unevaluatedProperties", "propertyNames")):
        return
    if not any(keyword in schema for keyword in _COMBINERS):
        schema["additionalProperties"] = False
        return
    # the alternatives declare names too, and `additionalProperties` would not see those
    reached = [branch for branch, _ in branches(schema, schema)]
    reached += filter(is_fresh_object, (schema.get(keyword) for keyword in ("if", "then", "else")))
    names = {name for branch in reached for name in branch.get("properties", {})}
    if not any("patternProperties" in branch or branch.get("additionalProperties") for branch in reached):
        schema["propertyNames"] = {"enum": sorted(names)}
