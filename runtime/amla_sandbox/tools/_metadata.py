"""What ``Annotated`` (or a pydantic ``Field`` default) adds to a schema, read by the attributes in common use."""

from __future__ import annotations

from typing import Any

from ._schema import JsonSchema

__all__ = ["is_field_default", "metadata_schema"]

_BOUNDS = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
    "pattern": "pattern",
}
_SIZES = {"array": "Items", "object": "Properties"}


def metadata_schema(items: tuple[Any, ...], schema: JsonSchema) -> JsonSchema:
    """A plain text is a description; objects give ``description`` and bounds (``ge``, ``max_length`` …)."""
    added: JsonSchema = {}
    for item in items:
        if isinstance(item, str):
            added["description"] = item
            continue
        description = getattr(item, "description", None) or getattr(item, "documentation", None)
        if isinstance(description, str):
            added["description"] = description
        for bound in (item, *(getattr(item, "metadata", None) or ())):
            added |= _bounds(bound, schema)
    return added


def is_field_default(value: object) -> bool:
    """Whether a parameter's default is a pydantic ``Field(...)``, which stands for its own ``default``."""
    return type(value).__name__ == "FieldInfo" and type(value).__module__.startswith("pydantic")


def _bounds(item: Any, schema: JsonSchema) -> JsonSchema:
    found = {keyword: getattr(item, name, None) for name, keyword in _BOUNDS.items()}
    suffix = _SIZES.get(str(schema.get("type")), "Length")
    found |= {f"{side}{suffix}": getattr(item, f"{side}_length", None) for side in ("min", "max")}
    return {keyword: value for keyword, value in found.items() if isinstance(value, int | float | str)}
