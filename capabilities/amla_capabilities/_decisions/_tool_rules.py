"""`ToolRules`: what a policy says of one tool, put together once, since calls of one tool come many times."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from amla_capabilities._budgets._debits import Debits
from amla_capabilities._constraints._failure import Failure
from amla_capabilities._grants._capability import MethodCapability

from ._decision import Decision
from ._tool_limits import ToolLimits

__all__ = ["Grant", "ToolRules", "refused"]

_FAILURE_CODES = {"missing": "PARAMETER_MISSING", "type": "TYPE_MISMATCH", "violation": "CONSTRAINT_VIOLATED"}
_FORBIDDEN = "the tool's table says allow = false; remove that line to let capabilities grant it"


class Grant:
    """A capability as it grants one tool."""

    __slots__ = ("approved", "capability", "debits", "decision")

    def __init__(self, path: str, limits: ToolLimits, capability: MethodCapability) -> None:
        self.capability = capability
        self.approved = Decision("allowed", "ALLOWED", path, capability=capability)
        """The decision about a call that it fits and a person has agreed to, if nothing else speaks against it."""
        self.decision = _ask(path, capability) if "ask" in (capability.approval, limits.approval) else self.approved
        """The decision before a person was asked."""
        self.debits: Debits | None = None
        """What such a call is charged to; put together when the first comes."""


class ToolRules:
    """A tool's own limits, and in order the capabilities that name it."""

    __slots__ = ("grants", "limits", "path")

    def __init__(self, path: str, limits: ToolLimits, capabilities: Iterable[MethodCapability]) -> None:
        self.path = path
        self.limits = limits
        self.grants = tuple(Grant(path, limits, capability) for capability in capabilities)

    def judge(self, arguments: Mapping[str, Any]) -> Grant | Decision:
        """The grant that decides about a call, or its refusal, as far as names and constraints go."""
        limits = self.limits
        if not limits.allow:
            return Decision("denied", "FORBIDDEN", self.path, "the owner forbids this tool", _FORBIDDEN)
        failure = limits.constraints.check(arguments)
        if failure is not None:
            return refused(self.path, failure, limits, None)
        first: tuple[MethodCapability, Failure] | None = None
        others = 0
        for grant in self.grants:
            constraints = grant.capability.constraints
            if first is None:
                failure = constraints.check(arguments)
                if failure is None:
                    return grant
                first = (grant.capability, failure)
            elif constraints.holds(arguments):
                return grant
            else:
                others += 1
        if first is not None:
            return refused(self.path, first[1], limits, first[0], others)
        return Decision("denied", "NOT_GRANTED", self.path, "no capability grants this tool", _grant_line(self.path))


def refused(
    path: str, failure: Failure, limits: ToolLimits, capability: MethodCapability | None, others: int = 0
) -> Decision:
    """The refusal of a call that fails a constraint; `others` is how many further grants do not fit either."""
    shown = failure.redacted(limits.hides)
    also = f" ({others} other {'grant' if others == 1 else 'grants'} of this tool failed too)" if others else ""
    needed = f"{shown.path} must meet {shown.constraint}"
    return Decision("denied", _FAILURE_CODES[failure.kind], path, shown.message + also, needed, capability, shown)


def _grant_line(path: str) -> str:
    return f'add allow = true under [tools."{path}"], or [[capabilities]] with method = "{path}"'


def _ask(path: str, capability: MethodCapability) -> Decision:
    return Decision(
        "needs-approval",
        "NEEDS_APPROVAL",
        path,
        "a person has to approve this call",
        'approve it, or remove approval = "ask"',
        capability,
    )
