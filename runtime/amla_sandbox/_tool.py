"""The short way in: functions become tools of a sandbox that a model's code runs in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from amla_capabilities import (
    Limits,
    MethodCapability,
    Policy,
    ToolLimits,
    canonical_name,
    constraints_from_dict,
    did_you_mean,
)

from ._result import ExecutionResult
from ._runs._input import StdIn
from ._sandbox import Sandbox
from .tools import ToolDefinition, as_definition

if TYPE_CHECKING:
    import os
    from typing import Self

    from ._calls._approval import Approve
    from .audit._log import AuditSink

__all__ = ["DEFAULT_MAX_CALLS", "SandboxTool", "create_sandbox_tool"]

DEFAULT_MAX_CALLS = 100
"""Calls that each tool of `create_sandbox_tool` may be called, unless told otherwise."""

AnyTool = ToolDefinition | Callable[..., Any]


def create_sandbox_tool(
    tools: Sequence[AnyTool] | None = None,
    *,
    constraints: Mapping[str, Mapping[str, Any]] | None = None,
    max_calls: int | Mapping[str, int] | None = None,
    limits: Limits | None = None,
    approval: Iterable[str] = (),
    approve: Approve | None = None,
    audit: AuditSink | str | os.PathLike[str] | None = None,
) -> SandboxTool:
    """A sandbox in which scripts may call `tools` and nothing else.

    `constraints` maps a tool's name to what its arguments must satisfy: `{"transfer": {"amount": "<=1000", "currency":
    ["USD", "EUR"]}}`. `max_calls` is a number for every tool, or numbers by name; it is 100 for each tool that it does
    not name. `approval` names tools each call of which needs a yes from `approve`. `approve` and `audit` are those of
    `Sandbox`. Raises ValueError for a name that is no tool's and for a constraint that does not parse.
    """
    options = {"approve": approve, "audit": audit}
    return SandboxTool(_sandbox(_definitions(tools or ()), constraints or {}, max_calls, limits, approval, **options))


def _definitions(tools: Iterable[AnyTool]) -> list[ToolDefinition]:
    return [as_definition(tool) for tool in tools]


def _sandbox(
    tools: list[ToolDefinition],
    constraints: Mapping[str, Mapping[str, Any]],
    max_calls: int | Mapping[str, int] | None,
    limits: Limits | None,
    approval: Iterable[str] = (),
    **options: Any,
) -> Sandbox:
    names = [tool.name for tool in tools]
    given = _by_tool(constraints, names, "constraints")
    for tool in tools:
        _check_parameters(tool, given.get(tool.name, {}))
    calls = _by_tool(max_calls, names, "max_calls") if isinstance(max_calls, Mapping) else {}
    asked = _by_tool(dict.fromkeys(approval), names, "approval")
    most = max_calls if isinstance(max_calls, int) else DEFAULT_MAX_CALLS
    capabilities = [
        MethodCapability(
            method_pattern=name,
            constraints=constraints_from_dict(given.get(name, {})),
            max_calls=calls.get(name, most),
            approval="ask" if name in asked else None,
        )
        for name in names
    ]
    secret = {tool.name: ToolLimits(secret=tuple(sorted(tool.secret))) for tool in tools if tool.secret}
    return Sandbox(tools=tools, limits=limits, policy=Policy(capabilities, secret), **options)


def _check_parameters(tool: ToolDefinition, constraints: Mapping[str, Any]) -> None:
    """Raise ValueError for a constraint on a parameter that the tool does not have, which would deny every call."""
    if tool.schema.get("additionalProperties", False) is not False:
        return
    known = list(tool.schema.get("properties", {}))
    for path in constraints:
        name = path.split(".")[0].split("[")[0]
        if name and name not in known:
            raise ValueError(f"constraints of {tool.name}: there is no parameter {name!r}{did_you_mean(name, known)}")


def _by_tool(given: Mapping[str, Any], names: list[str], option: str) -> dict[str, Any]:
    """`given` by canonical names. Raises ValueError for what names no tool."""
    found: dict[str, Any] = {}
    for spelling, value in given.items():
        name = canonical_name(spelling if "." not in spelling or spelling in names else spelling.replace(".", "/"))
        if name not in names:
            raise ValueError(f"{option} names {spelling!r}, which is not among the tools{did_you_mean(name, names)}")
        found[name] = value
    return found


class SandboxTool:
    """A sandbox as one tool for an agent: code goes in, text for a model comes out."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox

    @property
    def tools(self) -> tuple[ToolDefinition, ...]:
        """The tools that scripts may find."""
        return self.sandbox.tools

    @classmethod
    def from_functions(
        cls,
        functions: Sequence[AnyTool],
        *,
        capabilities: Sequence[MethodCapability] | None = None,
        limits: Limits | None = None,
        approve: Approve | None = None,
        audit: AuditSink | str | os.PathLike[str] | None = None,
    ) -> Self:
        """A sandbox with these tools. Each may be called 100 times without `capabilities`, never with an empty list.

        `approve` and `audit` are those of `Sandbox`.
        """
        tools = _definitions(functions)
        if capabilities is None:
            return cls(_sandbox(tools, {}, None, limits, approve=approve, audit=audit))
        return cls(Sandbox(tools=tools, capabilities=capabilities, limits=limits, approve=approve, audit=audit))

    def run(self, code: str, language: str = "javascript") -> str:
        """Run a script; the answer is text for a model: its output, then what went to stderr, then its error."""
        return self.sandbox.run(code, language).to_tool_message()

    async def run_async(self, code: str, language: str = "javascript") -> str:
        """Like `run`, for asyncio."""
        return (await self.sandbox.run_async(code, language)).to_tool_message()

    def execute(self, code: str, *, stdin: StdIn = None, **options: Any) -> ExecutionResult:
        """Run JavaScript."""
        return self.sandbox.run(code, "javascript", stdin=stdin, **options)

    def shell(self, command: str, *, stdin: StdIn = None, **options: Any) -> ExecutionResult:
        """Run shell commands."""
        return self.sandbox.run(command, "shell", stdin=stdin, **options)

    def get_tool_descriptions(self) -> str:
        """The tools as declarations for a prompt."""
        from .tools import format_tool_descriptions_js

        return format_tool_descriptions_js(self.sandbox.tools)

    def get_system_prompt(self, *, include_tools: bool = True) -> str:
        """A text that tells a model how to write scripts for this sandbox."""
        from ._prompt import system_prompt

        return system_prompt(self.get_tool_descriptions() if include_tools else "")

    def as_langchain_tool(self) -> Any:
        """This sandbox as a LangChain tool. Needs `pip install 'amla[langchain]'`."""
        from .integrations.langchain import as_langchain_tool

        return as_langchain_tool(self)

    def as_langchain_tools(self) -> list[Any]:
        """Two LangChain tools, one for JavaScript and one for the shell. Needs `pip install 'amla[langchain]'`."""
        from .integrations.langchain import as_langchain_tools

        return as_langchain_tools(self)

    def close(self) -> None:
        """Free the sandbox."""
        self.sandbox.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
