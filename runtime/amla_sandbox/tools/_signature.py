"""Reading a Python callable: its parameters as a JSON Schema, and how to call it with checked arguments."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ._callable import is_injected, own_parameters, resolved_hints
from ._docstring import Docstring
from ._echo import echoes
from ._errors import ArgumentError, ResultError, ToolDefinitionError, reason_of
from ._json import show, thaw
from ._metadata import is_field_default, metadata_schema
from ._schema import JsonSchema
from ._shape import CONVERSION_ERRORS, Shape
from ._shapes import Shapes
from ._structures import json_default

__all__ = ["Signature", "read_signature", "without_annotations"]


class Signature(NamedTuple):
    """``schema`` describes the argument object, ``returns`` the result (None if not annotated)."""

    tool: str
    schema: JsonSchema
    returns: JsonSchema | None
    shapes: Mapping[str, Shape]
    positional: Mapping[str, Any]
    """Positional-only parameters in order, each with the default that stands in when it is left out."""

    @property
    def converts(self) -> bool:
        """Whether any argument becomes something else than the checked value."""
        return any(not shape.scalar for shape in self.shapes.values())

    def convert(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Each argument as its annotated type. Raises ArgumentError where that fails or changes the value (R20)."""
        return {name: self._one(name, value) for name, value in arguments.items()}

    def _one(self, name: str, value: Any) -> Any:
        shape = self.shapes.get(name)
        if shape is None or shape.scalar:
            return thaw(value)
        try:
            made = shape.convert(value)
        except CONVERSION_ERRORS as error:
            raise ArgumentError(f"{self.tool}: {name} is refused: {reason_of(error)}", name) from None
        if not echoes(value, made):
            raise ArgumentError(
                f"{self.tool}: {name} is refused: {show(value)} would reach the tool as {made!s:.80}, "
                "so pass the value in the form that it has there",
                name,
            )
        return made

    def call(self, function: Callable[..., Any], values: dict[str, Any]) -> Any:
        """Call ``function`` with converted values."""
        if not self.positional:
            return function(**values)
        first = [values.pop(name, default) for name, default in self.positional.items()]
        return function(*first, **values)


def read_signature(function: Callable[..., Any], tool: str, doc: Docstring) -> Signature:
    """Schema and conversions from the annotations of ``function``.

    Raises ToolDefinitionError for what has no fixed set of named parameters (``*args``, names beside ``**kwargs``), for
    annotations without a JSON form, and for injected parameters without a default.
    """
    parameters = own_parameters(function, tool)
    hints = resolved_hints(function, parameters, tool)
    if [parameter.kind for parameter in parameters] == [inspect.Parameter.VAR_KEYWORD]:
        return _open_signature(hints, parameters[0], tool)
    _refuse_variadic(parameters, tool)
    shapes = Shapes(tool)
    members: dict[str, Shape] = {}
    required: list[str] = []
    for parameter in parameters:
        if is_injected(hints.get(parameter.name)):
            _require_default(parameter, tool)
            continue
        shape = _shape_of(shapes, hints.get(parameter.name, Any), parameter, doc)
        if _default(parameter) is inspect.Parameter.empty:
            required.append(parameter.name)
        members[parameter.name] = shape
    schema: JsonSchema = {"type": "object", "properties": {name: shape.schema for name, shape in members.items()}}
    schema |= {"required": required} if required else {}
    schema["additionalProperties"] = False
    schema |= {"$defs": shapes.definitions} if shapes.definitions else {}
    return Signature(tool, schema, _returns(hints, tool), members, _positional(parameters))


def without_annotations(function: Callable[..., Any], tool: str, schema: Mapping[str, Any]) -> Signature:
    """For a function whose schema is given: it must take what the schema declares, and gets the checked values."""
    parameters = own_parameters(function, tool)
    names = {parameter.name for parameter in parameters}
    open_ended = any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters)
    unknown = [name for name in schema.get("properties", {}) if name not in names and not open_ended]
    if unknown:
        raise ToolDefinitionError(f"{tool}: the schema declares {', '.join(unknown)}, which the function does not take")
    return Signature(tool, dict(schema), None, {}, _positional(parameters))


def _open_signature(hints: dict[str, Any], parameter: inspect.Parameter, tool: str) -> Signature:
    """R22: a function whose only parameter is ``**kwargs`` takes any JSON object, and its schema says so."""
    schema: JsonSchema = {"type": "object", "properties": {}, "additionalProperties": True}
    annotation = hints.get(parameter.name, Any)
    if typing.get_origin(annotation) is typing.Unpack:
        shapes = Shapes(tool)
        schema = shapes.of(typing.get_args(annotation)[0]).schema
        schema |= {"$defs": shapes.definitions} if shapes.definitions else {}
    elif annotation is not Any:
        schema["additionalProperties"] = Shapes(tool).of(annotation).schema or True
    return Signature(tool, schema, _returns(hints, tool), {}, {})


def _refuse_variadic(parameters: list[inspect.Parameter], tool: str) -> None:
    for parameter in parameters:
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            raise ToolDefinitionError(f"{tool}: *{parameter.name} cannot be given by name; take a list instead")
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            raise ToolDefinitionError(
                f"{tool}: **{parameter.name} beside named parameters leaves open what is accepted; give a schema"
            )


def _require_default(parameter: inspect.Parameter, tool: str) -> None:
    if parameter.default is inspect.Parameter.empty:
        raise ToolDefinitionError(
            f"{tool}: {parameter.name} is filled in by a framework that does not run here; "
            "give it a default or wrap the function"
        )


def _default(parameter: inspect.Parameter) -> Any:
    default = parameter.default
    if not is_field_default(default):
        return default
    if default.default_factory is not None:
        return default.default_factory()
    required = type(default.default).__name__ == "PydanticUndefinedType" or default.default is Ellipsis
    return inspect.Parameter.empty if required else default.default


def _shape_of(shapes: Shapes, annotation: Any, parameter: inspect.Parameter, doc: Docstring) -> Shape:
    default = _default(parameter)
    if default is None and annotation is not Any:
        annotation = typing.Optional[annotation]  # noqa: UP045  # works for annotations that have no `|`
    shape = shapes.of(annotation)
    extra: JsonSchema = {}
    if parameter.name in doc.parameters:
        extra["description"] = doc.parameters[parameter.name]
    if is_field_default(parameter.default):
        extra |= metadata_schema((parameter.default,), shape.schema)
    if default is not inspect.Parameter.empty:
        extra |= _default_schema(default)
    return shape._replace(schema=extra | shape.schema if "description" in shape.schema else shape.schema | extra)


def _default_schema(default: Any) -> JsonSchema:
    try:
        return {"default": json_default(default)}
    except ResultError:  # an object of the host's own: the parameter is optional, its default stays the function's
        return {}


def _positional(parameters: list[inspect.Parameter]) -> dict[str, Any]:
    return {p.name: _default(p) for p in parameters if p.kind is inspect.Parameter.POSITIONAL_ONLY}


def _returns(hints: dict[str, Any], tool: str) -> JsonSchema | None:
    if hints.get("return", Any) is Any:
        return None
    shapes = Shapes(tool)
    try:
        schema = shapes.of(hints["return"]).schema
    except ToolDefinitionError:  # results are not checked, so an odd annotation only loses its declaration
        return None
    return schema | ({"$defs": shapes.definitions} if shapes.definitions else {})
