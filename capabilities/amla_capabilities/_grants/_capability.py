"""`MethodCapability`: the right to call some tools, under constraints, so many times."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, cast

from amla_capabilities._budgets._bounds import Rate, Total, check_max_calls, expiry, rate_from, totals_from
from amla_capabilities._constraints._constraint import Constraint
from amla_capabilities._constraints._constraint_set import ConstraintSet
from amla_capabilities._errors import CapabilityError
from amla_capabilities._names import canonical_name
from amla_capabilities._patterns import canonical_pattern, matches
from amla_capabilities._values import as_mapping

if TYPE_CHECKING:
    from datetime import datetime

__all__ = [
    "METHOD_CAPABILITY_TYPE",
    "Approval",
    "MethodCapability",
    "Scope",
    "ToolCallCap",
    "check_approval",
    "constraint_set",
]

METHOD_CAPABILITY_TYPE = "tool-call"
Approval = Literal["ask"] | None


@dataclass(frozen=True, slots=True)
class Scope:
    """What a capability can reach at all: the tools of its manifest and includes, and of their MCP servers (R2)."""

    tools: frozenset[str] = frozenset()
    servers: frozenset[str] = frozenset()

    def covers(self, path: str) -> bool:
        server, slash, _ = path.partition("/")
        return path in self.tools or (bool(slash) and server in self.servers)

    def within(self, other: Scope) -> bool:
        return self.servers <= other.servers and all(map(other.covers, self.tools))


@dataclass(frozen=True, eq=False, init=False)
class MethodCapability:
    """The right to call the tools that a pattern names.

    A budget belongs to the object, not to its pattern: two capabilities with one pattern count apart, and one object
    used twice counts once. So capabilities compare by identity; compare `to_dict()` to compare what they say.

    `max_calls` None means no limit of its own. `rate` bounds the calls in an interval, `total` sums of arguments over
    all calls, `expires` is when the right ends. `approval="ask"` makes each call wait for a person. `input_schema` and
    `note` are kept for people and never judged. `scope` bounds what the pattern can reach; None is everything.
    `parent` is set by `attenuate`: a charge debits it too (R7), and nothing here may be wider than there.
    """

    method_pattern: str
    constraints: ConstraintSet
    max_calls: int | None
    input_schema: Mapping[str, Any] | None
    approval: Approval
    note: str
    rate: Rate | None
    total: tuple[Total, ...]
    expires: datetime | None
    scope: Scope | None = field(repr=False)
    parent: MethodCapability | None = field(repr=False)

    def __init__(
        self,
        method_pattern: str,
        constraints: ConstraintSet | Iterable[Constraint] | Mapping[str, Any] = (),
        max_calls: int | None = None,
        input_schema: Mapping[str, Any] | None = None,
        approval: Approval = None,
        note: str = "",
        *,
        rate: Rate | str | None = None,
        total: Mapping[str, str] | Iterable[Total] | None = None,
        expires: datetime | str | None = None,
        scope: Scope | None = None,
        parent: MethodCapability | None = None,
    ) -> None:
        """Check every field. Raises `PatternError`, `ConstraintError`, `TypeError` or `ValueError`."""
        check_max_calls(max_calls)
        check_approval(approval)
        values = {
            "method_pattern": canonical_pattern(method_pattern),
            "constraints": constraint_set(constraints),
            "max_calls": max_calls,
            "input_schema": input_schema,
            "approval": approval,
            "note": note,
            "rate": rate_from(rate),
            "total": totals_from(total),
            "expires": expiry(expires),
            "scope": scope,
            "parent": parent,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        if parent is not None:
            from ._narrowing import check_attenuated

            check_attenuated(self, parent)

    def key(self) -> str:
        """How messages and counts name it."""
        return f"cap:{METHOD_CAPABILITY_TYPE}:{self.method_pattern}"

    def identity(self) -> str:
        """Stable across processes: alike for capabilities that name and constrain alike, and have such ancestors.

        Limits and notes are no part of it, so that counts survive when the owner changes them.
        """
        import hashlib
        import json

        ancestor = self.parent and self.parent.identity()
        constraints = sorted(json.dumps(part.to_dict(), sort_keys=True) for part in self.constraints)
        text = json.dumps([self.method_pattern, constraints, ancestor])
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def matches(self, method: str) -> bool:
        """Whether the capability names this tool. Raises `ToolNameError` for a malformed name."""
        return self.names(canonical_name(method))

    def names(self, path: str) -> bool:
        """The same for a path already canonical."""
        return matches(path, self.method_pattern) and (self.scope is None or self.scope.covers(path))

    def validate_call(self, method: str, params: Mapping[str, Any]) -> None:
        """Raise `CapabilityError` unless pattern and constraints allow the call. Charges nothing."""
        if not self.matches(method):
            raise CapabilityError(f"{method} denied: {self.method_pattern} does not name it")
        failure = self.constraints.check(params)
        if failure is not None:
            raise CapabilityError(f"{method} denied: {failure.message}") from failure.error()

    def lineage(self) -> Iterator[MethodCapability]:
        """This capability and those it was attenuated from, all of which a charge debits."""
        capability: MethodCapability | None = self
        while capability is not None:
            yield capability
            capability = capability.parent

    def attenuate(
        self,
        *,
        method_pattern: str | None = None,
        constraints: Iterable[Constraint] | Mapping[str, Any] = (),
        max_calls: int | None = None,
        approval: Approval = None,
        rate: Rate | str | None = None,
        total: Mapping[str, str] | Iterable[Total] | None = None,
        expires: datetime | str | None = None,
    ) -> MethodCapability:
        """A capability never wider than this one, whose calls also count against this one.

        What is not given is as here; constraints, totals and approval are added to those here. Raises `ValueError`
        where an argument would widen it.
        """
        totals = {**{t.param: t for t in self.total}, **{t.param: t for t in totals_from(total)}}
        return MethodCapability(
            method_pattern or self.method_pattern,
            self.constraints.attenuate(constraint_set(constraints)),
            self.max_calls if max_calls is None else max_calls,
            self.input_schema,
            approval or self.approval,
            self.note,
            rate=rate or self.rate,
            total=totals.values(),
            expires=expires or self.expires,
            scope=self.scope,
            parent=self,
        )

    def is_subset_of(self, parent: MethodCapability) -> bool:
        """Whether this allows nothing that `parent` does not, taken by what they say (not by what is used up).

        Raises `UndecidableError` where the constraints could be neither proved narrower nor shown to be wider.
        """
        from ._narrowing import is_narrower

        return is_narrower(self, parent)

    def is_disjoint(self, other: MethodCapability) -> bool:
        """Whether no call fits both. Raises `UndecidableError` when neither is shown."""
        from ._narrowing import are_disjoint

        return are_disjoint(self, other)

    def to_dict(self) -> dict[str, Any]:
        """What it says, as JSON (not its lineage nor its counts)."""
        from ._serial import to_dict

        return to_dict(self)

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> MethodCapability:
        """The capability that `to_dict` described. Raises `ValueError` on unknown keys: none is ever ignored."""
        from ._serial import from_dict

        return from_dict(data)

    def to_table(self) -> dict[str, Any]:
        """The entry of `[[capabilities]]` that says the same, as tomli-w writes it (without scope and schema).

        Raises `ConstraintError` for what TOML cannot hold, which is a null inside an operand.
        """
        from ._serial import to_table

        return to_table(self)

    @staticmethod
    def from_table(table: Mapping[str, Any]) -> MethodCapability:
        """The capability of an entry of `[[capabilities]]`. Raises `ValueError`."""
        from ._serial import from_table

        return from_table(table)


ToolCallCap = MethodCapability


def constraint_set(constraints: object) -> ConstraintSet:
    """A set from a set, a list of constraints, or a mapping as in `constraints={...}`."""
    if isinstance(constraints, ConstraintSet):
        return constraints
    table = as_mapping(constraints)
    if table is None:
        return ConstraintSet(cast("Iterable[Constraint]", constraints))
    from amla_capabilities._constraints._spelling import constraints_from_dict

    return constraints_from_dict(table)


def check_approval(value: object) -> None:
    """Raise unless `value` is None or "ask"."""
    if value not in (None, "ask"):
        raise ValueError(f'approval is "ask" or absent, not {value!r}')
