"""`ConstraintSet`: what all must hold of a call's arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from amla_capabilities._values import Json

from ._constraint import Constraint, checked
from ._failure import Failure
from ._serial import constraint_from_dict

__all__ = ["ConstraintSet"]


class ConstraintSet:
    """Constraints that must all hold; an empty set asks for nothing. Immutable."""

    __slots__ = ("_tests", "constraints")

    constraints: tuple[Constraint, ...]
    _tests: tuple[tuple[Constraint, Callable[[Json], bool]], ...] | None

    def __init__(self, constraints: Iterable[Constraint] = ()) -> None:
        """Raises `ConstraintError` for a member that is no constraint, such as a bare `Param`."""
        object.__setattr__(self, "constraints", tuple(map(checked, constraints)))
        object.__setattr__(self, "_tests", None)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a ConstraintSet cannot be changed (setting {name!r}); build another, or attenuate")

    def is_empty(self) -> bool:
        return not self.constraints

    def holds(self, arguments: Json) -> bool:
        """Whether every constraint is true of the arguments."""
        return all(test(arguments) or part.holds(arguments) for part, test in self._quick())

    def check(self, arguments: Json) -> Failure | None:
        """None when all hold, otherwise why the first that does not, does not."""
        tests = self._tests
        for part, test in self._quick() if tests is None else tests:
            if not test(arguments):
                failure = part.check(arguments)
                if failure is not None:
                    return failure
        return None

    def _quick(self) -> tuple[tuple[Constraint, Callable[[Json], bool]], ...]:
        """Each constraint with a test that says yes only where it holds."""
        if self._tests is None:
            from ._quick import quick

            object.__setattr__(self, "_tests", tuple((part, quick(part)) for part in self.constraints))
        return self._tests or ()

    def evaluate(self, arguments: Json) -> None:
        """Raise `MissingParamError`, `TypeMismatchError` or `ViolationError` unless all hold."""
        failure = self.check(arguments)
        if failure is not None:
            raise failure.error()

    def attenuate(self, more: Iterable[Constraint]) -> ConstraintSet:
        """This set with further constraints: never wider than it."""
        return ConstraintSet((*self.constraints, *more))

    def subsumes(self, narrower: ConstraintSet) -> bool:
        """Whether everything that `narrower` allows, this allows. Raises `UndecidableError` when neither is shown."""
        from amla_capabilities._algebra._algebra import implies

        return implies(narrower.constraints, self.constraints)

    def is_unsatisfiable(self) -> bool:
        """Whether no arguments can meet the set. Raises `UndecidableError` when neither is shown."""
        from amla_capabilities._algebra._algebra import unsatisfiable

        return unsatisfiable(self.constraints)

    def is_disjoint(self, other: ConstraintSet) -> bool:
        """Whether no arguments can meet both sets. Raises `UndecidableError` when neither is shown."""
        return self.attenuate(other).is_unsatisfiable()

    def to_list(self) -> list[dict[str, Any]]:
        """The set as JSON; `from_list` reads it back equal."""
        return [constraint.to_dict() for constraint in self.constraints]

    @staticmethod
    def from_list(data: Iterable[object]) -> ConstraintSet:
        return ConstraintSet(map(constraint_from_dict, data))

    def to_mapping(self) -> dict[str, Any]:
        """The set as manifests and `constraints={...}` spell it; `constraints_from_dict` reads it back equal."""
        from ._spelled import spelled

        return spelled(self)

    def __iter__(self) -> Iterator[Constraint]:
        return iter(self.constraints)

    def __len__(self) -> int:
        return len(self.constraints)

    def __eq__(self, other: object) -> bool:
        """Whether both have the same members, in whichever order; that only says which refusal is told first."""
        if not isinstance(other, ConstraintSet):
            return NotImplemented
        return self.constraints == other.constraints or frozenset(self.constraints) == frozenset(other.constraints)

    def __hash__(self) -> int:
        return hash(frozenset(self.constraints))

    def __str__(self) -> str:
        return " & ".join(f"({part})" if " & " in str(part) or " | " in str(part) else str(part) for part in self)

    def __repr__(self) -> str:
        return f"<ConstraintSet {str(self) or 'empty'}>"
