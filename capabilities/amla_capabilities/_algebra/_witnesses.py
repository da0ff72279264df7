"""Arguments that might tell constraints apart: made from the constants that they mention."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, product
from math import prod
from typing import Any

from amla_capabilities._constraints._constraint import Constraint
from amla_capabilities._constraints._leaf import Leaf
from amla_capabilities._constraints._walk import looks
from amla_capabilities._paths import Step
from amla_capabilities._values import Json, as_list, as_mapping, same

from ._cells import cells
from ._effort import Effort

__all__ = ["Witnesses", "is_number", "meets", "place", "witnesses"]

_MAX_WITNESSES = 3000


def meets(arguments: Json, constraints: Iterable[Constraint]) -> bool:
    """Whether the arguments meet every constraint."""
    return all(constraint.holds(arguments) for constraint in constraints)


def is_number(value: Any) -> bool:
    """Whether a JSON value is a number; true is not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


_MISSING: Any = object()


@dataclass(frozen=True, slots=True)
class Witnesses:
    """Arguments to try. If `complete`, they stand for all there are: what none of them shows does not exist."""

    arguments: Iterator[Json]
    complete: bool


def witnesses(must: Sequence[Constraint], also: Sequence[Constraint] = (), effort: Effort | None = None) -> Witnesses:
    """Arguments built from constants in the constraints, a bounded number; complete where that can be had.

    Values that a constraint of `must` on one place alone rules out are left out. First each place varies by itself,
    then all of them together. Raises `UndecidableError`, also while they are made, when `effort` is used up.
    """
    effort = effort or Effort()
    weight = sum(part.weight() for part in (*must, *also))
    effort.spend(weight)
    leaves: dict[tuple[Step, ...], list[Leaf]] = {}
    for path, leaf in _leaves([*must, *also]):
        leaves.setdefault(path, []).append(leaf)
    paths = sorted(leaves, key=len)
    every = _all_cells([(path, leaves[path]) for path in paths])
    if every is not None:
        choices = _choices(paths, every, must, weight, effort)
        sizes = [len(values) for values in choices]
        if 1 + sum(sizes) + prod(sizes) <= _MAX_WITNESSES:
            return Witnesses(_combined(paths, choices, weight, effort), True)
    near = [[value for leaf in leaves[path] for value in _neighbours(leaf)] for path in paths]
    return Witnesses(_combined(paths, _choices(paths, near, must, weight, effort), weight, effort), False)


def _all_cells(places: Iterable[tuple[tuple[Step, ...], list[Leaf]]]) -> list[list[Json]] | None:
    """The cells of each place, if it has them and is an argument by itself."""
    found: list[list[Json]] = []
    for path, leaves in places:
        values = cells(leaves) if len(path) == 1 and isinstance(path[0], str) else None
        if values is None:
            return None
        found.append(values)
    return found


def _choices(
    paths: Sequence[tuple[Step, ...]],
    values: Sequence[list[Json]],
    must: Sequence[Constraint],
    weight: int,
    effort: Effort,
) -> list[list[Json]]:
    effort.spend(len(paths) * len(must) + sum(len(each) * (len(each) + weight) for each in values))
    return [_admitted(path, _distinct([_MISSING, *each]), must) for path, each in zip(paths, values, strict=True)]


def _combined(
    paths: Sequence[tuple[Step, ...]], choices: Sequence[list[Json]], weight: int, effort: Effort
) -> Iterator[Json]:
    if not all(choices):
        return
    # Each path is put into a copy of what is there; an index means an array of that length.
    cost = sum(20 + step // 8 if isinstance(step, int) else 20 for path in paths for step in path)
    cost += weight + len(paths) ** 2
    first = [values[0] for values in choices]
    single = ([*first[:n], value, *first[n + 1 :]] for n, values in enumerate(choices) for value in values)
    for choice in islice(chain([first], single, product(*choices)), _MAX_WITNESSES):
        effort.spend(cost)
        yield _arguments(zip(paths, choice, strict=True))


def _admitted(path: tuple[Step, ...], values: list[Json], must: Sequence[Constraint]) -> list[Json]:
    alone = [part for part in must if {place for place, _ in _leaves([part])} == {path}]
    return [value for value in values if meets(_arguments([(path, value)]), alone)]


def _arguments(values: Iterable[tuple[tuple[Step, ...], Json]]) -> Json:
    arguments: Json = {}
    for path, value in values:
        if value is not _MISSING:
            arguments = place(arguments, path, value)
    return arguments


def _leaves(constraints: Iterable[Constraint]) -> Iterator[tuple[tuple[Step, ...], Leaf]]:
    return ((path, part) for path, part in looks(constraints) if isinstance(part, Leaf))


def _distinct(values: Iterable[Json]) -> list[Json]:
    kept: list[Json] = []
    for value in values:
        if not any(
            value is other or (value is not _MISSING and other is not _MISSING and same(value, other)) for other in kept
        ):
            kept.append(value)
    return kept


def _neighbours(leaf: Leaf) -> Iterator[Json]:
    """Values on both sides of what the leaf distinguishes."""
    operand = leaf.operand
    if leaf.of_length:
        sizes = [operand] if is_number(operand) else operand
        yield from ("x" * n for size in sizes if is_number(size) for n in _near(int(size)) if 0 <= n <= 1000)
    elif is_number(operand):
        yield from (*_near(operand), operand + 0.5, operand - 0.5)
    elif leaf.operator.name in ("is_in", "not_in"):
        yield from operand
        yield from (f"{member}x" for member in operand if isinstance(member, str))
        yield from (member + 1 for member in operand if is_number(member))
    elif leaf.operator.name == "under":
        yield from (operand, f"{operand.rstrip('/')}/x", "/", "/x")
    elif leaf.operator.name == "host_in":
        yield from (f"https://{host}/" for host in (*operand, "other.example"))
    elif leaf.operator.name == "is_type":
        yield from (None, True, 1, 1.5, "x", [], {})
    elif isinstance(operand, str):
        yield from (operand, f"{operand}x", f"x{operand}", "x", [operand])
    else:
        yield from (operand, [operand], "x", 1)


def _near(number: Any) -> tuple[Any, ...]:
    return (number - 1, number, number + 1)


def place(container: Json, path: tuple[Step, ...], value: Json) -> Json:
    """`container` with `value` put where `path` leads, creating what is missing on the way."""
    if not path:
        return value
    step, rest = path[0], path[1:]
    if isinstance(step, str):
        table = as_mapping(container) or {}
        return {**table, step: place(table.get(step), rest, value)}
    index = step or 0
    items = as_list(container) or []
    items += [None] * (index + 1 - len(items))
    items[index] = place(items[index], rest, value)
    return items
