"""Whether one JSON Schema accepts nothing that another refuses.

A proof by structure: where it fails, the place is named. "Wider" therefore means "not proved narrower".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from amla_capabilities._values import as_list, as_mapping, less, same, type_name

__all__ = ["KEYWORDS", "Change", "wider"]

_ABSENT: Any = object()


class Change(NamedTuple):
    """What widened: steps into the schema, what stood there, what stands there (as text)."""

    path: tuple[str, ...]
    old: str
    new: str


_Way = Callable[[Any, Any], bool]  # of the old and the new value, either absent: is the new one no wider?


def _free(_old: Any, _new: Any) -> bool:
    return True


def _same(old: Any, new: Any) -> bool:
    return old is new or (old is not _ABSENT and new is not _ABSENT and same(old, new))


def _same_or_added(old: Any, new: Any) -> bool:
    return old is _ABSENT or _same(old, new)


def _at_most(old: Any, new: Any) -> bool:
    return old is _ABSENT or (new is not _ABSENT and not less(old, new))


def _at_least(old: Any, new: Any) -> bool:
    return old is _ABSENT or (new is not _ABSENT and not less(new, old))


def _superset(old: Any, new: Any) -> bool:
    return old is _ABSENT or (new is not _ABSENT and set(old) <= set(new))


def _rows(way: _Way | None, keywords: str) -> dict[str, _Way | None]:
    return dict.fromkeys(keywords.split(), way)


KEYWORDS: Mapping[str, _Way | None] = {
    **_rows(_free, "title description deprecated readOnly writeOnly examples $comment"),
    **_rows(_same, "default patternProperties unevaluatedItems unevaluatedProperties prefixItems minContains"),
    **_rows(_same, "maxContains contentEncoding contentMediaType $defs definitions $ref"),
    **_rows(_same_or_added, "format pattern multipleOf uniqueItems contains not if then else allOf anyOf oneOf"),
    **_rows(_same_or_added, "propertyNames dependentRequired dependentSchemas"),
    **_rows(_at_most, "maximum exclusiveMaximum maxLength maxItems maxProperties"),
    **_rows(_at_least, "minimum exclusiveMinimum minLength minItems minProperties"),
    **_rows(_superset, "required"),
    **_rows(None, "type enum const properties additionalProperties items"),  # looked at together, below
}
"""How each keyword is compared."""

_TANGLED = frozenset({"patternProperties", "unevaluatedItems", "unevaluatedProperties"})
"""What these mean depends on the keywords beside them, so that only equality proves anything."""


def wider(old: Any, new: Any) -> Iterator[Change]:
    """Every place where `new` could not be shown to accept less than, or the same as, `old`."""
    before, after = _bare(old), _bare(new)
    if same(before, after):
        return
    if _mentions(before, "$ref") or _mentions(after, "$ref"):
        yield Change((), "a schema with references", "another one")
        return
    yield from _wider(before, after, ())


def _wider(old: Any, new: Any, at: tuple[str, ...]) -> Iterator[Change]:
    if same(old, new):
        return
    before, after = _table(old), _table(new)
    if not _same(before.get("default", _ABSENT), after.get("default", _ABSENT)):
        yield _change(before, after, at, "default")
    if new is False:
        return
    if old is False or _TANGLED & {*before, *after}:
        yield Change(at, _text(old), _text(new))
        return
    for keyword in dict.fromkeys([*before, *after]):
        way = KEYWORDS.get(keyword, _same)
        if way and keyword != "default" and not way(before.get(keyword, _ABSENT), after.get(keyword, _ABSENT)):
            yield _change(before, after, at, keyword)
    yield from _values(before, after, at)
    yield from _parts(before, after, at)


def _change(before: Mapping[str, Any], after: Mapping[str, Any], at: tuple[str, ...], keyword: str) -> Change:
    return Change((*at, keyword), _text(before.get(keyword, _ABSENT)), _text(after.get(keyword, _ABSENT)))


def _values(before: Mapping[str, Any], after: Mapping[str, Any], at: tuple[str, ...]) -> Iterator[Change]:
    """`type`, `enum` and `const`: what remains has to be among what was."""
    had, has = _types(before), _types(after)
    if had is not None and (has is None or not all(_one_of(name, had) for name in has)):
        yield _change(before, after, at, "type")
    listed = _listed(after)
    for keyword in ("enum", "const"):
        if keyword in before:
            allowed = as_list(before[keyword]) or [] if keyword == "enum" else [before[keyword]]
            if listed is None or not all(any(same(value, other) for other in allowed) for value in listed):
                yield _change(before, after, at, keyword)


def _one_of(name: str, names: frozenset[str]) -> bool:
    return name in names or (name == "integer" and "number" in names)


def _types(schema: Mapping[str, Any]) -> frozenset[str] | None:
    if "type" in schema:
        names = as_list(schema["type"])
        return frozenset([schema["type"]] if names is None else names)
    listed = _listed(schema)
    return None if listed is None else frozenset(map(_type_of, listed))


def _type_of(value: Any) -> str:
    name = type_name(value)
    return "integer" if name == "number" and value == int(value) else name


def _listed(schema: Mapping[str, Any]) -> list[Any] | None:
    """The values that a schema lists, if it does."""
    return [schema["const"]] if "const" in schema else as_list(schema.get("enum"))


def _parts(before: Mapping[str, Any], after: Mapping[str, Any], at: tuple[str, ...]) -> Iterator[Change]:
    """What is inside: the elements, the properties, and any other property."""
    yield from _wider(before.get("items", True), after.get("items", True), (*at, "items"))
    had, has = as_mapping(before.get("properties")) or {}, as_mapping(after.get("properties")) or {}
    others, other = before.get("additionalProperties", True), after.get("additionalProperties", True)
    for name in dict.fromkeys([*had, *has]):
        yield from _wider(had.get(name, others), has.get(name, other), (*at, "properties", name))
    yield from _wider(others, other, (*at, "additionalProperties"))


def _table(schema: Any) -> Mapping[str, Any]:
    return as_mapping(schema) or {}


def _text(value: Any) -> str:
    from amla_capabilities._values import show

    return "none" if value is _ABSENT else show(value)


def _mentions(value: Any, key: str) -> bool:
    items, table = as_list(value), as_mapping(value)
    if table is not None:
        return key in table or any(_mentions(item, key) for item in table.values())
    return any(_mentions(item, key) for item in items or ())


# Annotations stand in schemas only: under `properties`, "title" is a parameter like any other.

_ANNOTATIONS = frozenset(keyword for keyword, way in KEYWORDS.items() if way is _free)
_MAPS = frozenset(["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"])
_LITERAL = frozenset(["const", "enum", "default", "required", "type", "dependentRequired"])


def _bare(value: Any, key: str = "") -> Any:
    """A schema, or the value of its keyword `key`, without what only people read."""
    items, table = as_list(value), as_mapping(value)
    if key in _LITERAL:
        return value
    if items is not None:
        return [_bare(item) for item in items]
    if table is None:
        return value
    if key in _MAPS:
        return {name: _bare(item) for name, item in table.items()}
    return {name: _bare(item, name) for name, item in table.items() if name not in _ANNOTATIONS}
