"""The tools of a sandbox, by every name that scripts may use for them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from amla_capabilities import Policy, ToolNames
    from amla_sandbox.tools import ToolDefinition

__all__ = ["ToolSet"]

_SHOWN = 200
"""Characters of an unknown name that a message repeats; arbitrary."""


class ToolSet:
    """Declared tools. With `fallback`, names that are not declared are tools as well, served by that handler."""

    def __init__(
        self, tools: Iterable[ToolDefinition] = (), *, fallback: Callable[[str], ToolDefinition] | None = None
    ) -> None:
        """Raises ToolNameError, a ValueError, for names that scripts could not use or tell apart."""
        self._declared = tuple(tools)
        self._tools = {tool.name: tool for tool in self._declared}
        self._fallback = fallback
        if self._declared:
            self._refuse_names()

    @cached_property
    def _names(self) -> ToolNames:
        from amla_capabilities import ToolNames

        return ToolNames(tool.name for tool in self._declared)

    def _refuse_names(self) -> None:
        from amla_capabilities import ToolNameError

        from ._reserved import refusal

        _ = self._names  # refuses names that are alike
        refused = [reason for reason in map(refusal, self._tools) if reason]
        if refused:
            raise ToolNameError("; ".join(refused))

    def __iter__(self) -> Iterator[ToolDefinition]:
        return iter(self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)

    @cached_property
    def least_timeout(self) -> float:
        """The shortest of the tools' own timeouts in seconds, infinite where none has one."""
        return min((tool.timeout for tool in self if tool.timeout), default=math.inf)

    def find(self, name: str) -> ToolDefinition | None:
        """The tool that a script's spelling means."""
        tool = self._tools.get(name)
        if tool is not None:
            return tool
        from amla_capabilities import ToolNameError, canonical_name

        try:
            path = self._names.resolve(name)
            if path is None and self._fallback is not None:
                return self._fallback(canonical_name(name))
        except ToolNameError:
            return None
        return self._tools[path] if path is not None else None

    def unknown(self, name: str) -> str:
        """What to tell a script that asks for a tool that does not exist."""
        close = self._names.nearest(name[:_SHOWN])
        hint = f"; did you mean '{close}'?" if close else ""
        return f"there is no tool '{name[:_SHOWN]}'{hint}"

    def nearest(self, name: str) -> str | None:
        """The tool whose name looks most like `name`."""
        return self._names.nearest(name[:_SHOWN])

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
