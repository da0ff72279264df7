"""What every check of a manifest looks at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from amla_capabilities._algebra._near import Near
from amla_capabilities._grants._capability import MethodCapability
from amla_capabilities._patterns import reaches_into
from amla_capabilities.findings import Finding
from amla_capabilities.manifest import Manifest, Tool

__all__ = ["Subject", "name_of"]


class Rivals:
    """The capabilities that name one tool, with their places among all, in order."""

    def __init__(self, grants: tuple[tuple[int, MethodCapability], ...]) -> None:
        self._grants = grants
        self._order = {place: at for at, (place, _) in enumerate(grants)}

    def before(self, place: int) -> Iterator[int]:
        """The places of those before the one at `place` that may have calls in common with it, in order."""
        at = self._order[place]
        for number in self._near.of(tuple(self._grants[at][1].constraints), at):
            yield self._grants[number][0]

    @cached_property
    def _near(self) -> Near:
        return Near(grant.constraints for _, grant in self._grants)


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

    @cached_property
    def rivals(self) -> Mapping[str, Rivals]:
        """For each tool the capabilities that name it, and which of them may decide the same calls."""
        places = {capability: n for n, capability in enumerate(self.manifest.capabilities)}
        return {path: Rivals(tuple((places[one], one) for one in ones)) for path, ones in self.naming.items()}

    @cached_property
    def reaching(self) -> Mapping[str, list[int]]:
        """For each MCP server the places of the `[[capabilities]]` that may name tools of it."""
        found: dict[str, list[int]] = {server: [] for server in self.manifest.mcp}
        for n, capability in enumerate(self.explicit):
            for server in self.servers(capability):
                found[server].append(n)
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
