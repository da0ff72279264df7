"""Kinds of manifest values: each reads a value or notes a fault, and describes itself as JSON Schema.

A table is a list of fields, so that what is accepted, what is reported and what an editor completes come from one
place.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from amla_capabilities._suggest import did_you_mean
from amla_capabilities._units import parse_duration, parse_size
from amla_capabilities._values import as_list, as_mapping

from ._faults import Source
from ._positions import Path

__all__ = [
    "Anything",
    "Checked",
    "Choice",
    "Duration",
    "Field",
    "Flag",
    "Kind",
    "ListOf",
    "MapOf",
    "Size",
    "Table",
    "Text",
    "Whole",
    "describe",
]

Schema = dict[str, Any]


class Kind(Protocol):
    """What a value may be. `read` returns it parsed, or notes a fault and returns None."""

    def read(self, value: Any, path: Path, source: Source) -> Any: ...

    def schema(self) -> Schema: ...


def describe(value: object) -> str:
    """A TOML value's type and, if short, the value: `the string "x"`, `true`, `an array`."""
    if isinstance(value, bool):
        return f"{str(value).lower()}, which is a boolean"
    if isinstance(value, str):
        return f"the string {value!r}" if len(value) <= 40 else "a string"
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, dt.date | dt.time):
        return "a date or time"
    return "an array" if as_list(value) is not None else "a table"


def _wrong(source: Source, path: Path, wanted: str, value: object) -> None:
    source.fault("AM104", path, f"must be {wanted}, not {describe(value)}")


@dataclass(frozen=True, slots=True)
class Text:
    """A string; `check` may parse it further and raises ValueError with the reason it is refused."""

    check: Callable[[str], Any] | None = None
    empty_ok: bool = False

    def read(self, value: Any, path: Path, source: Source) -> Any:
        if not isinstance(value, str):
            return _wrong(source, path, "a string", value)
        if not value and not self.empty_ok:
            return source.fault("AM105", path, "must not be empty")
        try:
            return value if self.check is None else self.check(value)
        except ValueError as error:
            return source.fault("AM105", path, str(error))

    def schema(self) -> Schema:
        return {"type": "string"} if self.empty_ok else {"type": "string", "minLength": 1}


@dataclass(frozen=True, slots=True)
class Flag:
    """true or false."""

    def read(self, value: Any, path: Path, source: Source) -> Any:
        return value if isinstance(value, bool) else _wrong(source, path, "true or false", value)

    def schema(self) -> Schema:
        return {"type": "boolean"}


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number, `minimum` or more."""

    minimum: int = 0

    def read(self, value: Any, path: Path, source: Source) -> Any:
        if isinstance(value, bool) or not isinstance(value, int):
            return _wrong(source, path, "a whole number", value)
        return (
            value
            if value >= self.minimum
            else source.fault("AM105", path, f"must be {self.minimum} or more, not {value}")
        )

    def schema(self) -> Schema:
        return {"type": "integer", "minimum": self.minimum}


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some words."""

    options: tuple[str, ...]

    def read(self, value: Any, path: Path, source: Source) -> Any:
        if value in self.options:
            return value
        wanted = " or ".join(f'"{option}"' for option in self.options)
        hint = did_you_mean(value, self.options) if isinstance(value, str) else ""
        return source.fault("AM105", path, f"must be {wanted}, not {describe(value)}{hint}")

    def schema(self) -> Schema:
        return {"enum": list(self.options)}


@dataclass(frozen=True, slots=True)
class _Quantity:
    parse: Callable[[str], float]
    example: str

    def read(self, value: Any, path: Path, source: Source) -> Any:
        if type(value) in (int, float) and not value:
            return 0
        if not isinstance(value, str):
            return _wrong(source, path, f"a string such as {self.example}", value)
        try:
            return self.parse(value)
        except ValueError as error:
            return source.fault("AM105", path, str(error))

    def schema(self) -> Schema:
        return {"anyOf": [{"type": "string", "examples": [self.example]}, {"const": 0}]}


