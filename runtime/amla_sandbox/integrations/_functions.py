"""A definition as an ordinary Python function that carries it, for lists of tools that hold callables."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from amla_sandbox.tools import ToolDefinition, bind_value

__all__ = ["as_function"]


def as_function(definition: ToolDefinition) -> Callable[..., Any]:
    """A function with the tool's name and description; ``tool_from_function`` gives ``definition`` back for it.

    Called directly it checks its keyword arguments as a call from a script would be checked.
    """

    def function(**arguments: Any) -> Any:
        if definition.handler is None:
            raise NotImplementedError(f"{definition.path} has no handler; pass one in handlers=")
        return definition.handler(bind_value(definition, arguments))

    async def coroutine(**arguments: Any) -> Any:
        result: Awaitable[Any] = function(**arguments)
        return await result

    made: Any = coroutine if definition.is_async else function
    made.__name__ = made.__qualname__ = definition.path
    made.__doc__ = definition.description
    made.__amla_tool__ = definition
    return made  # type: ignore[no-any-return]
