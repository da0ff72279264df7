"""Which calls the capabilities of NEW allow that those of OLD refused.

For each region of NEW it is found out which capabilities of OLD may have decided its calls; their constraints,
approvals, ends and budgets are what the region is held against. Where nothing about a tool changed, up to some grant,
or nothing that may take calls from a grant, each is held against itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, takewhile

from amla_capabilities._algebra._effort import EffortError
from amla_capabilities._budgets._bounds import Limited
from amla_capabilities._constraints._constraint import Constraint
from amla_capabilities._constraints._logic import AllOf, AnyOf
from amla_capabilities._decisions._tool_limits import ToolLimits
from amla_capabilities._grants._capability import MethodCapability
from amla_capabilities.manifest import Manifest

from ._budgets import Flow, excesses
from ._proofs import Proofs, server_of
from ._regions import Region, Rivals, limits_of, naming, regions

__all__ = ["Loss", "losses"]

_MOST_NEAR = 20  # grants before one that are compared with those before another; of more, proofs are asked for
_MAX_REGIONS = 100_000  # arbitrary: above it a comparison would take minutes


@dataclass(frozen=True, slots=True)
class Loss:
    """A right that NEW gives and OLD did not.

    The grant at `index` of NEW's capabilities gives it, for the tools that `region` names; None if it is no single one.
    `key` is the key that it is about, in the grant's table or, `in_tool`, in the tool's own.
    """

    code: str
    key: str
    message: str
    region: str
    index: int | None = None
    in_tool: bool = False


def losses(old: Manifest, new: Manifest) -> Iterator[Loss]:
    """Every right of a call that NEW gives and OLD did not, or that could not be shown to be one of OLD's."""
    held = _Held(old, new)
    every = list(islice(regions(new, held.naming), _MAX_REGIONS + 1))
    if len(every) > _MAX_REGIONS:
        yield Loss("AM502", "capabilities", f"more than {_MAX_REGIONS:,} grants of tools are too many to compare", "**")
        return
    for region in every:
        same = held.counterpart(region)
        try:
            if same is not None:
                held.charge_all(region, [same])
            elif not held.is_new(region.names) and not region.is_empty(held.proofs):
                yield from _lost(region, held)
        except EffortError:
            message = "what is granted takes too long to compare, from here on"
            yield Loss("AM502", "method", message, region.names, region.index)
            return
    for account, charged in held.charged.values():
        yield from _overdrawn(account, charged)


class _Held:
    """OLD, and what each of its budgets would be charged with by NEW's calls."""

    def __init__(self, old: Manifest, new: Manifest) -> None:
        self.old, self.new, self.proofs = old, new, Proofs()
        self.charged: dict[int, tuple[Limited, list[Region]]] = {}
        self.naming, self._named = naming(new), naming(old)
        self._every = Rivals(old.capabilities)
        self._same: dict[str, dict[int, MethodCapability]] = {}
        self._texts: dict[int, str] = {}

    def is_new(self, names: str) -> bool:
        """Whether it is a tool or server that only NEW declares, which is told of apart from what grants it."""
        if names in self.new.tools:
            return names not in self.old.tools
        return server_of(names) in self.new.mcp and server_of(names) not in self.old.mcp

    def deciding(self, region: Region) -> list[MethodCapability]:
        """The capabilities of OLD that may have decided a call of the region, in order."""
        found: list[MethodCapability] = []
        for capability in self._named.get(region.names, self._every).meeting(region.constraints):
            if self.proofs.overlaps(capability, region.names) and not region.is_empty(
                self.proofs, *capability.constraints
            ):
                found.append(capability)
                if self.proofs.covers(capability, region.names) and self.fits(region, capability):
                    break
        return found

    def fits(self, region: Region, capability: MethodCapability) -> bool:
        """Whether every call of the region is proved to meet the constraints of a capability."""
        return self.proofs.implied(region.constraints, tuple(capability.constraints)) is True

    def counterpart(self, region: Region) -> MethodCapability | None:
        """What decided the calls of a region, if nothing that concerns them changed: nor the grants before it."""
        path = region.names
        if path not in self._same:
            self._same[path] = self._counterparts(path)
        return self._same[path].get(id(region.grant))

    def _counterparts(self, path: str) -> dict[int, MethodCapability]:
        """From the id() of each of a tool's grants to what it was in OLD, if it is as it was.

        Of those before it only such count that may take calls from it; what others are makes no difference.
        """
        if path not in self.new.tools or path not in self.old.tools:
            return {}
        if limits_of(self.old, path) != limits_of(self.new, path):
            return {}
        now, before = self.naming[path], self._named[path]
        pairs = zip(now.grants, before.grants, strict=False)
        found = {id(a): b for a, b in takewhile(lambda pair: self._said(pair[0]) == self._said(pair[1]), pairs)}
        rest = slice(len(found), None)
        known = {self._standing(before, grant): grant for grant in reversed(before.grants[rest])}
        for grant in now.grants[rest]:
            standing = self._standing(now, grant)
            if standing is not None and standing in known:
                found[id(grant)] = known[standing]
        return found

    def _standing(self, rivals: Rivals, grant: MethodCapability) -> tuple[str, ...] | None:
        """What a grant says, and what those do that may take calls from it; None if these are many."""
        near = list(islice(rivals.before(grant), _MOST_NEAR + 1))
        return None if len(near) > _MOST_NEAR else tuple(map(self._said, [grant, *near]))

    def _said(self, capability: MethodCapability) -> str:
        """What a capability says of calls that it names, whoever else it names."""
        if id(capability) not in self._texts:
            import json

            said = replace(capability, note="", scope=None).to_dict()
            self._texts[id(capability)] = json.dumps(said, sort_keys=True, default=str)
        return self._texts[id(capability)]

    def charge_all(self, region: Region, deciding: Sequence[MethodCapability]) -> None:
        """Charge a region to the budgets that may have paid for its calls, each once."""
        lineage = dict.fromkeys(part for capability in deciding for part in capability.lineage())
        accounts: list[Limited] = [limits_of(self.old, region.names), *lineage]
        for account in accounts:
            self.charged.setdefault(id(account), (account, []))[1].append(region)


