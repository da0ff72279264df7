"""JSON Schemas in manifests: checked when they are read (R20, R21), and searched for the places constraints name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from amla_capabilities._suggest import did_you_mean
from amla_capabilities._values import as_list, as_mapping, type_name

from ._faults import Source
from ._keywords import contradictions, default_problem, keyword_problem
from ._kinds import Anything, describe
from ._positions import Path

__all__ = ["Params", "SchemaKind", "absent_step", "object_schema", "param_types"]

_TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")
_ANNOTATIONS = "title description default deprecated readOnly writeOnly examples format $comment"
_ASSERTIONS = (
    "type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems "
    "minItems uniqueItems maxContains minContains maxProperties minProperties required dependentRequired "
    "contentEncoding contentMediaType"
)
_ONE = "additionalProperties items contains not if then else propertyNames unevaluatedItems unevaluatedProperties"
_LIST = "prefixItems allOf anyOf oneOf"
_MAP = "properties patternProperties dependentSchemas $defs definitions"
_KEYWORDS = frozenset(f"{_ANNOTATIONS} {_ASSERTIONS} {_ONE} {_LIST} {_MAP} $ref".split())


@dataclass(frozen=True, slots=True)
class SchemaKind:
    """A JSON Schema. `defaults` says whether a `default` here would be filled in (R20)."""

    defaults: bool = False

    def read(self, value: Any, path: Path, source: Source) -> Any:
        checked = Anything().read(value, path, source)
        _check(checked, path, source, self.defaults)
        return checked

    def schema(self) -> dict[str, Any]:
        return {"type": ["object", "boolean"], "description": "a JSON Schema; references only within the document"}


def _check(schema: Any, path: Path, source: Source, defaults: bool) -> None:
    if isinstance(schema, bool):
        return
    table = as_mapping(schema)
    if table is None:
        source.fault("AM122", path, f"a JSON Schema is a table, not {describe(schema)}")
        return
    for keyword, value in table.items():
        if keyword not in _KEYWORDS:
            hint = did_you_mean(keyword, _KEYWORDS)
            source.fault("AM122", (*path, keyword), f"unknown JSON Schema keyword {keyword!r}{hint}", at_key=True)
        else:
            _keyword(keyword, value, (*path, keyword), source, defaults)
    for keyword, problem in contradictions(table):
        source.fault("AM122", (*path, keyword), problem)
    if "default" in table:
        _default(table, path, source, defaults)


def _keyword(keyword: str, value: Any, path: Path, source: Source, defaults: bool) -> None:
    if keyword == "type":
        _type(value, path, source)
    elif keyword == "$ref" and not (isinstance(value, str) and value.startswith("#")):
        source.fault("AM122", path, "a reference stays within the document: it starts with '#'")
    elif problem := keyword_problem(keyword, value):
        source.fault("AM122", path, problem)
    elif keyword in _ONE.split():
        _check(value, path, source, False)
    elif keyword in _LIST.split():
        _list(value, path, source)
    elif keyword in _MAP.split():
        _map(value, path, source, defaults and keyword == "properties")


def _list(value: Any, path: Path, source: Source) -> None:
    items = as_list(value)
    if items is None:
        source.fault("AM122", path, f"must be an array, not {describe(value)}")
    for n, item in enumerate(items or ()):
        _check(item, (*path, n), source, False)


def _map(value: Any, path: Path, source: Source, defaults: bool) -> None:
    table = as_mapping(value)
    if table is None:
        source.fault("AM122", path, f"must be a table, not {describe(value)}")
        return
    for key, item in table.items():
        _check(item, (*path, key), source, defaults)


def _type(value: Any, path: Path, source: Source) -> None:
    items = as_list(value)
    for n, name in enumerate([value] if items is None else items):
        if name not in _TYPES:
            hint = did_you_mean(name, _TYPES) if isinstance(name, str) else ""
            source.fault(
                "AM122",
                path if items is None else (*path, n),
                f"{name!r} is not a JSON type ({', '.join(_TYPES)}){hint}",
            )


def _default(schema: Mapping[str, Any], path: Path, source: Source, defaults: bool) -> None:
    if not defaults:
        source.fault(
            "AM123", (*path, "default"), "a default here is never filled in; give defaults to plain parameters only"
        )
    types, actual = _own_types(schema), type_name(schema["default"])
    if types is not None and actual not in types:
        message = f"the default is of type {actual}, but the parameter is of type {' or '.join(sorted(types))}"
        source.fault("AM123", (*path, "default"), message)
    elif problem := default_problem(schema):
        source.fault("AM123", (*path, "default"), problem)


@dataclass(frozen=True, slots=True)
class Params:
    """The parameters of a tool, each with its JSON Schema; `optional = true` besides it lets a call leave it out."""

    def read(self, value: Any, path: Path, source: Source) -> Any:
        table = as_mapping(value)
        if table is None:
            return source.fault("AM104", path, f"must be a table of parameters, not {describe(value)}")
        return {name: self._param(schema, (*path, name), source) for name, schema in table.items()}

    def _param(self, value: Any, path: Path, source: Source) -> Any:
        table = as_mapping(value)
        if table is None:
            return source.fault("AM104", path, f'must be a table such as {{ type = "string" }}, not {describe(value)}')
        optional = table.get("optional", False)
        if not isinstance(optional, bool):
            source.fault("AM104", (*path, "optional"), f"must be true or false, not {describe(optional)}")
        schema = SchemaKind(defaults=True).read({k: v for k, v in table.items() if k != "optional"}, path, source)
        return Parameter(schema, bool(optional))

    def schema(self) -> dict[str, Any]:
        return {"type": "object", "additionalProperties": {"type": "object"}}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter as declared."""

    schema: Mapping[str, Any]
    optional: bool

    @property
    def always_present(self) -> bool:
        """Whether a call that passed validation always has a value for it."""
        return not self.optional or "default" in self.schema


