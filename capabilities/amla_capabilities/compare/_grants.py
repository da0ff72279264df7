"""Which calls the capabilities of NEW allow that those of OLD refused.

NEW's grants are taken apart into regions: the calls of one tool (or of those of an MCP server that a pattern names)
that one capability may decide. For each region it is found out which capabilities of OLD may have decided its calls;
their constraints, approvals, expiries and budgets are what the region is held against.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from typing import TYPE_CHECKING

from amla_capabilities._algebra import implies, unsatisfiable
from amla_capabilities._capability import MethodCapability
from amla_capabilities._constraint import Constraint
from amla_capabilities._errors import UndecidableError
from amla_capabilities._logic import AllOf, AnyOf
from amla_capabilities._patterns import is_literal, matches, pattern_is_subset, patterns_overlap
from amla_capabilities._tool_limits import ToolLimits
from amla_capabilities.manifest import Manifest

from ._budgets import Budget, Flow, excesses

if TYPE_CHECKING:
    from datetime import datetime

__all__ = ["Loss", "losses"]

_NO_LIMITS = ToolLimits()
_MAX_GRANTS = 10_000  # of one tool by one capability; arbitrary: above it a comparison would take minutes


@dataclass(frozen=True, slots=True)
class Loss:
    """A right that NEW gives and OLD did not.

    It is the grant at `index` of NEW's capabilities that gives it, for the tools that `region` names; without `index`
    it is several together. `key` is the key in the grant's or the tool's table that it is about.
    """

    code: str
    key: str
    message: str
    region: str
    index: int | None = None
    in_tool: bool = False  # the tool's own table lost the limit


@dataclass(frozen=True, slots=True, eq=False)
class _Region:
    """Calls of one tool, or of an MCP server's tools that a pattern names, that one capability may decide.

    None of them fits one of the `earlier` capabilities.
    """

    names: str  # a path, or a pattern of an MCP server's tools
    index: int
    grant: MethodCapability
    limits: ToolLimits
    earlier: Sequence[MethodCapability]

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        return (*self.limits.constraints, *self.grant.constraints)

    def is_empty(self, *more: Constraint) -> bool:
        """Whether no call can be allowed here that also meets `more`, as far as that can be proved."""
        if not self.limits.allow or 0 in (self.grant.max_calls, self.limits.max_calls):
            return True
        constraints = (*self.constraints, *more)
        if _proved(lambda: unsatisfiable(constraints)):
            return True
        return any(_covers(other, self.names) and _fits(constraints, other) for other in self.earlier)

    def asks(self) -> bool:
        return "ask" in (self.grant.approval, self.limits.approval)

    def expires(self) -> datetime | None:
        return min((when for when in (self.grant.expires, self.limits.expires) if when is not None), default=None)


def losses(old: Manifest, new: Manifest) -> Iterator[Loss]:
    """Every right of a call that NEW gives and OLD did not, or that could not be shown to be one of OLD's."""
    regions = list(islice(_regions(new), _MAX_GRANTS + 1))
    if len(regions) > _MAX_GRANTS:
        yield Loss("AM502", "capabilities", f"more than {_MAX_GRANTS:,} grants of tools are too many to compare", "**")
        return
    held = _Held(old)
    for region in regions:
        if held.has(region.names) and not region.is_empty():
            yield from _lost(region, held)
    for account, charged in held.charged.values():
        yield from _overdrawn(account, charged)


# NEW: its grants, taken apart


def _regions(manifest: Manifest) -> Iterator[_Region]:
    names = {path: tool.limits for path, tool in manifest.tools.items()}
    for index, grant in enumerate(manifest.capabilities):
        for name in _named(grant, manifest):
            limits = names.get(name, _NO_LIMITS)
            yield _Region(name, index, grant, limits, _overlapping(name, manifest.capabilities[:index]))


def _named(grant: MethodCapability, manifest: Manifest) -> Iterator[str]:
    """The tools that a capability names: paths of those declared, patterns for those of MCP servers."""
    if is_literal(grant.method_pattern):
        if grant.scope is None or grant.scope.covers(grant.method_pattern):
            yield grant.method_pattern
        return
    yield from (path for path in manifest.tools if grant.names(path))
    for server in manifest.mcp:
        if grant.scope is None or server in grant.scope.servers:
            yield from _within_server(grant.method_pattern, server)


_SPREAD: list[list[str]] = [[], ["*"], ["*", "*"]]  # what `**` can be in a path of two segments


def _within_server(pattern: str, server: str) -> list[str]:
    """The patterns `server/x` that together name the server's tools among those that a pattern names."""
    choices = [_SPREAD if step == "**" else [[step]] for step in pattern.split("/")]
    spread = ([step for steps in choice for step in steps] for choice in product(*choices))
    pairs = {steps[1] for steps in spread if len(steps) == 2 and matches(server, steps[0])}
    return [f"{server}/*"] if "*" in pairs else [f"{server}/{step}" for step in sorted(pairs)]


def _overlapping(names: str, capabilities: Sequence[MethodCapability]) -> list[MethodCapability]:
    return [capability for capability in capabilities if _overlaps(capability, names)]


# OLD: who decided the calls of a region