def _lost(region: Region, held: _Held) -> Iterator[Loss]:
    limits = limits_of(held.old, region.names)
    if not limits.allow:
        yield _loss(region, "AM502", "allow", "was forbidden by its own table", in_tool=True)
        return
    deciding = held.deciding(region)
    whole = [capability for capability in deciding if held.proofs.covers(capability, region.names)]
    if not whole:
        yield _loss(region, "AM502", "method", f"nothing granted {'all of it' if deciding else 'it'}")
        return
    yield from _wider_arguments(region, limits, whole, held)
    yield from _unasked(region, limits, deciding)
    yield from _later(region, limits, deciding)
    held.charge_all(region, deciding)


def _loss(region: Region, code: str, key: str, message: str, *, in_tool: bool = False) -> Loss:
    return Loss(code, key, message, region.names, region.index, in_tool)


def _wider_arguments(
    region: Region, limits: ToolLimits, whole: Sequence[MethodCapability], held: _Held
) -> Iterator[Loss]:
    for part in limits.constraints:
        yield from _unmet(region, part, held, in_tool=True)
    if any(held.fits(region, capability) for capability in whole):
        return
    if len(whole) == 1:
        for part in whole[0].constraints:
            yield from _unmet(region, part, held, in_tool=False)
    else:
        either = AnyOf(tuple(AllOf(tuple(capability.constraints)) for capability in whole))
        yield from _unmet(region, either, held, in_tool=False)


def _unmet(region: Region, demanded: Constraint, held: _Held, *, in_tool: bool) -> Iterator[Loss]:
    answer = held.proofs.implied(region.constraints, (demanded,))
    if answer is not True:
        verdict = "is not demanded any more" if answer is False else "cannot be shown to hold still"
        now = " & ".join(map(str, region.constraints)) or "any arguments"
        yield _loss(region, "AM502", "constraints", f"{demanded} {verdict}; now {now}", in_tool=in_tool)


def _unasked(region: Region, limits: ToolLimits, deciding: Sequence[MethodCapability]) -> Iterator[Loss]:
    asked = "ask" in (limits.approval, *(capability.approval for capability in deciding))
    if asked and not region.asks():
        yield _loss(region, "AM504", "approval", "needed a person's approval, and does not any more")


def _later(region: Region, limits: ToolLimits, deciding: Sequence[MethodCapability]) -> Iterator[Loss]:
    held: list[Limited] = [limits, *(account for capability in deciding for account in capability.lineage())]
    ends = [budget.expires for budget in held if budget.expires is not None]
    now = region.expires()
    if ends and (now is None or now > min(ends)):
        until = now.isoformat() if now else "no date"
        yield _loss(region, "AM505", "expires", f"{min(ends).isoformat()} → {until}")


def _overdrawn(account: Limited, charged: Sequence[Region]) -> Iterator[Loss]:
    several = len({(id(region.grant), region.names) for region in charged}) > 1
    in_all = ""
    if isinstance(account, MethodCapability) and several:
        in_all = f", in all that the one budget of {account.method_pattern!r} paid for"
    for key, before, after in excesses(account, [Flow(region.grant, region.limits) for region in charged]):
        message, in_tool = f"{before} → {after}{in_all}", isinstance(account, ToolLimits)
        yield _loss(charged[0], "AM503", key, message, in_tool=in_tool)
