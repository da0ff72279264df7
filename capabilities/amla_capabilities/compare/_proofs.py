"""Questions about constraints and patterns, asked of the algebra: remembered, and bounded in number.

What cannot be decided counts as not proved; so does everything once a hostile manifest has asked too much.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from amla_capabilities._algebra import implies, unsatisfiable
from amla_capabilities._capability import MethodCapability
from amla_capabilities._constraint import Constraint
from amla_capabilities._errors import UndecidableError
from amla_capabilities._patterns import is_literal, pattern_is_subset, patterns_overlap

__all__ = ["Proofs", "server_of"]

_MAX_QUESTIONS = 5_000  # arbitrary: a manifest in earnest asks some hundreds, and the hardest takes milliseconds


class Proofs:
    """The answers so far."""

    def __init__(self) -> None:
        self._answers: dict[Hashable, bool | None] = {}

    def implied(self, narrow: Sequence[Constraint], wide: Sequence[Constraint]) -> bool | None:
        """Whether arguments that meet `narrow` always meet `wide`; None if that is not known."""
        if not wide:
            return True
        return self._ask((tuple(narrow), tuple(wide)), lambda: implies(narrow, wide))

    def impossible(self, constraints: Sequence[Constraint]) -> bool:
        """Whether it is proved that no arguments meet the constraints."""
        return bool(constraints) and self._ask(tuple(constraints), lambda: unsatisfiable(constraints)) is True

    def covers(self, capability: MethodCapability, names: str) -> bool:
        """Whether a capability names every tool that a path, or a pattern within one MCP server, names."""
        if is_literal(names):
            return capability.names(names)
        if not _reaches(capability, names):
            return False
        pattern = capability.method_pattern
        return self._ask(("covers", names, pattern), lambda: pattern_is_subset(names, pattern)) is True

    def overlaps(self, capability: MethodCapability, names: str) -> bool:
        """Whether a capability may name some of them."""
        if is_literal(names):
            return capability.names(names)
        if not _reaches(capability, names):
            return False
        pattern = capability.method_pattern
        return self._ask(("overlaps", names, pattern), lambda: patterns_overlap(names, pattern)) is not False

    def _ask(self, key: Hashable, question: Callable[[], bool]) -> bool | None:
        if key not in self._answers:
            if len(self._answers) >= _MAX_QUESTIONS:
                return None
            try:
                self._answers[key] = question()
            except UndecidableError:
                self._answers[key] = None
        return self._answers[key]


def server_of(names: str) -> str:
    """The first segment: of a tool of an MCP server, the server's name."""
    return names.partition("/")[0]


def _reaches(capability: MethodCapability, names: str) -> bool:
    return capability.scope is None or server_of(names) in capability.scope.servers
