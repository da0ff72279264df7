"""Constraints made of constraints: all of, any of, not, when."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from amla_capabilities._paths import Step
from amla_capabilities._values import Json

from ._constraint import Constraint
from ._failure import Notes, first_true
from ._leaf import Pathed

__all__ = ["AllOf", "AnyOf", "Not", "When"]


def _every(constraints: tuple[Constraint, ...], value: Json, at: tuple[Step, ...], negated: bool, notes: Notes) -> bool:
    return all(part.judge(value, at, negated, notes) for part in constraints)


def _some(constraints: tuple[Constraint, ...], value: Json, at: tuple[Step, ...], negated: bool, notes: Notes) -> bool:
    return first_true((part.judge(value, at, negated, notes) for part in constraints), notes)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AllOf(Constraint):
    """Every part holds."""

    constraints: tuple[Constraint, ...]

    @staticmethod
    def of(*parts: Constraint) -> AllOf:
        """The conjunction, flat."""
        return AllOf(
            tuple(inner for part in parts for inner in (part.constraints if isinstance(part, AllOf) else [part]))
        )

    def judge(self, value: Json, at: tuple[Step, ...], negated: bool, notes: Notes) -> bool:
        return (_some if negated else _every)(self.constraints, value, at, negated, notes)

    def weight(self) -> int:
        return sum(part.weight() for part in self.constraints)

    def __str__(self) -> str:
        return " & ".join(map(_grouped, self.constraints))

    def to_dict(self) -> dict[str, Any]:
        return {"type": "all", "constraints": [part.to_dict() for part in self.constraints]}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AnyOf(Constraint):
    """At least one part holds."""

    constraints: tuple[Constraint, ...]

    @staticmethod
    def of(*parts: Constraint) -> AnyOf:
        """The disjunction, flat."""
        return AnyOf(
            tuple(inner for part in parts for inner in (part.constraints if isinstance(part, AnyOf) else [part]))
        )

    def judge(self, value: Json, at: tuple[Step, ...], negated: bool, notes: Notes) -> bool:
        return (_every if negated else _some)(self.constraints, value, at, negated, notes)

    def weight(self) -> int:
        return sum(part.weight() for part in self.constraints)

    def __str__(self) -> str:
        return " | ".join(map(_grouped, self.constraints))

    def to_dict(self) -> dict[str, Any]:
        return {"type": "any", "constraints": [part.to_dict() for part in self.constraints]}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Not(Constraint):
    """The part is false; where it is a fault, so is this."""

    constraint: Constraint

    @staticmethod
    def of(part: Constraint) -> Constraint:
        """The negation, without a double one."""
        return part.constraint if isinstance(part, Not) else Not(part)

    def judge(self, value: Json, at: tuple[Step, ...], negated: bool, notes: Notes) -> bool:
        return self.constraint.judge(value, at, not negated, notes)

    def weight(self) -> int:
        return self.constraint.weight()

    def __str__(self) -> str:
        return f"not ({self.constraint})"

    def to_dict(self) -> dict[str, Any]:
        return {"type": "not", "constraint": self.constraint.to_dict()}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class When(Constraint):
    """`constraint` holds, or `condition` is false: `~condition | constraint`."""

    condition: Constraint
    constraint: Constraint

    def judge(self, value: Json, at: tuple[Step, ...], negated: bool, notes: Notes) -> bool:
        condition, wanted = self.condition.judge, self.constraint.judge
        if negated:
            return condition(value, at, False, notes) and wanted(value, at, True, notes)
        if condition(value, at, True, None) or wanted(value, at, False, notes):
            return True
        self._add_condition(notes)
        return False

    def _add_condition(self, notes: Notes) -> None:
        if notes:
            last = notes[-1]
            notes[-1] = replace(last, message=f"{last.message} (required when {self.condition})")

    def weight(self) -> int:
        return self.condition.weight() + self.constraint.weight()

    def __str__(self) -> str:
        return f"({self.constraint}) when ({self.condition})"

    def to_dict(self) -> dict[str, Any]:
        return {"type": "when", "condition": self.condition.to_dict(), "constraint": self.constraint.to_dict()}


def _grouped(part: Constraint) -> str:
    return str(part) if isinstance(part, Pathed | Not) else f"({part})"
