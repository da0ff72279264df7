"""Runs all kinds of work against sandboxes for a while, and fails if memory, threads or file descriptors grow.

    python -m benchmarks.soak [--seconds 60] [--seed N]

Sandboxes are created and dropped; scripts print, write files, call tools of both kinds, fail, loop without end, take
memory without end, and break off. After a warm-up the process must stay as it is.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from amla_sandbox import ExecutionResult, Limits, MethodCapability, Sandbox, tool_from_function

__all__ = ["main"]

WARM_UP = 0.3
"""Share of the time after which the process is expected not to grow any more."""

MEMORY, THREADS, DESCRIPTORS = 24_000_000, 6, 4
"""How far each may lie above its level after the warm-up: room for the allocator and for threads that are reused."""

KEPT = 6
"""Sandboxes that live on from one piece of work to the next."""


class State(NamedTuple):
    """What must not grow. Memory is in bytes, and private to the process."""

    memory: int
    threads: int
    descriptors: int

    @classmethod
    def now(cls) -> State:
        gc.collect()
        lines = Path("/proc/self/smaps_rollup").read_text("ascii").splitlines()
        private = sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Private_"))
        return cls(private, threading.active_count(), len(list(Path("/proc/self/fd").iterdir())))

    def __str__(self) -> str:
        return f"{self.memory / 1e6:.1f} MB, {self.threads} threads, {self.descriptors} descriptors"


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def broken(why: str) -> None:
    """Fail."""
    raise ValueError(why)


async def nap(ms: int) -> int:
    """Sleep."""
    await asyncio.sleep(ms / 1000)
    return ms


def new_sandbox() -> Sandbox:
    return Sandbox(
        tools=[tool_from_function(function) for function in (add, broken, nap)],
        capabilities=[MethodCapability(method_pattern=name) for name in ("add", "broken", "nap")],
        limits=Limits(timeout=1.0, memory=64_000_000),
    )


SCRIPTS: dict[str, tuple[str, Callable[[ExecutionResult], bool]]] = {
    "hello": ("console.log('hello')", lambda result: result.stdout == "hello\n"),
    "output": ("for (let i = 0; i < 5e3; i++) console.log('line', i, {i})", lambda result: result.success),
    "calls": (
        "let n = 0; for (let i = 0; i < 50; i++) n = await add({a: n, b: 1}); return n",
        lambda r: r.stdout == "50\n",
    ),
    "concurrent": (
        "return (await Promise.all(Array.from({length: 20}, (_, i) => nap({ms: i})))).length",
        lambda result: result.stdout == "20\n",
    ),
    "abandoned": ("nap({ms: 300}); process.exit(3)", lambda result: result.exit_code == 3),
    "tool fails": ("await broken({why: 'x'.repeat(1e5)})", lambda result: result.exit_code == 1),
    "files": (
        "for (const i of Array(50).keys()) await fs.writeFile(`f${i}`, 'x'.repeat(1e4)); await fs.rm('f1')",
        lambda result: result.success,
    ),
    "throws": ("throw new Error('on purpose')", lambda result: result.exit_code == 1),
    "syntax error": ("this is not JavaScript", lambda result: result.exit_code == 1),
    "recursion": ("const f = () => f() + 1; f()", lambda result: result.exit_code == 1),
    "endless": ("while (true) {}", lambda result: result.exit_code == 124),
    "endless promises": (
        "for (;;) { new Promise(() => { for (;;) {} }).catch(() => {}) }",
        lambda result: result.exit_code == 124,
    ),
    "hard stop": ("let n = 3n; for (;;) n *= n", lambda result: result.exit_code != 0),
    "no memory": (
        "const all = []; for (;;) all.push(new Array(1e4).fill(all.length))",
        lambda result: result.exit_code != 0,
    ),
}


class Soak:
    """The sandboxes that live, and what was done with them."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._sandboxes: list[Sandbox] = []
        self.done: Counter[str] = Counter()

    def work(self) -> None:
        """One piece of work, on a sandbox that is kept or a new one. Raises AssertionError for a wrong result."""
        kind = self._random.choice([*SCRIPTS, "host files", "drop"])
        sandbox = self._sandbox()
        self.done[kind] += 1
        if kind == "drop":
            self._sandboxes.remove(sandbox)
            sandbox.close()
        elif kind == "host files":
            host_files(sandbox)
        else:
            script, expected = SCRIPTS[kind]
            result = sandbox.run(script)
            assert expected(result), f"{kind}: {result}"

    def close(self) -> None:
        for sandbox in self._sandboxes:
            sandbox.close()
        self._sandboxes.clear()

    def _sandbox(self) -> Sandbox:
        if len(self._sandboxes) < KEPT:
            self._sandboxes.append(new_sandbox())
        return self._random.choice(self._sandboxes)


def host_files(sandbox: Sandbox) -> None:
    data = os.urandom(200_000)
    sandbox.fs.write("/workspace/data.bin", data)
    assert sandbox.fs.read("/workspace/data.bin") == data
    sandbox.fs.remove("/workspace/data.bin")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=random.randrange(2**32), help="to do the same work again")
    options = parser.parse_args()
    print(f"seed {options.seed}, {options.seconds:g} s")
    soak = Soak(options.seed)
    drive(soak, options.seconds * WARM_UP)
    before = settled(soak)
    print("after the warm-up:", before)
    drive(soak, options.seconds * (1 - WARM_UP))
    after = settled(soak)
    print("at the end:       ", after)
    print(", ".join(f"{count} {kind}" for kind, count in soak.done.most_common()))
    return report(before, after)


def drive(soak: Soak, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        soak.work()


def settled(soak: Soak) -> State:
    """The state without sandboxes, once the tools that runs left behind are done."""
    soak.close()
    time.sleep(0.6)
    return State.now()


def report(before: State, after: State) -> int:
    grown = [
        f"{name} grew by {now - then:,}, more than {most:,}"
        for name, then, now, most in zip(State._fields, before, after, (MEMORY, THREADS, DESCRIPTORS), strict=True)
        if now - then > most
    ]
    print("; ".join(grown) or "flat")
    return int(bool(grown))


if __name__ == "__main__":
    sys.exit(main())
