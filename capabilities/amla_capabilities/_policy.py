"""`Policy`: what a sandbox holds to decide each call.

A call is allowed when the tool's own limits hold (R5: they bind whoever grants) and a capability grants it. Of the
capabilities in order the first whose pattern and constraints fit decides, and it alone is charged; if it has no calls
left the call is refused, even if a later capability would have had some. What nothing grants is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._budgets import Rate, Total, check_max_calls, expiry, rate_from, totals_from
from ._capability import Approval, MethodCapability, check_approval, constraint_set
from ._constraint import Constraint
from ._constraint_set import ConstraintSet
from ._decision import Decision
from ._errors import ToolNameError
from ._failure import Failure
from ._ledger import Budget, Ledger, RunMeter
from ._names import canonical_name
from ._paths import Step, parse_path
from ._patterns import is_literal

if TYPE_CHECKING:
    from datetime import datetime

__all__ = ["Policy", "ToolLimits"]

_FAILURE_CODES = {"missing": "PARAMETER_MISSING", "type": "TYPE_MISMATCH", "violation": "CONSTRAINT_VIOLATED"}


@dataclass(frozen=True, slots=True, init=False)
class ToolLimits:
    """What binds every call of one tool, whoever grants it (R5). `allow=False` refuses them all.

    `secret` lists parameters whose values no message or record shows. The other fields are as in `MethodCapability`.
    """

    constraints: ConstraintSet
    max_calls: int | None
    allow: bool
    secret: tuple[str, ...]
    approval: Approval
    rate: Rate | None
    total: tuple[Total, ...]
    expires: datetime | None

    def __init__(
        self,
        constraints: ConstraintSet | Iterable[Constraint] | Mapping[str, Any] = (),
        max_calls: int | None = None,
        allow: bool = True,
        secret: Iterable[str] = (),
        approval: Approval = None,
        *,
        rate: Rate | str | None = None,
        total: Mapping[str, str] | Iterable[Total] | None = None,
        expires: datetime | str | None = None,
    ) -> None:
        """Raises `TypeError`, `ValueError` or `ConstraintError` for a limit that means nothing."""
        check_max_calls(max_calls)
        check_approval(approval)
        values = {
            "constraints": constraint_set(constraints),
            "max_calls": max_calls,
            "allow": allow,
            "secret": tuple(secret),
            "approval": approval,
            "rate": rate_from(rate),
            "total": totals_from(total),
            "expires": expiry(expires),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        for path in self.secret:
            parse_path(path)

    def hides(self, steps: tuple[Step, ...]) -> bool:
        """Whether a place in the arguments is, holds, or lies in a secret parameter."""
        return any(_related(parse_path(path), steps) for path in self.secret)


_NO_LIMITS = ToolLimits()
_REMEMBERED = 4096  # paths; a guest may make names up, so the memory for them is bounded


class Policy:
    """Capabilities in order, limits per tool, and the counts of calls made under them. Thread-safe."""

    def __init__(
        self,
        capabilities: Iterable[MethodCapability] = (),
        tools: Mapping[str, ToolLimits] | None = None,
        *,
        ledger: Ledger | None = None,
    ) -> None:
        """`tools` maps canonical paths to their limits. Policies that share a `ledger` share their counts (R6)."""
        self.capabilities: tuple[MethodCapability, ...] = tuple(capabilities)
        self.tools: Mapping[str, ToolLimits] = {canonical_name(p): limits for p, limits in (tools or {}).items()}
        self.ledger = ledger or Ledger()
        self._literal: dict[str, list[int]] = {}  # where in `capabilities` a path is named as it is
        self._starred = [
            n for n, capability in enumerate(self.capabilities) if not is_literal(capability.method_pattern)
        ]
        for n, capability in enumerate(self.capabilities):
            if is_literal(capability.method_pattern):
                self._literal.setdefault(capability.method_pattern, []).append(n)
        self._naming: dict[str, tuple[MethodCapability, ...]] = {}  # by path, remembered for speed

    def check(self, tool: str, arguments: Mapping[str, Any]) -> Decision:
        """What `authorize` would decide now. Charges nothing."""
        return self._decide(tool, arguments, None, charge=False, approved=False)

    def authorize(
        self, tool: str, arguments: Mapping[str, Any], *, meter: RunMeter | None = None, approved: bool = False
    ) -> Decision:
        """Decide and, if allowed, charge, as one atomic step.

        `arguments` must be the frozen value that the tool will receive (R20). `approved` says that a person agreed to
        exactly this call; everything else is judged anew (R34). `meter` counts the run's own calls and attempts.
        """
        return self._decide(tool, arguments, meter, charge=True, approved=approved)

    def _decide(
        self, tool: str, arguments: Mapping[str, Any], meter: RunMeter | None, *, charge: bool, approved: bool
    ) -> Decision:
        try:
            path = canonical_name(tool)
        except ToolNameError as error:
            decision = Decision("denied", "BAD_NAME", repr(tool)[:80], str(error))
        else:
            decision = self._rule(path, arguments)
            if not approved and self._asks(decision):
                decision = _ask(decision)
        with self.ledger.lock:
            if meter is not None and not meter.attempt():
                return Decision("denied", "ATTEMPT_LIMIT", decision.tool, _over(meter.max_attempts, "tried"))
            if decision.verdict == "denied":
                return decision
            return self._settle(decision, meter, charge and decision.allowed)

    def _rule(self, path: str, arguments: Mapping[str, Any]) -> Decision:
        """The decision as far as names and arguments go."""
        limits = self.tools.get(path, _NO_LIMITS)
        if not limits.allow:
            return Decision("denied", "FORBIDDEN", path, "the owner forbids this tool", _FORBIDDEN)
        failure = limits.constraints.check(arguments)
        if failure is not None:
            return _refused(path, failure, limits, None)
        failures: list[tuple[MethodCapability, Failure]] = []
        for capability in self._that_name(path):
            failure = capability.constraints.check(arguments)
            if failure is None:
                return Decision("allowed", "ALLOWED", path, capability=capability)
            failures.append((capability, failure))
        if failures:
            return _refused(path, failures[0][1], limits, failures[0][0], len(failures) - 1)
        return Decision("denied", "NOT_GRANTED", path, "no capability grants this tool", _grant_line(path))

    def _asks(self, decision: Decision) -> bool:
        """Whether an otherwise allowed call waits for a person."""
        if not decision.allowed or decision.capability is None:
            return False
        return "ask" in (decision.capability.approval, self.tools.get(decision.tool, _NO_LIMITS).approval)

    def _that_name(self, path: str) -> tuple[MethodCapability, ...]:
        """The capabilities that name a path, in order."""
        found = self._naming.get(path)
        if found is None:
            places = sorted([*self._literal.get(path, ()), *self._starred])
            found = tuple(self.capabilities[n] for n in places if self.capabilities[n].names(path))
            if len(self._naming) >= _REMEMBERED:
                self._naming.clear()
            self._naming[path] = found
        return found

    def _settle(self, decision: Decision, meter: RunMeter | None, charge: bool) -> Decision:
        """Check the budgets of a call that is otherwise in order, and charge them."""
        if meter is not None and not meter.has_room():
            return Decision("denied", "RUN_CALL_LIMIT", decision.tool, _over(meter.max_calls, "made"))
        budgets = self._budgets(decision)
        exhausted = self.ledger.exhausted(budgets)
        if exhausted is not None:
            return _exhausted(decision, exhausted)
        if charge:
            self.ledger.charge(budgets)
            if meter is not None:
                meter.calls += 1
        return decision

    def _budgets(self, decision: Decision) -> list[Budget]:
        """Everything that one call debits: the tool, the capability, and its ancestors (R7)."""
        tool_limit = self.tools.get(decision.tool, _NO_LIMITS).max_calls
        lineage = decision.capability.lineage() if decision.capability else ()
        return [(decision.tool, f"tool {decision.tool}", tool_limit), *((c, c.key(), c.max_calls) for c in lineage)]

    # What is left, for people and prompts.

    def used(self, account: MethodCapability | str) -> int:
        """Calls charged so far to a capability or to a tool path."""
        return self.ledger.used(canonical_name(account) if isinstance(account, str) else account)

    def remaining(self, account: MethodCapability | str) -> int | None:
        """Calls left to a capability (its ancestors included) or to a tool path's own limit; None for no limit."""
        if isinstance(account, str):
            path = canonical_name(account)
            return self._left([(path, "", self.tools.get(path, _NO_LIMITS).max_calls)])
        return self._left((c, "", c.max_calls) for c in account.lineage())

    def remaining_calls(self, tool: str) -> int | None:
        """At most how many more calls of a tool can be allowed; 0 where nothing grants it, None for no limit."""
        path = canonical_name(tool)
        lefts = [self.remaining(capability) for capability in self.grants(path)]
        granted = None if None in lefts else sum(left for left in lefts if left is not None)
        own = self.remaining(path)
        return min((left for left in (granted, own) if left is not None), default=None)

    def call_counts(self) -> dict[str, int]:
        """Calls charged so far, by capability key (equal keys added up)."""
        counts: dict[str, int] = {}
        for capability in dict.fromkeys(self.capabilities):
            counts[capability.key()] = counts.get(capability.key(), 0) + self.used(capability)
        return counts

    def grants(self, tool: str) -> tuple[MethodCapability, ...]:
        """The capabilities whose pattern names the tool, in order; none where its table forbids it."""
        path = canonical_name(tool)
        if not self.tools.get(path, _NO_LIMITS).allow:
            return ()
        return self._that_name(path)

    def _left(self, budgets: Iterable[Budget]) -> int | None:
        lefts = [max(0, limit - self.ledger.used(account)) for account, _, limit in budgets if limit is not None]
        return min(lefts, default=None)


