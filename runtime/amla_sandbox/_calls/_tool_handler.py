"""One handler for many tools: `Sandbox(tool_handler=…)`, which gets each call's name and arguments."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from amla_sandbox import tools as lazy

if TYPE_CHECKING:
    from amla_capabilities import MethodCapability
    from amla_sandbox.tools import ToolDefinition

__all__ = ["ToolHandler", "open_roots", "undeclared", "with_handler"]

ToolHandler = Callable[[str, dict[str, Any]], "Any | Awaitable[Any]"]
"""Executes any tool: gets its canonical name and its arguments."""


def with_handler(tools: Iterable[ToolDefinition], handler: ToolHandler | None) -> Iterator[ToolDefinition]:
    """The tools; those without a handler of their own get this one."""
    from dataclasses import replace

    for tool in tools:
        if tool.handler is None and handler is not None:
            yield replace(tool, handler=_bound(handler, tool.name), is_async=_is_async(handler))
        else:
            yield tool


def undeclared(handler: ToolHandler) -> Callable[[str], ToolDefinition]:
    """Makes tools of names that nobody declared and the handler may know: any JSON object is a fit argument."""

    def tool(path: str) -> ToolDefinition:
        schema = {"type": "object", "additionalProperties": True}
        return lazy.ToolDefinition(path, parameters=schema, handler=_bound(handler, path), is_async=_is_async(handler))

    return tool


def open_roots(capabilities: Iterable[MethodCapability]) -> Iterator[str]:
    """Globals under which a script may call names that nobody declared: the literal starts of the patterns."""
    for capability in capabilities:
        first = capability.method_pattern.split("/")[0]
        if "*" not in first:
            yield first


def _bound(handler: ToolHandler, path: str) -> Callable[[Mapping[str, Any]], Any]:
    return lambda arguments: handler(path, lazy.thaw(arguments))


def _is_async(handler: Callable[..., Any]) -> bool:
    import inspect

    return inspect.iscoroutinefunction(handler) or inspect.iscoroutinefunction(getattr(handler, "__call__", None))  # noqa: B004
