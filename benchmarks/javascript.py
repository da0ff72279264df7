"""Prints what running JavaScript costs, beside the project's bars, the original and node.

    python -m benchmarks.javascript [--original-python PATH] [--only WORD …] [--seconds N] [--json FILE] [--check]

The exit status is 0 whatever the figures are, unless `--check` is given: then 1 if a median misses its bar.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ._command_line import machine, parser, wanted
from ._process import amla_command, command, first_run, ratio
from ._sides import Side
from ._table import Bar, Result, render
from ._timing import Measure, interleave

__all__ = ["main"]

HELLO = "console.log('hello')"
ORIGINAL_HELLO = f'from amla_sandbox import Sandbox; print(Sandbox().execute("{HELLO}"))'


@dataclass(frozen=True)
class Row:
    """One line of the table. `case` is the workers' name for what is measured; `patience` in seconds."""

    what: str
    bar: Bar
    case: str
    rounds: int = 20
    patience: float = 60
    fresh: bool = False
    """Whether each round needs a process of its own."""


ROWS = (
    Row("deserialise the guest", Bar(1.0), "deserialise"),
    Row("… as the cache does it, with its checks", Bar(None), "cache"),
    Row("instantiate", Bar(0.1), "instantiate", 200),
    Row("create a sandbox + hello", Bar(1.0), "create", 100),
    Row("next run in a sandbox", Bar(0.3), "next", 100),
    Row("… after a pause of 2 ms", Bar(None), "next-paused", 200),
    Row("1,000 sequential calls", Bar(150), "calls", 15),
    Row("100 concurrent calls of 20 ms", Bar(60), "concurrent"),
    Row("… whose handlers are async", Bar(60), "concurrent-async"),
    Row("while(true){} past its deadline", Bar(100), "endless", 10, 5),
    Row("memory per further sandbox", Bar(0.5, "MB"), "memory", 3),
    Row("one call, 10 MB each way", Bar(300), "large-call", 10),
    Row("… memory over the data", Bar(5, "x"), "large-call-memory", 5, fresh=True),
    Row("20 MB written through sandbox.fs", Bar(50), "write"),
    Row("20 MB read through sandbox.fs", Bar(50), "read"),
    Row("compute.js", Bar(None), "compute", 10),
    Row("json.js", Bar(None), "json", 10),
    Row("regex.js", Bar(None), "regex", 10),
    Row("sort.js", Bar(None), "sort", 10),
)


def main() -> int:
    options = _options()
    print(machine(), file=sys.stderr)
    with contextlib.ExitStack() as opened:
        sides = _sides(opened, options.original_python)
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        results = [_measured(row, sides, options.seconds) for row in ROWS if wanted(row.what, options.only)]
        for what, bar, measures, rounds in _processes(folder, options.original_python):
            if wanted(what, options.only):
                _note(what)
                results.append(Result(what, bar, interleave(measures, rounds=rounds, seconds=options.seconds)))
    print(render(results))
    if options.json:
        figures = {result.what: {side: s.values for side, s in result.samples.items()} for result in results}
        Path(options.json).write_text(json.dumps(figures), "utf-8")
    return int(options.check and any(result.met is False for result in results))


def _options() -> argparse.Namespace:
    made = parser("javascript", __doc__)
    made.add_argument("--original-python", metavar="PATH", help="a Python that has amla-sandbox from the registry")
    return made.parse_args()


def _sides(opened: contextlib.ExitStack, original: str | None) -> dict[str, Side]:
    sides = {"ours": Side.python(sys.executable)}
    if original:
        sides["original"] = Side.python(original)
    if node := shutil.which("node"):
        sides["node"] = Side.node(node)
    for side in sides.values():
        opened.enter_context(side)
    return sides


def _note(what: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\x1b[K{what}", end="", file=sys.stderr)


def _measured(row: Row, sides: Mapping[str, Side], seconds: float) -> Result:
    _note(row.what)
    measures: dict[str, Measure] = {
        name: partial(side.measure, row.case, row.patience, fresh=row.fresh) for name, side in sides.items()
    }
    return Result(row.what, row.bar, interleave(measures, rounds=row.rounds, seconds=seconds))


def _processes(folder: Path, original: str | None) -> list[tuple[str, Bar, dict[str, Measure], int]]:
    """Rows that start processes: what, bar, measures by side, rounds."""
    hello = folder / "hello.js"
    hello.write_text(HELLO, "utf-8")
    amla = amla_command()
    run = [*amla, "run", str(hello)]
    typer, both = (command([sys.executable, "-c", f"import {names}"]) for names in ("typer", "wasmtime, typer"))
    first: dict[str, Measure] = {"ours": first_run(run, "AMLA_CACHE_DIR")}
    cached: dict[str, Measure] = {"ours": command(run)}
    if original:
        first["original"] = first_run([original, "-c", ORIGINAL_HELLO], "XDG_CACHE_HOME")
        cached["original"] = command([original, "-c", ORIGINAL_HELLO])
    if node := shutil.which("node"):
        first["node"] = cached["node"] = command([node, str(hello)])
    return [
        ("first run ever, nothing cached", Bar(2000), first, 3),
        ("amla run hello.js", Bar(None), cached, 10),
        ("… over importing wasmtime and typer", Bar(1.5, "x"), {"ours": ratio(command(run), both)}, 15),
        (
            "amla --version over importing typer",
            Bar(1.3, "x"),
            {"ours": ratio(command([*amla, "--version"]), typer)},
            15,
        ),
        ("amla --help over importing typer", Bar(2.5, "x"), {"ours": ratio(command([*amla, "--help"]), typer)}, 15),
    ]


if __name__ == "__main__":
    sys.exit(main())
