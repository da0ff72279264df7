"""JSON Schemas as TypeScript types, the notation in which a model reads a tool's parameters best."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

from ._json import is_array, is_fresh_object
from ._schema import JsonSchema, resolve

__all__ = ["clean_text", "comment", "object_members", "type_of"]

_SIMPLE = {"string": "string", "number": "number", "integer": "number", "boolean": "boolean", "null": "null"}
_MAX_DEPTH = 12  # nested types; arbitrary, deeper ones become `unknown`
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*\Z", re.ASCII)
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})  # could hide or reorder text


def type_of(schema: Any, root: JsonSchema, depth: int = 0) -> str:
    """The TypeScript type of the values that ``schema`` accepts, on one line."""
    if not is_fresh_object(schema) or depth > _MAX_DEPTH:
        return "unknown" if schema is not False else "never"
    if isinstance(schema.get("$ref"), str):
        return type_of(resolve(schema["$ref"], root), root, depth + 1)
    if "const" in schema:
        return _literal(schema["const"])
    if is_array(schema.get("enum")):
        return _joined([_literal(option) for option in schema["enum"]], " | ")
    for keyword, joint in (("anyOf", " | "), ("oneOf", " | "), ("allOf", " & ")):
        if is_array(schema.get(keyword)):
            return _joined([type_of(part, root, depth + 1) for part in schema[keyword]], joint)
    types = schema.get("type")
    if is_array(types):
        return _joined([type_of({**schema, "type": name}, root, depth + 1) for name in types], " | ")
    return _typed(str(types), schema, root, depth)


def object_members(schema: JsonSchema, root: JsonSchema) -> list[tuple[str, JsonSchema, str]]:
    """The properties of an object schema: name, schema, and their TypeScript (``city?: string``)."""
    required: list[str] = schema.get("required", [])
    return [
        (name, entry, _member(name, entry, name in required, root, 1))
        for name, entry in schema.get("properties", {}).items()
        if is_fresh_object(entry)
    ]


def clean_text(text: str) -> str:
    """Text that came with a tool, fit for a prompt or a comment (R3): no invisible characters, no end of comment."""
    kept = (char for char in text if char in "\n\t" or unicodedata.category(char) not in _HIDDEN)
    return "".join(kept).replace("*/", "* /").strip()


def comment(text: str, indent: str = "") -> list[str]:
    """``text`` as the lines of a documentation comment; none if it is empty."""
    lines = clean_text(text).split("\n")
    if lines == [""]:
        return []
    if len(lines) == 1:
        return [f"{indent}/** {lines[0]} */"]
    return [f"{indent}/**", *(f"{indent} * {line}".rstrip() for line in lines), f"{indent} */"]


def _typed(name: str, schema: JsonSchema, root: JsonSchema, depth: int) -> str:
    if name in _SIMPLE:
        return _SIMPLE[name]
    if name == "array" or (name == "None" and "items" in schema):
        return _array(schema, root, depth)
    if name == "object" or "properties" in schema:
        return _object(schema, root, depth)
    return "unknown"


def _array(schema: JsonSchema, root: JsonSchema, depth: int) -> str:
    if is_array(schema.get("prefixItems")):
        return f"[{', '.join(type_of(item, root, depth + 1) for item in schema['prefixItems'])}]"
    item = type_of(schema.get("items", {}), root, depth + 1)
    return f"({item})[]" if " | " in item or " & " in item else f"{item}[]"


def _object(schema: JsonSchema, root: JsonSchema, depth: int) -> str:
    required: list[str] = schema.get("required", [])
    properties: dict[str, Any] = schema.get("properties", {})
    members = [_member(name, entry, name in required, root, depth + 1) for name, entry in properties.items()]
    shape = f"{{ {'; '.join(members)} }}" if members else ""
    others = schema.get("additionalProperties", not members)
    record = f"Record<string, {type_of(others, root, depth + 1)}>" if others is not False else ""
    return " & ".join(part for part in (shape, record) if part) or "{}"


def _member(name: str, entry: Any, required: bool, root: JsonSchema, depth: int) -> str:
    key = name if _IDENTIFIER.match(name) else json.dumps(name)
    return f"{key}{'' if required else '?'}: {type_of(entry, root, depth)}"


def _literal(value: Any) -> str:
    return json.dumps(value)


def _joined(types: list[str], joint: str) -> str:
    return joint.join(dict.fromkeys(types)) or "never"
