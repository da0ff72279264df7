"""`Policy`: what a sandbox holds to decide each call.

A call is allowed when the tool's own limits hold (R5: they bind whoever grants) and a capability grants it. Of the
capabilities in order the first whose pattern and constraints fit decides, and it alone is charged; if its budget has
no room the call is refused, even if a later capability would have had some. What nothing grants is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from amla_capabilities._budgets._amounts import Amounts
from amla_capabilities._budgets._debits import Budget, Debits, Refusal
from amla_capabilities._budgets._ledger import Account, Ledger, RunMeter
from amla_capabilities._budgets._state import BudgetState
from amla_capabilities._constraints._failure import Failure
from amla_capabilities._errors import ToolNameError
from amla_capabilities._grants._capability import MethodCapability
from amla_capabilities._names import canonical_name
from amla_capabilities._paths import parse_path
from amla_capabilities._patterns import is_literal

from ._decision import Decision
from ._tool_limits import ToolLimits
from ._tool_rules import Grant, ToolRules, refused

if TYPE_CHECKING:
    from ._derivation import Derivation

__all__ = ["Policy", "ToolLimits"]

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
        self._accounts = self.ledger.bind(c for capability in self.capabilities for c in capability.lineage())
        self._literal: dict[str, list[int]] = {}  # where in `capabilities` a path is named as it is
        self._starred = [
            n for n, capability in enumerate(self.capabilities) if not is_literal(capability.method_pattern)
        ]
        for n, capability in enumerate(self.capabilities):
            if is_literal(capability.method_pattern):
                self._literal.setdefault(capability.method_pattern, []).append(n)
        self._rules: dict[str, ToolRules] = {}  # by the name that a call gave, remembered for speed

    def check(self, tool: str, arguments: Mapping[str, Any]) -> Decision:
        """What `authorize` would decide now. Charges nothing."""
        return self._decide(tool, arguments, None, charge=False, approved=False)

    def authorize(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        *,
        meter: RunMeter | None = None,
        approved: bool | MethodCapability = False,
    ) -> Decision:
        """Decide and, if allowed, charge, as one atomic step.

        `arguments` must be the frozen value that the tool will receive (R20). `approved` says that a person agreed to
        exactly this call, under whichever capability or under this one; everything else is judged anew, and a call that
        another one decides by now needs their word again (R34). `meter` counts the run's own calls and attempts.
        """
        return self._decide(tool, arguments, meter, charge=True, approved=approved)

    def explain(self, tool: str, arguments: Mapping[str, Any]) -> Derivation:
        """How `check` comes to its decision: every rule that was looked at, and its result. Charges nothing."""
        from ._derivation import derive

        return derive(self, tool, arguments)

    def _decide(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        meter: RunMeter | None,
        *,
        charge: bool,
        approved: bool | MethodCapability,
    ) -> Decision:
        debits, amounts = _NO_DEBITS, _NO_AMOUNTS
        try:
            rules = self._rules.get(tool) or self._rules_of(tool)
        except ToolNameError as error:
            decision = Decision("denied", "BAD_NAME", repr(tool)[:80], str(error))
        else:
            judged = rules.judge(arguments)
            if isinstance(judged, Grant):
                debits = judged.debits or self._debits_of(rules.path, judged)
                found = debits.amounts(arguments)
                if isinstance(found, Failure):
                    decision = refused(rules.path, found, rules.limits, judged.capability)
                else:
                    agreed = approved is True or approved is judged.capability
                    decision, amounts = judged.approved if agreed else judged.decision, found
            else:
                decision = judged
        with self.ledger.lock:
            if meter is not None and not meter.attempt():
                return Decision("denied", "ATTEMPT_LIMIT", decision.tool, _over(meter.max_attempts, "tried"))
            if decision.verdict == "denied":
                return decision
            return self._settle(decision, debits, amounts, meter, charge and decision.verdict == "allowed")

    def _limits(self, path: str) -> ToolLimits:
        return self.tools.get(path, _NO_LIMITS)

    def _rules_of(self, tool: str) -> ToolRules:
        """What is to be said of a tool, by any spelling. Raises `ToolNameError` for a malformed one."""
        path = canonical_name(tool)
        places = sorted([*self._literal.get(path, ()), *self._starred])
        naming = (self.capabilities[n] for n in places if self.capabilities[n].names(path))
        if len(self._rules) >= _REMEMBERED:
            self._rules.clear()
        found = self._rules[tool] = ToolRules(path, self._limits(path), naming)
        return found

    def _settle(
        self, decision: Decision, debits: Debits, amounts: Amounts, meter: RunMeter | None, charge: bool
    ) -> Decision:
        """Check the budgets of a call that is otherwise in order, and charge them."""
        if meter is not None and not meter.has_room():
            return Decision("denied", "RUN_CALL_LIMIT", decision.tool, _over(meter.max_calls, "made"))
        now = self.ledger.now()
        refusal = debits.refusal(amounts, now)
        if refusal is not None:
            return self._exhausted(decision, refusal)
        if charge:
            debits.charge(amounts, now)
            if meter is not None:
                meter.calls += 1
        return decision

    def _debits_of(self, path: str, grant: Grant) -> Debits:
        """Everything that one call debits: the tool, the capability, and its ancestors (R7)."""
        found = grant.debits = Debits([self._own_budget(path), *self._lineage_budgets(grant.capability)])
        return found

    def _own_budget(self, path: str) -> Budget:
        return Budget(f"tool {path}", self._limits(path), self.ledger.tool(path))

    def _lineage_budgets(self, capability: MethodCapability) -> list[Budget]:
        return [Budget(c.key(), c, self._accounts.get(c) or Account()) for c in capability.lineage()]

    def _exhausted(self, decision: Decision, refusal: Refusal) -> Decision:
        reason = refusal.reason
        if refusal.param is not None and self._limits(decision.tool).hides(parse_path(refusal.param)):
            reason = f"total limit exceeded: the total of {refusal.param} is used up"
        return Decision(
            "denied", refusal.code, decision.tool, reason, refusal.needed, decision.capability, None, refusal.limit
        )

    # What is left, for people and prompts.

    def used(self, account: MethodCapability | str) -> int:
        """Calls charged so far to a capability or to a tool path."""
        return self._budgets(account)[0].account.calls

    def remaining(self, account: MethodCapability | str) -> int | None:
        """Calls left to a capability (its ancestors included) or to a tool path's own limit; None for no limit.

        None are left once it has expired.
        """
        now = self.ledger.now()
        states = [budget.state(now) for budget in self._budgets(account)]
        lefts = [0 if state.expired else state.calls_left for state in states]
        return min((left for left in lefts if left is not None), default=None)

    def remaining_calls(self, tool: str) -> int | None:
        """At most how many more calls of a tool can be allowed; 0 where nothing grants it, None for no limit."""
        path = canonical_name(tool)
        lefts = [self.remaining(capability) for capability in self.grants(path)]
        granted = None if None in lefts else sum(left for left in lefts if left is not None)
        own = self.remaining(path)
        return min((left for left in (granted, own) if left is not None), default=None)

    def budgets(self, account: MethodCapability | str) -> tuple[BudgetState, ...]:
        """What is left of the budgets of a capability and its ancestors, or of a tool path's own limits."""
        now = self.ledger.now()
        paths = [account] if isinstance(account, str) else filter(account.names, self.tools)
        hiding = [self._limits(canonical_name(path)) for path in paths]
        with self.ledger.lock:
            return tuple(
                budget.state(now, [t.param for t in budget.total if any(h.hides(parse_path(t.param)) for h in hiding)])
                for budget in self._budgets(account)
            )

    def call_counts(self) -> dict[str, int]:
        """Calls charged so far, by capability key (equal keys added up)."""
        counts: dict[str, int] = {}
        for capability in dict.fromkeys(self.capabilities):
            counts[capability.key()] = counts.get(capability.key(), 0) + self.used(capability)
        return counts

    def grants(self, tool: str) -> tuple[MethodCapability, ...]:
        """The capabilities whose pattern names the tool, in order; none where its table forbids it."""
        rules = self._rules.get(tool) or self._rules_of(tool)
        return tuple(grant.capability for grant in rules.grants) if rules.limits.allow else ()

    def _budgets(self, account: MethodCapability | str) -> list[Budget]:
        if isinstance(account, str):
            return [self._own_budget(canonical_name(account))]
        return self._lineage_budgets(account)


_NO_DEBITS = Debits(())
_NO_AMOUNTS: Amounts = {}


def _over(limit: int, what: str) -> str:
    return f"this run has {what} {limit} tool calls, which is its limit"
