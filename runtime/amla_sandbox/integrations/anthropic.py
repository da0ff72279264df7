"""Anthropic's tool descriptions: the ``tools`` list of its messages API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from amla_sandbox.tools import ToolDefinitionError

from ._described import Described, Handlers, Ingested, ingest

__all__ = ["from_anthropic_tools", "from_claude"]


def from_anthropic_tools(tools: Sequence[Any], handlers: Handlers | None = None) -> Ingested:
    """Functions and definitions from Anthropic's descriptions.

    ``handlers`` maps tool names to the functions that run them; each gets the arguments by name.
    """
    return ingest(tools, handlers, _read)


from_claude = from_anthropic_tools


def _read(tool: Mapping[str, Any]) -> Described:
    if tool.get("type") not in (None, "custom") or "name" not in tool:
        raise ToolDefinitionError(
            f"Anthropic's own tool of type {tool.get('type')!r} runs on its side; only custom tools work"
        )
    return Described(tool["name"], tool.get("description") or "", tool.get("input_schema") or {})
