"""Prints what running shell scripts costs, beside the project's bars, bash with its tools, and bashkit.

    python -m benchmarks.shell [--bashkit-python PATH] [--only WORD …] [--seconds N] [--json FILE] [--check]

The exit status is 0 whatever the figures are, unless `--check` is given: then 1 if a row misses its bar.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from ._command_line import machine, parser, wanted
from ._process import amla_command, command, ratio
from ._ratios import Aim, Cost, Line, render
from ._shell_data import write_files
from ._shell_rows import ROWS, Row
from ._sides import Side
from ._timing import interleave

__all__ = ["main"]

Ask = Callable[[], Mapping[str, Any]]


def main() -> int:
    options = _options()
    print(machine(), file=sys.stderr)
    with contextlib.ExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        write_files(folder)
        sides = {"ours": opened.enter_context(Side.shell(sys.executable, "amla", folder))}
        if options.bashkit_python:
            sides["bashkit"] = opened.enter_context(Side.shell(options.bashkit_python, "bashkit", folder))
        rows = [row for row in ROWS if wanted(row.what, options.only)]
        lines = [_measured(row, sides, folder, options.seconds) for row in rows]
        if wanted(WHOLE, options.only):
            lines.append(_whole_process(folder, options.seconds))
    print(render(lines))
    if options.json:
        figures = {line.what: {side: cost.samples for side, cost in line.costs.items()} for line in lines}
        Path(options.json).write_text(json.dumps(figures), "utf-8")
    return int(options.check and any(line.met is False for line in lines))


def _options() -> argparse.Namespace:
    made = parser("shell", __doc__)
    made.add_argument("--bashkit-python", metavar="PATH", help="a Python that has bashkit from the registry")
    return made.parse_args()


# --- one row -------------------------------------------------------------------------------------


def _measured(row: Row, sides: Mapping[str, Side], folder: Path, seconds: float) -> Line:
    if sys.stderr.isatty():
        print(f"\r\x1b[K{row.what}", end="", file=sys.stderr)
    asked: dict[str, Ask] = {name: partial(side.ask, row.case, row.patience) for name, side in sides.items()}
    if row.script:
        asked["native"] = partial(_native, row.script, folder)
    costs = {name: Cost() for name in asked}
    end = time.monotonic() + seconds
    for number in range(row.rounds + 1):  # the first warms up
        if number > 3 and time.monotonic() > end:
            break
        for name, ask in asked.items():
            costs[name].take(ask, counted=number > 0)
    _compare(costs)
    return Line(row.what, row.aim, costs)


def _compare(costs: Mapping[str, Cost]) -> None:
    """A side whose output differs from bash's has nothing to show."""
    native = costs.get("native")
    for cost in costs.values():
        if native and not cost.problem and cost.digest != native.digest:
            cost.fail("wrong result")


def _native(script: str, folder: Path) -> dict[str, Any]:
    """bash and the machine's tools, in a process of their own."""
    (folder / "out").unlink(missing_ok=True)
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    before, start = _children(), time.perf_counter()
    done = subprocess.run(["bash", "-c", script], cwd=folder, env=environment, check=False, capture_output=True)
    taken, cpu = (time.perf_counter() - start) * 1000, (_children() - before) * 1000
    if done.returncode or done.stderr:
        raise RuntimeError((done.stderr.decode().strip().splitlines() or [f"status {done.returncode}"])[-1][:60])
    out = folder / "out"
    output = out.read_bytes() if out.exists() else done.stdout
    return {"value": taken, "cpu": cpu, "digest": hashlib.sha256(output).hexdigest()}


def _children() -> float:
    """Seconds of user and system time of processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


# --- a whole process -----------------------------------------------------------------------------

WHOLE = "amla run hello.sh over importing wasmtime and typer"


def _whole_process(folder: Path, seconds: float) -> Line:
    hello = folder / "hello.sh"
    hello.write_text("echo hello\n", "ascii")
    both = command([sys.executable, "-c", "import wasmtime, typer"])
    quotient = ratio(command([*amla_command(), "run", str(hello)]), both)
    sample = interleave({"ours": quotient}, rounds=15, seconds=seconds)["ours"]
    return Line(WHOLE, Aim(1.5, "x"), {"ours": Cost(wall=sample.values, problem=sample.problem)})


if __name__ == "__main__":
    sys.exit(main())
