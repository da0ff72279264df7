"""The machine: what amla is tested on, and what the compiled guest makes use of."""

from __future__ import annotations

import os
import platform as machine
import sys
from collections.abc import Iterator
from pathlib import Path

from ._check import Check, State

__all__ = ["platform", "processor"]

_TESTED = {("linux", "x86_64"), ("linux", "aarch64")}
_FEATURES = ("sse4_2", "avx", "avx2", "fma", "bmi1", "bmi2", "popcnt", "lzcnt", "abm", "asimd", "atomics")
"""Those that the compiler uses where they are, as Linux spells them."""


def platform() -> Iterator[Check]:
    name = f"{machine.system()} {machine.machine()}"
    if (sys.platform, machine.machine()) in _TESTED:
        yield Check("system", State.OK, name)
    else:
        yield Check("system", State.WARNING, f"{name} is not among the tested ones", "'amla selftest' tries it here")


def processor() -> Iterator[Check]:
    cores = os.cpu_count() or 1
    yield Check("processor", State.OK, ", ".join([f"{cores} cores", *_features()]))


def _features() -> list[str]:
    listed = Path("/proc/cpuinfo")
    if not listed.is_file():
        return []
    lines = (
        line for line in listed.read_text("utf-8", "replace").splitlines() if line.startswith(("flags", "Features"))
    )
    present = set(next(lines, "").split())
    return [feature for feature in _FEATURES if feature in present]
