"""The errors of this package.

Each is also the builtin it resembles, so a caller who knows nothing of capabilities still catches it sensibly:
a denial is a `PermissionError`, a malformed name, pattern, constraint or manifest a `ValueError`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._decisions._decision import Decision

__all__ = [
    "CallLimitExceededError",
    "CapabilityError",
    "ConstraintError",
    "MissingParamError",
    "PatternError",
    "ToolNameError",
    "TypeMismatchError",
    "UndecidableError",
    "ViolationError",
]


class CapabilityError(PermissionError):
    """A call that the policy refused.

    `decision` holds the whole verdict when a policy made it, `code` its stable code.
    """

    def __init__(self, message: str, *, decision: Decision | None = None) -> None:
        super().__init__(message)
        self.decision = decision

    @property
    def code(self) -> str:
        return self.decision.code if self.decision else "DENIED"


class CallLimitExceededError(CapabilityError):
    """A call beyond `max_calls` of a capability or tool; `capability_key` names which."""

    def __init__(self, capability_key: str, max_calls: int, *, decision: Decision | None = None) -> None:
        super().__init__(f"call limit exceeded: {capability_key} allows {max_calls} calls", decision=decision)
        self.capability_key = capability_key
        self.max_calls = max_calls


class ConstraintError(ValueError):
    """A constraint that cannot be built or read, or (its subclasses) that arguments do not meet."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class MissingParamError(ConstraintError, KeyError):
    """The argument that a constraint speaks of is absent."""


class TypeMismatchError(ConstraintError, TypeError):
    """The argument has a type that the constraint cannot judge; nothing is ever converted."""


class ViolationError(ConstraintError):
    """The argument has the right type and the wrong value."""


class ToolNameError(ValueError):
    """A tool name that is malformed, or that another tool's spelling would shadow."""


class PatternError(ValueError):
    """A tool pattern that is malformed."""


class UndecidableError(ValueError):
    """A question about two constraints or patterns that could be neither proved nor refuted.

    Treat it as "no": a right that is not proved narrower must be assumed wider.
    """
