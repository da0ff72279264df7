"""What a call adds to a total, read off its arguments, exactly (R13)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, reduce
from typing import TYPE_CHECKING

from amla_capabilities._constraints._failure import Failure
from amla_capabilities._paths import Step, parse_path
from amla_capabilities._values import Json, show

if TYPE_CHECKING:
    from decimal import Context, Decimal

    from amla_capabilities._constraints._constraint_set import ConstraintSet

    from ._bounds import Total

__all__ = ["Amounts", "exact", "read_amounts"]

Amounts = Mapping[str, "Decimal"]  # what a call adds to each total, by parameter


def read_amounts(totals: Iterable[Total], arguments: Json) -> Amounts | Failure:
    """What the call adds to each total, or why that is no amount."""
    amounts: dict[str, Decimal] = {}
    for total in totals:
        failure = _amount_rule(total.param).check(arguments)
        if failure is not None:
            return _as_total(failure, total)
        amounts[total.param] = _amount(arguments, parse_path(total.param))
    return amounts


@lru_cache(maxsize=1)
def exact() -> Context:
    """Arithmetic that keeps every digit of sums of JSON numbers, and would rather fail than round."""
    from decimal import Context, Inexact, InvalidOperation

    return Context(prec=2000, traps=[Inexact, InvalidOperation])


@lru_cache(maxsize=1024)
def _amount_rule(param: str) -> ConstraintSet:
    from amla_capabilities._constraints._constraint_set import ConstraintSet
    from amla_capabilities._constraints._leaf import Leaf

    return ConstraintSet([Leaf.build("ge", parse_path(param), 0)])


def _as_total(failure: Failure, total: Total) -> Failure:
    reasons = {
        "missing": "is missing",
        "type": f"is {show(failure.actual)}, which is no number",
        "violation": f"{show(failure.actual)} is no amount",
    }
    return replace(
        failure, constraint=str(total), message=f"{failure.path} {reasons[failure.kind]}; the {total} needs one"
    )


def _amount(arguments: Json, steps: tuple[Step, ...]) -> Decimal:
    from decimal import Decimal

    numbers = [_decimal(number) for number in _reached(arguments, steps)]
    if len(numbers) == 1:
        return numbers[0]
    return reduce(exact().add, numbers, Decimal(0))


def _decimal(number: Json) -> Decimal:
    from decimal import Decimal

    return Decimal(number) if isinstance(number, int) else Decimal(repr(float(number)))


def _reached(value: Json, steps: tuple[Step, ...]) -> Iterator[Json]:
    """All values that a path reaches; it is known to reach them."""
    if not steps:
        yield value
    elif steps[0] is None:  # EVERY
        for item in value:
            yield from _reached(item, steps[1:])
    else:
        yield from _reached(value[steps[0]], steps[1:])
