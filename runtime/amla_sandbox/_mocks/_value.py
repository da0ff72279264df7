"""A value made from a JSON Schema, for tools that are not really called: the same one every time, and valid.

Candidates are tried in an order that prefers what the schema itself names (`const`, `default`, `enum`, …), then the
plainest value of its type. Each part is checked against its own schema before it is used.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import islice
from typing import TYPE_CHECKING, Any

from amla_sandbox.tools._formats import EXAMPLES, FORMATS
from amla_sandbox.tools._json import is_fresh_array, is_fresh_object
from amla_sandbox.tools._schema import resolve

if TYPE_CHECKING:
    import jsonschema_rs

__all__ = ["MockError", "mock_from_schema"]

_DEEP = 12
"""Nested schemas that are followed; a recursive schema ends before."""

_TRIES = 64
"""Candidates that are looked at for one place; arbitrary."""

_TEXTS: Mapping[str, str] = {
    "hostname": "example.com",
    "idn-hostname": "example.com",
    "idn-email": "ann@example.com",
    "ipv6": "2001:db8::1",
    "iri": "https://example.com/a",
    "uri-reference": "https://example.com/a",
    "iri-reference": "https://example.com/a",
    "uri-template": "https://example.com/a",
    "json-pointer": "/a",
    "relative-json-pointer": "0",
    "regex": "a",
    **EXAMPLES,
}
_TYPES = ("object", "array", "string", "integer", "number", "boolean", "null")


class MockError(ValueError):
    """No value was found that a schema accepts."""


def mock_from_schema(schema: Mapping[str, Any] | bool | None) -> Any:
    """A value that `schema` accepts; None for no schema. Raises MockError where none is found."""
    if schema is None:
        return None
    root = json.loads(json.dumps(schema, default=dict))
    return _Maker(root).value()


class _Maker:
    def __init__(self, root: Any) -> None:
        self._root = root
        self._validators: dict[int, jsonschema_rs.Validator] = {}

    def value(self) -> Any:
        for candidate in islice(self._candidates(self._root, 0), _TRIES):
            if self._fits(self._root, candidate):
                return candidate
        raise MockError("no value was found that the schema of the result accepts; give the tool a mock = …")

    # --- candidates ------------------------------------------------------------------------------

    def _best(self, schema: Any, depth: int) -> Iterator[Any]:
        """At most one value for a part: the first candidate that its own schema accepts."""
        for candidate in islice(self._candidates(schema, depth), _TRIES):
            if self._fits(schema, candidate):
                yield candidate
                return

    def _candidates(self, schema: Any, depth: int) -> Iterator[Any]:
        if not is_fresh_object(schema):
            yield from () if schema is False else (None,)
            return
        if depth > _DEEP:
            return
        yield from _named(schema)
        yield from self._combined(schema, depth)
        for kind in _kinds(schema):
            yield from self._of_type(kind, schema, depth)

    def _combined(self, schema: dict[str, Any], depth: int) -> Iterator[Any]:
        """Candidates of the schemas that this one refers to, each together with the rest of it."""
        rest = {key: value for key, value in schema.items() if key not in ("$ref", "allOf", "anyOf", "oneOf", "$defs")}
        parts: list[Any] = list(schema.get("allOf", ()))
        if isinstance(schema.get("$ref"), str):
            parts.append(resolve(schema["$ref"], self._root) or (self._root if schema["$ref"] == "#" else {}))
        choices: list[Any] = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
        if parts or choices:
            for choice in choices or [{}]:
                yield from self._candidates(_merged([*parts, choice, rest]), depth + 1)

    def _of_type(self, kind: str, schema: dict[str, Any], depth: int) -> Iterator[Any]:
        if kind == "object":
            yield from self._objects(schema, depth)
        elif kind == "array":
            yield from self._arrays(schema, depth)
        else:
            yield from _SCALARS[kind](schema)

    def _objects(self, schema: dict[str, Any], depth: int) -> Iterator[Any]:
        """First with all properties, then with the required ones alone."""
        properties: dict[str, Any] = schema.get("properties", {})
        required = [name for name in schema.get("required", ()) if isinstance(name, str)]
        for names in ([*properties, *(name for name in required if name not in properties)], required):
            made: dict[str, Any] = {}
            for name in names:
                for value in self._best(self._property(schema, name), depth + 1):
                    made[name] = value
            yield self._filled(made, schema, depth)

    def _property(self, schema: dict[str, Any], name: str) -> Any:
        return schema.get("properties", {}).get(name, schema.get("additionalProperties", {}))

    def _filled(self, made: dict[str, Any], schema: dict[str, Any], depth: int) -> dict[str, Any]:
        """With further entries, up to `minProperties`."""
        filler = next(self._best(schema.get("additionalProperties", {}), depth + 1), None)
        for fresh in (f"key{n + 1}" for n in range(_TRIES)):
            if len(made) < _whole(schema.get("minProperties"), 0):
                made.setdefault(fresh, filler)
        return made

    def _arrays(self, schema: dict[str, Any], depth: int) -> Iterator[Any]:
        first: Sequence[Any] = schema.get("prefixItems", ())
        rest = schema.get("items", {})
        least = _whole(schema.get("minItems"), 0)
        needed = next(self._best(schema["contains"], depth + 1), None) if "contains" in schema else None
        for length in dict.fromkeys((max(least, len(first)), least)):
            items = [value for part in first[:length] for value in self._best(part, depth + 1)]
            yield items + [needed] * _whole(schema.get("minContains"), 1) if "contains" in schema else items
            yield items + self._repeated(rest, length - len(items), depth, distinct=schema.get("uniqueItems") is True)

    def _repeated(self, schema: Any, count: int, depth: int, *, distinct: bool) -> list[Any]:
        if count <= 0:
            return []
        fitting: list[Any] = []
        for candidate in self._varied(schema, depth + 1):
            if self._fits(schema, candidate) and not (distinct and candidate in fitting):
                fitting.append(candidate)
                if not distinct:
                    return fitting * count
                if len(fitting) == count:
                    break
        return fitting

    def _varied(self, schema: Any, depth: int) -> Iterator[Any]:
        """Candidates, then some that differ from each other, for arrays of distinct items."""
        yield from islice(self._candidates(schema, depth), _TRIES)
        base = next(self._best(schema, depth), None)
        low = base if isinstance(base, int | float) else 0
        for n in range(1, _TRIES):
            yield from (low + n, f"{base if isinstance(base, str) else ''}{n}", n, f"item{n}", [n], {"key1": n})

    # --- checking ----------------------------------------------------------------------------------

    def _fits(self, schema: Any, value: Any) -> bool:
        validator = self._validators.get(id(schema))
        if validator is None:
            import jsonschema_rs

            whole = schema
            if schema is not self._root and is_fresh_object(schema):
                shared = {key: self._root[key] for key in ("$defs", "definitions") if key in self._root}
                whole = {**shared, **schema}
            try:
                validator = jsonschema_rs.validator_for(whole, validate_formats=True, formats=FORMATS)
            except (ValueError, TypeError):  # it refers to a place that only the whole has, and that is checked last
                return schema is not self._root
            if schema is self._root:
                self._validators[id(schema)] = validator
        return validator.is_valid(value)


def _named(schema: dict[str, Any]) -> Iterator[Any]:
    """The values that a schema itself names."""
    if "const" in schema:
        yield schema["const"]
    for key in ("default", "example"):
        if key in schema:
            yield schema[key]
    for key in ("examples", "enum"):
        if is_fresh_array(schema.get(key)):
            yield from schema[key]


def _kinds(schema: dict[str, Any]) -> list[str]:
    """The types to try, those that are likely meant first."""
    declared = schema.get("type")
    if isinstance(declared, str):
        return [declared] if declared in _TYPES else []
    if is_fresh_array(declared):
        return sorted((kind for kind in declared if kind in _TYPES), key=lambda kind: kind == "null")
    hints = {
        "object": ("properties", "required", "additionalProperties", "minProperties", "patternProperties"),
        "array": ("items", "prefixItems", "minItems", "contains", "uniqueItems"),
        "string": ("minLength", "maxLength", "pattern", "format"),
        "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    }
    meant = [kind for kind, keywords in hints.items() if any(keyword in schema for keyword in keywords)]
    return [*meant, "null", *(kind for kind in _TYPES if kind not in meant and kind != "null")]


def _merged(schemas: Sequence[Any]) -> Any:
    """One schema that asks for what all of them do, as far as that can be said in one; candidates only come from it."""
    merged: dict[str, Any] = {}
    for schema in schemas:
        if schema is False:
            return False
        if not is_fresh_object(schema):
            continue
        for key, value in schema.items():
            merged[key] = _joined(key, merged[key], value) if key in merged else value
    return merged


def _joined(key: str, first: Any, second: Any) -> Any:
    if key == "properties" and is_fresh_object(first) and is_fresh_object(second):
        both = {name: _merged([first[name], second[name]]) for name in first if name in second}
        return {**first, **second, **both}
    if key in ("required", "allOf") and is_fresh_array(first) and is_fresh_array(second):
        return list({json.dumps(item): item for item in [*first, *second]}.values())
    if key == "enum" and is_fresh_array(first) and is_fresh_array(second):
        return [item for item in first if item in second]
    if key in _STRICTEST:
        return _STRICTEST[key](first, second)
    if key == "type":
        return _common_types(first, second)
    return second


_STRICTEST: Mapping[str, Callable[[Any, Any], Any]] = {
    **dict.fromkeys(("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"), max),
    **dict.fromkeys(("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"), min),
}


def _common_types(first: Any, second: Any) -> Any:
    one, two = ([kind] if isinstance(kind, str) else list(kind) for kind in (first, second))
    common = [kind for kind in one if kind in two or (kind == "integer" and "number" in two)]
    return common or [kind for kind in two if kind == "integer" and "number" in one]


def _whole(value: Any, default: int) -> int:
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) else default


# --- scalars ------------------------------------------------------------------------------------------------


def _strings(schema: dict[str, Any]) -> Iterator[str]:
    least, most = _whole(schema.get("minLength"), 0), _whole(schema.get("maxLength"), 1 << 30)
    if str(schema.get("format")) in _TEXTS:
        yield _TEXTS[schema["format"]]
    if isinstance(schema.get("pattern"), str):
        from ._pattern_text import texts

        yield from islice(texts(schema["pattern"], least), _TRIES)
    yield "text"[:most].ljust(min(max(least, 0), 10_000), "x")
    yield "x" * least


def _integers(schema: dict[str, Any]) -> Iterator[int | float]:
    for number in _numbers(schema):
        if float(number).is_integer():
            yield int(number)


def _numbers(schema: dict[str, Any]) -> Iterator[int | float]:
    """Zero or one, the bounds and what lies next to them, multiples of `multipleOf` among them."""
    yield from (0, 1)
    lows = [_decimal(schema[key]) for key in ("minimum", "exclusiveMinimum") if key in schema]
    highs = [_decimal(schema[key]) for key in ("maximum", "exclusiveMaximum") if key in schema]
    step = _decimal(schema.get("multipleOf", 0))
    anchors = [*(low for low in lows), *(high for high in highs)]
    if lows and highs:
        anchors.append((max(lows) + min(highs)) / 2)
    for anchor in anchors:
        for shift in (0, 1, -1):
            yield _plain((anchor // step + shift) * step) if step else _plain(anchor + shift)
            yield _plain(anchor.to_integral_value() + shift)
        yield _plain(anchor + Decimal("0.5"))


def _decimal(value: Any) -> Decimal:
    return Decimal(str(value)) if isinstance(value, int | float) and not isinstance(value, bool) else Decimal(0)


def _plain(value: Decimal) -> int | float:
    return int(value) if value == value.to_integral_value() else float(value)


_SCALARS: Mapping[str, Callable[[dict[str, Any]], Iterator[Any]]] = {
    "string": _strings,
    "integer": _integers,
    "number": _numbers,
    "boolean": lambda _: iter((True, False)),
    "null": lambda _: iter((None,)),
}
