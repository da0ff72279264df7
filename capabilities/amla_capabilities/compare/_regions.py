"""The grants of a manifest, taken apart: the calls of one tool that one capability may decide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING

from amla_capabilities._algebra._apart import plainly_apart
from amla_capabilities._algebra._near import Near
from amla_capabilities._constraints._constraint import Constraint
from amla_capabilities._decisions._tool_limits import ToolLimits
from amla_capabilities._grants._capability import MethodCapability
from amla_capabilities._patterns import is_literal, matches
from amla_capabilities.manifest import Manifest

from ._proofs import Proofs

if TYPE_CHECKING:
    from datetime import datetime

__all__ = ["NO_LIMITS", "Naming", "Region", "Rivals", "limits_of", "naming", "regions"]

NO_LIMITS = ToolLimits()


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """Calls of one tool, or of an MCP server's tools that a pattern names, that one capability may decide.

    `index` is its place among the manifest's capabilities. `rivals` are all of these that may name the tools.
    """

    names: str
    index: int
    grant: MethodCapability
    limits: ToolLimits
    rivals: Rivals

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        return (*self.limits.constraints, *self.grant.constraints)

    def is_empty(self, proofs: Proofs, *more: Constraint) -> bool:
        """Whether it is proved that no call can be allowed here that also meets `more`."""
        if not self.limits.allow or 0 in (self.grant.max_calls, self.limits.max_calls):
            return True
        constraints = (*self.constraints, *more)
        if proofs.impossible(constraints):
            return True
        return any(  # a call that fits an earlier one is decided there
            proofs.covers(other, self.names) and proofs.implied(constraints, tuple(other.constraints))
            for other in self.rivals.before(self.grant)
        )

    def asks(self) -> bool:
        return "ask" in (self.grant.approval, self.limits.approval)

    def expires(self) -> datetime | None:
        return min((when for when in (self.grant.expires, self.limits.expires) if when is not None), default=None)


def limits_of(manifest: Manifest, names: str) -> ToolLimits:
    tool = manifest.tools.get(names)
    return tool.limits if tool else NO_LIMITS


class Rivals:
    """Capabilities that may name the same tools, in order."""

    def __init__(self, grants: Sequence[MethodCapability]) -> None:
        self.grants = grants

    def before(self, grant: MethodCapability) -> Iterator[MethodCapability]:
        """Those before one of them that may have calls in common with it."""
        constraints = tuple(grant.constraints)
        for number in self._near.of(constraints, self._order[id(grant)]):
            if not plainly_apart(self.grants[number].constraints, constraints):
                yield self.grants[number]

    def meeting(self, constraints: Sequence[Constraint]) -> Iterator[MethodCapability]:
        """Those that may have a call in common with the constraints."""
        return (self.grants[number] for number in self._near.of(constraints, len(self.grants)))

    @cached_property
    def _near(self) -> Near:
        return Near(grant.constraints for grant in self.grants)

    @cached_property
    def _order(self) -> Mapping[int, int]:
        return {id(grant): n for n, grant in enumerate(self.grants)}


Naming = Mapping[str, Rivals]  # by the paths of tools


def naming(manifest: Manifest) -> Naming:
    """For each tool that a manifest declares the capabilities that name it, in order."""
    found: dict[str, list[MethodCapability]] = {path: [] for path in manifest.tools}
    for grant in manifest.capabilities:
        for names in _named(grant, manifest):
            if names in found:
                found[names].append(grant)
    return {path: Rivals(grants) for path, grants in found.items()}


def regions(manifest: Manifest, named: Naming) -> Iterator[Region]:
    """Every region of a manifest, those of one capability together."""
    every = Rivals(manifest.capabilities)
    for index, grant in enumerate(manifest.capabilities):
        for names in _named(grant, manifest):
            rivals = named.get(names, every)
            yield Region(names, index, grant, limits_of(manifest, names), rivals)


def _named(grant: MethodCapability, manifest: Manifest) -> Iterator[str]:
    """The tools that a capability names: paths of those that are known, patterns for those of MCP servers."""
    scope = grant.scope
    if is_literal(grant.method_pattern):
        if grant.names(grant.method_pattern):
            yield grant.method_pattern
        return
    yield from filter(grant.names, {**manifest.tools, **dict.fromkeys(sorted(scope.tools) if scope else ())})
    for server in manifest.mcp:
        if scope is None or server in scope.servers:
            yield from _within_server(grant.method_pattern, server)


_SPREAD: list[list[str]] = [[], ["*"], ["*", "*"]]  # what `**` can be in a path of two segments


def _within_server(pattern: str, server: str) -> list[str]:
    """The patterns `server/x` that together name the server's tools among those that a pattern names."""
    choices = [_SPREAD if step == "**" else [[step]] for step in pattern.split("/")]
    spread = ([step for steps in choice for step in steps] for choice in product(*choices))
    pairs = {steps[1] for steps in spread if len(steps) == 2 and matches(server, steps[0])}
    return [f"{server}/*"] if "*" in pairs else [f"{server}/{step}" for step in sorted(pairs)]
