"""Tools that take anything, and the capability to call all of them: for tests of something else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from amla_sandbox import MethodCapability, ToolDefinition

ANY = {"type": "object", "additionalProperties": True}
ALL = [MethodCapability("**")]


def nothing(arguments: Any) -> None:
    return None


def tool(name: str, handler: Callable[[Any], Any] = nothing) -> ToolDefinition:
    return ToolDefinition(name, parameters=ANY, handler=handler)