Duration = _Quantity(parse_duration, '"30s"')
Size = _Quantity(parse_size, '"64MB"')


@dataclass(frozen=True, slots=True)
class Checked:
    """Any value that `parse` accepts; it raises ValueError with the reason otherwise."""

    parse: Callable[[Any], Any]
    json_schema: Mapping[str, Any]
    code: str = "AM105"

    def read(self, value: Any, path: Path, source: Source) -> Any:
        try:
            return self.parse(value)
        except ValueError as error:
            return source.fault(self.code, path, str(error))

    def schema(self) -> Schema:
        return dict(self.json_schema)


@dataclass(frozen=True, slots=True)
class Anything:
    """Any JSON value: no dates, no NaN."""

    def read(self, value: Any, path: Path, source: Source) -> Any:
        items, table = as_list(value), as_mapping(value)
        if items is not None:
            return [self.read(item, (*path, n), source) for n, item in enumerate(items)]
        if table is not None:
            return {key: self.read(item, (*path, key), source) for key, item in table.items()}
        if isinstance(value, dt.date | dt.time):
            return source.fault("AM104", path, "JSON has no dates: write it as a string")
        if isinstance(value, float) and not math.isfinite(value):
            return source.fault("AM105", path, "JSON has no NaN or infinity")
        return value

    def schema(self) -> Schema:
        return {}


@dataclass(frozen=True, slots=True)
class ListOf:
    """An array of one kind."""

    item: Kind
    at_least: int = 0

    def read(self, value: Any, path: Path, source: Source) -> Any:
        items = as_list(value)
        if items is None:
            return _wrong(source, path, "an array", value)
        if len(items) < self.at_least:
            return source.fault("AM105", path, "must not be empty")
        return tuple(self.item.read(item, (*path, n), source) for n, item in enumerate(items))

    def schema(self) -> Schema:
        return {"type": "array", "items": self.item.schema(), "minItems": self.at_least}


@dataclass(frozen=True, slots=True)
class MapOf:
    """A table whose keys are free; `check_key` raises ValueError for one that is not allowed."""

    item: Kind
    check_key: Callable[[str], Any] | None = None

    def read(self, value: Any, path: Path, source: Source) -> Any:
        table = as_mapping(value)
        if table is None:
            return _wrong(source, path, "a table", value)
        for key in table:
            try:
                if self.check_key is not None:
                    self.check_key(key)
            except ValueError as error:
                source.fault("AM105", (*path, key), str(error), at_key=True)
        return {key: self.item.read(item, (*path, key), source) for key, item in table.items()}

    def schema(self) -> Schema:
        return {"type": "object", "additionalProperties": self.item.schema()}


@dataclass(frozen=True, slots=True)
class Field:
    """One key of a table, and a line about it for documentation and editors."""

    name: str
    kind: Kind
    about: str
    required: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table with known keys. `read` returns those that are present and sound."""

    fields: Sequence[Field]
    one_of: tuple[str, ...] = ()  # keys of which a table has exactly one; for the schema, the fault is noted elsewhere

    def read(self, value: Any, path: Path, source: Source) -> Any:
        table = as_mapping(value)
        if table is None:
            return _wrong(source, path, "a table", value)
        known = {field.name: field for field in self.fields}
        for key in table:
            if key not in known:
                source.fault("AM103", (*path, key), f"unknown key {key!r}{did_you_mean(key, known)}", at_key=True)
        for field in self.fields:
            if field.required and field.name not in table:
                source.fault("AM106", (*path, field.name), f"is missing: {field.about}", at_key=True)
        found = {
            name: known[name].kind.read(item, (*path, name), source) for name, item in table.items() if name in known
        }
        return {name: item for name, item in found.items() if item is not None}

    def schema(self) -> Schema:
        properties = {field.name: {**field.kind.schema(), "description": field.about} for field in self.fields}
        required = [field.name for field in self.fields if field.required]
        schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
        return {**schema, "oneOf": [{"required": [key]} for key in self.one_of]} if self.one_of else schema
