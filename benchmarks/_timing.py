"""Samples of a measurement, taken in turns so that a machine's noise falls on all sides alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

__all__ = ["Measure", "Sample", "interleave"]

Measure = Callable[[], float]
"""Measures once; the unit is the caller's. Raises RuntimeError with a reason when there is nothing to measure."""


@dataclass
class Sample:
    """What one side came to. `problem` says why there are no values."""

    values: list[float] = field(default_factory=list[float])
    problem: str = ""

    def at(self, share: float) -> float:
        """The value below which that share of the values lies: 0 is the least, 0.5 the median."""
        ordered = sorted(self.values)
        return ordered[min(int(len(ordered) * share), len(ordered) - 1)]

    @property
    def least(self) -> float:
        return self.at(0)

    @property
    def fifth(self) -> float:
        """The 20th percentile: on a machine that others use, nearer to what the code costs than the median."""
        return self.at(0.2)

    @property
    def median(self) -> float:
        return self.at(0.5)


def interleave(sides: Mapping[str, Measure], *, rounds: int, seconds: float) -> dict[str, Sample]:
    """Each side once a round, for that many rounds or until the time is up, but at least three.

    One more round, before them, warms up and is not counted.
    """
    samples = {name: Sample() for name in sides}
    end = time.monotonic() + seconds
    for number in range(rounds + 1):
        if number > 3 and time.monotonic() > end:
            break
        for name, measure in sides.items():
            _take(samples[name], measure, counted=number > 0)
    return samples


def _take(sample: Sample, measure: Measure, *, counted: bool) -> None:
    if sample.problem:
        return
    try:
        value = measure()
    except RuntimeError as error:
        sample.problem = str(error)
        sample.values.clear()
        return
    if counted:
        sample.values.append(value)
