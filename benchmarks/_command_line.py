"""What the benchmarks of both languages are told, and say of the machine."""

from __future__ import annotations

import argparse
import os
import platform

__all__ = ["machine", "parser", "wanted"]


def parser(name: str, doc: str | None) -> argparse.ArgumentParser:
    """The options that both have; `doc` is the module's."""
    made = argparse.ArgumentParser(prog=f"python -m benchmarks.{name}", description=(doc or "").splitlines()[0])
    made.add_argument("--only", nargs="+", metavar="WORD", default=[], help="rows that contain one of these words")
    made.add_argument("--seconds", type=float, default=10, help="time for one row, roughly (default: 10)")
    made.add_argument("--json", metavar="FILE", help="write all samples there")
    made.add_argument("--check", action="store_true", help="fail when a row misses its bar")
    return made


def machine() -> str:
    """What the figures were measured on, in a line."""
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    note = "" if os.getloadavg()[0] < 0.5 else "; others use this machine, so look at min and p20 too"
    return f"Python {platform.python_version()}, {os.cpu_count()} cores, {platform.machine()}, load {load}{note}"


def wanted(what: str, words: list[str]) -> bool:
    """Whether `--only` names the row."""
    return not words or any(word in what for word in words)
