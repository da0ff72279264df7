"""Constraints on the arguments of a call, and what it means that they hold.

A leaf (`amount <= 10`) is true, false or a fault: its argument is missing, has a type it cannot judge, or is a value
it will not judge. `~fault` is a fault; `&`, `|`, `when` and `each` follow strong Kleene logic; only true allows (R11).

Evaluation pushes negation down to the leaves. What remains is free of negation, so "true" can be computed with plain
booleans in which a fault counts as not true: that is exactly strong Kleene truth, and one matcher answers both
"may I?" and, handed a list to write refusals into, "why not?".
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any

from amla_capabilities._errors import ConstraintError
from amla_capabilities._paths import Step, parse_path
from amla_capabilities._values import Json

from ._failure import Failure, Notes, joined

__all__ = ["Constraint", "checked"]


class Constraint(ABC):
    """A condition on arguments. Combine with `&`, `|`, `~` and `.when()`; never with `and`, `or`, `not` (R12)."""

    __slots__ = ("_written",)

    _written: str
    """The key, once it was asked for: what a constraint says does not change."""

    @abstractmethod
    def judge(self, value: Json, at: tuple[Step, ...], negated: bool, notes: Notes) -> bool:
        """Whether this (or, `negated`, its negation) is true of `value`, which stands at `at` in the arguments.

        When not, and `notes` is a list, the reasons are appended to it.
        """

    def weight(self) -> int:
        """How many comparisons it takes to judge arguments, arrays in them aside."""
        return 1

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """The constraint as JSON; `Constraint.from_dict` reads it back equal."""

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Constraint:
        """The constraint that `to_dict` described. Raises `ConstraintError` on anything unknown."""
        from ._serial import constraint_from_dict

        return constraint_from_dict(data)

    def holds(self, arguments: Json) -> bool:
        """Whether the constraint is true of the arguments; only then may a call proceed."""
        return self.judge(arguments, (), False, None)

    def verdict(self, arguments: Json) -> bool | None:
        """True, False, or None for a fault. (An optional leaf whose argument is missing is true both ways round.)"""
        if self.holds(arguments):
            return True
        return False if self.judge(arguments, (), True, None) else None

    def check(self, arguments: Json) -> Failure | None:
        """None when the constraint holds, otherwise why it does not."""
        notes: list[Failure] = []
        if self.judge(arguments, (), False, notes):
            return None
        return notes[0] if len(notes) == 1 else joined(notes, str(self))

    def evaluate(self, arguments: Json) -> None:
        """Raise `MissingParamError`, `TypeMismatchError` or `ViolationError` unless the constraint holds."""
        failure = self.check(arguments)
        if failure is not None:
            raise failure.error()

    def when(self, condition: Constraint) -> Constraint:
        """This constraint, demanded only where `condition` is true; where it is a fault this must hold."""
        from ._logic import When

        return When(checked(condition), self)

    def __and__(self, other: Constraint) -> Constraint:
        from ._logic import AllOf

        return AllOf.of(self, checked(other))

    def __or__(self, other: Constraint) -> Constraint:
        from ._logic import AnyOf

        return AnyOf.of(self, checked(other))

    def __invert__(self) -> Constraint:
        from ._logic import Not

        return Not.of(self)

    def __eq__(self, other: object) -> bool:
        """Whether both are written alike (equal as text, not merely in meaning; 1, 1.0 and true differ)."""
        return self._key() == other._key() if isinstance(other, Constraint) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> str:
        try:
            return self._written
        except AttributeError:
            import json

            object.__setattr__(self, "_written", json.dumps(self.to_dict(), sort_keys=True))
            return self._written

    def __repr__(self) -> str:
        return f"<Constraint {self}>"

    def __bool__(self) -> bool:
        raise ConstraintError(
            f"a constraint has no truth value until a call is judged ({self}): use & | ~ instead of and, or, not, "
            "and write a range as (P >= 100) & (P <= 1000)"
        )

    # The same leaves by name, for those who prefer it to `Param`.

    @staticmethod
    def _leaf(name: str, param: str, operand: object = None) -> Constraint:
        from ._leaf import Leaf

        return Leaf.build(name, parse_path(param), operand)

    @staticmethod
    def le(param: str, value: object) -> Constraint:
        return Constraint._leaf("le", param, value)

    @staticmethod
    def lt(param: str, value: object) -> Constraint:
        return Constraint._leaf("lt", param, value)

    @staticmethod
    def ge(param: str, value: object) -> Constraint:
        return Constraint._leaf("ge", param, value)

    @staticmethod
    def gt(param: str, value: object) -> Constraint:
        return Constraint._leaf("gt", param, value)

    @staticmethod
    def eq(param: str, value: object) -> Constraint:
        return Constraint._leaf("eq", param, value)

    @staticmethod
    def ne(param: str, value: object) -> Constraint:
        return Constraint._leaf("ne", param, value)

    @staticmethod
    def is_in(param: str, values: Iterable[object]) -> Constraint:
        return Constraint._leaf("is_in", param, values)

    @staticmethod
    def not_in(param: str, values: Iterable[object]) -> Constraint:
        return Constraint._leaf("not_in", param, values)

    @staticmethod
    def starts_with(param: str, prefix: str) -> Constraint:
        return Constraint._leaf("starts_with", param, prefix)

    @staticmethod
    def ends_with(param: str, suffix: str) -> Constraint:
        return Constraint._leaf("ends_with", param, suffix)

    @staticmethod
    def contains(param: str, part: object) -> Constraint:
        return Constraint._leaf("contains", param, part)

    @staticmethod
    def exists(param: str) -> Constraint:
        return Constraint._leaf("exists", param)

    @staticmethod
    def not_exists(param: str) -> Constraint:
        return Constraint._leaf("not_exists", param)


def checked(value: object) -> Constraint:
    """`value` if it is a constraint. Raises `ConstraintError` saying what was probably meant."""
    if isinstance(value, Constraint):
        return value
    raise ConstraintError(f"{value!r} is not a constraint; write for example Param('amount') <= 100")
