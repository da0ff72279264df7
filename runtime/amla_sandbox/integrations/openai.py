"""OpenAI's tool descriptions: the ``tools`` list of its chat and response APIs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from amla_sandbox.tools import ToolDefinitionError

from ._described import Described, Handlers, Ingested, ingest

__all__ = ["from_openai", "from_openai_tools"]


def from_openai_tools(tools: Sequence[Any], handlers: Handlers | None = None) -> Ingested:
    """Functions and definitions from OpenAI's descriptions.

    ``handlers`` maps tool names to the functions that run them; each gets the arguments by name. Both layouts are
    read: ``{"type": "function", "function": {…}}`` and the flat one of the responses API.
    """
    return ingest(tools, handlers, _read)


from_openai = from_openai_tools


def _read(tool: Mapping[str, Any]) -> Described:
    inner = tool.get("function", tool)
    if tool.get("type", "function") != "function" or "name" not in inner:
        raise ToolDefinitionError(
            f"OpenAI's own tool of type {tool.get('type')!r} runs on its side; only functions work here"
        )
    return Described(inner["name"], inner.get("description") or "", inner.get("parameters") or {})
