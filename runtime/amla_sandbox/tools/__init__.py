"""Tools: what a script may call, be it a Python function, a program, an HTTP request or a framework's tool.

Nothing is imported before it is asked for, so that ``import amla_sandbox`` stays cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._arguments import bind_arguments, bind_value
    from ._definition import Arguments, Handler, ToolDefinition
    from ._errors import ArgumentError, ResultError, ToolDefinitionError, ToolFailedError
    from ._failure import Failure, describe_failure
    from ._json import Caps, freeze, thaw
    from ._manifest import from_manifest
    from ._results import encode_result
    from .python import tool_from_function

__all__ = [
    "ArgumentError",
    "Arguments",
    "Caps",
    "Failure",
    "Handler",
    "ResultError",
    "ToolDefinition",
    "ToolDefinitionError",
    "ToolFailedError",
    "bind_arguments",
    "bind_value",
    "describe_failure",
    "encode_result",
    "freeze",
    "from_manifest",
    "thaw",
    "tool_from_function",
]

_HOMES = {
    "ArgumentError": "_errors",
    "Arguments": "_definition",
    "Caps": "_json",
    "Failure": "_failure",
    "Handler": "_definition",
    "ResultError": "_errors",
    "ToolDefinition": "_definition",
    "ToolDefinitionError": "_errors",
    "ToolFailedError": "_errors",
    "bind_arguments": "_arguments",
    "bind_value": "_arguments",
    "describe_failure": "_failure",
    "encode_result": "_results",
    "freeze": "_json",
    "from_manifest": "_manifest",
    "thaw": "_json",
    "tool_from_function": "python",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value
