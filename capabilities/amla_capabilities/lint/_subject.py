"""What every check of a manifest looks at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from amla_capabilities._grants._capability import MethodCapability
from amla_capabilities._patterns import reaches_into
from amla_capabilities.findings import Finding
from amla_capabilities.manifest import Manifest, Tool

__all__ = ["Subject", "name_of"]


@dataclass(frozen=True)
class Subject:
    """A manifest, the schemas of its tools as far as they are known, and the time."""

    manifest: Manifest
    schemas: Mapping[str, Mapping[str, Any]]
    now: datetime

    @cached_property
    def explicit(self) -> tuple[MethodCapability, ...]:
        """The `[[capabilities]]`, in order; what follows them are the grants of the tools' own tables."""
        return tuple(c for c in self.manifest.capabilities if self.manifest.where[c][1][0] == "capabilities")

    @cached_property
    def naming(self) -> Mapping[str, tuple[MethodCapability, ...]]:
        """For each tool the capabilities that name it, in the order in which they decide."""
        policy = self.manifest.policy()
        return {path: policy.grants(path) for path in self.manifest.tools}

    @cached_property
    def named(self) -> Mapping[MethodCapability, list[Tool]]:
        """For each capability the tools that it names and that are not forbidden."""
        found: dict[MethodCapability, list[Tool]] = {capability: [] for capability in self.manifest.capabilities}
        for path, capabilities in self.naming.items():
            for capability in capabilities:
                found[capability].append(self.manifest.tools[path])
        return found

    def servers(self, capability: MethodCapability) -> Iterator[str]:
        """The MCP servers whose tools a capability may name."""
        scope = capability.scope
        return (s for s in (scope.servers if scope else ()) if reaches_into(capability.method_pattern, s))

    def at(self, code: str, capability: MethodCapability, message: str, *, key: str = "", hint: str = "") -> Finding:
        """A finding about a capability, or one of its keys."""
        file, at = self.manifest.where[capability]
        path = (*at, key) if key else (*at, "method") if at[0] == "capabilities" else at
        return self.manifest.finding(code, path, message, file=file, at_key=bool(key) or at[0] == "tools", hint=hint)

    def tool(self, code: str, tool: Tool, message: str, *, key: str = "", hint: str = "") -> Finding:
        """A finding about a tool, or one of its keys."""
        path = (*tool.at, key) if key else tool.at
        return self.manifest.finding(code, path, message, file=tool.file, at_key=True, hint=hint)

    def label(self, capability: MethodCapability) -> str:
        """How messages name a capability: its place in the file, and its pattern; or a tool's own table."""
        _, at = self.manifest.where[capability]
        return f"{name_of(at)} ({capability.method_pattern})" if at[0] == "capabilities" else f"[{name_of(at)}]"


def name_of(at: tuple[str | int, ...]) -> str:
    from amla_capabilities.manifest import path_name

    return path_name(at)
