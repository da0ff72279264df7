"""How a decision came about, for people: the verdict, then every rule that was looked at, in the order of looking.

Colours only repeat what words say, so the same lines serve a plain stream.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ._terminal import printable

if TYPE_CHECKING:
    from rich.console import RenderableType

    from amla_capabilities import BudgetState, Decision, Policy
    from amla_capabilities._decisions._derivation import Derivation, GrantResult, LimitsResult, RuleResult

__all__ = ["as_json", "derived", "render"]

_STYLES = {
    "allowed": "bold green", "needs-approval": "bold yellow", "denied": "bold red",
    "true": "green", "false": "red", "fault": "red", "left": "green", "over": "red", "asks": "yellow", "-": "dim",
}  # fmt: skip
_JOINED = {
    "all": "all of these",
    "any": "one of these",
    "not": "the opposite of this",
    "when": "the second, where the first holds",
}
_UNNAMED = 8  # capabilities that do not name the tool and are listed; more are only counted

_Line = tuple[int, str, str, str]  # depth, a word about what follows, the text, a remark to it


def derived(
    policy: Policy, path: str, written: Mapping[str, Any], prepare: Callable[[Mapping[str, Any]], Mapping[str, Any]]
) -> Derivation:
    """How the policy decides a call, or why it is not even asked.

    `prepare` makes of arguments what the policy gets (R20); raises ValueError for those that the tool does not take.
    """
    try:
        return policy.explain(path, prepare(written))
    except ValueError as error:
        from amla_capabilities import Decision, Derivation, ToolLimits
        from amla_capabilities._decisions._derivation import redacted

        reason = str(error).removeprefix(f"{path}: ")
        needed = "arguments as the tool's schema has them; no rule of the policy was asked"
        decision = Decision("denied", "BAD_ARGUMENTS", path, reason, needed=needed)
        shown: Mapping[str, Any] = redacted(written, (policy.tools.get(path) or ToolLimits()).covers)
        return Derivation(path, shown, None, (), decision)


def as_json(derivation: Derivation) -> dict[str, Any]:
    """The derivation for programs."""
    return derivation.to_dict()


def render(derivation: Derivation) -> RenderableType:
    """The derivation for people, as wide as the console."""
    from rich.console import Group

    return Group(*(_drawn(line) for line in _lines(derivation)))


def _drawn(line: _Line) -> RenderableType:
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    depth, word, text, remark = line
    body = Text(printable(text), overflow="fold")
    if remark:
        body.append(f"\n{printable(remark)}", "dim")
    if not word:
        return Padding(body, (0, 0, 0, 2 * depth))
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column(ratio=1)
    grid.add_row(Text(word, _STYLES.get(word, "")), body)
    return Padding(grid, (0, 0, 0, 2 * depth))


def _lines(derivation: Derivation) -> Iterator[_Line]:
    yield 0, "", f"{derivation.tool} {_json(derivation.arguments)}", ""
    yield from _decision(derivation.decision)
    if derivation.limits is not None:
        yield from _limits(derivation.tool, derivation.limits)
        yield from _grants(derivation.grants)


def _decision(decision: Decision) -> Iterator[_Line]:
    reason = "" if decision.allowed else f"{decision.code}: {decision.reason}"
    needed = f"needed: {decision.needed}" if decision.needed and not decision.allowed else ""
    yield 0, decision.verdict, reason, needed


def _limits(tool: str, limits: LimitsResult) -> Iterator[_Line]:
    if limits.allow and not (limits.rules or limits.asks or limits.budget.is_limited):
        return
    yield 0, "", f"\nwhat the tool's own table demands of every call of {tool}", ""
    if not limits.allow:
        yield 1, "false", "allow", "its table says allow = false"
    for rule in limits.rules:
        yield from _rule(rule, 1)
    yield from _rest(limits.asks, [limits.budget], 1)


def _grants(grants: tuple[GrantResult, ...]) -> Iterator[_Line]:
    yield 0, "", "\ncapabilities, in order; the first that fits decides" if grants else "\nno capabilities at all", ""
    others, decided = 0, False
    for number, grant in enumerate(grants, 1):
        if grant.matches:
            yield from _grant(number, grant, decided)
            decided = decided or grant.decides
        elif others < _UNNAMED:
            others += 1
            yield 1, "-", f"{number}. {grant.capability.method_pattern}", "does not name the tool"
        else:
            others += 1
    if others > _UNNAMED:
        yield 1, "-", f"and {others - _UNNAMED:,} more that do not name the tool", ""


def _grant(number: int, grant: GrantResult, decided: bool) -> Iterator[_Line]:
    """A capability that names the tool; `decided` says whether one before it made the decision."""
    unasked = "fits, but an earlier one decided" if decided else "fits, but the tool's own table refuses the call"
    unfit = "does not fit, nor does any other" if grant.decides else "does not fit"
    state = unfit if not grant.holds else "decided" if grant.decides else unasked
    note = f"{state}; {grant.capability.note}" if grant.capability.note else state
    yield 1, "true" if grant.holds else "false", f"{number}. {grant.capability.method_pattern}", note
    for rule in grant.rules:
        yield from _rule(rule, 3)
    yield from _rest(grant.asks, list(grant.budgets), 3)


def _rule(rule: RuleResult, depth: int) -> Iterator[_Line]:
    if not rule.parts:
        yield depth, rule.verdict, rule.rule, "" if rule.verdict == "true" else rule.reason
        return
    yield depth, rule.verdict, _JOINED.get(rule.operator, rule.operator), ""
    for part in rule.parts:
        yield from _rule(part, depth + 1)


def _rest(asks: bool, budgets: list[BudgetState], depth: int) -> Iterator[_Line]:
    """What is asked and charged once the rules hold."""
    if asks:
        yield depth, "asks", "each call waits for a person", ""
    for budget in budgets:
        for over, text in _budget(budget):
            yield depth, "over" if over else "left", text, ""


def _budget(budget: BudgetState) -> Iterator[tuple[bool, str]]:
    """What is left of each limit, and whether that is nothing."""
    if budget.max_calls is not None:
        yield not budget.calls_left, f"{budget.calls_left:,} of {budget.max_calls:,} calls"
    if budget.rate is not None:
        wait = f"; the next fits in {budget.rate_wait:.0f} s" if budget.rate_wait else ""
        yield not budget.rate_room, f"{budget.rate_room:,} calls at the rate of {budget.rate}{wait}"
    for total in budget.totals:
        known = total.left is not None
        left = f"{total.left:f} of the total of {total.param}" if known else f"of the total of {total.param}: not shown"
        yield known and not total.left, f"{left} ({total.bound})"
    if budget.expires is not None:
        yield budget.expired, f"until {budget.expires.isoformat()}"


def _json(arguments: Mapping[str, Any]) -> str:
    return json.dumps(arguments, default=dict)
