"""What OpenAI's and Anthropic's tool descriptions share: JSON that names a tool, and a handler from somewhere else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from amla_sandbox.tools import ToolDefinition, ToolDefinitionError, tool_from_function

from ._functions import as_function

__all__ = ["Described", "Handlers", "Ingested", "as_mapping", "ingest"]

Handlers = Mapping[str, Callable[..., Any]]
Ingested = tuple[list[Callable[..., Any]], list[ToolDefinition]]


class Described(NamedTuple):
    """One tool as a description gives it."""

    name: str
    description: str
    schema: Mapping[str, Any]


def ingest(tools: Sequence[Any], handlers: Handlers | None, read: Callable[[Mapping[str, Any]], Described]) -> Ingested:
    """Functions and definitions, in the order of ``tools``; a handler for a tool that is not there is an error.

    A tool without a handler can be declared and described; calling it fails.
    """
    described = [read(as_mapping(tool)) for tool in tools]
    given = dict(handlers or {})
    unknown = given.keys() - {tool.name for tool in described}
    if unknown:
        raise ToolDefinitionError(f"handlers for tools that are not declared: {', '.join(sorted(unknown))}")
    definitions = [_define(tool, given.get(tool.name)) for tool in described]
    return [as_function(definition) for definition in definitions], definitions


def as_mapping(tool: Any) -> Mapping[str, Any]:
    """A description as a mapping; the SDKs' own models are dumped."""
    if isinstance(tool, Mapping):
        return tool  # pyright: ignore[reportUnknownVariableType]
    dump = getattr(tool, "model_dump", None) or getattr(tool, "to_dict", None)
    if dump is None:
        raise ToolDefinitionError(f"a tool description is a mapping, not a {type(tool).__name__}")
    dumped: Mapping[str, Any] = dump()
    return dumped


def _define(tool: Described, handler: Callable[..., Any] | None) -> ToolDefinition:
    if handler is None:
        return ToolDefinition(tool.name, tool.description, tool.schema)
    return tool_from_function(handler, name=tool.name, description=tool.description, schema=tool.schema)
