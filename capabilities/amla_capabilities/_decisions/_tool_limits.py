"""`ToolLimits`: what a tool's own table demands of every call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from amla_capabilities._budgets._bounds import Rate, Total, check_max_calls, expiry, rate_from, totals_from
from amla_capabilities._constraints._constraint import Constraint
from amla_capabilities._constraints._constraint_set import ConstraintSet
from amla_capabilities._grants._capability import Approval, check_approval, constraint_set
from amla_capabilities._paths import Step, parse_path

if TYPE_CHECKING:
    from datetime import datetime

__all__ = ["ToolLimits"]


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

    def covers(self, steps: tuple[Step, ...]) -> bool:
        """Whether a place in the arguments is, or lies in, a secret parameter."""
        paths = map(parse_path, self.secret)
        return any(len(path) <= len(steps) and _related(path, steps) for path in paths)


def _related(first: tuple[Step, ...], second: tuple[Step, ...]) -> bool:
    """Whether one path leads into the other, `[*]` standing for every index."""
    return all(a == b or (None in (a, b) and not isinstance(a or b, str)) for a, b in zip(first, second, strict=False))
