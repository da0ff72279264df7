"""Which thread guest code runs on, and what a Ctrl-C does to it there."""

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

from amla_sandbox import Sandbox, SandboxClosedError
from amla_sandbox._guest import _later, _signals, _threads
from amla_sandbox._runs._scheduler import Drive

unix = pytest.mark.skipif(sys.platform == "win32", reason="signals")


def output(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert done.stderr == ""
    return done.stdout


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Drives that are given to threads of ours."""
    drives: list[Any] = []
    start = _threads.start

    def noted(task: Any) -> None:
        if isinstance(getattr(task, "__self__", None), Drive):
            drives.append(task)
        start(task)

    monkeypatch.setattr(_threads, "start", noted)
    return drives


@pytest.mark.parametrize("language", ["javascript", "shell"])
def test_a_script_of_one_step_takes_the_callers_thread(sandbox: Sandbox, started: list[Any], language: str) -> None:
    sandbox.run("true", language)
    assert started == []


def test_what_waits_goes_on_elsewhere(sandbox: Sandbox, started: list[Any]) -> None:
    assert sandbox.run("await new Promise(done => setTimeout(done, 1)); return 1").return_value == 1
    assert started != []


def test_a_listener_is_never_called_while_ctrl_c_has_to_wait(sandbox: Sandbox) -> None:
    states: list[bool] = []
    sandbox.run("echo a; echo b", "shell", on_output=lambda *_: states.append(_signals.is_deferring()))
    sandbox.start("console.log('a')", on_output=lambda *_: states.append(_signals.is_deferring()))
    assert sandbox.result().success
    assert len(states) >= 2
    assert not any(states)


def test_many_threads_run_scripts_at_once() -> None:
    results: list[object] = []

    def work(number: int) -> None:
        with Sandbox() as sandbox:
            results.extend(sandbox.run(f"return {number} * 100 + {turn}").return_value for turn in range(20))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(str, results)) == sorted(str(number * 100 + turn) for number in range(8) for turn in range(20))


def test_closing_ends_the_step_that_another_thread_takes() -> None:
    for turn in range(40):
        sandbox, ended = Sandbox(), list[object]()

        def run(sandbox: Sandbox = sandbox, ended: list[object] = ended) -> None:
            try:
                ended.append(sandbox.run("for (;;);"))
            except SandboxClosedError as error:
                ended.append(error)

        thread = threading.Thread(target=run)
        thread.start()
        time.sleep(turn * 0.0001)
        sandbox.close()
        thread.join(10)
        assert isinstance(ended[0], SandboxClosedError)


CTRL_C = """
import os, random, signal, threading, time
from amla_sandbox import Sandbox, SandboxClosedError
random.seed(7)
sent = raised = 0
with Sandbox() as sandbox:
    sandbox.fs.write("/workspace/kept", b"here")
    for turn in range(150):
        delay = random.choice((0, 0, 0.0002, 0.001, 0.004))
        def send():
            time.sleep(delay)
            os.kill(os.getpid(), signal.SIGINT)
        thread = threading.Thread(target=send)
        try:
            sent += 1
            thread.start()
            result = sandbox.run(("for (let i = 0; i < 1e5; i++);", "for ((i = 0; i < 3000; i++)); do :; done")[turn % 2],
                                 ("javascript", "shell")[turn % 2])
            if not result.success:
                print(result)
            thread.join()
            time.sleep(0.01)
        except KeyboardInterrupt:
            raised += 1
            thread.join()
        if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            print("the handler is another")
        if (wakeup := signal.set_wakeup_fd(-1)) != -1:
            print("signals are written to", wakeup)
    print(sent == raised, sandbox.fs.read("/workspace/kept"), sandbox.run("echo sound", "shell").stdout, end="")
"""


@unix
def test_ctrl_c_is_raised_once_for_each_and_leaves_all_in_order() -> None:
    assert output(CTRL_C) == "True b'here' sound\n"


HANDLED = """
import signal, time
from amla_sandbox import Sandbox, SandboxClosedError
class Alarm(Exception): pass
def ring(*_): raise Alarm
signal.signal(signal.SIGALRM, ring)
with Sandbox() as sandbox:
    sandbox.run("1")
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    begun = time.monotonic()
    try:
        sandbox.run("for (;;);")
    except Alarm:
        print("rung", time.monotonic() - begun < 5)
    print(sandbox.run("return 2").return_value)
"""


@unix
def test_handlers_of_a_program_do_not_wait_for_a_script() -> None:
    assert output(HANDLED) == "rung True\n2\n"


@unix
@pytest.mark.parametrize("usual", [signal.SIG_IGN, signal.SIG_DFL], ids=["ignored", "deadly"])
def test_where_python_handles_no_signal_there_is_nothing_to_put_off(sandbox: Sandbox, usual: signal.Handlers) -> None:
    before = signal.signal(signal.SIGINT, usual)
    try:
        with _threads.here(None) or pytest.fail("another thread was wanted"):
            assert not _signals.is_deferring()
        assert sandbox.run("return 1").return_value == 1
        assert signal.getsignal(signal.SIGINT) is usual
    finally:
        signal.signal(signal.SIGINT, before)


def _nonblocking() -> int:
    one, _ = os.pipe()
    os.set_blocking(one, False)
    return one


@unix
@pytest.mark.parametrize("taken", [
    lambda: signal.signal(signal.SIGUSR1, lambda *_: None),
    lambda: signal.signal(signal.SIGINT, lambda *_: None),
    lambda: signal.set_wakeup_fd(_nonblocking()),
], ids=["another signal", "ctrl-c", "the pipe"])  # fmt: skip
def test_signals_that_are_the_programs_own_are_left_alone(taken: Callable[[], Any]) -> None:
    usual = signal.getsignal(signal.SIGUSR1), signal.getsignal(signal.SIGINT)
    before = _threads.here(None)
    assert before is not None
    with before:
        assert _signals.is_deferring()
    try:
        taken()
        now = signal.getsignal(signal.SIGINT)
        assert _threads.here(None) is None
        assert signal.getsignal(signal.SIGINT) is now
    finally:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGUSR1, usual[0])
        signal.signal(signal.SIGINT, usual[1])


def test_what_can_wait_is_done_in_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    monkeypatch.setattr(_threads, "start", lambda task: task())
    monkeypatch.setattr(_later, "_due", {})
    monkeypatch.setattr(_later, "monotonic", lambda: 5.0)
    for name in ("first", "dropped", "second"):
        _later.when_idle(lambda name=name: order.append(name), name)
    _later.drop("dropped")
    _later.begin_due(5.0)
    assert order == []
    _later.begin_due(5.0 + _later._MOMENT)
    assert order == ["first", "second"]
    assert not _later.are_waiting()


@unix
def test_ctrl_c_that_is_noted_while_the_watchdog_looks_for_it_stays_so(monkeypatch: pytest.MonkeyPatch) -> None:
    deferral = _signals.Deferral(None)

    def arrived() -> bool:
        deferral.noted = True
        return False

    monkeypatch.setattr(_signals, "_active", deferral)
    monkeypatch.setattr(_signals, "_arrived", arrived)
    _signals.pass_on()
    assert deferral.noted
