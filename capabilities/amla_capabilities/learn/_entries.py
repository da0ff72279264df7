"""The capabilities of a learned manifest: what each was made from, and what it says."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from amla_capabilities._constraints._constraint_set import ConstraintSet
from amla_capabilities._decisions._policy import Policy
from amla_capabilities._decisions._tool_limits import ToolLimits
from amla_capabilities._grants._capability import MethodCapability
from amla_capabilities._paths import parse_path

from ._calls import Call
from ._spell import Spelling

__all__ = ["Entry", "LearnError", "plural", "table_of", "text_of"]


class LearnError(ValueError):
    """No manifest can be learned: the calls contradict each other, or the manifest that declares their tools."""


@dataclass(slots=True)
class Entry:
    """One capability to be: the calls that it was made from, and those that it will decide."""

    tool: str
    limits: ToolLimits
    granted_by: MethodCapability | None
    constraints: Spelling
    rules: ConstraintSet
    from_calls: Sequence[Call]
    decides: list[Call] = field(default_factory=list[Call])


def table_of(entry: Entry, entries: Sequence[Entry]) -> dict[str, Any]:
    """The entry as a table of `[[capabilities]]`; `entries` are all there are."""
    table: dict[str, Any] = {"method": entry.tool}
    if entry.constraints:
        table["constraints"] = entry.constraints
    table["max_calls"] = len(entry.decides)
    if entry.granted_by is not None:
        alone = sum(other.granted_by is entry.granted_by for other in entries) == 1
        table |= _carried(entry, entry.granted_by, alone=alone)
    return {**table, "note": _note(entry)}


def _carried(entry: Entry, capability: MethodCapability, *, alone: bool) -> dict[str, Any]:
    """What the capability that allowed the calls demanded of them besides.

    A rate, and the total of a secret, are taken over as they are, which several entries cannot share.
    """
    table: dict[str, Any] = {}
    if capability.rate is not None and alone:
        table["rate"] = str(capability.rate)
    if capability.approval is not None:
        table["approval"] = capability.approval
    if capability.expires is not None:
        table["expires"] = capability.expires
    if capability.total:
        table["total"] = {
            total.param: total.spelling()
            if entry.limits.covers(parse_path(total.param))
            else f"<={_sum(total.param, entry.decides)}"
            for total in capability.total
        }
    return table


def _sum(param: str, calls: Sequence[Call]) -> str:
    """The sum of an argument, exactly as budgets count it."""
    holder = MethodCapability("**", total={param: f"<={10**300}"})
    policy = Policy([holder])
    for call in calls:
        decision = policy.authorize(call.tool, call.arguments)
        if not decision.allowed:
            raise LearnError(f"{decision.guest_message}, although it happened")
    (state,) = policy.budgets(holder)[0].totals
    return f"{state.used:f}"


def _note(entry: Entry) -> str:
    """How many calls, and how many different values each parameter had."""
    calls = len(entry.from_calls)
    seen: dict[str, set[str]] = {}
    for call in entry.from_calls:
        for name, value in call.arguments.items():
            seen.setdefault(name, set()).add(text_of(value))
    values = ", ".join(f"{name} {len(keys):,}" for name, keys in seen.items())
    return f"learned from {plural(calls)}" + (f"; different values: {values}" if calls > 1 and values else "")


def plural(calls: int) -> str:
    return "1 call" if calls == 1 else f"{calls:,} calls"


def text_of(value: Any) -> str:
    """A value as text to compare: of equal values the same."""
    return json.dumps(value, sort_keys=True, default=dict)
