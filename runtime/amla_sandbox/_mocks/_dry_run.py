"""Running a script on trial: no tool is called, mocks answer, and every call is recorded with its decision (R1).

Nothing of a manifest is imported, started, connected to or filled in from the environment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from amla_sandbox._result import CallRecord, ExecutionResult
from amla_sandbox._runs._input import StdIn
from amla_sandbox._sandbox import Sandbox
from amla_sandbox.tools import ToolDefinition, thaw
from amla_sandbox.tools._declared import declared
from amla_sandbox.tools._refusals import refusals_of

from ._value import mock_from_schema

if TYPE_CHECKING:
    from amla_capabilities import Limits
    from amla_capabilities.manifest import Manifest, Tool

__all__ = ["DryRun", "dry_run", "dry_sandbox", "would_be"]

_ANYTHING: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": True}


class DryRun(NamedTuple):
    """What a script came to on trial."""

    result: ExecutionResult

    @property
    def calls(self) -> tuple[CallRecord, ...]:
        """Every call that the script would make, also those that would be refused."""
        return self.result.calls

    @property
    def denied(self) -> tuple[CallRecord, ...]:
        """The calls that would not be made: the policy denies them, or their arguments do not fit."""
        return tuple(call for call in self.calls if would_be(call) == "denied")


def dry_run(
    manifests: Manifest | Sequence[Manifest],
    source: str,
    language: str = "javascript",
    *,
    tools: Iterable[ToolDefinition] | None = None,
    limits: Limits | None = None,
    env: Mapping[str, str] | None = None,
    stdin: StdIn = None,
    args: Sequence[str] = (),
    filename: str | None = None,
) -> DryRun:
    """Run a script against mocks, under the policy of the manifests, with its budgets.

    `tools` are the manifests' tools with all that is known of them; without it, what a Python tool takes is known only
    if the manifest says so, and anything is taken for right otherwise. Calls that need approval are taken for approved.
    """
    with dry_sandbox(manifests, tools=tools, limits=limits, env=env) as sandbox:
        return DryRun(sandbox.run(source, language, stdin=stdin, args=args, filename=filename))


def dry_sandbox(
    manifests: Manifest | Sequence[Manifest],
    *,
    tools: Iterable[ToolDefinition] | None = None,
    limits: Limits | None = None,
    env: Mapping[str, str] | None = None,
) -> Sandbox:
    """A sandbox whose tools are mocks."""
    from amla_capabilities.manifest import Manifest, combine

    every = [manifests] if isinstance(manifests, Manifest) else list(manifests)
    known = _described(every) if tools is None else tools
    declared_as = {path: tool for manifest in every for path, tool in manifest.tools.items()}
    environment = {name: value for manifest in every for name, value in manifest.env.items()}
    return Sandbox(
        tools=[_mocked(tool, declared_as.get(tool.name)) for tool in known],
        policy=combine(every),
        limits=limits,
        env={**environment, **(env or {})},
        approve=lambda _: True,
    )


def would_be(call: CallRecord) -> str:
    """What would become of a call: `allowed`, `denied` or `needs approval`."""
    if call.outcome in ("denied", "refused"):
        return "denied"
    return "needs approval" if call.approval else "allowed"


def _described(manifests: Iterable[Manifest]) -> Iterator[ToolDefinition]:
    for manifest in manifests:
        for tool in manifest.tools.values():
            schema = dict(tool.schema) if tool.schema is not None else _ANYTHING
            yield ToolDefinition(**declared(tool), description=tool.description, parameters=schema)


def _mocked(tool: ToolDefinition, declared_as: Tool | None) -> ToolDefinition:
    convert = tool.convert or refusals_of(declared_as)
    return replace(tool, handler=_mock(tool), is_async=False, secret_values=(), convert=convert)


def _mock(tool: ToolDefinition) -> Callable[[Any], Any]:
    """Answers with the tool's mock, or with a value made from what it returns."""
    if tool.mock is not None:
        return lambda _: thaw(tool.mock)
    return lambda _: mock_from_schema(tool.returns)
