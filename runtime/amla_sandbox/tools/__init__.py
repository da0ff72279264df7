"""Tools: what a script may call, be it a Python function, a program, an HTTP request or a framework's tool.

Nothing is imported before it is asked for, so that ``import amla_sandbox`` stays cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from amla_sandbox.integrations.anthropic import from_anthropic_tools, from_claude
    from amla_sandbox.integrations.langchain import from_langchain
    from amla_sandbox.integrations.openai import from_openai, from_openai_tools

    from ._arguments import bind_arguments, bind_value
    from ._definition import Arguments, Effect, Handler, ToolDefinition
    from ._describe import declarations, format_tool_descriptions_js, signature_of
    from ._errors import ArgumentError, ResultError, ToolDefinitionError, ToolFailedError
    from ._failure import Failure, describe_failure
    from ._json import Caps, freeze, thaw
    from ._manifest import from_manifest
    from ._results import encode_result
    from ._typescript import clean_text
    from .handlers import capability_from_function, create_tool_handler
    from .python import as_definition, tool_from_function

__all__ = [
    "ArgumentError",
    "Arguments",
    "Caps",
    "Effect",
    "Failure",
    "Handler",
    "ResultError",
    "ToolDefinition",
    "ToolDefinitionError",
    "ToolFailedError",
    "as_definition",
    "bind_arguments",
    "bind_value",
    "capability_from_function",
    "clean_text",
    "create_tool_handler",
    "declarations",
    "describe_failure",
    "encode_result",
    "format_tool_descriptions_js",
    "freeze",
    "from_anthropic_tools",
    "from_claude",
    "from_langchain",
    "from_manifest",
    "from_openai",
    "from_openai_tools",
    "signature_of",
    "thaw",
    "tool_from_function",
]

_HOMES = {
    "ArgumentError": "._errors",
    "Arguments": "._definition",
    "Caps": "._json",
    "Effect": "._definition",
    "Failure": "._failure",
    "Handler": "._definition",
    "ResultError": "._errors",
    "ToolDefinition": "._definition",
    "ToolDefinitionError": "._errors",
    "ToolFailedError": "._errors",
    "as_definition": ".python",
    "bind_arguments": "._arguments",
    "bind_value": "._arguments",
    "capability_from_function": ".handlers",
    "clean_text": "._typescript",
    "create_tool_handler": ".handlers",
    "declarations": "._describe",
    "describe_failure": "._failure",
    "encode_result": "._results",
    "format_tool_descriptions_js": "._describe",
    "freeze": "._json",
    "from_manifest": "._manifest",
    "signature_of": "._describe",
    "thaw": "._json",
    "tool_from_function": ".python",
    "from_anthropic_tools": "amla_sandbox.integrations.anthropic",
    "from_claude": "amla_sandbox.integrations.anthropic",
    "from_langchain": "amla_sandbox.integrations.langchain",
    "from_openai": "amla_sandbox.integrations.openai",
    "from_openai_tools": "amla_sandbox.integrations.openai",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(home, __name__), name)
    globals()[name] = value
    return value
