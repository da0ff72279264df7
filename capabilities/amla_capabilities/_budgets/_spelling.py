"""Totals and expiry as written in manifests and in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any, cast

from amla_capabilities._constraints._comparisons import Misspelt, split_comparison
from amla_capabilities._errors import ConstraintError
from amla_capabilities._paths import parse_path, path_text
from amla_capabilities._values import as_mapping, plain_number, show

from ._bounds import Total

__all__ = ["expiry", "read_totals", "totals_from"]


def totals_from(totals: Mapping[str, str] | Iterable[Total]) -> tuple[Total, ...]:
    """Totals from their spellings. Raises `ConstraintError` for all that do not parse, each with a caret."""
    table = as_mapping(totals)
    if table is None:
        return tuple(map(_checked, cast("Iterable[object]", totals)))
    faults: list[Misspelt] = []
    found = read_totals(table, faults.append)
    if faults:
        raise ConstraintError("\n".join(f"total of {fault.where[0]}: {fault}" for fault in faults))
    return found


def _checked(total: object) -> Total:
    if isinstance(total, Total):
        return total
    raise ConstraintError(f'total is a table such as {{ amount = "<=10000" }}, not {show(total)}')


def read_totals(table: Mapping[str, Any], fault: Callable[[Misspelt], None]) -> tuple[Total, ...]:
    """The totals that parse; each that does not is handed to `fault` with its place."""
    found: dict[str, Total] = {}
    for param, spelling in table.items():
        try:
            total = _total(param, spelling)
        except Misspelt as error:
            fault(error)
        except ConstraintError as error:
            fault(Misspelt(str(error), (param,)))
        else:
            if total.param in found:
                fault(Misspelt(f"{total.param} has another total already", (param,)))
            found[total.param] = total
    return tuple(found.values())


def _total(param: str, spelling: object) -> Total:
    steps = parse_path(param)
    if not steps:
        raise ConstraintError('a total names the parameter that is summed, such as { amount = "<=10000" }')
    found = split_comparison(spelling, (param,)) if isinstance(spelling, str) else None
    if found is None or found[0] not in ("lt", "le"):
        shown = spelling if isinstance(spelling, str) else ""
        raise Misspelt('a total has an upper bound, such as "<=10000" or "<500"', (param,), shown)
    name, operand, offset = found
    try:
        bound = Decimal(repr(plain_number(operand)))
        if bound < 0 or (bound == 0 and name == "lt"):
            raise ConstraintError("no sum of amounts is that small")
    except ConstraintError as error:
        raise Misspelt(str(error), (param,), str(spelling), offset) from None
    return Total(path_text(steps), "<" if name == "lt" else "<=", bound)


def expiry(value: datetime | str) -> datetime:
    """A point in time, from itself or from ISO 8601. Raises `ConstraintError` where it lacks a time zone (R15)."""
    when = _parsed(value) if isinstance(value, str) else value
    if not isinstance(when, datetime):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ConstraintError(f"expires is a date with time and zone, not {show(value)}; {_EXPIRES}")
    if when.utcoffset() is None:
        raise ConstraintError(f"expires {when.isoformat()} needs a time zone; {_EXPIRES}")
    return when


_EXPIRES = "write for example 2030-01-31T12:00:00Z"


def _parsed(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise ConstraintError(f"expires {show(text)} is not a date with time and zone; {_EXPIRES}") from None
