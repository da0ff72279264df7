"""Capabilities that reach the same tools: whether one can be had instead of another (R5).

The first capability in file order whose pattern and constraints fit a call decides it. For a tool that two of them
name there are three cases. The earlier one fits every call of it: the later one never decides. No call fits both: each
has calls of its own. Otherwise the arguments choose, and what either demands beyond the other can be avoided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from amla_capabilities._algebra._algebra import Effort, implies, unsatisfiable
from amla_capabilities._algebra._apart import plainly_apart
from amla_capabilities._constraints._constraint import Constraint
from amla_capabilities._errors import UndecidableError
from amla_capabilities._grants._capability import MethodCapability
from amla_capabilities._patterns import pattern_is_subset, patterns_overlap
from amla_capabilities.findings import Finding
from amla_capabilities.manifest import Tool
from amla_capabilities.manifest._facts import facts

from ._kept import lost_limits
from ._subject import Subject

__all__ = ["overlaps"]

# Arbitrary, so that a hostile manifest does not keep a check busy: pairs of capabilities that name one tool, where one
# that needs the algebra, which takes milliseconds, counts for many; and the steps of its proofs.
_MAX_PAIRS = 200_000
_WEIGHT = 100
_MAX_EFFORT = 10_000_000


def overlaps(subject: Subject) -> Iterator[Finding]:
    """AM202, AM209, AM218 and AM220."""
    effort = Effort(_MAX_EFFORT)
    known: _Answers = {}
    spent = 0
    for n, later in enumerate(subject.manifest.capabilities):
        for earlier in _rivals(subject, n):
            apart = plainly_apart(earlier.constraints, later.constraints)
            spent += _WEIGHT if earlier.constraints and not apart else 1
            if spent > _MAX_PAIRS:
                yield subject.at("AM220", later, "too many capabilities name the same tools to compare each with each")
                return
            found = None if apart else _Pair(subject, earlier, later, effort, known).finding()
            if found is not None:
                yield found
                break  # one finding for a capability is enough to look at


def _rivals(subject: Subject, n: int) -> Iterator[MethodCapability]:
    """The `[[capabilities]]` before the nth capability that may decide a call that it names, too, in order."""
    later = subject.manifest.capabilities[n]
    of_tools = {place for tool in subject.named[later] for place in subject.rivals[tool.path].before(n)}
    of_servers = {place for server in subject.servers(later) for place in subject.reaching[server] if place < n}
    for place in sorted(of_tools | of_servers):
        earlier = subject.explicit[place]
        if place in of_tools or _overlap(earlier, later):
            yield earlier


def _overlap(one: MethodCapability, other: MethodCapability) -> bool:
    return _decided(lambda: patterns_overlap(one.method_pattern, other.method_pattern), True)


def _decided(question: Callable[[], bool], otherwise: bool) -> bool:
    try:
        return question()
    except UndecidableError:
        return otherwise


_Answers = dict[tuple[tuple[Constraint, ...], tuple[Constraint, ...]], bool]  # whether one set implies the other


@dataclass(frozen=True)
class _Pair:
    """Two capabilities that name a tool in common."""

    subject: Subject
    earlier: MethodCapability
    later: MethodCapability
    effort: Effort
    known: _Answers

    def finding(self) -> Finding | None:
        shared = [tool for tool in self.subject.named[self.later] if self.earlier.names(tool.path)]
        places: list[Tool | None] = [*shared]
        if set(self.subject.servers(self.later)) & set(self.subject.servers(self.earlier)):
            places.append(None)  # tools of a server: neither their names nor their schemas are known
        covered = [place for place in places if self._covers(place)]
        for place in places:
            if place not in covered and not self._apart(place):
                return self._avoidable(place)
        if len(covered) == len(places) and self._names_all():
            return self._unreached(covered)
        unasked = [place for place in covered if "approval" in self._lost(place, self.earlier, self.later)]
        return self._excepted(unasked[0]) if unasked else None

    # The relation between the two, on the calls of one tool (None: of a server's).

    def _rules(self, capability: MethodCapability, place: Tool | None) -> list[Constraint]:
        """What a call meets that this capability, on its own, would allow."""
        rules = [*capability.constraints, *(place.limits.constraints if place else ())]
        schema = self.subject.schemas.get(place.path) if place else None
        return [*rules, *(facts(schema, [*self.earlier.constraints, *self.later.constraints]) if schema else ())]

    def _covers(self, place: Tool | None) -> bool:
        """Whether the earlier one fits every call that the later one does."""
        wide: Sequence[Constraint] = tuple(self.earlier.constraints)
        return not wide or self._implies(self._rules(self.later, place), wide)

    def _implies(self, narrow: Sequence[Constraint], wide: Sequence[Constraint]) -> bool:
        """Tools that share a prefix often share their parameters, so the question comes up again."""
        question = (tuple(narrow), tuple(wide))
        if question not in self.known:
            self.known[question] = _decided(lambda: implies(narrow, wide, self.effort), False)
        return self.known[question]

    def _apart(self, place: Tool | None) -> bool:
        """Whether it is proved that no call fits both."""
        both = (*self.earlier.constraints, *self._rules(self.later, place))
        if (both, ()) not in self.known:
            self.known[both, ()] = _decided(lambda: unsatisfiable(both, self.effort), False)
        return self.known[both, ()]

    def _names_all(self) -> bool:
        """Whether the earlier one names every tool that the later one names."""
        known = all(self.earlier.names(tool.path) for tool in self.subject.named[self.later])
        if not known or not any(self.subject.servers(self.later)):
            return known
        pair = (self.later.method_pattern, self.earlier.method_pattern)
        return _decided(lambda: pattern_is_subset(*pair), False)

    def _lost(self, place: Tool | None, decides: MethodCapability, demands: MethodCapability) -> list[str]:
        """The kinds of limit of one that neither the other nor the tool's own table keeps."""
        return lost_limits(demands, [decides, *([place.limits] if place else ())])

    # What is told of it.

    def _avoidable(self, place: Tool | None) -> Finding:
        where = place.path if place else self.later.method_pattern
        first = self.subject.label(self.earlier)
        demands = self.earlier.constraints
        rules = _listed([str(demands), *self._lost(place, self.later, self.earlier)])
        message = f"calls of {where} that this allows need not meet {rules} of {first}"
        lost = self._lost(place, self.earlier, self.later)
        if lost:
            message += f"; and that one, which comes first, lets calls pass without the {_listed(lost)} of this"
        hint = "make their constraints exclude each other, or write alternatives into one capability with any_of"
        return self.subject.at("AM209", self.later, message, hint=hint)

    def _unreached(self, places: Sequence[Tool | None]) -> Finding | None:
        first = self.subject.label(self.earlier)
        if self.later not in self.subject.explicit:
            return None  # a tool's own grant may well come second
        lost = {kind for place in places for kind in self._lost(place, self.earlier, self.later)}
        stricter = not all(self._same_or_wider(place) for place in places)
        if not lost and not stricter:
            message = f"is never reached: {first} decides every call that it names"
            return self.subject.at("AM202", self.later, message, hint="move it in front of that one, or remove it")
        rules = _listed([*([str(self.later.constraints)] if stricter else []), *sorted(lost)])
        message = f"never applies, with its {rules}: {first} comes first and decides every call that it names"
        return self.subject.at("AM209", self.later, message, hint="move it in front of that one")

    def _same_or_wider(self, place: Tool | None) -> bool:
        """Whether the later one demands no more of the arguments than the earlier one."""
        wide = tuple(self.later.constraints)
        return not wide or self._implies(self._rules(self.earlier, place), wide)

    def _excepted(self, place: Tool | None) -> Finding:
        where = place.path if place else self.later.method_pattern
        message = f"lets {where} pass without the approval that {self.subject.label(self.later)} asks for"
        return self.subject.at("AM218", self.earlier, message)


def _listed(parts: Sequence[str]) -> str:
    return " and ".join(part for part in (", ".join(parts[:-1]), parts[-1]) if part)
