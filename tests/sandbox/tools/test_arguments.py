"""Binding: from JSON bytes to the frozen arguments, with messages that a model can act on."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amla_sandbox.tools import ArgumentError, ToolDefinition, ToolDefinitionError, bind_arguments, bind_value


def tool(properties: dict[str, Any], **schema: Any) -> ToolDefinition:
    return ToolDefinition("t", "", {"type": "object", "properties": properties, **schema})


def bind(definition: ToolDefinition, **arguments: Any) -> Any:
    return definition.bind(json.dumps(arguments).encode())


WEATHER = tool(
    {
        "city": {"type": "string"},
        "units": {"type": "string", "enum": ["metric", "imperial"], "default": "metric"},
        "days": {"type": "integer", "minimum": 1, "maximum": 14},
        "when": {"type": "string", "format": "date"},
        "near": {
            "anyOf": [
                {"type": "object", "properties": {"lat": {"type": "number"}}, "required": ["lat"]},
                {"type": "null"},
            ]
        },
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
    },
    required=["city"],
)


@pytest.mark.parametrize(
    ("arguments", "parameter", "message"),
    [
        ({}, "city", "t: missing parameter city (a string)"),
        ({"city": 5}, "city", "t: city must be a string, not 5"),
        ({"city": None}, "city", "t: city must be a string, not null"),
        (
            {"city": "x", "unit": "m"},
            "unit",
            "t: unknown parameter unit (did you mean units? it takes city, units, days, when, near, tags)",
        ),
        ({"city": "x", "units": "kelvin"}, "units", 't: units must be one of "metric", "imperial", not "kelvin"'),
        ({"city": "x", "days": 15}, "days", "t: days must be at most 14, not 15"),
        ({"city": "x", "days": True}, "days", "t: days must be an integer, not true"),
        ({"city": "x", "days": "3"}, "days", 't: days must be an integer, not "3"'),
        ({"city": "x", "when": "tomorrow"}, "when", 't: when must be a date such as "2024-01-31", not "tomorrow"'),
        ({"city": "x", "near": {"lat": "1"}}, "near.lat", 't: near.lat must be a number, not "1"'),
        ({"city": "x", "near": {}}, "near.lat", "t: missing parameter near.lat (a number)"),
        ({"city": "x", "near": 5}, "near", "t: near must be an object or null, not 5"),
        ({"city": "x", "tags": ["a", 1]}, "tags[1]", "t: tags[1] must be a string, not 1"),
        ({"city": "x", "tags": ["a", "b", "c"]}, "tags", 't: tags must have at most 2 items, not ["a", "b", "c"]'),
    ],
)
def test_errors_name_the_parameter_the_problem_and_the_form(arguments: Any, parameter: str, message: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        bind(WEATHER, **arguments)
    assert str(caught.value) == message
    assert caught.value.parameter == parameter


def test_several_faults_are_named_at_once() -> None:
    with pytest.raises(ArgumentError, match=r"city must be a string, not 1; days must be"):
        bind(WEATHER, city=1, days="x")


@pytest.mark.parametrize("data", [b"[]", b"null", b'"x"', b"5", b"true"])
def test_the_arguments_are_one_object(data: bytes) -> None:
    with pytest.raises(ArgumentError, match="takes one object of named parameters"):
        WEATHER.bind(data)


def test_the_value_of_a_secret_parameter_is_not_shown() -> None:
    guarded = ToolDefinition("t", "", {"properties": {"pin": {"type": "integer"}}}, secret=frozenset({"pin"}))
    with pytest.raises(ArgumentError) as caught:
        bind(guarded, pin="1234")
    assert str(caught.value) == "t: pin must be an integer"


def test_a_tool_without_parameters_says_so() -> None:
    with pytest.raises(ArgumentError, match=r"unknown parameter x \(it takes no parameters\)"):
        bind(tool({}), x=1)


def test_defaults_reach_nested_objects_and_items() -> None:
    """A default is filled in wherever no alternative has to be chosen to get there."""
    definition = tool(
        {
            "a": {"$ref": "#/$defs/A"},
            "many": {"type": "array", "items": {"$ref": "#/$defs/A"}},
            "maybe": {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]},
        },
        **{"$defs": {"A": {"type": "object", "properties": {"n": {"type": "integer", "default": 7}}}}},
    )
    assert bind(definition, a={}, many=[{}, {"n": 1}], maybe={}) == {
        "a": {"n": 7},
        "many": ({"n": 7}, {"n": 1}),
        "maybe": {"n": 7},
    }


def test_a_null_default_stays_absent() -> None:
    """Null stands for "not given"; filled in, every constraint on the parameter would fault on it."""
    assert dict(bind(tool({"a": {"type": ["string", "null"], "default": None}}))) == {}


def test_filling_in_never_changes_the_schema() -> None:
    definition = tool({"a": {"type": "array", "default": [{}], "items": {"properties": {"n": {"default": 1}}}}})
    before = json.dumps(definition.schema)
    bind(definition)
    assert json.dumps(definition.schema) == before


@pytest.mark.parametrize(
    ("schema", "given", "kept"),
    [
        ({"type": "integer"}, b"1e3", 1000),
        ({"type": "integer"}, b"-0", 0),
        ({"type": ["integer", "null"]}, b"2.0", 2),
        ({"anyOf": [{"type": "integer"}, {"type": "string"}]}, b"2.0", 2),
        ({"type": "number"}, b"2.0", 2.0),
        ({"anyOf": [{"type": "integer"}, {"type": "number"}]}, b"2.0", 2.0),
        ({"type": "array", "items": {"type": "integer"}}, b"[1e2]", (100,)),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, b'{"x": 1.0}', {"x": 1}),
        ({}, b"2.0", 2.0),
    ],
)
def test_integral_floats_become_integers_where_the_schema_says_integer(schema: Any, given: bytes, kept: Any) -> None:
    bound = tool({"n": schema}).bind(b'{"n": %s}' % given)["n"]
    assert bound == kept
    assert type(bound) is type(kept) or isinstance(kept, dict)


@pytest.mark.parametrize(
    "schema", [{"enum": ["\ufffd"]}, {"const": "\U000f0000"}, {"enum": ["\U00020000"]}, {"pattern": "^[a-z]$"}]
)
def test_no_stand_in_lets_a_lone_surrogate_through(schema: Any) -> None:
    """The validator cannot see lone surrogates; what takes their place must not meet a schema that they do not meet."""
    with pytest.raises(ArgumentError):
        tool({"s": schema}).bind(rb'{"s": "\ud800"}')


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb", "\ude00\ud83d"])
def test_lone_surrogates_survive(text: str) -> None:
    assert bind(tool({"s": {"type": "string", "maxLength": 3}}), s=text)["s"] == text


def test_keys_that_differ_only_in_surrogates_are_refused() -> None:
    """Otherwise one of the two values would go unchecked."""
    definition = ToolDefinition("t", "", {"additionalProperties": {"type": "integer"}})
    with pytest.raises(ArgumentError):
        definition.bind(json.dumps({"\ud800": "evil", "\U000f0000": 1, "\U00020000": 1}).encode())


COMPOSED: list[dict[str, Any]] = [
    {"allOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]},
    {"$ref": "#/$defs/A", "$defs": {"A": {"properties": {"a": {}, "b": {}}}}},
]


@pytest.mark.parametrize("schema", COMPOSED)
def test_composed_schemas_are_closed_too(schema: Any) -> None:
    definition = ToolDefinition("t", "", schema)
    assert dict(bind(definition, a=1, b=2)) == {"a": 1, "b": 2}
    with pytest.raises(ArgumentError, match="unknown parameter c"):
        bind(definition, a=1, c=3)


EXPRESSION = {
    "$defs": {
        "E": {
            "anyOf": [
                {
                    "type": "object",
                    "properties": {"l": {"$ref": "#/$defs/E"}},
                    "required": ["l"],
                    "additionalProperties": False,
                },
                {"type": "object", "properties": {"l": {"$ref": "#/$defs/E"}, "k": {}}, "required": ["l"]},
                {"type": "integer"},
            ]
        }
    },
    "properties": {"e": {"$ref": "#/$defs/E"}, "n": {"type": "integer"}},
}


@pytest.mark.parametrize("leaf", [1, "bad"])
def test_recursive_unions_are_judged_in_linear_time(leaf: Any) -> None:
    """Two alternatives at each of 60 levels would be 2**60 paths for whoever walks them all."""
    value: Any = leaf
    for _ in range(60):
        value = {"l": value}
    started = time.monotonic()
    if leaf == 1:
        bind(ToolDefinition("t", "", EXPRESSION), e=value)
    else:
        with pytest.raises(ArgumentError, match="t: e does not match"):
            bind(ToolDefinition("t", "", EXPRESSION), e=value, n=1)
    assert time.monotonic() - started < 2


def test_an_array_of_faults_is_reported_quickly() -> None:
    definition = tool({"a": {"type": "array", "items": {"type": "integer"}}})
    started = time.monotonic()
    with pytest.raises(ArgumentError, match=r"^t: a\[0\] must be an integer, not \"x\"$"):
        bind(definition, a=["x"] * 90_000)
    with pytest.raises(ArgumentError, match=r"^t: a\[70000\] must be an integer, not \"x\"$"):
        bind(definition, a=[*[1] * 70_000, "x", *[1] * 9_000])
    assert time.monotonic() - started < 5


def test_a_fault_beside_a_long_array_is_still_explained() -> None:
    with pytest.raises(ArgumentError, match=r"^t: days must be at most 14, not 15$"):
        bind(tool({"rows": {"type": "array"}, "days": {"maximum": 14}}), rows=[1] * 50_000, days=15)


@given(st.dictionaries(st.text(max_size=5), st.none() | st.integers() | st.text(max_size=5) | st.floats(), max_size=4))
def test_any_object_is_bound_or_refused(arguments: dict[str, Any]) -> None:
    """Whatever the script sends, the outcome is frozen arguments that satisfy the schema, or an ArgumentError."""
    try:
        bound = WEATHER.bind(json.dumps(arguments).encode())
    except ArgumentError as error:
        if not str(error).startswith("t: "):
            raise
        return
    assert isinstance(bound["city"], str)
    assert bound["units"] in ("metric", "imperial")


def test_the_host_binds_values_by_the_same_rules() -> None:
    assert bind_value(WEATHER, {"city": "x"})["units"] == "metric"
    with pytest.raises(ArgumentError):
        bind_value(WEATHER, {"city": float("nan")})
    given = {"city": "x", "tags": ["a"]}
    bound = bind_value(WEATHER, given)
    given["tags"].append("b")  # type: ignore[attr-defined]
    assert bound["tags"] == ("a",)


def test_caps_can_be_given() -> None:
    from amla_sandbox.tools import Caps

    with pytest.raises(ArgumentError, match="take 30 bytes; at most 10"):
        bind_arguments(WEATHER, b'{"city": "x"}'.ljust(30), Caps(size=10))


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"type": "array"}, "a tool takes one object"),
        ({"type": ["object", "null"]}, "a tool takes one object"),
        ({"properties": []}, "must be an object of parameter schemas"),
        ({"properties": {"a": {"default": {1, 2}}}}, "not JSON"),
    ],
)
def test_schemas_that_are_no_parameters_are_refused(schema: Any, message: str) -> None:
    with pytest.raises(ToolDefinitionError, match=message):
        ToolDefinition("t", "", schema)


@pytest.mark.parametrize("name", ["", "a//b", "a.b", "a/../b", "a\u200bb", "a*"])
def test_names_are_checked_at_declaration(name: str) -> None:
    with pytest.raises(ValueError, match="tool name"):
        ToolDefinition(name)


def test_definitions_translate_to_and_from_other_spellings() -> None:
    for key in ("inputSchema", "parameters", "input_schema"):
        read = ToolDefinition.from_dict(
            {"name": "mcp:a", "description": "d", key: {"properties": {"x": {"type": "string"}}}}
        )
        assert (read.name, read.path, read.description) == ("a", "a", "d")
        assert read.to_dict()["inputSchema"]["properties"] == {"x": {"type": "string"}}
