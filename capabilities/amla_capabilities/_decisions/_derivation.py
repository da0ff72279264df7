"""`Derivation`: how a decision came about, rule by rule, as a value to be shown.

It is made by asking again what `Policy` asks, of everything and not only until the first refusal. Values and operands
of secret parameters are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from amla_capabilities._budgets._state import BudgetState
from amla_capabilities._constraints._constraint import Constraint
from amla_capabilities._constraints._failure import REDACTED, Failure
from amla_capabilities._constraints._leaf import Each, Leaf, Pathed
from amla_capabilities._constraints._logic import AllOf, AnyOf, Not, When
from amla_capabilities._errors import ToolNameError
from amla_capabilities._names import canonical_name
from amla_capabilities._paths import EVERY, Step, path_text
from amla_capabilities._values import Json, as_list, as_mapping

from ._tool_limits import ToolLimits

if TYPE_CHECKING:
    from amla_capabilities._grants._capability import MethodCapability

    from ._decision import Decision
    from ._policy import Policy

__all__ = ["Derivation", "GrantResult", "LimitsResult", "RuleResult", "derive", "redacted"]

Truth = Literal["true", "false", "fault"]
_TRUTHS: Mapping[bool | None, Truth] = {True: "true", False: "false", None: "fault"}
_Hides = Callable[[tuple[Step, ...]], bool]


@dataclass(frozen=True, slots=True)
class RuleResult:
    """What one constraint gave: `true`, `false` or `fault` (R11).

    A leaf has the `path` that it looks at, the `actual` value there (None where that is missing, or is many) and, if
    not true, a `reason` that says what would have been needed. `operator` is a leaf's own, or `all`, `any`, `not`,
    `when` (condition, demand), `each` for constraints made of `parts`.
    """

    rule: str
    verdict: Truth
    operator: str
    path: str = ""
    actual: Json = None
    reason: str = ""
    parts: tuple[RuleResult, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        data: dict[str, Any] = {"rule": self.rule, "verdict": self.verdict, "operator": self.operator}
        if not self.parts:
            data |= {"path": self.path, "actual": self.actual}
        if self.reason:
            data["reason"] = self.reason
        return data | ({"parts": [part.to_dict() for part in self.parts]} if self.parts else {})


@dataclass(frozen=True, slots=True)
class LimitsResult:
    """The tool's own table: whether it forbids the tool, its constraints, its budget, whether it asks."""

    allow: bool
    rules: tuple[RuleResult, ...]
    budget: BudgetState
    asks: bool

    def to_dict(self) -> dict[str, Any]:
        return {
            "allow": self.allow,
            "rules": [rule.to_dict() for rule in self.rules],
            "budget": self.budget.to_dict(),
            "asks": self.asks,
        }


@dataclass(frozen=True, slots=True)
class GrantResult:
    """One capability: whether its pattern names the tool, whether its constraints hold, and whether it decided.

    `rules` and `budgets` (its own, then its ancestors') are empty where the pattern does not name the tool.
    """

    capability: MethodCapability
    matches: bool
    rules: tuple[RuleResult, ...]
    budgets: tuple[BudgetState, ...]
    asks: bool
    decides: bool

    @property
    def holds(self) -> bool:
        """Whether pattern and constraints fit the call."""
        return self.matches and all(rule.verdict == "true" for rule in self.rules)

    def to_dict(self) -> dict[str, Any]:
        data: dict[str, Any] = {"pattern": self.capability.method_pattern, "matches": self.matches}
        if self.capability.note:
            data["note"] = self.capability.note
        if not self.matches:
            return data
        return data | {
            "rules": [rule.to_dict() for rule in self.rules],
            "budgets": [budget.to_dict() for budget in self.budgets],
            "asks": self.asks,
            "decides": self.decides,
        }


@dataclass(frozen=True, slots=True)
class Derivation:
    """All that a decision rests on. `limits` is None for a malformed name; `arguments` are redacted."""

    tool: str
    arguments: Mapping[str, Any]
    limits: LimitsResult | None
    grants: tuple[GrantResult, ...]
    decision: Decision

    def to_dict(self) -> dict[str, Any]:
        """The same as JSON."""
        decision = self.decision
        verdict = {"verdict": decision.verdict, "code": decision.code, "reason": decision.reason}
        return {
            "tool": self.tool,
            "arguments": self.arguments,
            "limits": self.limits and self.limits.to_dict(),
            "grants": [grant.to_dict() for grant in self.grants],
            "decision": {**verdict, "needed": decision.needed},
        }


