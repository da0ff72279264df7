"""What constraints look at, whatever they are parts of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from amla_capabilities._paths import Step

from ._constraint import Constraint
from ._leaf import Each, Pathed
from ._logic import AllOf, AnyOf, Not, When

__all__ = ["looks"]


def looks(
    constraints: Iterable[Constraint], prefix: tuple[Step, ...] = ()
) -> Iterator[tuple[tuple[Step, ...], Pathed]]:
    """Every leaf and every `Each`, with its path from the arguments on; an `Each` comes before what is in it."""
    for part in constraints:
        if isinstance(part, Pathed):
            yield prefix + part.path, part
        if isinstance(part, Each):
            yield from looks([part.constraint], (*prefix, *part.path, None))
        elif isinstance(part, AllOf | AnyOf):
            yield from looks(part.constraints, prefix)
        elif isinstance(part, Not):
            yield from looks([part.constraint], prefix)
        elif isinstance(part, When):
            yield from looks([part.condition, part.constraint], prefix)
