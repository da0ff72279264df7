"""Questions about constraints and patterns, asked of the algebra: remembered, and bounded in what they take.

What cannot be decided counts as not proved. A hostile manifest that asks too much ends the comparison.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from amla_capabilities._algebra._algebra import Effort, implies, unsatisfiable
from amla_capabilities._constraints._constraint import Constraint
from amla_capabilities._errors import UndecidableError
from amla_capabilities._grants._capability import MethodCapability
from amla_capabilities._patterns import is_literal, pattern_is_subset, patterns_overlap

__all__ = ["Proofs", "server_of"]

# Arbitrary: 150 tools that all changed, with two grants each, take half of it, in two seconds.
_MAX_EFFORT = 4_000_000
_MAX_FOR_ONE = 1_000_000
_QUESTION = 10  # steps of remembering and looking up an answer
_PATTERN = 2_000  # steps of comparing two patterns


class Proofs:
    """The answers so far. Every method raises `EffortError` once they have taken all the effort that they may."""

    def __init__(self) -> None:
        self._answers: dict[Hashable, bool | None] = {}
        self._effort = Effort(_MAX_EFFORT)

    def implied(self, narrow: Sequence[Constraint], wide: Sequence[Constraint]) -> bool | None:
        """Whether arguments that meet `narrow` always meet `wide`; None if that is not known."""
        if not wide:
            return True
        return self._ask((tuple(narrow), tuple(wide)), lambda effort: implies(narrow, wide, effort))

    def impossible(self, constraints: Sequence[Constraint]) -> bool:
        """Whether it is proved that no arguments meet the constraints."""
        if not constraints:
            return False
        return self._ask((tuple(constraints), None), lambda effort: unsatisfiable(constraints, effort)) is True

    def covers(self, capability: MethodCapability, names: str) -> bool:
        """Whether a capability names every tool that a path, or a pattern within one MCP server, names."""
        if is_literal(names):
            return self._names(capability, names)
        if not _reaches(capability, names):
            return False
        pattern = capability.method_pattern
        return self._ask(("covers", names, pattern), _patterns(pattern_is_subset, names, pattern)) is True

    def overlaps(self, capability: MethodCapability, names: str) -> bool:
        """Whether a capability may name some of them."""
        if is_literal(names):
            return self._names(capability, names)
        if not _reaches(capability, names):
            return False
        pattern = capability.method_pattern
        return self._ask(("overlaps", names, pattern), _patterns(patterns_overlap, names, pattern)) is not False

    def _names(self, capability: MethodCapability, path: str) -> bool:
        self._effort.spend(_QUESTION)
        return capability.names(path)

    def _ask(self, key: tuple[Hashable, ...], question: Callable[[Effort], bool]) -> bool | None:
        self._effort.spend(_QUESTION)
        if key not in self._answers:
            effort = Effort(_MAX_FOR_ONE)
            try:
                self._answers[key] = question(effort)
            except UndecidableError:
                self._answers[key] = None
            self._effort.spend(effort.spent)
        return self._answers[key]


def _patterns(relation: Callable[[str, str], bool], one: str, other: str) -> Callable[[Effort], bool]:
    return lambda effort: effort.spend(_PATTERN) and relation(one, other)


def server_of(names: str) -> str:
    """The first segment: of a tool of an MCP server, the server's name."""
    return names.partition("/")[0]


def _reaches(capability: MethodCapability, names: str) -> bool:
    return capability.scope is None or server_of(names) in capability.scope.servers
