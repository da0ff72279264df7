"""References in JSON Schemas: whether each leads to a schema, and how much following them takes (R21).

A validator judges what is referred to anew for each reference to it, unless they lead around in a circle. Forty
schemas that each refer twice to the next are a billion times a million judgements.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from amla_capabilities._values import as_list, as_mapping

from ._positions import Path

__all__ = ["LISTS", "MAPS", "ONES", "reference_problems", "target"]

ONES = frozenset(
    [
        "additionalProperties",
        "items",
        "contains",
        "not",
        "if",
        "then",
        "else",
        "propertyNames",
        "unevaluatedItems",
        "unevaluatedProperties",
    ]
)
LISTS = frozenset(["prefixItems", "allOf", "anyOf", "oneOf"])
MAPS = frozenset(["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"])
"""The keywords that hold a schema, an array of them, and a table of them."""

_NOT_JUDGED = ("$defs", "definitions")
_MOST = 20_000  # schemas judged for one value; arbitrary: a millisecond
_LONGEST = 100  # references that lead from one to the next


def reference_problems(root: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    """What is wrong with the references in a document, each with its place."""
    for path, ref in _references(root, ()):
        if target(root, ref) is None:
            yield path, f"{ref!r} leads to no schema in the document"
    if _Weights(root).of(root, 0) > _MOST:
        yield (), f"its references lead to so many schemas that judging one value takes more than {_MOST:,} of them"


def _references(schema: Any, path: Path) -> Iterator[tuple[Path, str]]:
    table = as_mapping(schema) or {}
    ref = table.get("$ref")
    if isinstance(ref, str) and ref.startswith("#"):
        yield (*path, "$ref"), ref
    for keys, inner in _inner(table):
        yield from _references(inner, (*path, *keys))


def _inner(table: Mapping[str, Any]) -> Iterator[tuple[Path, Any]]:
    """The schemas directly in a schema, each with the keys that lead to it."""
    for keyword, value in table.items():
        if keyword in ONES:
            yield (keyword,), value
        elif keyword in LISTS:
            yield from (((keyword, n), item) for n, item in enumerate(as_list(value) or ()))
        elif keyword in MAPS:
            yield from (((keyword, name), item) for name, item in (as_mapping(value) or {}).items())


def target(root: Mapping[str, Any], ref: str) -> Any:
    """The schema that a reference within the document leads to; None if it leads to none."""
    found: Any = root
    for part in unquote(ref).removeprefix("#").split("/")[1:]:
        key, items = part.replace("~1", "/").replace("~0", "~"), as_list(found)
        if items is not None:
            found = items[int(key)] if key.isdecimal() and len(key) < 9 and int(key) < len(items) else None
        else:
            found = (as_mapping(found) or {}).get(key)
    is_pointer = ref == "#" or ref.startswith("#/")
    return found if is_pointer and (isinstance(found, bool) or as_mapping(found) is not None) else None


class _Weights:
    """How many schemas are judged for one value, with each reference followed."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root
        self._known: dict[str, int] = {}

    def of(self, schema: Any, depth: int) -> int:
        table = as_mapping(schema) or {}
        inner = sum(self.of(part, depth) for keys, part in _inner(table) if keys[0] not in _NOT_JUDGED)
        ref = table.get("$ref")
        return 1 + inner + (self._behind(ref, depth + 1) if isinstance(ref, str) else 0)

    def _behind(self, ref: str, depth: int) -> int:
        if ref not in self._known:
            if depth > _LONGEST:
                return _MOST
            self._known[ref] = 1  # what leads around in a circle is judged once
            self._known[ref] = self.of(target(self._root, ref), depth)
        return self._known[ref]