@dataclass(slots=True)
class _Held:
    """OLD, with what each of its budgets would be charged with by NEW's calls."""

    manifest: Manifest
    charged: dict[int, tuple[Budget, list[_Region]]] = field(default_factory=dict[int, tuple[Budget, list[_Region]]])

    def has(self, names: str) -> bool:
        """Whether there were such tools at all; new ones are told of apart from what grants them."""
        return names in self.manifest.tools or _server(names) in self.manifest.mcp

    def limits(self, name: str) -> ToolLimits:
        tool = self.manifest.tools.get(name)
        return tool.limits if tool else _NO_LIMITS

    def deciding(self, region: _Region) -> list[MethodCapability]:
        """The capabilities that may decide a call of the region, in order."""
        found: list[MethodCapability] = []
        for capability in self.manifest.capabilities:
            if not _overlaps(capability, region.names) or region.is_empty(*capability.constraints):
                continue
            found.append(capability)
            if _covers(capability, region.names) and _fits(region.constraints, capability):
                break
        return found

    def charge(self, account: Budget, region: _Region) -> None:
        self.charged.setdefault(id(account), (account, []))[1].append(region)


def _covers(capability: MethodCapability, names: str) -> bool:
    """Whether a capability names every tool that a path or a pattern within one MCP server names."""
    scope = capability.scope
    if is_literal(names):
        return capability.names(names)
    within = scope is None or _server(names) in scope.servers
    return within and _proved(lambda: pattern_is_subset(names, capability.method_pattern))


def _overlaps(capability: MethodCapability, names: str) -> bool:
    if is_literal(names):
        return capability.names(names)
    scope = capability.scope
    if scope is not None and _server(names) not in scope.servers:
        return False
    return not _proved(lambda: not patterns_overlap(names, capability.method_pattern))


def _server(names: str) -> str:
    return names.partition("/")[0]


def _fits(constraints: Sequence[Constraint], capability: MethodCapability) -> bool:
    """Whether arguments that meet the constraints always meet those of a capability, as far as that can be proved."""
    return _proved(lambda: implies(constraints, tuple(capability.constraints)))


def _proved(question: Callable[[], bool]) -> bool:
    """The answer, where there is one; what cannot be decided is not proved."""
    try:
        return question()
    except UndecidableError:
        return False


# The comparison


def _lost(region: _Region, held: _Held) -> Iterator[Loss]:
    limits = held.limits(region.names)
    deciding = held.deciding(region)
    whole = [capability for capability in deciding if _covers(capability, region.names)]
    if not limits.allow:
        yield _loss(region, "AM502", "allow", "was forbidden by its own table", in_tool=True)
        return
    if not whole:
        what = "nothing granted all of it" if deciding else "nothing granted it"
        yield _loss(region, "AM502", "method", what)
        return
    yield from _wider_arguments(region, limits, whole)
    yield from _unasked(region, limits, deciding)
    yield from _later(region, limits, deciding)
    held.charge(limits, region)
    for account in {id(part): part for capability in deciding for part in capability.lineage()}.values():
        held.charge(account, region)


def _loss(region: _Region, code: str, key: str, message: str, *, in_tool: bool = False) -> Loss:
    return Loss(code, key, message, region.names, region.index, in_tool)


def _wider_arguments(region: _Region, limits: ToolLimits, whole: Sequence[MethodCapability]) -> Iterator[Loss]:
    for part in limits.constraints:
        yield from _unmet(region, part, in_tool=True)
    if any(_fits(region.constraints, capability) for capability in whole):
        return
    if len(whole) == 1:
        for part in whole[0].constraints:
            yield from _unmet(region, part, in_tool=False)
    else:
        either = AnyOf(tuple(AllOf(tuple(capability.constraints)) for capability in whole))
        yield from _unmet(region, either, in_tool=False)


def _unmet(region: _Region, demanded: Constraint, *, in_tool: bool) -> Iterator[Loss]:
    try:
        if implies(region.constraints, (demanded,)):
            return
        verdict = "is not demanded any more"
    except UndecidableError:
        verdict = "cannot be shown to hold still"
    now = " & ".join(map(str, region.constraints)) or "any arguments"
    yield _loss(region, "AM502", "constraints", f"{demanded} {verdict}; now {now}", in_tool=in_tool)


def _unasked(region: _Region, limits: ToolLimits, deciding: Sequence[MethodCapability]) -> Iterator[Loss]:
    asked = "ask" in (limits.approval, *(capability.approval for capability in deciding))
    if asked and not region.asks():
        yield _loss(region, "AM504", "approval", "needed a person's approval, and does not any more")


def _later(region: _Region, limits: ToolLimits, deciding: Sequence[MethodCapability]) -> Iterator[Loss]:
    held: list[Budget] = [limits, *(account for capability in deciding for account in capability.lineage())]
    ends = [budget.expires for budget in held if budget.expires is not None]
    now = region.expires()
    if ends and (now is None or now > min(ends)):
        until = now.isoformat() if now else "no date"
        yield _loss(region, "AM505", "expires", f"{min(ends).isoformat()} → {until}")


def _overdrawn(account: Budget, regions: Sequence[_Region]) -> Iterator[Loss]:
    of_tool = isinstance(account, ToolLimits)
    several = len({id(region.grant) for region in regions}) > 1 or len({region.names for region in regions}) > 1
    for key, before, after in excesses(account, [Flow(region.grant, region.limits) for region in regions]):
        together = ", all that it paid for taken together" if several and not of_tool else ""
        yield _loss(regions[0], "AM503", key, f"{before} → {after}{together}", in_tool=of_tool)
