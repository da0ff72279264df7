"""Whole processes: how long a command takes from its start to its end."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from ._timing import Measure

__all__ = ["amla_command", "command", "first_run", "ratio"]


def amla_command() -> list[str]:
    """How `amla` is started in this environment."""
    script = Path(sys.executable).with_name("amla")
    return [str(script)] if script.exists() else [sys.executable, "-m", "amla_cli"]


def command(arguments: Sequence[str], environment: dict[str, str] | None = None) -> Measure:
    """Milliseconds of one process with that command line."""

    changed = environment or {}

    def once() -> float:
        start = time.perf_counter()
        done = subprocess.run(arguments, check=False, capture_output=True, text=True, env={**os.environ, **changed})
        taken = (time.perf_counter() - start) * 1000
        if done.returncode:
            raise RuntimeError((done.stderr.strip().splitlines() or ["failed"])[-1][:60])
        return taken

    return once


def first_run(arguments: Sequence[str], variable: str) -> Measure:
    """The same with nothing cached: `variable` names the cache's folder, and gets an empty one each time."""

    def once() -> float:
        with tempfile.TemporaryDirectory() as folder:
            return command(arguments, {variable: folder})()

    return once


def ratio(mine: Measure, reference: Measure) -> Measure:
    """How many times the reference's time mine takes, measured one after the other."""

    def once() -> float:
        base = reference()
        return mine() / base

    return once
