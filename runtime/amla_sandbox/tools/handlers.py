"""Functions that come with the tools of one sandbox: one handler for all of them, a capability for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from amla_capabilities import Constraint, ConstraintSet, MethodCapability, ToolNames

from ._arguments import bind_value
from ._definition import ToolDefinition
from .python import as_definition, tool_from_function

__all__ = ["capability_from_function", "create_tool_handler"]


def create_tool_handler(
    tools: Sequence[Callable[..., Any] | ToolDefinition],
) -> Callable[[str, Mapping[str, Any]], Any]:
    """One ``handler(name, arguments)`` for several tools, as ``Sandbox(tool_handler=…)`` takes it.

    Arguments are checked against each tool's schema. Raises ValueError for a name that is none of the tools.
    """
    definitions = {definition.path: definition for definition in map(as_definition, tools)}
    names = ToolNames(definitions)

    def handler(name: str, arguments: Mapping[str, Any]) -> Any:
        path = names.resolve(name)
        definition = definitions.get(path) if path is not None else None
        if definition is None or definition.handler is None:
            near = names.nearest(name)
            raise ValueError(f"unknown tool {name!r}" + (f"; did you mean {near!r}?" if near else ""))
        return definition.handler(bind_value(definition, arguments))

    return handler


def capability_from_function(
    function: Callable[..., Any],
    constraints: ConstraintSet | Iterable[Constraint] | None = None,
    max_calls: int | None = None,
) -> MethodCapability:
    """The right to call the one tool that ``function`` becomes."""
    definition = tool_from_function(function)
    chosen = constraints if isinstance(constraints, ConstraintSet) else ConstraintSet(constraints or ())
    return MethodCapability(definition.path, chosen, max_calls, input_schema=definition.schema)
