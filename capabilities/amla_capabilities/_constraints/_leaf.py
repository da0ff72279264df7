"""Leaves: constraints that look at what one path reaches."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

from amla_capabilities._errors import ConstraintError
from amla_capabilities._paths import EVERY, Step, path_text
from amla_capabilities._values import Json, as_list, show, type_name

from ._constraint import Constraint
from ._failure import Failure, Notes, first_true
from ._operators import OPERATORS, Operator, RefusedValue, operator_named

__all__ = ["MEASURED", "Each", "Leaf", "Pathed", "type_problem"]

MEASURED = frozenset({"string", "array", "object"})  # what has a length: characters, elements, keys
_PRESENCE = ("exists", "not_exists")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Pathed(Constraint):
    """A constraint about what a path reaches; when `optional`, it holds where that is missing."""

    path: tuple[Step, ...]
    optional: bool

    def judge(self, value: Json, at: tuple[Step, ...], negated: bool, notes: Notes) -> bool:
        return self._follow(value, 0, at, negated, notes)

    def _follow(self, value: Json, depth: int, at: tuple[Step, ...], negated: bool, notes: Notes) -> bool:
        for index in range(depth, len(self.path)):
            step = self.path[index]
            wanted = "object" if isinstance(step, str) else "array"
            if type_name(value) != wanted:
                return self._mismatch(value, frozenset({wanted}), at, notes)
            if step is None:  # EVERY
                return self._every(value, index + 1, at, negated, notes)
            at = (*at, step)
            if step not in value if isinstance(step, str) else step >= len(value):
                return self._missing(at, negated, notes)
            value = value[step]
        return self._arrive(value, at, negated, notes)

    def _every(self, items: Json, depth: int, at: tuple[Step, ...], negated: bool, notes: Notes) -> bool:
        results = (self._follow(item, depth, (*at, n), negated, notes) for n, item in enumerate(items))
        if not negated:
            return all(results)
        return first_true(results, notes) or (not items and self._violated(items, at, negated, notes))

    @abstractmethod
    def _arrive(self, value: Json, at: tuple[Step, ...], negated: bool, notes: Notes) -> bool:
        """Judge what the path reached."""

    def _missing(self, at: tuple[Step, ...], negated: bool, notes: Notes) -> bool:  # noqa: ARG002
        return self._without(at, notes)

    def _mismatch(self, value: Json, accepted: frozenset[str], at: tuple[Step, ...], notes: Notes) -> bool:
        if notes is not None:
            self._refuse("type", type_problem(value, accepted, str(self)), value, at, notes)
        return False

    def _without(self, at: tuple[Step, ...], notes: Notes) -> bool:
        if notes is not None and not self.optional:
            self._refuse("missing", f"is missing; {self} needs it", None, at, notes)
        return self.optional

    def _violated(self, value: Json, at: tuple[Step, ...], negated: bool, notes: Notes) -> bool:
        if notes is not None:
            rule = f"not ({self})" if negated else str(self)
            self._refuse("violation", f"{show(value)} violates {rule}", value, at, notes)
        return False

    def _refuse(self, kind: str, what: str, actual: Json, at: tuple[Step, ...], notes: Notes) -> bool:
        if notes is not None:
            path = path_text(at) or "the argument"
            notes.append(Failure(kind, path, str(self), actual, f"{path} {what}", at))
        return False


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Leaf(Pathed):
    """One comparison: what `path` reaches (or its length), an operator, an operand."""

    operator: Operator
    operand: Json
    of_length: bool
    accepted: frozenset[str]  # JSON types that it can judge

    @staticmethod
    def build(
        name: str, path: tuple[Step, ...], operand: object = None, *, optional: bool = False, of_length: bool = False
    ) -> Leaf:
        """The leaf with a checked operand. Raises `ConstraintError`, naming the constraint."""
        operator = operator_named(name)
        subject = _subject(path, of_length)
        if name in _PRESENCE and (optional or of_length):
            raise ConstraintError(f"{subject} {operator.symbol}: neither 'optional' nor '.length' goes with presence")
        try:
            plain = operator.read(operand)
        except ConstraintError as error:
            raise ConstraintError(f"{subject} {operator.symbol}: {error}") from None
        if of_length and "number" not in operator.accepts(plain):
            raise ConstraintError(f"{subject} is a number, which {operator.symbol!r} cannot judge")
        return Leaf(path, optional, operator, plain, of_length, MEASURED if of_length else operator.accepts(plain))

    def _arrive(self, value: Json, at: tuple[Step, ...], negated: bool, notes: Notes) -> bool:
        if type_name(value) not in self.accepted:
            return self._mismatch(value, self.accepted, at, notes)
        try:
            verdict = self.operator.test(len(value) if self.of_length else value, self.operand)
        except RefusedValue as reason:
            what = f"{show(value)} violates {self}: it {reason}" if notes is not None else ""
            return self._refuse("violation", what, value, at, notes)
        return verdict is not negated or self._violated(value, at, negated, notes)

    def weight(self) -> int:
        return 1 + len(as_list(self.operand) or ())

    def _missing(self, at: tuple[Step, ...], negated: bool, notes: Notes) -> bool:
        if self.operator.name not in _PRESENCE:
            return self._without(at, notes)
        absent_holds = (self.operator.name == "not_exists") is not negated
        return absent_holds or self._refuse("missing", "is missing and must be given", None, at, notes)

    def negation(self) -> Leaf | None:
        """The leaf that is true exactly where this one is false, if there is one."""
        if self.operator.opposite is None or EVERY in self.path:
            return None
        opposite = OPERATORS[self.operator.opposite]  # which judges the same types
        return Leaf(self.path, self.optional, opposite, self.operand, self.of_length, self.accepted)

    def __str__(self) -> str:
        text = f"{_subject(self.path, self.of_length)} {self.operator.symbol}"
        return text if self.operator.name in _PRESENCE else f"{text} {show(self.operand)}"

    def to_dict(self) -> dict[str, Any]:
        data: dict[str, Any] = {"type": self.operator.name, "param": path_text(self.path)}
        if self.operator.name not in _PRESENCE:
            data["value"] = self.operand
        return data | ({"length": True} if self.of_length else {}) | ({"optional": True} if self.optional else {})


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Each(Pathed):
    """Every element of the array at `path` meets `constraint`, whose paths start at the element."""

    constraint: Constraint

    def _arrive(self, value: Json, at: tuple[Step, ...], negated: bool, notes: Notes) -> bool:
        if type_name(value) != "array":
            return self._mismatch(value, frozenset({"array"}), at, notes)
        results = (self.constraint.judge(item, (*at, n), negated, notes) for n, item in enumerate(value))
        if not negated:
            return all(results)
        return first_true(results, notes) or (not value and self._violated(value, at, negated, notes))

    def weight(self) -> int:
        return 1 + self.constraint.weight()

    def __str__(self) -> str:
        return f"each of {_subject(self.path, False)} has ({self.constraint})"

    def to_dict(self) -> dict[str, Any]:
        data = {"type": "each", "param": path_text(self.path), "constraint": self.constraint.to_dict()}
        return data | ({"optional": True} if self.optional else {})


def _subject(path: tuple[Step, ...], of_length: bool) -> str:
    name = path_text(path)
    if of_length:
        return f"{name}.length" if name else "length"
    return name or "it"


def type_problem(value: Json, accepted: frozenset[str], rule: str) -> str:
    """The end of a sentence: the value has a type that the rule cannot judge."""
    shown = "null" if value is None else f"the {type_name(value)} {show(value)}"
    needed = " or ".join(f"{'an' if name[0] in 'ao' else 'a'} {name}" for name in sorted(accepted))
    return f"is {shown}; {rule} needs {needed}"
