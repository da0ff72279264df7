"""Annotations of pydantic and msgspec: their own schemas and parsers, used once something else has imported them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from ._errors import ToolDefinitionError
from ._json import is_array, is_object, thaw
from ._schema import JsonSchema
from ._shape import DEFINITIONS, Shape, free_name

if TYPE_CHECKING:
    from ._shapes import Shapes

__all__ = ["foreign_shape", "msgspec_shape", "pydantic_shape"]


def pydantic_shape(shapes: Shapes, annotation: Any, _args: Any) -> Shape:
    schema = annotation.model_json_schema(by_alias=True, ref_template=DEFINITIONS + "{model}")

    def convert(given: Any) -> Any:
        return annotation.model_validate(thaw(given))

    return Shape(_hoisted(schema, shapes.definitions), convert)


def msgspec_shape(shapes: Shapes, annotation: Any, _args: Any) -> Shape:
    library = sys.modules["msgspec"]
    (schema,), components = library.json.schema_components([annotation], ref_template=DEFINITIONS + "{name}")

    def convert(given: Any) -> Any:
        return library.convert(thaw(given), type=annotation, strict=True)

    return Shape(_hoisted(schema | {"$defs": components}, shapes.definitions), convert)


def foreign_shape(shapes: Shapes, annotation: Any) -> Shape:
    """Types that only pydantic understands: its own string types, constrained types, networks."""
    adapter = _adapter(annotation)
    if adapter is None:
        name = getattr(annotation, "__qualname__", repr(annotation))
        raise ToolDefinitionError(
            f"{shapes.tool}: {name} has no JSON form; annotate with plain types, a dataclass, TypedDict, Enum or model "
            "or give schema= explicitly"
        )

    def convert(given: Any) -> Any:
        return adapter.validate_python(thaw(given))

    schema = adapter.json_schema(by_alias=True, ref_template=DEFINITIONS + "{model}")
    return Shape(_hoisted(schema, shapes.definitions), convert)


def _adapter(annotation: Any) -> Any:
    """pydantic's adapter for a type that it can both describe and read, else None."""
    library = sys.modules.get("pydantic")
    if library is None:
        return None
    try:
        adapter = library.TypeAdapter(annotation)
        adapter.json_schema()
    except Exception:  # whatever pydantic raises, our own message is the clearer one
        return None
    return adapter


def _hoisted(schema: JsonSchema, definitions: JsonSchema) -> JsonSchema:
    """Move a schema's definitions to the tool's root, under free names or ones that mean the same already."""
    own: JsonSchema = schema.pop("$defs", {})
    taken = {*definitions, *own}
    clashes = [name for name, definition in own.items() if definitions.get(name, definition) != definition]
    renamed = {name: free_name(name, taken) for name in clashes}
    for name, definition in own.items():
        definitions[renamed.get(name, name)] = _with_names(definition, renamed)
    moved: JsonSchema = _with_names(schema, renamed)
    return moved


def _with_names(node: Any, names: dict[str, str]) -> Any:
    """A copy of a schema whose references to renamed definitions follow them."""
    if is_array(node):
        return [_with_names(item, names) for item in node]
    if not is_object(node):
        return node
    copy = {key: _with_names(item, names) for key, item in node.items()}
    reference = copy.get("$ref")
    if isinstance(reference, str) and reference.removeprefix(DEFINITIONS) in names:
        copy["$ref"] = DEFINITIONS + names[reference.removeprefix(DEFINITIONS)]
    return copy
