"""From a Python annotation to a JSON Schema, and from checked JSON to a value of that type.

``Shapes`` is a small compiler: a table finds what builds the shape of each kind of annotation.
"""

from __future__ import annotations

import collections
import os
import types
import typing
from collections import abc
from collections.abc import Callable
from enum import Enum
from typing import Any, Literal, TypeAlias, get_args, get_origin

from ._errors import ToolDefinitionError
from ._json import thaw
from ._libraries import foreign_shape, msgspec_shape, pydantic_shape
from ._metadata import metadata_schema
from ._plain import canonical_name_of
from ._schema import JsonSchema
from ._shape import (
    ANYTHING,
    DEFINITIONS,
    NAMED_CLASSES,
    SCALARS,
    Convert,
    Shape,
    array_schema,
    choice,
    first_that_fits,
    fixed_array,
    free_name,
    from_text,
)
from ._structures import dataclass_shape, named_tuple_shape, typed_dict_shape

__all__ = ["Shapes"]

_Arguments: TypeAlias = tuple[Any, ...]

_ARRAYS = (list, abc.Sequence, abc.MutableSequence, abc.Iterable, abc.Collection, abc.Reversible, collections.deque)
_SETS = (set, frozenset, abc.Set, abc.MutableSet)
_MAPPINGS = (dict, abc.Mapping, abc.MutableMapping, collections.OrderedDict, collections.defaultdict)
_MAX_SHAPES = 10_000  # of one tool; arbitrary: classes that hold others twice, and so on, grow without end
_ALIASES = (typing.Required, typing.NotRequired, typing.Final)


class Shapes:
    """Compiles one tool's annotations; types that contain themselves, and libraries' own, land in ``definitions``."""

    def __init__(self, tool: str) -> None:
        self.tool = tool
        self.definitions: JsonSchema = {}
        self._made = 0
        self._open: dict[Any, str] = {}  # types being compiled, and the name each would get
        self._recursive: set[Any] = set()
        self._converters: dict[Any, Convert] = {}

    def of(self, annotation: Any) -> Shape:
        """The shape of a resolved annotation. Raises ToolDefinitionError for a type without a JSON form."""
        self._made += 1
        if self._made > _MAX_SHAPES:
            raise ToolDefinitionError(f"{self.tool}: its annotations are too large; give schema= explicitly")
        annotation = _unwrap(annotation)
        if annotation is Any or annotation is object:
            return ANYTHING
        if isinstance(annotation, abc.Hashable) and annotation in SCALARS:
            return SCALARS[annotation]
        kind = get_origin(annotation) or annotation
        for matches, build in _BUILDERS:
            if matches(kind):
                return build(self, annotation, get_args(annotation))
        return foreign_shape(self, annotation)

    def type_variable(self, annotation: Any, _args: _Arguments) -> Shape:
        bound = annotation.__bound__
        return ANYTHING if bound is None else self.of(bound)

    def annotated(self, _annotation: Any, args: _Arguments) -> Shape:
        shape = self.of(args[0])
        return shape._replace(schema=shape.schema | metadata_schema(args[1:], shape.schema))

    def union(self, _annotation: Any, args: _Arguments) -> Shape:
        shapes = [self.of(arg) for arg in args]
        schemas = [shape.schema for shape in shapes]
        if all(schema.keys() == {"type"} and isinstance(schema["type"], str) for schema in schemas):
            merged: JsonSchema = {"type": list(dict.fromkeys(schema["type"] for schema in schemas))}
        else:
            merged = {"anyOf": schemas}
        return Shape(merged, first_that_fits(shapes), all(shape.scalar for shape in shapes))

    def literal(self, _annotation: Any, args: _Arguments) -> Shape:
        return choice(list(args), self.tool)

    def enum(self, annotation: Any, _args: _Arguments) -> Shape:
        return choice(list(annotation), self.tool)

    def array(self, annotation: Any, args: _Arguments) -> Shape:
        make = collections.deque if (get_origin(annotation) or annotation) is collections.deque else list
        return self._items(args, make)

    def set_of(self, annotation: Any, args: _Arguments) -> Shape:
        shape = self._items(args, frozenset if (get_origin(annotation) or annotation) is frozenset else set)
        return shape._replace(schema=shape.schema | {"uniqueItems": True})

    def tuple_of(self, _annotation: Any, args: _Arguments) -> Shape:
        if not args or args[-1] is Ellipsis:
            return self._items(args, tuple)
        return fixed_array([] if args == ((),) else [self.of(arg) for arg in args], tuple)

    def _items(self, args: _Arguments, make: Callable[[Any], Any]) -> Shape:
        item = self.of(args[0]) if args else ANYTHING

        def convert(given: Any) -> Any:
            return make(map(item.convert, given))

        return Shape(array_schema(item), convert)

    def mapping(self, _annotation: Any, args: _Arguments) -> Shape:
        if not args:
            return Shape({"type": "object", "additionalProperties": True}, thaw)
        key, value = self.of(args[0]), self.of(args[1])
        schema: JsonSchema = {"type": "object", "additionalProperties": value.schema or True}
        by_number = key.schema.get("type") == "integer"
        if by_number:
            schema["propertyNames"] = {"pattern": r"^(0|-?[1-9]\d*)$"}
        elif key.schema and key.schema != {"type": "string"}:
            schema["propertyNames"] = key.schema
        read_key = int if by_number else key.convert

        def convert(given: Any) -> Any:
            return {read_key(name): value.convert(item) for name, item in given.items()}

        return Shape(schema, convert)

    def named_class(self, annotation: Any, _args: _Arguments) -> Shape:
        schema, reader = NAMED_CLASSES[canonical_name_of(annotation)]
        return Shape(dict(schema), reader(annotation))

    def path(self, annotation: Any, _args: _Arguments) -> Shape:
        if annotation is os.PathLike or get_origin(annotation) is os.PathLike:
            from pathlib import Path

            annotation = Path
        return Shape({"type": "string", "format": "path"}, from_text(annotation))

    def named(self, kind: Any, build: Callable[[], Shape]) -> Shape:
        """Compile a structured type; a use of it inside itself becomes a reference to its definition."""
        if kind in self._open:
            self._recursive.add(kind)
            return Shape({"$ref": DEFINITIONS + self._open[kind]}, self._later(kind))
        self._open[kind] = free_name(kind.__name__, {*self.definitions, *self._open.values()})
        try:
            shape = build()
        finally:
            name = self._open.pop(kind)
        self._converters[kind] = shape.convert
        if kind not in self._recursive:
            return shape
        self.definitions[name] = shape.schema
        return shape._replace(schema={"$ref": DEFINITIONS + name})

    def _later(self, kind: Any) -> Convert:
        """The conversion of a type that is still being compiled."""

        def convert(given: Any) -> Any:
            return self._converters[kind](given)

        return convert


