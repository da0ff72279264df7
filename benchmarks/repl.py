"""What the REPL costs a person: `python -m benchmarks.repl [--rounds 15] [--lines 100]`.

Its start until the prompt can be typed at, over `python -c "import prompt_toolkit, wasmtime"`; and a line that computes
next to nothing, from Enter to the next prompt, less what it takes in a program that is nothing but a prompt. All take
turns. By the clock and by the processor's time, which other load on the machine changes least; the bars are held
against the latter. Status 1 if one is missed.
"""

from __future__ import annotations

import argparse
import os
import pty
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from statistics import median
from typing import NamedTuple

from ._process import amla_command

__all__ = ["main"]

BARE = """
from prompt_toolkit import PromptSession
session = PromptSession("js> ", bottom_toolbar="bar")
while True:
    print(eval(session.prompt()))
"""
REFERENCE = [sys.executable, "-c", "import prompt_toolkit, wasmtime"]
MOST_START = 1.5  # times the reference
MOST_LINE = 5.0  # milliseconds
MARK = b"js>"
PAUSE, LONGEST = 0.1, 60.0
"""Seconds without a word after which a prompt has said all, and is given up."""


class Cost(NamedTuple):
    """Milliseconds, by the clock and of the processor."""

    wall: float
    cpu: float


class Conversation:
    """A program with a prompt on a terminal of its own, without colours, so that what it writes can be searched."""

    def __init__(self, command: Sequence[str], folder: str) -> None:
        self._seen = b""
        began = time.perf_counter()
        self._pid, self._terminal = pty.fork()
        if self._pid == 0:
            plain = {"NO_COLOR": "1", "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1", "XDG_STATE_HOME": folder}
            os.execvpe(command[0], command, {**os.environ, **plain})
        self._wait(MARK)
        self.start = Cost((time.perf_counter() - began) * 1000, self._cpu())

    def line(self, number: int) -> Cost:
        """From Enter to the next prompt, of a line whose value cannot be mistaken for what is typed."""
        os.write(self._terminal, f"7e3+{number}".encode())
        self._settle()
        before, began = self._cpu(), time.perf_counter()
        os.write(self._terminal, b"\r")
        self._wait(f"{7000 + number}".encode())
        self._wait(MARK)
        return Cost((time.perf_counter() - began) * 1000, self._cpu() - before)

    def close(self) -> None:
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        os.close(self._terminal)

    def _wait(self, text: bytes) -> None:
        while (at := self._seen.find(text)) < 0:
            if not self._read(LONGEST):
                raise RuntimeError(f"{text!r} did not come")
        self._seen = self._seen[at + len(text) :]

    def _settle(self) -> None:
        """Let the prompt show what was typed, and ask what it asks about that; a person takes longer to press Enter."""
        while self._read(PAUSE):
            pass
        self._seen = b""

    def _read(self, seconds: float) -> bool:
        ready = bool(select.select([self._terminal], [], [], seconds)[0])
        self._seen += os.read(self._terminal, 65536) if ready else b""
        return ready

    def _cpu(self) -> float:
        """Milliseconds that the process has computed: its clock's number follows from its own, as Linux has it."""
        return time.clock_gettime((~self._pid << 3) | 2) * 1000


def reference() -> Cost:
    """What any program of this kind has to load."""
    before, began = _children(), time.perf_counter()
    subprocess.run(REFERENCE, check=True)
    return Cost((time.perf_counter() - began) * 1000, _children() - before)


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) * 1000


def _medians(costs: Sequence[Cost]) -> Cost:
    return Cost(median(cost.wall for cost in costs), median(cost.cpu for cost in costs))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    parser.add_argument("--rounds", type=int, default=15, help="starts of either side")
    parser.add_argument("--lines", type=int, default=100)
    chosen = parser.parse_args()
    starts: list[Cost] = []
    imports: list[Cost] = []
    ours: list[Cost] = []
    bare: list[Cost] = []
    with tempfile.TemporaryDirectory() as folder:
        repl = [*amla_command(), "repl"]
        for _ in range(chosen.rounds):
            imports.append(reference())
            with closing(Conversation(repl, folder)) as started:
                starts.append(started.start)
        sides = ((Conversation(repl, folder), ours), (Conversation([sys.executable, "-c", BARE], folder), bare))
        for number in range(1000, 1000 + chosen.lines):
            for conversation, costs in sides:
                costs.append(conversation.line(number))
        for conversation, _ in sides:
            conversation.close()
    return _report(_medians(starts), _medians(imports), _medians(ours), _medians(bare))


def _report(start: Cost, imports: Cost, line: Cost, bare: Cost) -> int:
    ratio = Cost(start.wall / imports.wall, start.cpu / imports.cpu)
    over = Cost(line.wall - bare.wall, line.cpu - bare.cpu)
    for what, cost in {
        "start to prompt, ms": start,
        "the imports alone, ms": imports,
        f"ratio, at most {MOST_START:g}": ratio,
        "a line, ms": line,
        "a line of a bare prompt, ms": bare,
        f"difference, at most {MOST_LINE:g}": over,
    }.items():
        print(f"{what:<30} {cost.wall:8.2f} {cost.cpu:8.2f} of the processor")
    return int(ratio.cpu > MOST_START or over.cpu > MOST_LINE)


if __name__ == "__main__":
    sys.exit(main())