_FORBIDDEN = "the tool's table says allow = false; remove that line to let capabilities grant it"


def _grant_line(path: str) -> str:
    return f'add allow = true under [tools."{path}"], or [[capabilities]] with method = "{path}"'


def _refused(
    path: str, failure: Failure, limits: ToolLimits, capability: MethodCapability | None, others: int = 0
) -> Decision:
    shown = failure.redacted(limits.hides)
    also = f" ({others} other {'grant' if others == 1 else 'grants'} of this tool failed too)" if others else ""
    needed = f"{shown.path} must meet {shown.constraint}"
    return Decision("denied", _FAILURE_CODES[failure.kind], path, shown.message + also, needed, capability, shown)


def _ask(decision: Decision) -> Decision:
    return Decision(
        "needs-approval",
        "NEEDS_APPROVAL",
        decision.tool,
        "a person has to approve this call",
        'approve it, or remove approval = "ask"',
        decision.capability,
    )


def _exhausted(decision: Decision, budget: Budget) -> Decision:
    _, name, limit = budget
    calls = "1 call" if limit == 1 else f"{limit} calls"
    reason = f"call limit exceeded: {name} allows {calls}"
    needed = f"a higher max_calls than {limit} for {name}"
    return Decision(
        "denied", "CALL_LIMIT", decision.tool, reason, needed, decision.capability, None, (name, limit or 0)
    )


def _over(limit: int, what: str) -> str:
    return f"this run has {what} {limit} tool calls, which is its limit"


def _related(first: tuple[Step, ...], second: tuple[Step, ...]) -> bool:
    """Whether one path leads into the other, `[*]` standing for every index."""
    return all(a == b or (None in (a, b) and not isinstance(a or b, str)) for a, b in zip(first, second, strict=False))
