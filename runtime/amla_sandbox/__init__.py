"""amla: scripts of language models in a WebAssembly sandbox, with only the tools that you declared.

    from amla_sandbox import create_sandbox_tool

    sandbox = create_sandbox_tool(tools=[get_weather])
    print(sandbox.run("console.log(await get_weather({city: 'SF'}))"))

Each name is imported when it is first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from ._version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from amla_capabilities import (
        CallLimitExceededError,
        CapabilityError,
        Constraint,
        ConstraintError,
        ConstraintSet,
        Decision,
        Limits,
        MethodCapability,
        MissingParamError,
        Param,
        Policy,
        ToolCallCap,
        TypeMismatchError,
        ViolationError,
        method_matches_pattern,
        pattern_is_subset,
    )

    from ._errors import (
        ExecutionError,
        SandboxBusyError,
        SandboxClosedError,
        SandboxError,
        SandboxFileError,
        UnsupportedLanguageError,
    )
    from ._result import CallRecord, ExecutionResult, ScriptFailure, Usage
    from ._run import Request
    from ._sandbox import Sandbox
    from ._tool import SandboxTool, create_sandbox_tool
    from .tools import ToolDefinition, tool_from_function

__all__ = [
    "CallLimitExceededError",
    "CallRecord",
    "CapabilityError",
    "Constraint",
    "ConstraintError",
    "ConstraintSet",
    "Decision",
    "ExecutionError",
    "ExecutionResult",
    "Limits",
    "MethodCapability",
    "MissingParamError",
    "Param",
    "Policy",
    "Request",
    "Sandbox",
    "SandboxBusyError",
    "SandboxClosedError",
    "SandboxError",
    "SandboxFileError",
    "SandboxTool",
    "ScriptFailure",
    "ToolCallCap",
    "ToolDefinition",
    "TypeMismatchError",
    "UnsupportedLanguageError",
    "Usage",
    "ViolationError",
    "__version__",
    "create_sandbox_tool",
    "method_matches_pattern",
    "pattern_is_subset",
    "tool_from_function",
]

_HOMES = {
    "_errors": (
        "ExecutionError",
        "SandboxBusyError",
        "SandboxClosedError",
        "SandboxError",
        "SandboxFileError",
        "UnsupportedLanguageError",
    ),
    "_result": ("CallRecord", "ExecutionResult", "ScriptFailure", "Usage"),
    "_run": ("Request",),
    "_sandbox": ("Sandbox",),
    "_tool": ("SandboxTool", "create_sandbox_tool"),
    "tools": ("ToolDefinition", "tool_from_function"),
}


def __getattr__(name: str) -> object:
    from importlib import import_module

    for home, names in _HOMES.items():
        if name in names:
            value = getattr(import_module(f"{__name__}.{home}"), name)
            break
    else:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module("amla_capabilities"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
