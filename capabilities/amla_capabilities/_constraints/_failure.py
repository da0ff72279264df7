"""Why a constraint did not hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final

from amla_capabilities._errors import ConstraintError, MissingParamError, TypeMismatchError, ViolationError
from amla_capabilities._paths import Step
from amla_capabilities._values import Json

__all__ = ["REDACTED", "Failure", "Notes", "first_true", "joined"]

REDACTED: Final = "(secret)"


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a constraint did not hold.

    `kind` is "missing", "type" or "violation"; `path` where in the arguments, `actual` what was there (None when
    missing), `constraint` what it had to meet, both as text for people; `message` is one sentence for the script.
    """

    kind: str
    path: str
    constraint: str
    actual: Json
    message: str
    steps: tuple[Step, ...] = ()
    parts: tuple[Failure, ...] = ()  # one for each alternative, where several were open and none holds

    def error(self) -> ConstraintError:
        """The same as an exception: `MissingParamError`, `TypeMismatchError` or `ViolationError`."""
        kinds = {"missing": MissingParamError, "type": TypeMismatchError}
        return kinds.get(self.kind, ViolationError)(self.message)

    def redacted(self, hides: Callable[[tuple[Step, ...]], bool]) -> Failure:
        """The same without what concerns secret places: neither value nor operand."""
        if self.parts:
            return joined([part.redacted(hides) for part in self.parts], self.constraint)
        if not hides(self.steps):
            return self
        return replace(self, actual=REDACTED, constraint=REDACTED, message=f"{self.path} violates its constraint")


def joined(failures: list[Failure], constraint: str) -> Failure:
    """One failure for the failures of several alternatives; a single one stands for itself."""
    first = failures[0]
    if len(failures) == 1:
        return first
    shown = REDACTED if any(part.constraint == REDACTED for part in failures) else constraint
    message = "none of the alternatives holds: " + "; ".join(part.message for part in failures)
    return Failure(first.kind, first.path, shown, first.actual, message, first.steps, tuple(failures))


Notes = list[Failure] | None  # where a refused constraint writes its reasons, when someone wants them


def first_true(results: Iterable[bool], notes: Notes) -> bool:
    """Whether any of the lazily computed results is true; if so, the reasons the others noted are dropped."""
    mark = 0 if notes is None else len(notes)
    found = any(results)
    if found and notes is not None:
        del notes[mark:]
    return found
