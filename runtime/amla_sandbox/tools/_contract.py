"""One tool's schema, compiled: validation, and the sentences that say what a call got wrong (R21).

The validator is jsonschema-rs: its regular expressions run in linear time, formats are asserted, and it fetches
nothing. Its verdict (``is_valid``) is linear in the value even for recursive schemas; its error lists are not, so
those are asked for only where their size is bounded.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from ._errors import ArgumentError, ToolDefinitionError
from ._explain import expected, explain
from ._formats import FORMATS
from ._json import is_array, is_fresh_object
from ._schema import is_recursive, parameter_schema

if TYPE_CHECKING:
    import jsonschema_rs

    from ._definition import ToolDefinition

__all__ = ["Contract"]

MAX_REPORTED = 5  # faults named in one message; arbitrary, a model fixes them in one go
_MAX_EXPLAINED_DEPTH = 6  # the error list of a recursive schema doubles with each level
_MAX_EXPLAINED_ITEMS = 20  # of one array, nested values included; below, shortening gains nothing
_MAX_EXPLAINED_NODES = 2_000  # in all; each fault in them costs about 50 microseconds
_FLAT_KEYWORDS = {"type", "properties", "required", "additionalProperties", "title", "description", "$schema"}
_SCALAR_TYPES = {"string", "integer", "number", "boolean", "null"}
_SURROGATE = re.compile("[\ud800-\udfff]")
_STAND_INS = (0xF0000, 0x20000)  # two planes that hold a character for each lone surrogate


class Flat(NamedTuple):
    """A schema of scalar parameters only: their defaults, and those whose integral floats become ints."""

    defaults: tuple[tuple[str, Any], ...]
    integers: tuple[str, ...]


class Contract:
    """The compiled form of one tool's schema."""

    def __init__(self, tool: ToolDefinition) -> None:
        self.tool = tool
        self._validator = _compile(tool)

    @cached_property
    def flat(self) -> Flat | None:
        """How to complete the arguments when each parameter is a scalar, as nearly all tools' are; else None."""
        return _flat(self.tool.schema)

    @cached_property
    def _recursive(self) -> bool:
        return is_recursive(self.tool.schema)

    def check(self, value: dict[str, Any], *, surrogates: bool) -> None:
        """Raise ArgumentError unless ``value`` (a fresh JSON object) satisfies the schema.

        The validator knows only Unicode scalar values. Where a string may hold lone surrogates (``surrogates``) two
        copies are judged, each with other characters in their place, so that no ``const`` or ``enum`` can be met by a
        stand-in.
        """
        copies = [value]
        if surrogates and _has_surrogates(value):
            copies = [_without_surrogates(value, plane) for plane in _STAND_INS]
        for judged in copies:
            if not self._validator.is_valid(judged):
                self._refuse(judged, value)

    def _refuse(self, value: dict[str, Any], shown: dict[str, Any]) -> NoReturn:
        small = {name: self._start_of(name, item, value) for name, item in value.items()}
        deep = self._recursive and _depth(value) > _MAX_EXPLAINED_DEPTH
        # a shortened array holds no fault before its last item, so only that one can be costly
        costly = [item[-1:] if item is not value[name] else item for name, item in small.items()]
        if deep or not _has_at_most(_MAX_EXPLAINED_NODES, costly):
            raise self._refuse_coarsely(value)
        errors = islice(self._validator.iter_errors(small), MAX_REPORTED + 1)
        faults = [explain(error, self.tool, shown) for error in errors]
        more = "; and more" if len(faults) > MAX_REPORTED else ""
        sentences = list(dict.fromkeys(fault.sentence for fault in faults[:MAX_REPORTED]))
        raise ArgumentError(f"{self.tool.path}: {'; '.join(sentences)}{more}", faults[0].parameter)

    def _start_of(self, name: str, item: Any, value: dict[str, Any]) -> Any:
        """A long array up to its first fault, so that an explanation costs no more than the fault is worth."""
        if not is_array(item) or _has_at_most(_MAX_EXPLAINED_ITEMS, item):
            return item
        least = parameter_schema(self.tool.schema, name).get("minItems", 1)

        def fails(length: int) -> bool:
            return not self._validator.is_valid({**value, name: item[:length]})

        return item[: bisect_left(range(len(item)), True, lo=min(least, len(item)), key=fails)]

    def _refuse_coarsely(self, value: dict[str, Any]) -> ArgumentError:
        """Which parameter is at fault, where saying why would cost too much."""
        guilty = (name for name in value if self._validator.is_valid({k: v for k, v in value.items() if k != name}))
        name = next(guilty, next(iter(value), ""))
        form = expected(parameter_schema(self.tool.schema, name))
        return ArgumentError(f"{self.tool.path}: {name} does not match its schema{f' ({form})' if form else ''}", name)


