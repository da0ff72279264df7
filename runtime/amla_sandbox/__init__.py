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
        ToolNameError,
        TypeMismatchError,
        ViolationError,
        method_matches_pattern,
        pattern_is_subset,
    )

    from ._calls._approval import ApprovalAnswer, ApprovalRequest
    from ._calls._calls import Request
    from ._errors import (
        AuditError,
        AuditWarning,
        CopyBackError,
        ExecutionError,
        SandboxBusyError,
        SandboxClosedError,
        SandboxError,
        SandboxFileError,
        UnsupportedLanguageError,
    )
    from ._mocks._dry_run import DryRun, dry_run
    from ._precompile import precompile_module
    from ._result import CallRecord, ExecutionResult, ScriptFailure, Usage
    from ._sandbox import Sandbox
    from ._sessions._completion import Candidate, Completion
    from ._sessions._line_result import LineResult
    from ._sessions._session import Session
    from ._sessions._state import StateError
    from ._sites._find import SiteFinder, find_calls
    from ._tool import SandboxTool, create_sandbox_tool
    from .audit import AuditCollector, AuditConfig, AuditEntry, AuditLog
    from .tools import (
        ToolDefinition,
        capability_from_function,
        create_tool_handler,
        format_tool_descriptions_js,
        from_anthropic_tools,
        from_claude,
        from_langchain,
        from_openai,
        from_openai_tools,
        tool_from_function,
    )

__all__ = [
    "ApprovalAnswer",
    "ApprovalRequest",
    "AuditCollector",
    "AuditConfig",
    "AuditEntry",
    "AuditError",
    "AuditLog",
    "AuditWarning",
    "CallLimitExceededError",
    "CallRecord",
    "Candidate",
    "CapabilityError",
    "Completion",
    "Constraint",
    "ConstraintError",
    "ConstraintSet",
    "CopyBackError",
    "Decision",
    "DryRun",
    "ExecutionError",
    "ExecutionResult",
    "Limits",
    "LineResult",
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
    "Session",
    "SiteFinder",
    "StateError",
    "ToolCallCap",
    "ToolDefinition",
    "ToolNameError",
    "TypeMismatchError",
    "UnsupportedLanguageError",
    "Usage",
    "ViolationError",
    "__version__",
    "capability_from_function",
    "create_sandbox_tool",
    "create_tool_handler",
    "dry_run",
    "find_calls",
    "format_tool_descriptions_js",
    "from_anthropic_tools",
    "from_claude",
    "from_langchain",
    "from_openai",
    "from_openai_tools",
    "method_matches_pattern",
    "pattern_is_subset",
    "precompile_module",
    "tool_from_function",
]

_HOMES = {
    "_errors": (
        "AuditError",
        "AuditWarning",
        "CopyBackError",
        "ExecutionError",
        "SandboxBusyError",
        "SandboxClosedError",
        "SandboxError",
        "SandboxFileError",
        "UnsupportedLanguageError",
    ),
    "_mocks._dry_run": ("DryRun", "dry_run"),
    "_calls._approval": ("ApprovalAnswer", "ApprovalRequest"),
    "_precompile": ("precompile_module",),
    "_result": ("CallRecord", "ExecutionResult", "ScriptFailure", "Usage"),
    "_calls._calls": ("Request",),
    "_sessions._completion": ("Candidate", "Completion"),
    "_sessions._line_result": ("LineResult",),
    "_sandbox": ("Sandbox",),
    "_sessions._session": ("Session",),
    "_sessions._state": ("StateError",),
    "_sites._find": ("SiteFinder", "find_calls"),
    "_tool": ("SandboxTool", "create_sandbox_tool"),
    "audit": ("AuditCollector", "AuditConfig", "AuditEntry", "AuditLog"),
    "tools": (
        "ToolDefinition",
        "capability_from_function",
        "create_tool_handler",
        "format_tool_descriptions_js",
        "from_anthropic_tools",
        "from_claude",
        "from_langchain",
        "from_openai",
        "from_openai_tools",
        "tool_from_function",
    ),
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
