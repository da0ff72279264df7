"""What programs and requests refuse of arguments that the schema accepts, told without starting or sending anything."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from amla_capabilities.manifest import Tool

__all__ = ["refusals_of"]


def refusals_of(tool: Tool | None) -> Callable[[Any], object] | None:
    """What a program or a request refuses of arguments that the schema accepts."""
    from amla_capabilities.manifest import CommandTool, HttpTool

    if isinstance(tool, CommandTool):
        from .command import command_check

        return command_check(tool)
    if isinstance(tool, HttpTool):
        from .http import http_check

        return http_check(tool)
    return None
