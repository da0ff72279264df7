"""LangChain's tools as ours, and the sandbox as one of LangChain's, with the real package."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from amla_sandbox.integrations.langchain import as_langchain_tool, as_langchain_tools
from amla_sandbox.tools import ArgumentError, ToolDefinitionError, as_definition, from_langchain

pytest.importorskip("langchain_core.tools")

from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, InjectedToolArg, StructuredTool, tool


class Input(BaseModel):
    a: int = Field(description="first", ge=1)
    b: Literal["x", "y"] = "x"


def join(a: int, b: str) -> str:
    return f"{a}{b}"


def test_names_descriptions_and_schemas_are_kept() -> None:
    made = StructuredTool.from_function(join, name="join-them", description="Joins.", args_schema=Input)
    (function,), (definition,) = from_langchain([made])
    assert (definition.name, definition.description) == ("join-them", "Joins.")
    first = {"description": "first", "minimum": 1, "title": "A", "type": "integer"}
    assert definition.schema["properties"]["a"] == first
    assert function(a=1) == "1x"
    with pytest.raises(ArgumentError, match="a must be at least 1"):
        function(a=0)


@tool
def look(query: str, user: Annotated[str, InjectedToolArg] = "host", config: RunnableConfig | None = None) -> str:
    """Look."""
    return f"{query} as {user} {config is None}"


@pytest.mark.parametrize("name", ["user", "config"])
def test_injected_arguments_cannot_be_supplied(name: str) -> None:
    """R22: they are the host's to give."""
    definition = as_definition(look)
    assert definition.handler is not None
    assert definition.handler(definition.bind(b'{"query": "q"}')).startswith("q as host")
    with pytest.raises(ArgumentError, match=f"unknown parameter {name}"):
        definition.bind(b'{"query": "q", "%s": "root"}' % name.encode())


@tool
async def look_later(query: str) -> str:
    """Look."""
    return query


class Own(BaseTool):
    name: str = "own"
    description: str = "Own."

    def _run(self, query: str) -> str:
        return f"sync {query}"

    async def _arun(self, query: str) -> str:
        return f"async {query}"


def test_async_tools() -> None:
    (first, second), definitions = from_langchain([look_later, Own()])
    assert [definition.is_async for definition in definitions] == [True, True]
    assert asyncio.run(first(query="q")) == "q"
    assert asyncio.run(second(query="q")) == "async q"


class Trimming(BaseModel):
    model_config = ConfigDict(str_strip_whitespace=True)
    path: str


def test_a_coercing_model_is_caught() -> None:
    """R20: LangChain would hand the tool something else than what policy saw."""

    def read(path: str) -> str:
        return path

    (function,), _ = from_langchain([StructuredTool.from_function(read, description="d", args_schema=Trimming)])
    assert function(path="/tmp") == "/tmp"
    with pytest.raises(ArgumentError, match="would reach the tool changed"):
        function(path=" /etc")


class Sandbox:
    def run(self, code: str, language: str = "javascript") -> str:
        return f"{language}: {code}"


def test_the_sandbox_as_a_langchain_tool() -> None:
    made = as_langchain_tool(Sandbox(), description="Runs code.")
    assert made.invoke({"code": "1"}) == "javascript: 1"
    assert made.invoke({"code": "ls", "language": "shell"}) == "shell: ls"
    assert (made.name, made.description) == ("sandbox", "Runs code.")


def test_without_a_text_the_functions_of_the_sandbox_are_described() -> None:
    class Described(Sandbox):
        def get_tool_descriptions(self) -> str:
            return "## Available Functions"

    assert as_langchain_tool(Described()).description.endswith("## Available Functions")
    assert len(as_langchain_tools(Sandbox())) == 2


def test_the_sandbox_as_two_langchain_tools() -> None:
    javascript, shell = as_langchain_tools(Sandbox(), javascript="J.", shell="S.")
    assert (javascript.name, shell.name) == ("sandbox_js", "sandbox_shell")
    assert shell.invoke({"command": "ls"}) == "shell: ls"


def test_what_is_no_tool_is_refused() -> None:
    with pytest.raises(ToolDefinitionError, match="is not a LangChain tool"):
        from_langchain([object()])
