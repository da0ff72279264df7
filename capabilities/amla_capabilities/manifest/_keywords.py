"""What the keywords of JSON Schema take as values (R21): a schema that says nothing sensible is a fault."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from amla_capabilities._suggest import did_you_mean
from amla_capabilities._values import as_list, as_mapping, less, same, type_name

from ._kinds import describe

__all__ = ["FORMATS", "contradictions", "default_problem", "keyword_problem"]

# Those of JSON Schema, and the three that our own schemas use besides.
_FORMATS = (
    "date date-time time duration email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference iri iri-reference "
    "uri-template uuid json-pointer relative-json-pointer regex path decimal byte"
)
FORMATS = frozenset(_FORMATS.split())

_COUNTS = "maxLength minLength maxItems minItems maxContains minContains maxProperties minProperties"
_NUMBERS = "maximum exclusiveMaximum minimum exclusiveMinimum"
_TEXTS = "title description $comment contentEncoding contentMediaType pattern format"
_FLAGS = "uniqueItems deprecated readOnly writeOnly"


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_number(value: Any) -> bool:
    return type_name(value) == "number"


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_names(value: Any) -> bool:
    return all(isinstance(item, str) for item in as_list(value) or [None]) or as_list(value) == []


def _is_choice(value: Any) -> bool:
    return bool(as_list(value))


_Test = Callable[[Any], bool]
_VALUES: Mapping[str, tuple[_Test, str]] = {
    **dict.fromkeys(_COUNTS.split(), (_is_count, "a whole number of 0 or more")),
    **dict.fromkeys(_NUMBERS.split(), (_is_number, "a number")),
    **dict.fromkeys(_TEXTS.split(), (_is_text, "a string")),
    **dict.fromkeys(_FLAGS.split(), (_is_flag, "true or false")),
    "multipleOf": (lambda value: _is_number(value) and value > 0, "a number above 0"),
    "required": (_is_names, "an array of names"),
    "enum": (_is_choice, "an array of at least one value"),
    "examples": (lambda value: as_list(value) is not None, "an array"),
}


def keyword_problem(keyword: str, value: Any) -> str | None:
    """Why a keyword cannot have this value; None if it can, or is checked elsewhere."""
    test, wanted = _VALUES.get(keyword, (None, ""))
    if test is not None and not test(value):
        return f"must be {wanted}, not {describe(value)}"
    if keyword == "format" and value not in FORMATS:
        return f"{value!r} is not a format of JSON Schema{did_you_mean(value, FORMATS)}"
    if keyword == "pattern":
        return _pattern_problem(value)
    if keyword == "patternProperties":
        return next(filter(None, map(_pattern_problem, as_mapping(value) or ())), None)
    return None


def _pattern_problem(pattern: str) -> str | None:
    import jsonschema_rs

    try:
        jsonschema_rs.validator_for({"pattern": pattern}, pattern_options=jsonschema_rs.RegexOptions())
    except ValueError:
        return f"{pattern!r:.80} is no regular expression that takes linear time (without look-around and \\1)"
    return None


_PAIRS = (
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
    ("minContains", "maxContains"),
)


def contradictions(schema: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Pairs of bounds that leave nothing: the keyword, and why."""
    for low, high in _PAIRS:
        if _is_number(schema.get(low)) and _is_number(schema.get(high)) and schema[low] > schema[high]:
            yield high, f"{high} {schema[high]} lies below {low} {schema[low]}, so no value would be accepted"


def default_problem(schema: Mapping[str, Any]) -> str | None:
    """Why the schema itself would refuse its default, which is filled in after validation; None if it would not."""
    default, kinds = schema["default"], as_list(schema.get("type")) or [schema.get("type")]
    options = as_list(schema.get("enum"))
    if options and not any(same(default, option) for option in options):
        return f"the default {default!r:.80} is none of the values of enum"
    if "integer" in kinds and "number" not in kinds and isinstance(default, float) and not default.is_integer():
        return f"the default {default} is not a whole number"
    for low, high in _PAIRS:
        measure = _measure(default, low)
        if measure is not None and _is_number(schema.get(low)) and less(measure, schema[low]):
            return f"the default lies below {low} {schema[low]}"
        if measure is not None and _is_number(schema.get(high)) and less(schema[high], measure):
            return f"the default lies above {high} {schema[high]}"
    return None


_MEASURED = {"minimum": "number", "minLength": "string", "minItems": "array", "minProperties": "object"}


def _measure(value: Any, keyword: str) -> int | float | None:
    """What the bounds of a keyword's kind apply to: a number itself, or a size; None for values of another type."""
    if type_name(value) != _MEASURED.get(keyword):
        return None
    return value if keyword == "minimum" else len(value)
