"""Runs that are ended from outside, at the moments when that is easily missed, and what ends a process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from amla_sandbox import Limits, Sandbox, SandboxClosedError
from amla_sandbox._guest._guest import Guest

unix = pytest.mark.skipif(sys.platform == "win32", reason="signals, and children that share memory")
SECONDS = 10
"""Much longer than ending a run takes."""


@pytest.fixture
def sandbox() -> Sandbox:
    return Sandbox(limits=Limits(timeout=SECONDS))


def just_before_a_step(monkeypatch: pytest.MonkeyPatch, happens: Callable[[], None]) -> None:
    """Have it happen once, when a step of a run is about to begin."""
    step, waiting = Guest.step, [happens]

    def stepping(self: Guest, *args: Any) -> bytes:
        while waiting:
            waiting.pop()()
        return step(self, *args)

    monkeypatch.setattr(Guest, "step", stepping)


def plainly(sandbox: Sandbox) -> None:
    sandbox.run("for (;;);")


def driven(sandbox: Sandbox) -> None:
    sandbox.start("for (;;);")
    sandbox.result()


@unix
@pytest.mark.parametrize("way", [plainly, driven])
def test_ctrl_c_is_not_missed_by_a_step_that_begins(
    monkeypatch: pytest.MonkeyPatch, sandbox: Sandbox, way: Callable[[Sandbox], None]
) -> None:
    def press() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.05)

    just_before_a_step(monkeypatch, press)
    begun = time.monotonic()
    with sandbox:
        with pytest.raises(KeyboardInterrupt):
            way(sandbox)
        assert time.monotonic() - begun < SECONDS / 2
        assert sandbox.run("return 1").return_value == 1


@pytest.mark.parametrize("way", [plainly, driven])
def test_closing_is_not_missed_by_a_step_that_begins(
    monkeypatch: pytest.MonkeyPatch, sandbox: Sandbox, way: Callable[[Sandbox], None]
) -> None:
    closing = threading.Thread(target=sandbox.close)

    def close() -> None:
        closing.start()
        time.sleep(0.05)

    just_before_a_step(monkeypatch, close)
    begun = time.monotonic()
    with pytest.raises(SandboxClosedError):
        way(sandbox)
    closing.join()
    assert time.monotonic() - begun < SECONDS / 2


def test_a_sandbox_that_is_closed_in_the_middle_of_its_own_work_finishes_it_first(
    monkeypatch: pytest.MonkeyPatch, sandbox: Sandbox
) -> None:
    """As the garbage collector does it, on whatever thread allocates next."""
    serve, closed = Guest.serve, list[bool]()

    def serving(self: Guest, *args: Any) -> memoryview:
        sandbox.close()
        closed.append(self._closed)
        return serve(self, *args)

    monkeypatch.setattr(Guest, "serve", serving)
    assert sandbox.fs.list() == []
    assert closed == [False]
    with pytest.raises(SandboxClosedError):
        sandbox.fs.list()


def output(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == ""
    return done.stdout


CHILDREN = """
import os, signal, threading, time
from amla_sandbox import Limits, MethodCapability, Sandbox
def tool(x: int) -> int:
    "A tool."
    return x
async def slow_tool(x: int) -> int:
    "Another."
    return x
def made():
    return Sandbox(tools=[tool, slow_tool], capabilities=[MethodCapability("*")], limits=Limits(timeout=0.5))
def use(sandbox):
    yield sandbox.run("return await tool({x: 3})").return_value == 3
    yield sandbox.run("return (await Promise.all([tool({x: 3}), slow_tool({x: 4}), tool({x: 5})])).length").return_value == 3
    yield sandbox.run("console.log('a'); for (let i = 0; i < 1e6; i++);", on_output=lambda *_: None).stdout == "a\\n"
    yield sandbox.run("for (;;);").exit_code == 124
    yield sandbox.run("cat", "shell", stdin=iter([b"a", b"b"])).stdout == "ab"
def child(work):
    number = os.fork()
    if not number:
        signal.alarm(30)
        os._exit(not all(work()))
    return os.waitpid(number, 0)[1] == 0
def use_another():
    with made() as sandbox:
        yield from use(sandbox)
def press():
    threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    try:
        made().run("for (;;);")
    except KeyboardInterrupt:
        yield signal.getsignal(signal.SIGINT) is signal.default_int_handler and signal.set_wakeup_fd(-1) == -1
def fork_meanwhile():
    time.sleep(0.1)
    print(child(press), end=" ")
with made() as sandbox:
    print(all(use(sandbox)), end=" ")
    for _ in range(3):
        sandbox.run("1")
        print(child(lambda: use(sandbox)), child(use_another), end=" ")
    forking = threading.Thread(target=fork_meanwhile)
    forking.start()
    print(sandbox.run("for (;;);").exit_code, end=" ")
    forking.join()
    print(all(use(sandbox)), end="")
"""


@unix
def test_a_child_that_was_forked_has_threads_and_limits_of_its_own() -> None:
    said = output(CHILDREN).split()
    said.remove("124")
    assert said == ["True"] * 9


COLLECTED = """
import gc
from amla_sandbox import Sandbox
class Thing: pass
def lines():
    with Sandbox() as sandbox:
        try:
            yield sandbox.run("return 1").return_value
        finally:
            left.append(sandbox.fs.list())
gc.disable()
left = []
with Sandbox() as sandbox:
    for _ in range(100):
        thing = Thing()
        thing.itself, thing.lines = thing, lines()
        next(thing.lines)
        del thing
        gc.collect()
        if sandbox.run("return 1").return_value != 1:
            print("broken")
print(len(left), all(each == [] for each in left), end="")
"""


def test_a_generator_with_a_sandbox_that_the_collector_finds_ends_in_order() -> None:
    assert output(COLLECTED) == "100 True"


NO_THREADS = """
import threading, time
from amla_sandbox import Limits, Sandbox
start = threading.Thread.start
def fail(_):
    raise RuntimeError("no more")
def attempt(work):
    threading.Thread.start = fail
    try:
        work()
    except RuntimeError as error:
        print(error, end=" ")
    time.sleep(0.05)
    threading.Thread.start = start
attempt(Sandbox)
with Sandbox(limits=Limits(timeout=0.5)) as sandbox:
    attempt(lambda: sandbox.run("await new Promise(done => setTimeout(done, 1))"))
    attempt(lambda: print(sandbox.run("return 1").return_value, end=" "))
    print(sandbox.run("for (;;);").exit_code, end="")
"""


def test_limits_outlast_a_lack_of_threads() -> None:
    assert output(NO_THREADS) == "no more no more 1 124"


LEFT = """
from amla_sandbox import Sandbox
one, other = Sandbox(), Sandbox()
def use():
    print(one.run("return 1").return_value, other.run("return 2").return_value, end="")
use()
"""


def test_sandboxes_that_are_left_open_end_with_the_process_without_a_word() -> None:
    assert output(LEFT) == "1 2"