def derive(policy: Policy, tool: str, arguments: Mapping[str, Any]) -> Derivation:
    """How `policy` decides a call now."""
    decision = policy.check(tool, arguments)
    try:
        path = canonical_name(tool)
    except ToolNameError:
        return Derivation(decision.tool, {}, None, (), decision)
    limits = policy.tools.get(path) or ToolLimits()
    results = LimitsResult(
        limits.allow,
        tuple(_result(part, arguments, limits.hides) for part in limits.constraints),
        policy.budgets(path)[0],
        limits.approval == "ask",
    )
    grants = tuple(_grant(policy, c, path, arguments, limits.hides, decision) for c in policy.capabilities)
    return Derivation(path, redacted(arguments, limits.covers), results, grants, decision)


def _grant(
    policy: Policy,
    capability: MethodCapability,
    path: str,
    arguments: Mapping[str, Any],
    hides: _Hides,
    decision: Decision,
) -> GrantResult:
    matches = capability.names(path)
    return GrantResult(
        capability,
        matches,
        tuple(_result(part, arguments, hides) for part in capability.constraints) if matches else (),
        policy.budgets(capability) if matches else (),
        capability.approval == "ask",
        decision.capability is capability,
    )


def _result(part: Constraint, arguments: Json, hides: _Hides) -> RuleResult:
    verdict = _TRUTHS[part.verdict(arguments)]
    reason = "" if verdict == "true" else _reason(part, arguments, hides)
    rule = REDACTED if _mentions(part, (), hides) else str(part)
    inner = _parts(part)
    if inner:
        parts = tuple(_result(each, arguments, hides) for each in inner)
        return RuleResult(rule, verdict, _NAMES[type(part)], reason=reason, parts=parts)
    assert isinstance(part, Pathed)  # noqa: S101  # the others have parts
    operator = part.operator.name if isinstance(part, Leaf) else "each"
    actual = REDACTED if hides(part.path) else _reached(arguments, part.path)
    return RuleResult(rule, verdict, operator, path_text(part.path), actual, reason)


_NAMES: Mapping[type[Constraint], str] = {AllOf: "all", AnyOf: "any", Not: "not", When: "when"}


def _parts(part: Constraint) -> tuple[Constraint, ...]:
    if isinstance(part, AllOf | AnyOf):
        return part.constraints
    if isinstance(part, When):
        return (part.condition, part.constraint)
    return (part.constraint,) if isinstance(part, Not) else ()


def _reason(part: Constraint, arguments: Json, hides: _Hides) -> str:
    failure: Failure | None = part.check(arguments)
    return "" if failure is None else failure.redacted(hides).message


def _mentions(part: Constraint, at: tuple[Step, ...], hides: _Hides) -> bool:
    """Whether the text of a constraint speaks of a secret place."""
    if isinstance(part, Each):
        return hides((*at, *part.path)) or _mentions(part.constraint, (*at, *part.path, EVERY), hides)
    if isinstance(part, Leaf):
        return hides((*at, *part.path))
    return any(_mentions(inner, at, hides) for inner in _parts(part))


def _reached(value: Json, path: tuple[Step, ...]) -> Json:
    """The one value that a path reaches, if it does."""
    for step in path:
        table, items = as_mapping(value), as_list(value)
        if isinstance(step, str) and table is not None and step in table:
            value = table[step]
        elif isinstance(step, int) and items is not None and step < len(items):
            value = items[step]
        else:
            return None
    return value


def redacted(value: Json, covers: _Hides, at: tuple[Step, ...] = ()) -> Any:
    """The value without what lies in secret places."""
    if at and covers(at):
        return REDACTED
    items, table = as_list(value), as_mapping(value)
    if items is not None:
        return [redacted(item, covers, (*at, n)) for n, item in enumerate(items)]
    if table is not None:
        return {key: redacted(item, covers, (*at, key)) for key, item in table.items()}
    return value
