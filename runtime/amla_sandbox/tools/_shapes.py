"""From a Python annotation to a JSON Schema, and from checked JSON to a value of that type.

``Shapes`` is a small compiler: a table finds the method for each kind of annotation. Libraries (pydantic, msgspec) are
recognised only when something else has imported them.
"""

from __future__ import annotations

import collections
import os
import sys
import types
import typing
from collections import abc
from collections.abc import Callable
from dataclasses import MISSING, fields
from enum import Enum
from typing import Any, Literal, TypeAlias, get_args, get_origin

from ._errors import ToolDefinitionError
from ._json import is_array, is_object, thaw
from ._metadata import metadata_schema
from ._plain import canonical_name_of
from ._schema import JsonSchema
from ._shape import (
    ANYTHING,
    NAMED_CLASSES,
    SCALARS,
    Convert,
    Shape,
    array_schema,
    choice,
    first_that_fits,
    from_text,
    object_schema,
)

__all__ = ["Shapes", "json_default"]

_Arguments: TypeAlias = tuple[Any, ...]
_DEFS = "#/$defs/"

_ARRAYS = (list, abc.Sequence, abc.MutableSequence, abc.Iterable, abc.Collection, abc.Reversible, collections.deque)
_SETS = (set, frozenset, abc.Set, abc.MutableSet)
_MAPPINGS = (dict, abc.Mapping, abc.MutableMapping, collections.OrderedDict, collections.defaultdict)
_ALIASES = (typing.Required, typing.NotRequired, typing.Final)


class Shapes:
    """Compiles one tool's annotations; types that contain themselves, and libraries' own, land in ``definitions``."""

    def __init__(self, tool: str) -> None:
        self.tool = tool
        self.definitions: JsonSchema = {}
        self._open: dict[Any, str] = {}  # types being compiled, and the name each would get
        self._recursive: set[Any] = set()
        self._converters: dict[Any, Convert] = {}

    def of(self, annotation: Any) -> Shape:
        """The shape of a resolved annotation. Raises ToolDefinitionError for a type without a JSON form."""
        annotation = _unwrap(annotation)
        if annotation is Any or annotation is object:
            return ANYTHING
        if isinstance(annotation, abc.Hashable) and annotation in SCALARS:
            return SCALARS[annotation]
        kind = get_origin(annotation) or annotation
        for matches, build in _BUILDERS:
            if matches(kind):
                return build(self, annotation, get_args(annotation))
        return self._of_foreign(annotation)

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
        return self._fixed([] if args == ((),) else [self.of(arg) for arg in args], tuple)

    def named_tuple(self, annotation: Any, _args: _Arguments) -> Shape:
        hints = self._hints(annotation)
        return self._fixed([self.of(hints.get(name, Any)) for name in annotation._fields], annotation._make)

    def _items(self, args: _Arguments, make: Callable[[Any], Any]) -> Shape:
        item = self.of(args[0]) if args else ANYTHING

        def convert(given: Any) -> Any:
            return make(map(item.convert, given))

        return Shape(array_schema(item), convert)

    def _fixed(self, items: list[Shape], make: Callable[[Any], Any]) -> Shape:
        schema: JsonSchema = {"type": "array", "minItems": len(items), "maxItems": len(items)}
        if items:
            schema["prefixItems"] = [item.schema for item in items]

        def convert(given: Any) -> Any:
            return make([item.convert(part) for item, part in zip(items, given, strict=True)])

        return Shape(schema, convert)

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

    def typed_dict(self, annotation: Any, _args: _Arguments) -> Shape:
        def build() -> Shape:
            hints = self._hints(annotation)
            members = {name: self.of(hint) for name, hint in hints.items()}
            required = [name for name in members if _is_required(hints[name], name in annotation.__required_keys__)]
            return _structure(members, required, annotation, dict)

        return self._named(annotation, build)

    def dataclass(self, annotation: Any, _args: _Arguments) -> Shape:
        def build() -> Shape:
            hints = self._hints(annotation)
            members: dict[str, Shape] = {}
            required: list[str] = []
            for field in fields(annotation):
                if not field.init:
                    continue
                shape = self.of(hints[field.name])
                if field.default is not MISSING:
                    shape = shape._replace(schema=shape.schema | {"default": json_default(field.default)})
                elif field.default_factory is MISSING:
                    required.append(field.name)
                members[field.name] = shape
            return _structure(members, required, annotation, annotation)

        return self._named(annotation, build)

    def pydantic(self, annotation: Any, _args: _Arguments) -> Shape:
        schema = annotation.model_json_schema(by_alias=True, ref_template=_DEFS + "{model}")

        def convert(given: Any) -> Any:
            return annotation.model_validate(thaw(given))

        return Shape(self._hoisted(schema), convert)

    def msgspec(self, annotation: Any, _args: _Arguments) -> Shape:
        library = sys.modules["msgspec"]
        (schema,), components = library.json.schema_components([annotation], ref_template=_DEFS + "{name}")

        def convert(given: Any) -> Any:
            return library.convert(thaw(given), type=annotation, strict=True)

        return Shape(self._hoisted(schema | {"$defs": components}), convert)

    def named_class(self, annotation: Any, _args: _Arguments) -> Shape:
        schema, reader = NAMED_CLASSES[canonical_name_of(annotation)]
        return Shape(dict(schema), reader(annotation))

    def path(self, annotation: Any, _args: _Arguments) -> Shape:
        if annotation is os.PathLike or get_origin(annotation) is os.PathLike:
            from pathlib import Path

            annotation = Path
        return Shape({"type": "string", "format": "path"}, from_text(annotation))

    def _of_foreign(self, annotation: Any) -> Shape:
        """Types that only pydantic understands (its own string types, constrained types), once it has been imported."""
        library = sys.modules.get("pydantic")
        name = getattr(annotation, "__qualname__", repr(annotation))
        if library is not None:
            try:
                adapter = library.TypeAdapter(annotation)
                schema = adapter.json_schema(by_alias=True, ref_template=_DEFS + "{model}")
            except Exception:  # noqa: S110  # whatever pydantic raises, our own message is the clearer one
                pass
            else:

                def convert(given: Any) -> Any:
                    return adapter.validate_python(thaw(given))

                return Shape(self._hoisted(schema), convert)
        raise ToolDefinitionError(
            f"{self.tool}: {name} has no JSON form; annotate with plain types, a dataclass, TypedDict, Enum or model, "
            "or give schema= explicitly"
        )

    def _named(self, kind: Any, build: Callable[[], Shape]) -> Shape:
        """Compile a structured type; a use of it inside itself becomes a reference to its definition."""
        if kind in self._open:
            self._recursive.add(kind)
            return Shape({"$ref": _DEFS + self._open[kind]}, self._later(kind))
        self._open[kind] = _free_name(kind.__name__, {*self.definitions, *self._open.values()})
        try:
            shape = build()
        finally:
            name = self._open.pop(kind)
        self._converters[kind] = shape.convert
        if kind not in self._recursive:
            return shape
        self.definitions[name] = shape.schema
        return shape._replace(schema={"$ref": _DEFS + name})

    def _later(self, kind: Any) -> Convert:
        """The conversion of a type that is still being compiled."""

        def convert(given: Any) -> Any:
            return self._converters[kind](given)

        return convert

    def _hints(self, kind: Any) -> dict[str, Any]:
        try:
            return typing.get_type_hints(kind, include_extras=True)
        except NameError as error:
            raise ToolDefinitionError(
                f"{self.tool}: the annotations of {kind.__name__} name {error.name!r}, which cannot be found; "
                "define it at module level"
            ) from None

    def _hoisted(self, schema: JsonSchema) -> JsonSchema:
        """Move a library schema's definitions to the tool's root, under free names or ones that mean the same."""
        own: JsonSchema = schema.pop("$defs", {})
        taken = {*self.definitions, *own}
        clashes = [name for name, definition in own.items() if self.definitions.get(name, definition) != definition]
        renamed = {name: _free_name(name, taken) for name in clashes}
        for name, definition in own.items():
            self.definitions[renamed.get(name, name)] = _with_names(definition, renamed)
        moved: JsonSchema = _with_names(schema, renamed)
        return moved


