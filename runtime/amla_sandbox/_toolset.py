"""The tools of a sandbox, by every name that scripts may use for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from amla_capabilities import Policy, ToolNameError, canonical_name, nearest

from .tools import ToolDefinition

__all__ = ["ToolSet"]


class ToolSet:
    """Declared tools. With `fallback`, names that are not declared are tools as well, served by that handler."""

    def __init__(
        self, tools: Iterable[ToolDefinition] = (), *, fallback: Callable[[str], ToolDefinition] | None = None
    ) -> None:
        """Raises ValueError for two tools of one name."""
        self._tools: dict[str, ToolDefinition] = {}
        self._fallback = fallback
        for tool in tools:
            if tool.name in self._tools:
                raise ValueError(f"two tools are called '{tool.name}'; give each a name of its own")
            self._tools[tool.name] = tool

    def __iter__(self) -> Any:
        return iter(self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)

    def find(self, name: str) -> ToolDefinition | None:
        """The tool of that canonical name (an `mcp:` prefix aside)."""
        tool = self._tools.get(name)
        if tool is not None:
            return tool
        try:
            path = canonical_name(name)
        except ToolNameError:
            return None
        return self._tools.get(path) or (self._fallback(path) if self._fallback else None)

    def unknown(self, name: str) -> str:
        """What to tell a script that asks for a tool that does not exist."""
        close = nearest(name, list(self._tools))
        hint = f"; did you mean '{close}'?" if close else ""
        return f"there is no tool '{name[:200]}'{hint}"

    def describe(self, tool: ToolDefinition, policy: Policy) -> dict[str, Any]:
        """A tool for scripts: description, parameters, and what is granted."""
        return {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.schema,
            "returns": tool.returns,
            "remaining_calls": policy.remaining_calls(tool.name),
        }

    def configuration(self, roots: Iterable[str] = ()) -> dict[str, Any]:
        """What the guest is told: names and descriptions. `roots` are globals under which any name may be called."""
        named = [{"path": tool.name, "description": tool.description} for tool in self]
        return {"tools": named, "open": sorted(roots)}
