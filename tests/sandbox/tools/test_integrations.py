"""Tools of other frameworks, with the real packages."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import pytest

from amla_sandbox.tools import (
    ArgumentError,
    ToolDefinitionError,
    capability_from_function,
    create_tool_handler,
    from_anthropic_tools,
    from_claude,
    from_openai,
    from_openai_tools,
    tool_from_function,
)

SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer", "default": 3}},
    "required": ["city"],
}
OPENAI_CHAT = {"type": "function", "function": {"name": "forecast", "description": "Forecast.", "parameters": SCHEMA}}
OPENAI_FLAT = {"type": "function", "name": "forecast", "description": "Forecast.", "parameters": SCHEMA, "strict": True}
ANTHROPIC = {"name": "forecast", "description": "Forecast.", "input_schema": SCHEMA}


def forecast(city: str, days: int) -> str:
    return f"{city}:{days}"


@pytest.mark.parametrize(
    ("ingest", "described"),
    [
        (from_openai_tools, OPENAI_CHAT),
        (from_openai, OPENAI_FLAT),
        (from_anthropic_tools, ANTHROPIC),
        (from_claude, {**ANTHROPIC, "type": "custom"}),
    ],
)
def test_descriptions_become_functions_and_definitions(ingest: Any, described: Any) -> None:
    """Paired by position, as ``funcs, defs = …`` is written for the original."""
    (function,), (definition,) = ingest([described], {"forecast": forecast})
    assert function(city="x") == "x:3"
    assert function.__name__ == "forecast"
    assert tool_from_function(function) is definition
    assert (definition.name, definition.description) == ("forecast", "Forecast.")
    with pytest.raises(ArgumentError, match="city must be a string"):
        function(city=5)


@pytest.mark.parametrize(("ingest", "described"), [(from_openai_tools, OPENAI_CHAT), (from_anthropic_tools, ANTHROPIC)])
def test_a_tool_without_a_handler_fails_when_called(ingest: Any, described: Any) -> None:
    (function,), (definition,) = ingest([described])
    assert definition.handler is None
    with pytest.raises(NotImplementedError, match="forecast has no handler"):
        function(city="x")


def test_a_handler_without_a_tool_is_a_mistake() -> None:
    with pytest.raises(ToolDefinitionError, match="not declared: forcast"):
        from_openai_tools([OPENAI_CHAT], {"forcast": forecast})


@pytest.mark.parametrize(
    ("ingest", "described"),
    [
        (from_openai_tools, {"type": "web_search"}),
        (from_anthropic_tools, {"type": "bash_20250124", "name": "bash"}),
        (from_openai_tools, "forecast"),
    ],
)
def test_tools_that_run_elsewhere_are_refused(ingest: Any, described: Any) -> None:
    with pytest.raises(ToolDefinitionError):
        ingest([described])


def test_async_handlers_stay_async() -> None:
    async def handler(city: str, days: int) -> str:
        return f"{city}:{days}"

    (function,), (definition,) = from_openai_tools([OPENAI_CHAT], {"forecast": handler})
    assert definition.is_async
    assert asyncio.run(function(city="x")) == "x:3"


def test_one_handler_for_several_functions() -> None:
    def add(a: float, b: float) -> float:
        return a + b

    handler = create_tool_handler([add, tool_from_function(add, name="math/add")])
    assert handler("add", {"a": 1, "b": 2}) == 3
    assert handler("mcp:math.add", {"a": 1, "b": 2}) == 3
    with pytest.raises(ValueError, match="unknown tool 'ad'; did you mean 'add'"):
        handler("ad", {})
    with pytest.raises(ArgumentError):
        handler("add", {"a": "1", "b": 2})


def test_a_capability_for_one_function() -> None:
    capability = capability_from_function(forecast, max_calls=2)
    assert (capability.method_pattern, capability.max_calls) == ("forecast", 2)
    assert capability.matches("mcp:forecast")


def test_importing_the_tools_imports_little() -> None:
    """Importing the package must stay cheap: validators, HTTP and event loops load when first used."""
    import subprocess

    code = (
        "import sys; import amla_sandbox.tools as t; t.ToolDefinition, t.tool_from_function, t.encode_result; "
        "lazy = ('jsonschema_rs', 'httpx', 'asyncio', 'pydantic', 'langchain_core', 'uuid', 'decimal'); "
        "print([name for name in lazy if name in sys.modules])"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert printed.stdout.strip() == "[]"