def object_schema(params: Mapping[str, Parameter]) -> dict[str, Any]:
    """The JSON Schema of a call's arguments: these parameters and no others."""
    required = [name for name, param in params.items() if not param.optional and "default" not in param.schema]
    properties = {name: dict(param.schema) for name, param in params.items()}
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


# Where constraints point


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
            types = _own_types(branch)
            if types is None:
                return None
            found |= types
    return frozenset(found) or None


def _own_types(schema: Mapping[str, Any]) -> frozenset[str] | None:
    if "const" in schema:
        return frozenset({type_name(schema["const"])})
    if (values := as_list(schema.get("enum"))) is not None:
        return frozenset(map(type_name, values))
    declared = schema.get("type")
    names: Iterable[Any] = as_list(declared) or [declared]
    return frozenset("number" if name == "integer" else str(name) for name in names if name in _TYPES) or None


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
        yield from _alternatives(root, _pointed(root, ref), depth + 1)
    elif alternatives := [item for key in ("anyOf", "oneOf", "allOf") for item in as_list(table.get(key)) or ()]:
        if "properties" in table:
            yield table
        for item in alternatives:
            yield from _alternatives(root, item, depth + 1)
    else:
        yield table


def _pointed(root: Mapping[str, Any], ref: str) -> Any:
    found: Any = root if len(ref) <= _MAX_REFERENCE else {}
    for part in ref.removeprefix("#").split("/")[1:]:
        found = (as_mapping(found) or {}).get(part.replace("~1", "/").replace("~0", "~"), {})
    return found


def _inside(root: Mapping[str, Any], schema: Any, step: str | int | None) -> Iterator[Any]:
    for branch in _branches(root, schema):
        yield from _property(branch, step) if isinstance(step, str) else _element(branch, step)


def _property(branch: Mapping[str, Any], name: str) -> Iterator[Any]:
    types = _own_types(branch)
    if types is not None and "object" not in types:
        return
    properties = as_mapping(branch.get("properties")) or {}
    if name in properties:
        yield properties[name]
    elif branch.get("additionalProperties", "properties" not in branch) is not False or "patternProperties" in branch:
        yield branch.get("additionalProperties", {})


def _element(branch: Mapping[str, Any], index: int | None) -> Iterator[Any]:
    types = _own_types(branch)
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
