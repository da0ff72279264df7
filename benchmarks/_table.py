"""Results as a table for people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ._timing import Sample

__all__ = ["Bar", "Result", "render"]

Unit = Literal["ms", "MB", "x"]


@dataclass(frozen=True)
class Bar:
    """At most `most`, in `unit`; None where the row is only for information."""

    most: float | None
    unit: Unit = "ms"

    def __str__(self) -> str:
        return "" if self.most is None else f"≤ {_number(self.most)} {_SIGNS[self.unit]}"


_SIGNS = {"ms": "ms", "MB": "MB", "x": "x"}


@dataclass(frozen=True)
class Result:
    """One row: samples by side; `ours` is judged."""

    what: str
    bar: Bar
    samples: dict[str, Sample]

    @property
    def met(self) -> bool | None:
        """Whether the median keeps the bar; None where there is no bar."""
        ours = self.samples.get("ours")
        if self.bar.most is None:
            return None
        return ours is not None and bool(ours.values) and ours.median <= self.bar.most

    @property
    def verdict(self) -> str:
        if self.met is not False:
            return {True: "yes", None: ""}[self.met]
        ours = self.samples.get("ours")
        least = ours is not None and bool(ours.values) and self.bar.most is not None and ours.least <= self.bar.most
        return "at best" if least else "NO"


_HEAD = ("what", "bar", "ours: min", "p20", "median", "n", "met", "original", "node", "ratio")


def render(results: Sequence[Result]) -> str:
    """The table; for the other sides their medians, and how many times ours the original takes."""
    rows = [_HEAD, *(_row(result) for result in results)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    lines = ["  ".join(_cell(row, column, width) for column, width in enumerate(widths)).rstrip() for row in rows]
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])


def _cell(row: Sequence[str], column: int, width: int) -> str:
    return row[column].ljust(width) if column in (0, 1, 6) else row[column].rjust(width)


def _row(result: Result) -> tuple[str, ...]:
    ours = result.samples.get("ours", Sample(problem="-"))
    figures = (
        tuple(map(_number, (ours.least, ours.fifth, ours.median))) if ours.values else (ours.problem or "-", "", "")
    )
    others = tuple(_median(result.samples.get(side)) for side in ("original", "node"))
    count = str(len(ours.values)) if ours.values else ""
    return (result.what, str(result.bar), *figures, count, result.verdict, *others, _ratio(result))


def _median(sample: Sample | None) -> str:
    if sample is None:
        return "-"
    return _number(sample.median) if sample.values else sample.problem or "-"


def _ratio(result: Result) -> str:
    ours, original = result.samples.get("ours"), result.samples.get("original")
    if not ours or not original or not ours.values or not original.values or ours.median <= 0:
        return ""
    return f"{original.median / ours.median:.1f}"


def _number(value: float) -> str:
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return f"{value:,.{digits}f}"
