"""Patterns over tool paths.

A literal segment matches itself, `*` exactly one segment, `**` any number of segments, none included, and a `*`
inside a segment (`list*`) any run of characters within it. Inclusion between two patterns is decided exactly, by
walking the child's automaton beside the parent's: each is a chain of steps, small enough to build on the spot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from ._errors import PatternError, ToolNameError, UndecidableError
from ._names import MAX_NAME, MAX_SEGMENTS, MCP_PREFIX, canonical_name, check_segment

__all__ = ["canonical_pattern", "is_literal", "method_matches_pattern", "pattern_is_subset", "patterns_overlap"]

_ANY_SEGMENTS = "**"
_REFUSED_CHARACTERS = {".": "write '/' between segments", ":": "only one leading 'mcp:' is understood"}
_MAX_STATES = 50_000  # of the inclusion walk; a hostile pair of patterns is undecided, not slow


def method_matches_pattern(method: str, pattern: str) -> bool:
    """Whether the tool path `method` is one of those that `pattern` names. Raises on a malformed one of either."""
    return matches(canonical_name(method), canonical_pattern(pattern))


def matches(path: str, pattern: str) -> bool:
    """The same for a path and a pattern already canonical."""
    if "*" not in pattern:
        return path == pattern
    return _match_segments(path.split("/"), pattern.split("/"))


def is_literal(pattern: str) -> bool:
    """Whether the pattern names exactly one tool."""
    return "*" not in pattern


@lru_cache(maxsize=4096)
def canonical_pattern(pattern: str) -> str:
    """The canonical form of a pattern (NFC, `mcp:` stripped once). Raises `PatternError` if malformed."""
    import unicodedata

    bare = unicodedata.normalize("NFC", pattern).removeprefix(MCP_PREFIX)
    segments = bare.split("/")
    if not bare:
        raise PatternError("the pattern is empty; '**' matches every tool")
    if len(bare) > MAX_NAME or len(segments) > MAX_SEGMENTS:
        raise PatternError(f"pattern {pattern[:40]!r}… is longer than any tool name can be")
    for segment in segments:
        _check_pattern_segment(segment, pattern)
    return bare


def _check_pattern_segment(segment: str, pattern: str) -> None:
    if _ANY_SEGMENTS in segment and segment != _ANY_SEGMENTS:
        raise PatternError(f"pattern {pattern!r}: '**' stands alone between slashes; within a segment write '*'")
    try:
        check_segment(segment, f"pattern {pattern!r}", _REFUSED_CHARACTERS)
    except ToolNameError as error:
        raise PatternError(str(error)) from None


def reaches_into(pattern: str, first: str) -> bool:
    """Whether a canonical pattern names some path of two segments that begins with `first`."""
    steps = pattern.split("/")
    return len(steps) in _stepped(_stepped(_close({0}, steps), steps, first), steps, None)


def _match_segments(path: list[str], pattern: list[str]) -> bool:
    reached = _close({0}, pattern)
    for segment in path:
        reached = _stepped(reached, pattern, segment)
    return len(pattern) in reached


def _stepped(reached: set[int], pattern: list[str], segment: str | None) -> set[int]:
    """The positions in a pattern after one more segment of a path; None stands for any segment."""
    stepped: set[int] = set()
    for at in reached:
        if at < len(pattern):
            if pattern[at] == _ANY_SEGMENTS:
                stepped.add(at)
            elif segment is None or _match_within(segment, pattern[at]):
                stepped.add(at + 1)
    return _close(stepped, pattern)


def _close(reached: set[int], pattern: list[str]) -> set[int]:
    """Add the positions that skipping a `**` reaches."""
    for at, segment in enumerate(pattern):
        if at in reached and segment == _ANY_SEGMENTS:
            reached.add(at + 1)
    return reached


def _match_within(segment: str, glob: str) -> bool:
    head, *rest = glob.split("*")
    if not rest:
        return segment == glob
    *middle, tail = rest
    if not segment.startswith(head) or not segment.endswith(tail) or len(segment) < len(head) + len(tail):
        return False
    at, end = len(head), len(segment) - len(tail)
    for piece in middle:
        found = segment.find(piece, at, end)
        if found < 0:
            return False
        at = found + len(piece)
    return True


# Inclusion. A path is read as characters, each segment ended by "/": `a/b` is `a/b/`. A pattern becomes an automaton
# that is a chain of states with loops where it has stars. Walking two of them side by side over every character that
# either mentions, plus one that neither does, sees every path there is.

_ANY = "any"  # edge label: every character but "/"
_SKIP = "skip"  # edge label: consumes nothing
_OTHER = "\0"  # stands for all characters that neither pattern mentions; no name can hold it

_States = frozenset[int]


def pattern_is_subset(child: str, parent: str) -> bool:
    """Whether every path that `child` matches is matched by `parent`; exact for this language.

    Raises `PatternError` for a malformed pattern, `UndecidableError` for a pair too intricate to decide.
    """
    narrow, wide = canonical_pattern(child), canonical_pattern(parent)
    if narrow == wide or wide == _ANY_SEGMENTS:
        return True
    if is_literal(narrow):
        return matches(narrow, wide)
    return not _some_path(narrow, wide, lambda in_narrow, in_wide: in_narrow and not in_wide)


def patterns_overlap(first: str, second: str) -> bool:
    """Whether some path is matched by both."""
    return _some_path(canonical_pattern(first), canonical_pattern(second), lambda one, other: one and other)


def _some_path(first: str, second: str, wanted: Callable[[bool, bool], bool]) -> bool:
    """Whether some path has the wanted membership in the two patterns."""
    alphabet = sorted({*first, *second, "/", _OTHER} - {"*"})
    one, two = _Automaton(first), _Automaton(second)
    todo = [(one.start, two.start)]
    seen = set(todo)
    while todo:
        here, there = todo.pop()
        for character in alphabet:
            pair = (one.step(here, character), two.step(there, character))
            if pair in seen:
                continue
            if character == "/" and wanted(one.end in pair[0], two.end in pair[1]):
                return True
            seen.add(pair)
            todo.append(pair)
            if len(seen) > _MAX_STATES:
                raise UndecidableError(f"patterns {first!r} and {second!r} are too intricate to compare")
    return False


class _Automaton:
    """A pattern as states 0 to `end`, read one character at a time."""

    def __init__(self, pattern: str) -> None:
        self._edges: list[list[tuple[str, int]]] = [[]]
        for segment in pattern.split("/"):
            if segment == _ANY_SEGMENTS:
                self._any_segments()
            else:
                self._segment(segment)
        self.end = len(self._edges) - 1
        self.start = self._skip({0})

    def _next(self, label: str) -> int:
        """Append a state reached from the last one by `label`."""
        self._edges.append([])
        self._edges[-2].append((label, len(self._edges) - 1))
        return len(self._edges) - 1

    def _any_segments(self) -> None:
        home = self._next(_SKIP)
        inside = len(self._edges)
        self._edges.append([(_ANY, inside), ("/", home)])
        self._edges[home].append((_ANY, inside))
        self._edges.append([])
        self._edges[home].append((_SKIP, len(self._edges) - 1))

    def _segment(self, glob: str) -> None:
        if glob == "*":
            self._next(_ANY)  # a segment is never empty
        for character in glob:
            if character == "*":
                loop = self._next(_SKIP)
                self._edges[loop].append((_ANY, loop))
            else:
                self._next(character)
        self._next("/")

    def step(self, states: _States, character: str) -> _States:
        return self._skip(
            target
            for state in states
            for label, target in self._edges[state]
            if label == character or (label == _ANY and character != "/")
        )

    def _skip(self, states: Iterable[int]) -> _States:
        found: set[int] = set()
        todo = list(states)
        while todo:
            state = todo.pop()
            if state not in found:
                found.add(state)
                todo.extend(target for label, target in self._edges[state] if label == _SKIP)
        return frozenset(found)
