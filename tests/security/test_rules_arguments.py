"""The security rules that arguments of tools keep, and what is told of tools, one test or more for each."""

from __future__ import annotations

import json
import time
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amla_sandbox.tools import (
    ArgumentError,
    Caps,
    ToolDefinition,
    ToolDefinitionError,
    bind_arguments,
    declarations,
    format_tool_descriptions_js,
    tool_from_function,
)


def tool(**properties: Any) -> ToolDefinition:
    return ToolDefinition("t", "", {"type": "object", "properties": properties})


# R3


def test_r3_descriptions_cannot_end_a_comment_or_hide_text() -> None:
    evil = ToolDefinition("t", "*/ evil() /*\u202e\u200b\x1b[0m", {"properties": {"a": {"description": "*/ x\u2066"}}})
    for text in (declarations([evil]), format_tool_descriptions_js([evil])):
        assert not set(text) & set("\u202e\u200b\x1b\u2066")
        assert "*/ evil" not in text
        assert "*/ x" not in text


# R9


@pytest.mark.parametrize(
    "data",
    [b"[" * 500_000, b'{"a":' * 100_000, b"[" + b"0," * 499_000 + b"0]", b'"' + b"\\" * 900_000, b'{"a":"' * 90_000],
)
def test_r9_size_depth_and_nodes_are_capped_cheaply(data: bytes) -> None:
    started = time.monotonic()
    with pytest.raises(ArgumentError):
        tool().bind(data)
    assert time.monotonic() - started < 1


def test_r9_size_is_capped_on_each_side() -> None:
    definition = tool(a={"type": "string"})
    data = json.dumps({"a": "x" * 20}).encode()
    assert bind_arguments(definition, data, Caps(size=len(data)))["a"] == "x" * 20
    with pytest.raises(ArgumentError, match="bytes; at most"):
        bind_arguments(definition, data, Caps(size=len(data) - 1))


# R14


