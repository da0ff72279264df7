"""What bounds calls over time: `max_calls`, `rate = "10/minute"`, `total = { amount = "<=10000" }`, `expires`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Literal, Protocol

from amla_capabilities._errors import ConstraintError
from amla_capabilities._suggest import did_you_mean
from amla_capabilities._values import show

if TYPE_CHECKING:
    from datetime import datetime
    from decimal import Decimal

__all__ = ["Limited", "Rate", "Total", "check_max_calls", "expiry", "plain", "rate_from", "totals_from"]

_UNITS: Mapping[str, float] = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
_WRITTEN = re.compile(r"\s*([0-9]{1,9})\s*/\s*([0-9.]*)\s*([A-Za-z]*)\s*")
_RATE = 'write for example "10/minute", "100/hour" or "5/30s"'
_MAX_CALLS = 100_000  # of a rate; arbitrary: the time of each is kept, and max_calls bounds larger numbers
_MAX_SECONDS = 366 * 86400.0


@dataclass(frozen=True, slots=True)
class Rate:
    """At most `calls` in any half-open interval of `seconds` (R15)."""

    calls: int
    seconds: float

    def __post_init__(self) -> None:
        """Raises `ConstraintError` for a rate that means nothing or cannot be kept."""
        if not 1 <= self.calls <= _MAX_CALLS:
            raise ConstraintError(
                f"a rate allows 1 to {_MAX_CALLS:,} calls, not {self.calls:,}; max_calls has no bound"
            )
        if not 0 < self.seconds <= _MAX_SECONDS:
            raise ConstraintError(f"the interval of a rate is longer than none and at most 366 days; {_RATE}")

    @staticmethod
    def parse(text: str) -> Rate:
        """The rate that `10/minute` spells: calls, then second, minute, hour, day or a duration.

        Raises `ConstraintError`.
        """
        found = _WRITTEN.fullmatch(text) if text.isascii() else None
        if found is None:
            raise ConstraintError(f"{show(text)} is not a rate; {_RATE}")
        return Rate(int(found[1]), _interval(found[2], found[3], text))

    def within(self, other: Rate) -> bool:
        """Whether calls that keep to this rate always keep to `other`, too."""
        from fractions import Fraction

        bursts = ceil(Fraction(other.seconds) / Fraction(self.seconds))  # that fit in one interval of the other
        return self.calls * bursts <= other.calls

    def __str__(self) -> str:
        unit = next((name for name, seconds in _UNITS.items() if seconds == self.seconds), None)
        return f"{self.calls}/{unit or plain_seconds(self.seconds)}"


class Limited(Protocol):
    """What has such bounds: a capability, a tool's own table."""

    @property
    def max_calls(self) -> int | None: ...
    @property
    def rate(self) -> Rate | None: ...
    @property
    def total(self) -> tuple[Total, ...]: ...
    @property
    def expires(self) -> datetime | None: ...


def _interval(number: str, unit: str, text: str) -> float:
    from amla_capabilities._units import parse_duration

    if not number:
        found = _UNITS.get(unit.lower().removesuffix("s") if len(unit) > 1 else "")
        if found is None:
            raise ConstraintError(f"{show(text)} is not a rate{did_you_mean(unit, _UNITS)}; {_RATE}")
        return found
    try:
        return parse_duration(number + unit)
    except ValueError as error:
        raise ConstraintError(f"{show(text)} is not a rate: {error}") from None


def plain_seconds(seconds: float) -> str:
    """A duration exactly, as `parse_duration` reads it back."""
    from decimal import Decimal

    return f"{plain(Decimal(repr(seconds)).normalize())}s"


def rate_from(value: Rate | str | None) -> Rate | None:
    """A rate from its spelling."""
    if value is None or isinstance(value, Rate):
        return value
    if isinstance(value, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        return Rate.parse(value)
    raise ConstraintError(f"a rate is a string, not {show(value)}; {_RATE}")


@dataclass(frozen=True, slots=True)
class Total:
    """A bound on the sum of an argument over all allowed calls (R13).

    `param` is a path as in constraints; with `[*]` every element counts. `operator` is "<" or "<=".
    """

    param: str
    operator: Literal["<", "<="]
    bound: Decimal

    def admits(self, total: Decimal) -> bool:
        return total < self.bound if self.operator == "<" else total <= self.bound

    def within(self, other: Total) -> bool:
        """Whether a sum that this admits is always admitted by `other`. Both are about one parameter."""
        return self.bound < other.bound or (
            self.bound == other.bound and (self.operator == "<" or other.operator == "<=")
        )

    def spelling(self) -> str:
        """As in a manifest: `<=10000`."""
        return f"{self.operator}{plain(self.bound)}"

    def __str__(self) -> str:
        return f"total of {self.param} {self.operator} {plain(self.bound)}"


def plain(number: Decimal) -> str:
    """The number in digits, without an exponent."""
    return format(number, "f")


def totals_from(totals: Mapping[str, str] | Iterable[Total] | None) -> tuple[Total, ...]:
    """Totals from themselves or their spellings. Raises `ConstraintError` for all that do not parse, with carets."""
    if not totals:
        return ()
    from ._spelling import totals_from as read

    return read(totals)


def expiry(value: datetime | str | None) -> datetime | None:
    """A point in time, from itself or from ISO 8601. Raises `ConstraintError` where it lacks a time zone (R15)."""
    if value is None:
        return None
    from ._spelling import expiry as read

    return read(value)


def check_max_calls(value: object) -> None:
    """Raise unless `value` is None or a whole number of calls; 0 allows none."""
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"max_calls is a whole number, not {value!r}")
    if value < 0:
        raise ValueError(f"max_calls is 0 or more, not {value}")
