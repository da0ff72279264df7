"""What every kind of tool in a manifest says about itself, in a definition's terms."""

from __future__ import annotations

from typing import Any, TypedDict

from amla_capabilities.manifest import Tool

from ._definition import Effect
from ._json import is_object
from ._schema import JsonSchema

__all__ = ["Declared", "declared"]


class Declared(TypedDict):
    """The arguments of ToolDefinition (and ``tool_from_function``) that come straight from the manifest."""

    name: str
    returns: JsonSchema | None
    effect: Effect | None
    idempotent: bool
    timeout: float | None
    secret: frozenset[str]
    mock: Any


def declared(tool: Tool) -> Declared:
    """The shared part of a manifest's tool."""
    return Declared(
        name=tool.path,
        returns=dict(tool.returns) if is_object(tool.returns) else None,
        effect=tool.effect,
        idempotent=tool.idempotent,
        timeout=tool.timeout,
        secret=frozenset(tool.secret),
        mock=tool.mock,
    )
