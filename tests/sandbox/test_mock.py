"""Values made from schemas: valid by the validator's own judgement, the same every time, and what the schema suggests."""

from __future__ import annotations

import json
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amla_sandbox._mocks._value import MockError, mock_from_schema

ROWS: list[tuple[Any, Any]] = [
    (None, None),
    (True, None),
    ({}, None),
    ({"const": {"a": [1]}}, {"a": [1]}),
    ({"enum": ["b", "a"]}, "b"),
    ({"type": "string", "default": "d"}, "d"),
    ({"type": "string", "default": 5, "minLength": 2}, "text"),  # a default that the schema refuses is passed over
    ({"type": "string", "examples": ["e"]}, "e"),
    ({"type": "string", "format": "date"}, "2024-01-31"),
    ({"type": "string", "minLength": 6}, "textxx"),
    ({"type": "string", "maxLength": 2}, "te"),
    ({"type": "string", "maxLength": 0}, ""),
    ({"type": "string", "pattern": "^ch_[a-z0-9]{4,}$"}, "ch_aaaa"),
    ({"type": "string", "pattern": "^(USD|EUR)$"}, "USD"),
    ({"type": "string", "pattern": r"^\d{3}-\w+$"}, "000-a"),
    ({"type": "string", "pattern": "^[^a-z]+$", "minLength": 3}, "000"),
    ({"type": "integer"}, 0),
    ({"type": "integer", "minimum": 5}, 5),
    ({"type": "integer", "exclusiveMinimum": 5}, 6),
    ({"type": "integer", "maximum": -3}, -3),
    ({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}, 0.5),
    ({"type": "number", "multipleOf": 0.25, "minimum": 1.1}, 1.25),
    ({"type": "integer", "multipleOf": 7, "minimum": 1}, 7),
    ({"type": "boolean"}, True),
    ({"type": "null"}, None),
    ({"type": ["null", "string"]}, "text"),
    ({"type": "array"}, []),
    ({"type": "array", "items": {"type": "integer"}, "minItems": 2}, [0, 0]),
    ({"type": "array", "items": {"type": "integer"}, "minItems": 3, "uniqueItems": True}, [0, 1, 2]),
    ({"type": "array", "contains": {"const": 9}}, [9]),
    ({"prefixItems": [{"type": "string"}, {"type": "integer"}], "type": "array"}, ["text", 0]),
    ({"type": "object"}, {}),
    (
        {"type": "object", "properties": {"id": {"type": "string"}, "n": {"type": "integer"}}, "required": ["id"]},
        {"id": "text", "n": 0},
    ),
    ({"type": "object", "required": ["a"]}, {"a": None}),
    ({"type": "object", "minProperties": 2, "additionalProperties": {"type": "integer"}}, {"key1": 0, "key2": 0}),
    ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, "text"),
    ({"oneOf": [{"type": "number"}, {"type": "integer"}], "minimum": 0}, 0.5),
    ({"allOf": [{"minimum": 3}, {"type": "integer"}, {"minimum": 4}]}, 4),
    ({"$ref": "#/$defs/a", "$defs": {"a": {"type": "object", "properties": {"b": {"$ref": "#/$defs/b"}}}, "b": {"const": 1}}}, {"b": 1}),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "value"), ROWS, ids=[json.dumps(row[0])[:60] for row in ROWS])
def test_what_is_made(schema: Any, value: Any) -> None:
    made = mock_from_schema(schema)
    assert (made, type(made)) == (value, type(value))
    if schema is not None:
        assert jsonschema_rs.validator_for(schema, validate_formats=True).is_valid(made)


@pytest.mark.parametrize(
    "name",
    ["date-time", "date", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uri-reference", "uuid",
     "json-pointer", "regex", "iri", "idn-email", "idn-hostname", "uri-template", "relative-json-pointer"],
)  # fmt: skip
def test_every_format_has_a_text(name: str) -> None:
    made = mock_from_schema({"type": "string", "format": name})
    assert made != ""
    assert jsonschema_rs.validator_for({"format": name}, validate_formats=True).is_valid(made)


@pytest.mark.parametrize(
    "schema", [False, {"type": "integer", "minimum": 2, "maximum": 1}, {"not": {}}, {"enum": []}, {"type": "strange"}]
)
def test_what_nothing_satisfies_is_said(schema: Any) -> None:
    with pytest.raises(MockError, match="mock ="):
        mock_from_schema(schema)


