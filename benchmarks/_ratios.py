"""Costs beside those of native tools, as a table for people."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Literal

__all__ = ["Aim", "Cost", "Line", "render"]


@dataclass(frozen=True)
class Aim:
    """At most `most`: milliseconds, or times the median of the native tools; None where the row is for information."""

    most: float | None = None
    unit: Literal["ms", "x", "x native"] = "x native"
    ahead: bool = False
    """Whether bashkit must take longer."""

    def __str__(self) -> str:
        if self.most is None:
            return ""
        return f"≤ {self.most:g} {self.unit}{', ahead' if self.ahead else ''}"


@dataclass
class Cost:
    """What one side took: milliseconds by the clock, and of the processor. `problem` says why there is nothing."""

    wall: list[float] = field(default_factory=list[float])
    cpu: list[float] = field(default_factory=list[float])
    digest: object = None
    problem: str = ""

    def take(self, ask: Callable[[], Mapping[str, Any]], *, counted: bool) -> None:
        """Measure once, unless that failed before."""
        if self.problem:
            return
        try:
            answer = ask()
        except RuntimeError as error:
            self.fail(str(error))
            return
        self.digest = answer.get("digest")
        if counted:
            self.wall.append(answer["value"])
            if "cpu" in answer:
                self.cpu.append(answer["cpu"])

    def fail(self, problem: str) -> None:
        self.problem = problem
        self.wall.clear()
        self.cpu.clear()

    @property
    def samples(self) -> dict[str, list[float]]:
        return {"wall": self.wall, "cpu": self.cpu}


@dataclass(frozen=True)
class Line:
    """One row of the table. `ours` is judged; beside others by processor time, which other load changes least."""

    what: str
    aim: Aim
    costs: Mapping[str, Cost]

    @property
    def met(self) -> bool | None:
        """Whether the bar is kept; None where there is none."""
        if self.aim.most is None:
            return None
        if self.aim.unit != "x native":
            wall = self.costs["ours"].wall
            return bool(wall) and median(wall) <= self.aim.most
        over = self.over("native", "cpu")
        over_bashkit = self.over("bashkit", "cpu") if self.aim.ahead else None
        return over is not None and over <= self.aim.most and (over_bashkit is None or over_bashkit < 1)

    def over(self, other: str, figure: Literal["wall", "cpu"]) -> float | None:
        """How many times the other's median ours is."""
        ours, base = (getattr(self.costs.get(side, Cost()), figure) for side in ("ours", other))
        return median(ours) / median(base) if ours and base and median(base) > 0 else None


_SIDES = ("ours", "native", "bashkit")
_HEAD = (
    *("what", "bar", "met"),
    *(text for side in _SIDES for text in (f"{side}: cpu", "wall")),
    *("n", "ratio: cpu", "wall"),
)


def render(lines: Sequence[Line]) -> str:
    rows = [_HEAD, *(_row(line) for line in lines)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    texts = ["  ".join(_cell(row, column, width) for column, width in enumerate(widths)).rstrip() for row in rows]
    return "\n".join([texts[0], "  ".join("-" * width for width in widths), *texts[1:]])


def _cell(row: Sequence[str], column: int, width: int) -> str:
    return row[column].ljust(width) if column < 3 else row[column].rjust(width)


def _row(line: Line) -> tuple[str, ...]:
    verdict = {True: "yes", False: "NO", None: ""}[line.met]
    figures = (text for side in _SIDES for text in _medians(line.costs.get(side)))
    times = (_number(line.over("native", "cpu")), _number(line.over("native", "wall")))
    return (line.what, str(line.aim), verdict, *figures, str(len(line.costs["ours"].wall)), *times)


def _medians(cost: Cost | None) -> tuple[str, str]:
    if cost is None:
        return ("", "")
    if cost.problem:
        return (cost.problem[:24], "")
    return (_median(cost.cpu), _median(cost.wall))


def _median(values: Sequence[float]) -> str:
    return _number(median(values) if values else None)


def _number(value: float | None) -> str:
    if value is None:
        return ""
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return f"{value:,.{digits}f}"
