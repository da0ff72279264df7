"""JSON Schemas in manifests, checked when they are read (R20, R21)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from amla_capabilities._suggest import did_you_mean
from amla_capabilities._values import as_list, as_mapping, type_name

from ._faults import Source
from ._keywords import contradictions, default_problem, keyword_problem
from ._kinds import Anything, describe
from ._positions import Path
from ._references import LISTS, MAPS, ONES, reference_problems
from ._search import TYPES, own_types

__all__ = ["Parameter", "Params", "SchemaKind", "check_references", "object_schema"]

_ANNOTATIONS = "title description default deprecated readOnly writeOnly examples format $comment"
_ASSERTIONS = (
    "type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems "
    "minItems uniqueItems maxContains minContains maxProperties minProperties required dependentRequired "
    "contentEncoding contentMediaType"
)
_KEYWORDS = frozenset(f"{_ANNOTATIONS} {_ASSERTIONS} $ref".split()) | ONES | LISTS | MAPS


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
    elif keyword in ONES:
        _check(value, path, source, False)
    elif keyword in LISTS:
        _list(value, path, source)
    elif keyword in MAPS:
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
        if name not in TYPES:
            hint = did_you_mean(name, TYPES) if isinstance(name, str) else ""
            source.fault(
                "AM122",
                path if items is None else (*path, n),
                f"{name!r} is not a JSON type ({', '.join(TYPES)}){hint}",
            )


def _default(schema: Mapping[str, Any], path: Path, source: Source, defaults: bool) -> None:
    if not defaults:
        source.fault(
            "AM123", (*path, "default"), "a default here is never filled in; give defaults to plain parameters only"
        )
    types, actual = own_types(schema), type_name(schema["default"])
    if types is not None and actual not in types:
        message = f"the default is of type {actual}, but the parameter is of type {' or '.join(sorted(types))}"
        source.fault("AM123", (*path, "default"), message)
    elif problem := default_problem(schema):
        source.fault("AM123", (*path, "default"), problem)


def check_references(arguments: Mapping[str, Any] | None, returns: Any, at: Path, source: Source) -> None:
    """Fault references that lead nowhere, and ones that lead on and on, in the schemas of the tool at `at`."""
    for path, problem in reference_problems(arguments or {}):  # the document is the schema of all arguments
        hint = ": write '#/properties/PARAMETER/…'" if path else ""
        source.fault("AM122", (*at, "params", *path[1:]), problem + hint)
    for path, problem in reference_problems(as_mapping(returns) or {}):
        source.fault("AM122", (*at, "returns", *path), problem)


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
