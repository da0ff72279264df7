"""Structured annotations: TypedDict, dataclass, named tuple; each class's own annotations compiled in turn."""

from __future__ import annotations

import typing
from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any, get_origin

from ._errors import ToolDefinitionError
from ._shape import Shape, fixed_array, object_schema

if TYPE_CHECKING:
    from ._shapes import Shapes

__all__ = ["dataclass_shape", "json_default", "named_tuple_shape", "typed_dict_shape"]


def named_tuple_shape(shapes: Shapes, annotation: Any, _args: Any) -> Shape:
    hints = _hints(annotation, shapes.tool)
    return fixed_array([shapes.of(hints.get(name, Any)) for name in annotation._fields], annotation._make)


def typed_dict_shape(shapes: Shapes, annotation: Any, _args: Any) -> Shape:
    def build() -> Shape:
        hints = _hints(annotation, shapes.tool)
        members = {name: shapes.of(hint) for name, hint in hints.items()}
        required = [name for name in members if _is_required(hints[name], name in annotation.__required_keys__)]
        return _structure(members, required, annotation, dict)

    return shapes.named(annotation, build)


def dataclass_shape(shapes: Shapes, annotation: Any, _args: Any) -> Shape:
    def build() -> Shape:
        hints = _hints(annotation, shapes.tool)
        members: dict[str, Shape] = {}
        required: list[str] = []
        for field in fields(annotation):
            if not field.init:
                continue
            shape = shapes.of(hints[field.name])
            if field.default is not MISSING:
                shape = shape._replace(schema=shape.schema | {"default": json_default(field.default)})
            elif field.default_factory is MISSING:
                required.append(field.name)
            members[field.name] = shape
        return _structure(members, required, annotation, annotation)

    return shapes.named(annotation, build)


def json_default(value: Any) -> Any:
    """A default as JSON; the results' encoder knows how every supported type is written."""
    import json

    from ._results import encode_result

    return json.loads(encode_result(value))


def _structure(members: dict[str, Shape], required: list[str], source: Any, make: Callable[..., Any]) -> Shape:
    def convert(given: Any) -> Any:
        return make(**{name: members[name].convert(value) for name, value in given.items()})

    return Shape(object_schema(members, required, source), convert)


def _is_required(hint: Any, by_class: bool) -> bool:
    """Whether a TypedDict's key must be there; the class itself overlooks markers in annotations kept as text."""
    origin = get_origin(hint)
    return origin is typing.Required or (by_class and origin is not typing.NotRequired)


def _hints(kind: Any, tool: str) -> dict[str, Any]:
    try:
        return typing.get_type_hints(kind, include_extras=True)
    except NameError as error:
        raise ToolDefinitionError(
            f"{tool}: the annotations of {kind.__name__} name {error.name!r}, which cannot be found; "
            "define it at module level"
        ) from None