def _unwrap(annotation: Any) -> Any:
    """Look through what does not change a type: aliases, NewType, Required, Final, ReadOnly."""
    while True:
        if hasattr(annotation, "__supertype__"):
            annotation = annotation.__supertype__
        elif type(annotation).__name__ == "TypeAliasType":
            annotation = annotation.__value__
        elif get_origin(annotation) in _ALIASES or getattr(get_origin(annotation), "_name", "") == "ReadOnly":
            annotation = get_args(annotation)[0]
        else:
            return annotation


def _is(*kinds: Any) -> Callable[[Any], bool]:
    return lambda kind: any(kind is other for other in kinds)


def _class_where(test: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda kind: isinstance(kind, type) and test(kind)


def _has_base(name: str) -> Callable[[Any], bool]:
    return lambda kind: any(canonical_name_of(base) == name for base in kind.__mro__)


_Builder: TypeAlias = Callable[[Shapes, Any, _Arguments], Shape]

_BUILDERS: tuple[tuple[Callable[[Any], bool], _Builder], ...] = (
    (_is(typing.Annotated), Shapes.annotated),
    (_is(typing.Union, types.UnionType), Shapes.union),
    (_is(Literal), Shapes.literal),
    (lambda kind: isinstance(kind, typing.TypeVar), Shapes.type_variable),
    (_is(*_ARRAYS), Shapes.array),
    (_is(*_SETS), Shapes.set_of),
    (_is(tuple), Shapes.tuple_of),
    (_is(*_MAPPINGS), Shapes.mapping),
    (typing.is_typeddict, typed_dict_shape),
    (_class_where(lambda kind: issubclass(kind, Enum)), Shapes.enum),
    (_class_where(lambda kind: hasattr(kind, "_fields") and hasattr(kind, "_make")), named_tuple_shape),
    (_class_where(_has_base("pydantic.main.BaseModel")), pydantic_shape),
    (_class_where(_has_base("msgspec.Struct")), msgspec_shape),
    (_class_where(lambda kind: hasattr(kind, "__dataclass_fields__")), dataclass_shape),
    (_class_where(lambda kind: canonical_name_of(kind) in NAMED_CLASSES), Shapes.named_class),
    (_class_where(lambda kind: kind is os.PathLike or hasattr(kind, "__fspath__")), Shapes.path),
)