def _compile(tool: ToolDefinition) -> jsonschema_rs.Validator:
    import jsonschema_rs

    try:
        return jsonschema_rs.validator_for(
            tool.schema,
            validate_formats=True,
            ignore_unknown_formats=tool.derived,
            formats=FORMATS,
            retriever=_refuse_retrieval,
            pattern_options=jsonschema_rs.RegexOptions(),
        )
    except ValueError as error:
        raise ToolDefinitionError(f"{tool.path}: the schema cannot be used: {str(error).splitlines()[0]}") from None


def _flat(schema: dict[str, Any]) -> Flat | None:
    properties: dict[str, Any] = schema.get("properties", {})
    if not schema.keys() <= _FLAT_KEYWORDS or schema.get("additionalProperties") is not False:
        return None
    types = {name: _scalar_types(entry) for name, entry in properties.items()}
    if not all(types.values()):
        return None
    return Flat(
        tuple((name, entry["default"]) for name, entry in properties.items() if entry.get("default") is not None),
        tuple(name for name, allowed in types.items() if "integer" in allowed and "number" not in allowed),
    )


def _scalar_types(entry: Any) -> set[str]:
    """The JSON types of a parameter that can only be a scalar; empty for any other."""
    declared = entry.get("type") if is_fresh_object(entry) else None
    types: set[str] = {declared} if isinstance(declared, str) else set[str](declared or ())
    combined = is_fresh_object(entry) and entry.keys() & {"$ref", "anyOf", "oneOf", "allOf"}
    return set() if combined or not types <= _SCALAR_TYPES else types


def _refuse_retrieval(uri: str) -> NoReturn:
    raise ValueError(f"schemas are never fetched: {uri}")


def _depth(value: Any) -> int:
    if is_fresh_object(value):
        return 1 + max(map(_depth, value.values()), default=0)
    if is_array(value):
        return 1 + max(map(_depth, value), default=0)
    return 0


def _has_at_most(limit: int, value: Any) -> bool:
    """Whether a value holds no more than ``limit`` values; looks at no more than that."""
    pending, seen = [value], 0
    while pending:
        item = pending.pop()
        seen += 1
        if seen > limit:
            return False
        if is_fresh_object(item):
            pending += islice(item.values(), limit)
        elif is_array(item):
            pending += item[:limit]
    return True


def _has_surrogates(value: Any) -> bool:
    if isinstance(value, str):
        return _SURROGATE.search(value) is not None
    if is_fresh_object(value):
        return any(map(_has_surrogates, value)) or any(map(_has_surrogates, value.values()))
    return is_array(value) and any(_has_surrogates(item) for item in value)


def _without_surrogates(value: Any, plane: int) -> Any:
    if isinstance(value, str):
        return _SURROGATE.sub(lambda match: chr(plane + ord(match[0]) - 0xD800), value)
    if is_fresh_object(value):
        copy = {_without_surrogates(key, plane): _without_surrogates(item, plane) for key, item in value.items()}
        if len(copy) != len(value):
            raise ArgumentError("two keys of one object differ only in unpaired surrogates")
        return copy
    return [_without_surrogates(item, plane) for item in value] if is_array(value) else value