def json_default(value: Any) -> Any:
    """A default as JSON; the results' encoder knows how every supported type is written."""
    import json

    from ._results import encode_result

    return json.loads(encode_result(value))


def _structure(members: dict[str, Shape], required: list[str], source: Any, make: Callable[..., Any]) -> Shape:
    def convert(given: Any) -> Any:
        return make(**{name: members[name].convert(value) for name, value in given.items()})

    return Shape(object_schema(members, required, source), convert)


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


def _is_required(hint: Any, by_class: bool) -> bool:
    """Whether a TypedDict's key must be there; the class itself overlooks markers in annotations kept as text."""
    origin = get_origin(hint)
    return origin is typing.Required or (by_class and origin is not typing.NotRequired)


def _free_name(name: str, taken: set[str]) -> str:
    candidates = (name, *(f"{name}{number}" for number in range(2, len(taken) + 3)))
    return next(candidate for candidate in candidates if candidate not in taken)


def _with_names(node: Any, names: dict[str, str]) -> Any:
    """A copy of a schema whose references to renamed definitions follow them."""
    if is_array(node):
        return [_with_names(item, names) for item in node]
    if not is_object(node):
        return node
    copy = {key: _with_names(item, names) for key, item in node.items()}
    reference = copy.get("$ref")
    if isinstance(reference, str) and reference.removeprefix(_DEFS) in names:
        copy["$ref"] = _DEFS + names[reference.removeprefix(_DEFS)]
    return copy


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
    (typing.is_typeddict, Shapes.typed_dict),
    (_class_where(lambda kind: issubclass(kind, Enum)), Shapes.enum),
    (_class_where(lambda kind: hasattr(kind, "_fields") and hasattr(kind, "_make")), Shapes.named_tuple),
    (_class_where(_has_base("pydantic.main.BaseModel")), Shapes.pydantic),
    (_class_where(_has_base("msgspec.Struct")), Shapes.msgspec),
    (_class_where(lambda kind: hasattr(kind, "__dataclass_fields__")), Shapes.dataclass),
    (_class_where(lambda kind: canonical_name_of(kind) in NAMED_CLASSES), Shapes.named_class),
    (_class_where(lambda kind: kind is os.PathLike or hasattr(kind, "__fspath__")), Shapes.path),
)
