"""One annotation's schema and conversion, kept together so that they cannot disagree; the simple kinds."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from enum import Enum
from typing import Any, NamedTuple, TypeAlias

from ._echo import echoes
from ._errors import ToolDefinitionError
from ._json import show, thaw
from ._schema import JsonSchema

__all__ = [
    "ANYTHING",
    "CONVERSION_ERRORS",
    "DEFINITIONS",
    "NAMED_CLASSES",
    "SCALARS",
    "Convert",
    "Shape",
    "array_schema",
    "choice",
    "first_that_fits",
    "fixed_array",
    "free_name",
    "from_text",
    "json_key",
    "object_schema",
]

Convert: TypeAlias = Callable[[Any], Any]


CONVERSION_ERRORS = (ValueError, TypeError, AttributeError, LookupError, ArithmeticError)
"""What a conversion may raise for a value that it does not take; anything else is a fault of the type's own code."""


class Shape(NamedTuple):
    """The schema of an annotation, and ``convert`` from frozen JSON that satisfies it to a value of the annotated type.

    ``convert`` raises ValueError or TypeError for JSON that the type does not take after all. ``scalar`` means that
    checked JSON already is the value.
    """

    schema: JsonSchema
    convert: Convert
    scalar: bool = False


def _of_type(accepts: Callable[[Any], bool]) -> Convert:
    def convert(value: Any) -> Any:
        if not accepts(value):
            raise TypeError(f"{show(value)} has another type")
        return value

    return convert


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


DEFINITIONS = "#/$defs/"
"""Where a reference to a tool's shared definitions starts."""

ANYTHING = Shape({}, thaw)
_NULL = Shape({"type": "null"}, _of_type(lambda value: value is None), True)

SCALARS: dict[Any, Shape] = {
    str: Shape({"type": "string"}, _of_type(lambda value: isinstance(value, str)), True),
    bool: Shape({"type": "boolean"}, _of_type(lambda value: isinstance(value, bool)), True),
    int: Shape({"type": "integer"}, _of_type(_is_integer), True),
    float: Shape({"type": "number"}, _of_type(_is_number), True),
    type(None): _NULL,
    None: _NULL,
}


def _from_base64(kind: Any) -> Convert:
    def convert(text: Any) -> Any:
        from base64 import b64decode

        return kind(b64decode(text, validate=True))

    return convert


def _from_seconds(kind: Any) -> Convert:
    def convert(value: Any) -> Any:
        return kind(seconds=value)

    return convert


def _from_iso(kind: Any) -> Convert:
    read: Convert = kind.fromisoformat
    return read


def from_text(kind: Any) -> Convert:
    """Conversion by calling the class with the text."""
    read: Convert = kind
    return read


def _text(name: str) -> JsonSchema:
    return {"type": "string", "format": name}


NAMED_CLASSES: dict[str, tuple[JsonSchema, Callable[[Any], Convert]]] = {
    "datetime.datetime": (_text("date-time"), _from_iso),
    "datetime.date": (_text("date"), _from_iso),
    "datetime.time": (_text("time"), _from_iso),
    "datetime.timedelta": ({"type": "number", "description": "seconds"}, _from_seconds),
    "uuid.UUID": (_text("uuid"), from_text),
    "decimal.Decimal": (_text("decimal"), from_text),
    "ipaddress.IPv4Address": (_text("ipv4"), from_text),
    "ipaddress.IPv6Address": (_text("ipv6"), from_text),
    "builtins.bytes": (_text("byte") | {"contentEncoding": "base64"}, _from_base64),
    "builtins.bytearray": (_text("byte") | {"contentEncoding": "base64"}, _from_base64),
}
"""Classes of the standard library that cross as text or a number, by name, so that none needs importing."""


def array_schema(item: Shape) -> JsonSchema:
    return {"type": "array", "items": item.schema} if item.schema else {"type": "array"}


def object_schema(members: dict[str, Shape], required: list[str], source: Any) -> JsonSchema:
    """The closed object of a structured class, described by the first paragraph of its docstring."""
    schema: JsonSchema = {"type": "object", "properties": {name: shape.schema for name, shape in members.items()}}
    if required:
        schema["required"] = required
    schema["additionalProperties"] = False
    doc: str = source.__doc__ or ""
    if doc and not doc.startswith(f"{source.__name__}("):  # the signature that dataclass writes
        schema["description"] = doc.strip().split("\n\n", 1)[0]
    return schema


def fixed_array(items: list[Shape], make: Callable[[list[Any]], Any]) -> Shape:
    """An array of exactly these items, in order; ``make`` builds the value from the converted ones."""
    schema: JsonSchema = {"type": "array", "minItems": len(items), "maxItems": len(items)}
    if items:
        schema["prefixItems"] = [item.schema for item in items]

    def convert(given: Any) -> Any:
        return make([item.convert(part) for item, part in zip(items, given, strict=True)])

    return Shape(schema, convert)


def free_name(name: str, taken: set[str]) -> str:
    """``name``, or with the first number that makes it new."""
    candidates = (name, *(f"{name}{number}" for number in range(2, len(taken) + 3)))
    return next(candidate for candidate in candidates if candidate not in taken)


def first_that_fits(shapes: list[Shape]) -> Convert:
    """The conversion of a union: the first alternative that takes the value and still says the same."""

    def convert(value: Any) -> Any:
        reason = f"{show(value)} fits none of the accepted types"
        for shape in shapes:
            try:
                made = shape.convert(value)
            except CONVERSION_ERRORS as error:
                reason = reason if shape.scalar else str(error)
                continue
            if echoes(value, made):
                return made
            reason = f"{show(value)} would reach the tool as {made!s:.80}"
        raise ValueError(reason)

    return convert


def choice(options: list[Any], tool: str) -> Shape:
    """One of a few values (``Literal``, ``Enum``), told apart without coercion: 1, 1.5, true and "1" are different."""
    members = {json_key(option, tool): option for option in options}
    values = [value for _, value in members]
    schema: JsonSchema = {"enum": values}
    if all(kind == "str" for kind, _ in members):
        schema = {"type": "string", "enum": values}

    def convert(value: Any) -> Any:
        key = _typed(value)
        if key not in members:
            raise ValueError(f"{show(value)} is none of {show(values)}")
        return members[key]

    return Shape(schema, convert, not any(isinstance(option, Enum) for option in options))


def json_key(option: Any, tool: str) -> tuple[str, Any]:
    """A choice's JSON value with its type, for telling it from others. Raises ToolDefinitionError if it has none."""
    value = option.value if isinstance(option, Enum) else option
    if value is None or isinstance(value, str | int | float):
        return _typed(str(value) if isinstance(value, str) else value)
    raise ToolDefinitionError(f"{tool}: the choice {option!r} has no JSON form; use text or numbers")


def _typed(value: Any) -> tuple[str, Any]:
    kind = "number" if _is_number(value) else type(value).__name__
    return (kind, value) if isinstance(value, Hashable) else (kind, repr(value))