@pytest.mark.parametrize("token", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"])
def test_r14_numbers_are_finite(token: str) -> None:
    with pytest.raises(ArgumentError, match=r"^t: deep\.n\[0\] is (NaN|-?Infinity); numbers must be finite$"):
        tool(deep={}).bind(b'{"deep": {"n": [%s]}}' % token.encode())


def test_r14_integers_have_up_to_400_digits() -> None:
    longest = 10**400 - 1
    assert tool(n={"type": "integer"}).bind(b'{"n": %d}' % longest)["n"] == longest
    for digits in (401, 5_000):
        with pytest.raises(ArgumentError, match="more than 400 digits"):
            tool(n={"type": "integer"}).bind(b'{"n": %s}' % (b"9" * digits))


def test_r14_an_integral_float_under_integer_is_an_int_before_policy() -> None:
    bound = tool(n={"type": "integer"}).bind(b'{"n": 1e21}')["n"]
    assert type(bound) is int
    assert bound == 10**21


# R20


@pytest.mark.parametrize("data", [b'{"a": 1, "a": 2}', b'{"b": {"x": 1, "x": 1}}', rb'{"a": 1, "\u0061": 2}'])
def test_r20_duplicate_keys_are_refused(data: bytes) -> None:
    with pytest.raises(ArgumentError, match="appears twice"):
        tool(a={}, b={}).bind(data)


def test_r20_defaults_are_filled_in_before_policy_and_once() -> None:
    definition = tool(a={"type": "integer", "default": 5}, b={"type": "array", "default": [1]})
    assert dict(definition.bind(b"{}")) == {"a": 5, "b": (1,)}
    assert dict(definition.bind(b'{"a": 7, "b": []}')) == {"a": 7, "b": ()}


GUESSES: list[dict[str, Any]] = [
    {"properties": {"a": {"anyOf": [{"properties": {"x": {"default": 1}}}, {"properties": {"y": {}}}]}}},
    {"if": {"properties": {"a": {"default": 1}}}},
    {"properties": {"a": {"items": {"default": 1}}}},
    {"properties": {"a": {"not": {"default": 1}}}},
    {"patternProperties": {"a": {"default": 1}}},
    {"default": {}},
]


@pytest.mark.parametrize("schema", GUESSES)
def test_r20_a_default_where_filling_it_in_would_be_a_guess_is_a_fault(schema: Any) -> None:
    with pytest.raises(ToolDefinitionError, match="would not be filled in"):
        ToolDefinition("t", "", schema)


def test_r20_what_was_checked_is_frozen_and_is_what_the_tool_gets() -> None:
    seen: list[Any] = []
    definition = ToolDefinition("t", "", {"properties": {"a": {}}}, handler=seen.append)
    arguments = definition.bind(b'{"a": [{"b": 1}]}')
    assert isinstance(arguments, MappingProxyType)
    assert definition.handler is not None
    definition.handler(arguments)
    assert seen[0] is arguments
    with pytest.raises(TypeError):
        arguments["a"][0]["b"] = 2
    with pytest.raises(AttributeError):
        arguments["a"].append(1)


def test_r20_a_function_cannot_change_what_the_next_one_sees() -> None:
    def spoil(items: list[Any]) -> None:
        items.append("spoilt")

    definition = tool_from_function(spoil)
    arguments = definition.bind(b'{"items": [1]}')
    assert definition.handler is not None
    definition.handler(arguments)
    assert arguments["items"] == (1,)


@given(st.text(max_size=20))
def test_r20_a_path_reaches_the_function_as_written_or_not_at_all(text: str) -> None:
    def read(path: Path) -> str:
        return str(path)

    definition = tool_from_function(read)
    try:
        arguments = definition.bind(json.dumps({"path": text}).encode())
    except ArgumentError:
        return
    assert definition.handler is not None
    assert definition.handler(arguments) == text


# R21


@pytest.mark.parametrize("reference", ["http://127.0.0.1:1/x", "file:///etc/passwd", "other.json#/a", "//host/x"])
def test_r21_references_stay_within_the_document(reference: str) -> None:
    with pytest.raises(ToolDefinitionError, match="only references within the document"):
        tool(a={"$ref": reference})


def test_r21_nothing_is_fetched_even_through_an_identifier() -> None:
    """``$id`` can turn a local reference into a remote one; the validator's retriever refuses."""
    definition = tool(a={"$id": "http://127.0.0.1:1/", "properties": {"x": {"$ref": "#/nowhere"}}})
    with pytest.raises(ToolDefinitionError, match="cannot be used"):
        definition.bind(b"{}")


def test_r21_patterns_run_in_linear_time() -> None:
    definition = tool(a={"pattern": "^(a+)+$"})
    started = time.monotonic()
    with pytest.raises(ArgumentError, match="must match the pattern"):
        definition.bind(json.dumps({"a": "a" * 50_000 + "b"}).encode())
    assert time.monotonic() - started < 1


def test_r21_patterns_beyond_the_linear_engine_are_refused() -> None:
    with pytest.raises(ToolDefinitionError, match="cannot be used"):
        tool(a={"pattern": "(?=a)"}).bind(b"{}")


@pytest.mark.parametrize(
    ("name", "bad"),
    [("date", "2024-13-01"), ("date-time", "noon"), ("email", "x"), ("uuid", "x"), ("ipv4", "999.1.1.1")],
)
def test_r21_formats_are_asserted(name: str, bad: str) -> None:
    with pytest.raises(ArgumentError, match=f"must be a {name}"):
        tool(a={"format": name}).bind(json.dumps({"a": bad}).encode())


def test_r21_an_unknown_format_is_refused() -> None:
    with pytest.raises(ToolDefinitionError, match="Unknown format"):
        tool(a={"format": "no-such-format"}).bind(b"{}")


# R22


@pytest.mark.parametrize("name", ["config", "ctx", "self", "__proto__", "args", "kwargs", "A", "a "])
def test_r22_only_declared_names_are_accepted(name: str) -> None:
    def function(a: int = 0) -> int:
        return a

    with pytest.raises(ArgumentError, match="unknown parameter"):
        tool_from_function(function).bind(json.dumps({name: 1}).encode())


def test_r22_injected_parameters_are_not_the_scripts_to_give() -> None:
    runnables = pytest.importorskip("langchain_core.runnables")

    def function(a: int, config: Any = None) -> Any:
        return config

    function.__annotations__["config"] = runnables.RunnableConfig
    definition = tool_from_function(function)
    assert list(definition.schema["properties"]) == ["a"]
    with pytest.raises(ArgumentError, match="unknown parameter config"):
        definition.bind(b'{"a": 1, "config": {"callbacks": []}}')
    assert definition.handler is not None
    assert definition.handler(definition.bind(b'{"a": 1}')) is None


def test_r22_kwargs_alone_are_declared_as_any_object() -> None:
    def function(**kwargs: Any) -> Any:
        return kwargs

    assert tool_from_function(function).schema["additionalProperties"] is True


def test_r22_kwargs_beside_names_need_a_schema() -> None:
    def function(a: int, **kwargs: Any) -> Any:
        return a, kwargs

    with pytest.raises(ToolDefinitionError, match="give a schema"):
        tool_from_function(function)
    definition = tool_from_function(function, schema={"properties": {"a": {}, "b": {}}})
    assert definition.handler is not None
    assert definition.handler(definition.bind(b'{"a": 1, "b": 2}')) == (1, {"b": 2})