def test_a_recursive_schema_ends() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}, "n": {"type": "integer"}}}
    made = mock_from_schema({"$ref": "#/$defs/node", "$defs": {"node": node}})
    assert made["n"] == 0
    many = {**node, "required": ["next"]}
    with pytest.raises(MockError):
        mock_from_schema({"$ref": "#/$defs/node", "$defs": {"node": many}})


def test_a_schema_that_refers_to_itself_ends() -> None:
    tree = {"type": "object", "properties": {"left": {"$ref": "#"}, "n": {"const": 7}}}
    assert mock_from_schema(tree)["left"]["n"] == 7


# --- schemas that something satisfies -----------------------------------------------------------------------


def _integers() -> st.SearchStrategy[dict[str, Any]]:
    bounds = st.tuples(st.integers(-1000, 1000), st.integers(0, 50), st.sampled_from([None, 1, 2, 5]))
    return bounds.map(
        lambda b: (
            {"type": "integer", "minimum": b[0], "maximum": b[0] + b[1] + 5} | ({"multipleOf": b[2]} if b[2] else {})
        )
    )


def _numbers() -> st.SearchStrategy[dict[str, Any]]:
    finite = st.floats(-1e6, 1e6, allow_nan=False).map(lambda x: round(x, 3))
    low = st.tuples(finite, st.sampled_from(["minimum", "exclusiveMinimum"]), st.sampled_from([0.01, 1, 300.5]))
    return low.map(lambda b: {"type": "number", b[1]: b[0], "exclusiveMaximum": b[0] + b[2]})


def _strings() -> st.SearchStrategy[dict[str, Any]]:
    lengths = st.tuples(st.integers(0, 20), st.integers(0, 5)).map(
        lambda b: {"type": "string", "minLength": b[0], "maxLength": b[0] + b[1]}
    )
    formats = st.sampled_from(["date", "uuid", "email", "uri", "ipv6"]).map(lambda f: {"type": "string", "format": f})
    patterns = st.sampled_from(
        [
            "^a+$",
            "^[A-Z]{2}[0-9]{3}$",
            r"^\S+@\S+\.\w{2,}$",
            "x|y",
            "^(?:ab)*c?$",
            "^[^,;]+$",
            r"^/[\w/.-]*$",
            r"\p{L}+",
        ]
    ).map(lambda p: {"type": "string", "pattern": p})
    return lengths | formats | patterns


def _leaves() -> st.SearchStrategy[dict[str, Any]]:
    named = st.sampled_from(
        [{"const": [1, {"a": None}]}, {"enum": [3, "x"]}, {"type": "boolean"}, {"type": "null"}, {}]
    )
    return named | _integers() | _numbers() | _strings()


def _objects(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    entries = st.dictionaries(st.sampled_from(["a", "b", "c d", "é"]), inner, max_size=3)
    return st.tuples(entries, st.booleans(), st.booleans()).map(
        lambda e: (
            {"type": "object", "properties": e[0], "required": list(e[0]) if e[1] else []}
            | ({"additionalProperties": False} if e[2] else {"minProperties": 2})
        )
    )


def _arrays(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.tuples(inner, st.integers(0, 3)).map(lambda e: {"type": "array", "items": e[0], "minItems": e[1]})


def _structures(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    choices = st.lists(inner, min_size=1, max_size=3)
    return (
        _objects(inner)
        | _arrays(inner)
        | choices.map(lambda c: {"anyOf": c})
        | inner.map(lambda s: {"allOf": [s, {}]})
        | inner.map(lambda s: {"$ref": "#/$defs/x", "$defs": {"x": s}} if "$ref" not in json.dumps(s) else s)
    )


@settings(max_examples=300, deadline=None)
@given(st.recursive(_leaves(), _structures, max_leaves=8))
def test_it_is_always_valid_and_always_the_same(schema: dict[str, Any]) -> None:
    if "$defs" in json.dumps(schema) and "$defs" not in schema:
        return  # a reference is resolved from the root, and a generated part lies deeper
    made = mock_from_schema(schema)
    assert jsonschema_rs.validator_for(schema, validate_formats=True).is_valid(made)
    assert json.dumps(made) == json.dumps(mock_from_schema(json.loads(json.dumps(schema))))
