"""A decision about one call, as a value: what was decided, by which rule, and what would have been needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from amla_capabilities._constraints._failure import Failure
from amla_capabilities._errors import CallLimitExceededError, CapabilityError
from amla_capabilities._grants._capability import MethodCapability

__all__ = ["CODES", "Decision", "Verdict"]

Verdict = Literal["allowed", "denied", "needs-approval"]

CODES = {
    "ALLOWED": "the call may proceed, and was charged if it was authorized",
    "NEEDS_APPROVAL": "a person has to agree first",
    "NOT_APPROVED": "a person was asked and did not agree, or nobody answered in time",
    "BAD_NAME": "the tool's name is malformed",
    "NOT_GRANTED": "no capability names the tool",
    "FORBIDDEN": "the tool's own table says allow = false",
    "PARAMETER_MISSING": "a constraint needs an argument that is absent",
    "TYPE_MISMATCH": "an argument has a type that its constraint cannot judge",
    "CONSTRAINT_VIOLATED": "an argument violates a constraint",
    "CALL_LIMIT": "the calls of a capability or tool are used up",
    "RATE_LIMIT": "the calls of a capability or tool in an interval are used up for now",
    "TOTAL_LIMIT": "the sum of an argument over all calls would become larger than allowed",
    "EXPIRED": "the capability that decides, or the tool's own grant, has expired",
    "RUN_CALL_LIMIT": "the run has made all the calls it may",
    "ATTEMPT_LIMIT": "the run has tried too many calls, refused ones included",
}


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict on one call.

    `capability` is the one that decided: that allowed, asks for approval, has no calls left, or whose constraint
    failed (None when the tool's own limits or the lack of any grant decided). `failure` is the constraint that
    failed, redacted if it is about a secret. `reason` is a sentence for the script, `needed` one for the owner.
    """

    verdict: Verdict
    code: str
    tool: str
    reason: str = ""
    needed: str = ""
    capability: MethodCapability | None = None
    failure: Failure | None = None
    limit: tuple[str, int] | None = None  # whose calls are used up, and how many there were

    @property
    def allowed(self) -> bool:
        return self.verdict == "allowed"

    @property
    def needs_approval(self) -> bool:
        return self.verdict == "needs-approval"

    @property
    def guest_message(self) -> str:
        """What the script is told: the call and the rule that refused it, nothing else of the policy."""
        if self.allowed:
            return f"{self.tool} allowed"
        return f"{self.tool} {'needs approval' if self.needs_approval else 'denied'}: {self.reason}"

    def error(self) -> CapabilityError:
        """The decision as the exception that a host raises for it."""
        if self.code == "CALL_LIMIT" and self.limit is not None:
            return CallLimitExceededError(*self.limit, decision=self)
        error = CapabilityError(self.guest_message, decision=self)
        error.__cause__ = self.failure.error() if self.failure else None
        return error

    def raise_if_refused(self) -> None:
        """Raise `CapabilityError` or `CallLimitExceededError` unless the call is allowed."""
        if not self.allowed:
            raise self.error()
