"""Prints where the host's time goes, function by function, and how many guest instructions each piece of work takes.

    python -m benchmarks.costs [--top 15]

Instructions are counted by the engine's fuel, so they are the same on any machine; a quiet one does a million in 0.3 ms
or so. Everything runs on one thread here, so switches of thread are not in the figures.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import wasmtime

from amla_sandbox import Limits, MethodCapability, Sandbox, tool_from_function
from amla_sandbox._calls._toolset import ToolSet
from amla_sandbox._guest import _engine, _guest, _threads
from amla_sandbox._guest._protocol import (
    PREPARE_FRAME,
    Call,
    RunHeader,
    configure_frame,
    input_frame,
    parse_frames,
    result_frame,
    run_frame,
)
from amla_sandbox._runs._language import script_for

__all__ = ["main"]

HELLO = "console.log('hello')"
HELLOS = {"javascript": HELLO, "shell": "echo hello"}
CALLS = "let n = 0; for (let i = 0; i < 100; i++) n = await add({a: n, b: i}); return n"


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def new_sandbox() -> Sandbox:
    capability = MethodCapability(method_pattern="add")
    limits = Limits(max_calls=0, max_attempts=0)
    return Sandbox(tools=[tool_from_function(add)], capabilities=[capability], limits=limits)


# --- host --------------------------------------------------------------------------------------


def host_profiles(top: int) -> None:
    sandbox = new_sandbox()
    works: dict[str, tuple[Callable[[], object], int, int]] = {
        "create + hello": (create_and_hello, 100, 1),
        "a run": (lambda: sandbox.run(HELLO), 300, 1),
        "a call": (lambda: sandbox.run(CALLS), 20, 100),
    }
    for name, (work, rounds, pieces) in works.items():
        with on_this_thread():
            work()
            profile = cProfile.Profile()
            profile.enable()
            for _ in range(rounds):
                work()
            profile.disable()
        print(f"\n{name}: microseconds of each function itself, profiling included")
        print_profile(profile, rounds * pieces, top)
    sandbox.close()


def create_and_hello() -> None:
    with new_sandbox() as sandbox:
        sandbox.run(HELLO)


@contextmanager
def on_this_thread() -> Generator[None]:
    """Runs are driven to their end by the thread that starts them."""

    def here(task: Callable[[], None]) -> None:
        task()

    with mock.patch.object(_threads, "start", here):
        yield


def print_profile(profile: cProfile.Profile, times: int, top: int) -> None:
    stats: dict[Any, Any] = vars(pstats.Stats(profile))["stats"]
    rows = sorted(((own, calls, place) for place, (_, calls, own, _, _) in stats.items()), reverse=True)
    for own, calls, (file, line, name) in rows[:top]:
        where = "/".join(file.split("/")[-2:])
        print(f"{own / times * 1e6:9.1f}  {calls / times:6.1f} times  {name} ({where}:{line})")
    print(f"{sum(row[0] for row in rows) / times * 1e6:9.1f}  in all")


# --- guest -------------------------------------------------------------------------------------


class Meter:
    """A guest whose instructions are counted, for scripts in one language."""

    def __init__(self, engine: _engine.Engine, language: str = "javascript") -> None:
        with mock.patch.object(wasmtime, "Store", fueled_store):
            self._guest: Any = _guest.Guest(engine)
        script = script_for("", language, None, (), {}, None)
        self._header = RunHeader(language, script.filename, (), tuple(script.env.items()), script.cwd, 0)
        self._runs = 0

    def step(self, frames: bytes) -> tuple[int, bytes]:
        """The instructions of a step, and its frames."""
        store = self._guest._machine.store  # noqa: SLF001 - the guest's fuel is nobody else's business
        before = store.get_fuel()
        answer = self._guest.step([frames])
        return before - store.get_fuel(), answer

    def run(self, source: str) -> tuple[int, bytes]:
        self._runs += 1
        return self.step(run_frame(self._runs, self._header, source.encode()) + input_frame(b""))


def fueled_store(engine: wasmtime.Engine) -> wasmtime.Store:
    store = STORE(engine)
    store.set_fuel(1 << 62)
    return store


STORE = wasmtime.Store
CONFIG = wasmtime.Config


def fueled_engine() -> _engine.Engine:
    def config() -> wasmtime.Config:
        made = CONFIG()
        made.consume_fuel = True
        return made

    with mock.patch.object(wasmtime, "Config", config):
        engine = _engine.make_engine()
    return _engine.Engine(engine, wasmtime.Module(engine, _engine.GUEST.read_bytes()))


def guest_instructions() -> None:
    engine = fueled_engine()
    for language in HELLOS:
        instructions_of_runs(Meter(engine, language), language)
    instructions_of_a_call(Meter(engine))


def instructions_of_runs(meter: Meter, language: str) -> None:
    print(f"\nguest instructions, {language}")
    line("configure", meter.step(configuration())[0])
    for what, source in (("first run, hello", HELLOS[language]), ("empty run", ""), ("hello again", HELLOS[language])):
        line(what, meter.run(source)[0])
        line("prepare for the next, when nobody waits", meter.step(PREPARE_FRAME)[0])


def configuration() -> bytes:
    tools = ToolSet([tool_from_function(add)]).configuration(())
    return configure_frame({"files": {"maxBytes": 0, "maxFiles": 0}, **tools})


def instructions_of_a_call(meter: Meter) -> None:
    meter.step(configuration())
    _, answer = meter.run(CALLS)
    instructions = 0
    for _ in range(3):
        (call,) = (frame for frame in parse_frames(answer) if isinstance(frame, Call))
        instructions, answer = meter.step(b"".join(result_frame(call.id, b"17")))
    print()
    line("a call", instructions)


def line(what: str, instructions: int) -> None:
    print(f"{instructions:12,}  {what}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.costs", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--top", type=int, default=15, help="functions of each profile (default: 15)")
    options = parser.parse_args()
    _threads.call(host_profiles, options.top)
    _threads.call(guest_instructions)
    return 0


if __name__ == "__main__":
    sys.exit(main())
