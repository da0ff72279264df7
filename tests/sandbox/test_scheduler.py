"""Handlers of synchronous runs: concurrent, bounded in time, and harmless whatever they do."""

from __future__ import annotations

import asyncio
import contextvars
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from amla_sandbox import (
    Limits,
    MethodCapability,
    Sandbox,
    SandboxBusyError,
    SandboxClosedError,
    ToolDefinition,
    tool_from_function,
)
from amla_sandbox._guest._instance import Instance
from amla_sandbox._runs._language import script_for
from amla_sandbox._runs._run import Run
from amla_sandbox._runs._scheduler import Drive

HANG = 5.0
"""Seconds for which a handler hangs, unless it is released: far longer than any test may take."""

RELEASE = threading.Event()


@pytest.fixture(autouse=True)
def _release() -> Iterator[None]:
    RELEASE.clear()
    yield
    RELEASE.set()


def make(*functions: Callable[..., Any], **limits: Any) -> Sandbox:
    tools = [tool_from_function(function) for function in functions]
    return Sandbox(tools=tools, capabilities=[MethodCapability("**")], limits=Limits(**limits))


def nap(ms: int) -> int:
    time.sleep(ms / 1000)
    return ms


async def anap(ms: int) -> int:
    await asyncio.sleep(ms / 1000)
    return ms


def hang() -> str:
    RELEASE.wait(HANG)
    return "late"


async def ahang() -> str:
    await asyncio.sleep(HANG)
    return "late"


# --- concurrency ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["nap", "anap"])
def test_calls_that_wait_at_once_run_at_once(name: str) -> None:
    with make(nap, anap) as sandbox:
        script = f"return (await Promise.all(Array.from({{length: 20}}, () => {name}({{ms: 100}})))).length"
        result = sandbox.run(script)
    assert result.return_value == 20
    assert result.usage.wall_seconds < 1.5, "in turn they would take 2 s"


def test_sync_and_async_handlers_mix() -> None:
    with make(nap, anap) as sandbox:
        result = sandbox.run("return await Promise.all([nap({ms: 200}), anap({ms: 200}), nap({ms: 200})])")
    assert result.return_value == [200, 200, 200]
    assert result.usage.wall_seconds < 0.55


def test_beyond_the_cap_calls_queue() -> None:
    running, most = 0, 0
    lock = threading.Lock()

    def work() -> int:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.01)
        with lock:
            running -= 1
        return most

    with make(work, concurrency=3) as sandbox:
        result = sandbox.run("return (await Promise.all(Array.from({length: 20}, () => work({})))).length")
    assert (result.return_value, most) == (20, 3)


def test_results_arrive_as_they_come() -> None:
    with make(nap) as sandbox:
        script = (
            "const order = []; await Promise.all([90, 10, 50].map(ms => nap({ms}).then(x => order.push(x)))); order"
        )
        assert sandbox.run(script).return_value == [10, 50, 90]


def test_calls_that_nobody_awaits_are_made_before_the_run_ends() -> None:
    made: list[int] = []

    def note(n: int) -> None:
        time.sleep(0.02)
        made.append(n)

    with make(note) as sandbox:
        result = sandbox.run("note({n: 1}); note({n: 2}).then(() => console.log('after')); return 'done'")
    assert sorted(made) == [1, 2]
    assert result.stdout == "done\nafter\n"


def test_an_error_that_nobody_awaits_ends_the_run() -> None:
    def fail() -> None:
        raise ValueError("unseen")

    with make(fail) as sandbox:
        result = sandbox.run("fail({}); console.log('on')")
    assert (result.exit_code, result.stdout) == (1, "on\n")
    assert "unseen" in (result.error or "")


def test_a_timer_fires_while_a_call_waits() -> None:
    with make(nap) as sandbox:
        race = "return await Promise.race([nap({ms: 500}), new Promise(done => setTimeout(done, 20, 'timer'))])"
        started = time.monotonic()
        assert sandbox.run(race + "").return_value == "timer"
        assert time.monotonic() - started < 2
        assert (
            sandbox.run("return await Promise.race([nap({ms: 5}), new Promise(r => setTimeout(r, 900))])").stdout
            == "5\n"
        )


def test_waiting_for_a_tool_is_not_computing() -> None:
    with make(nap, cpu=0.2) as sandbox:
        result = sandbox.run("await nap({ms: 400}); return 1")
    assert (result.return_value, result.exit_code) == (1, 0), result.error
    assert result.usage.cpu_seconds < 0.2 < 0.4 <= result.usage.wall_seconds


# --- hanging ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("call", ["hang({})", "ahang({})", "Promise.all([hang({}), hang({}), ahang({})])"])
def test_a_handler_that_never_returns_is_bounded_by_the_deadline(call: str) -> None:
    with make(hang, ahang, nap, timeout=0.2) as sandbox:
        started = time.monotonic()
        result = sandbox.run(f"console.log('before'); await {call}")
        assert time.monotonic() - started < 1.5
        assert (result.exit_code, result.stdout) == (124, "before\n")
        assert {record.outcome for record in result.calls} == {"abandoned"}
        assert sandbox.run("return await nap({ms: 1})").return_value == 1, "the sandbox goes on"


@pytest.mark.parametrize("function", [hang, ahang])
def test_a_handler_that_exceeds_its_own_time_fails(function: Callable[..., Any]) -> None:
    tool = tool_from_function(function, name="slow", timeout=0.1)
    with Sandbox(tools=[tool], capabilities=[MethodCapability("slow")]) as sandbox:
        started = time.monotonic()
        result = sandbox.run("try { await slow({}) } catch (error) { return [error.name, error.message] }")
        assert time.monotonic() - started < 1.5
    assert result.return_value == ["ToolFailedError", "slow did not answer within 0.1 s"]


def test_a_script_goes_on_after_a_call_that_took_too_long() -> None:
    slow, quick = tool_from_function(hang, timeout=0.1), tool_from_function(nap)
    script = """
        const late = await hang({}).catch(error => error.message)
        return [late, await nap({ms: 1}), (await Promise.allSettled([hang({}), nap({ms: 2})])).map(each => each.status)]
    """
    with Sandbox(tools=[slow, quick], capabilities=[MethodCapability("**")], limits=Limits(timeout=0)) as sandbox:
        result = sandbox.run(script)
        RELEASE.set()
        assert sandbox.run("return await hang({})").return_value == "late"
    late = "hang did not answer within 0.1 s"
    assert result.return_value == [late, 1, ["rejected", "fulfilled"]]
    assert [record.outcome for record in result.calls] == ["failed", "ok", "ok", "failed"]


def test_the_thread_of_a_hanging_handler_ends_when_the_handler_does() -> None:
    seen: list[threading.Thread] = []

    def stuck() -> None:
        seen.append(threading.current_thread())
        RELEASE.wait(HANG)

    with make(stuck, timeout=0.1) as sandbox:
        sandbox.run("await stuck({})")
        [thread] = seen
        assert thread.is_alive() and thread.daemon
        RELEASE.set()
        assert sandbox.run("return 1").return_value == 1


def test_a_late_answer_reaches_no_later_run() -> None:
    with make(hang, nap, timeout=0.1) as sandbox:
        assert sandbox.run("await Promise.all([hang({}), hang({})])").exit_code == 124
        RELEASE.set()
        result = sandbox.run("return [await nap({ms: 20}), await nap({ms: 1})]")
        assert (result.return_value, len(result.calls)) == ([20, 1], 2)


def test_a_coroutine_that_is_given_up_is_cancelled() -> None:
    cancelled = threading.Event()

    async def stuck() -> None:
        try:
            await asyncio.sleep(HANG)
        except asyncio.CancelledError:
            cancelled.set()
            raise

    with make(stuck, timeout=0.1) as sandbox:
        assert sandbox.run("await stuck({})").exit_code == 124
        assert cancelled.wait(2)


# --- what handlers raise ----------------------------------------------------------------------------------

CAUGHT = (
    "try { await tool({}) } catch (error) { return [error.name, error.message, error instanceof Error, error.type] }"
)


class Odd(BaseException):
    pass


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize("kind", [SystemExit, KeyboardInterrupt, GeneratorExit, asyncio.CancelledError, Odd])
def test_what_is_no_ordinary_exception_is_a_failure_of_the_tool(kind: type[BaseException], is_async: bool) -> None:
    def tool() -> None:
        raise kind("secret")

    async def atool() -> None:
        raise kind("secret")

    definition = tool_from_function(atool if is_async else tool, name="tool")
    with Sandbox(tools=[definition], capabilities=[MethodCapability("tool")]) as sandbox:
        for _ in range(3):
            result = sandbox.run(CAUGHT)
            message = f"the tool ended with {kind.__name__}"
            assert result.return_value == ["ToolFailedError", message, True, "RuntimeError"], result.error


@pytest.mark.parametrize(
    ("error", "kind", "expected"),
    [
        (ValueError("no such city"), "ValueError", "no such city"),
        (KeyError("city"), "KeyError", "no such key: 'city'"),
        (ValueError(), "ValueError", "ValueError"),
        (TimeoutError(), "TimeoutError", "timed out"),
    ],
)
def test_an_exception_is_an_error_of_the_script(error: Exception, kind: str, expected: str) -> None:
    def tool() -> None:
        raise error

    with make(tool) as sandbox:
        assert sandbox.run(CAUGHT).return_value == ["ToolFailedError", expected, True, kind]


def test_an_uncaught_one_ends_the_run_and_keeps_what_was_printed() -> None:
    def tool() -> None:
        raise ValueError("no")

    with make(tool) as sandbox:
        result = sandbox.run("console.log('kept')\nawait tool({})")
    assert (result.exit_code, result.stdout) == (1, "kept\n")
    assert result.error is not None and result.error.startswith("ToolFailedError: no\n    at script.js:2:")


class UnprintableError(Exception):
    def __str__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    ("error", "allowed"),
    [
        (ValueError("x" * 10_000_000), 2_100),
        (OSError(2, "No such file", "/usr/lib/private/file.txt"), 100),
        (ValueError("a\ud800b\x00\x1b[31m"), 100),
        (UnprintableError(), 100),
    ],
    ids=["huge", "host path", "control characters", "unprintable"],
)
def test_hostile_texts_of_exceptions(error: Exception, allowed: int) -> None:
    def tool() -> None:
        raise error

    with make(tool) as sandbox:
        _, message, is_error, _ = sandbox.run(CAUGHT).return_value
    assert is_error and len(message) <= allowed
    assert "/usr/lib" not in message and "\x1b" not in message and "\x00" not in message


# --- re-entrancy, threads, closing -----------------------------------------------------------------------------


def test_a_handler_that_uses_its_own_sandbox_fails_clearly_and_one_that_uses_another_works() -> None:
    def inside() -> Any:
        return busy.run("return 1").return_value

    def outside() -> Any:
        return other.run("return await nap({ms: 1})").return_value

    with make(inside, outside) as busy, make(nap) as other:
        refused = busy.run("try { await inside({}) } catch (error) { return [error.message, error.type] }")
        message, kind = refused.return_value
        assert kind == "SandboxBusyError" and "needs a sandbox of its own" in message
        assert busy.run("return await outside({})").return_value == 1
        both = busy.run("return await Promise.allSettled([inside({}), outside({})])").return_value
        assert [each["status"] for each in both] == ["rejected", "fulfilled"]


def test_a_handler_may_use_the_files_of_its_sandbox() -> None:
    def save(text: str) -> int:
        sandbox.fs.write("/workspace/saved", text)
        return len(sandbox.fs.list())

    with make(save) as sandbox:
        assert sandbox.run("await save({text: 'x'}); return fs.readFileSync('saved', 'utf8')").return_value == "x"
        script = "await Promise.all([save({text: 'y'}), save({text: 'y'})]); return fs.readFileSync('saved', 'utf8')"
        assert sandbox.run(script).return_value == "y"


def test_two_threads_on_one_sandbox() -> None:
    entered = threading.Event()

    def block() -> None:
        entered.set()
        RELEASE.wait(HANG)

    with make(block) as sandbox:
        thread = threading.Thread(target=lambda: sandbox.run("await block({})"))
        thread.start()
        assert entered.wait(2)
        with pytest.raises(SandboxBusyError):
            sandbox.run("1")
        RELEASE.set()
        thread.join(2)
        assert sandbox.run("return 1").return_value == 1


def test_many_threads_many_sandboxes() -> None:
    results: list[Any] = []

    def work(n: int) -> None:
        with make(nap) as sandbox:
            script = f"await nap({{ms: 2}}); return {n}"
            results.extend([sandbox.run(script).return_value for _ in range(5)])

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert sorted(results) == sorted(n for n in range(8) for _ in range(5))


@pytest.mark.parametrize("script", ["for (;;);", "await hang({})", "await Promise.all([hang({}), hang({})])"])
def test_closing_a_sandbox_ends_its_run(script: str) -> None:
    caught: list[BaseException] = []
    started = threading.Event()

    def run() -> None:
        try:
            sandbox.run(f"console.log(1); setTimeout(() => {{}}, 1); {script}", on_output=lambda *_: started.set())
        except BaseException as error:
            caught.append(error)

    sandbox = make(hang)
    thread = threading.Thread(target=run)
    thread.start()
    if "for" not in script:
        assert started.wait(2)
    time.sleep(0.1)
    begun = time.monotonic()
    sandbox.close()
    thread.join(2)
    assert not thread.is_alive() and time.monotonic() - begun < 2
    assert [type(error) for error in caught] == [SandboxClosedError]


def test_a_handler_that_closes_its_sandbox() -> None:
    def end() -> None:
        sandbox.close()

    sandbox = make(end, nap)
    with pytest.raises(SandboxClosedError):
        sandbox.run("await end({}); await nap({ms: 1})")
    sandbox = make(end, nap)
    with pytest.raises(SandboxClosedError):
        sandbox.run("await Promise.all([end({}), nap({ms: 10})])")


# --- context and output ---------------------------------------------------------------------------------------

USER: contextvars.ContextVar[str] = contextvars.ContextVar("USER", default="nobody")


def who() -> str:
    return USER.get()


async def awho() -> str:
    await asyncio.sleep(0)
    return USER.get()


def test_handlers_see_the_context_of_the_caller() -> None:
    token = USER.set("alice")
    try:
        with make(who, awho) as sandbox:
            script = "return [await who({}), await awho({}), ...await Promise.all([who({}), who({}), awho({})])]"
            assert sandbox.run(script).return_value == ["alice"] * 5
    finally:
        USER.reset(token)


def test_a_plain_function_may_return_an_awaitable() -> None:
    async def later() -> int:
        await asyncio.sleep(0.01)
        return 7

    tool = ToolDefinition("tool", handler=lambda arguments: later())
    with Sandbox(tools=[tool], capabilities=[MethodCapability("tool")]) as sandbox:
        assert sandbox.run("return [await tool({}), ...await Promise.all([tool({}), tool({})])]").return_value == [
            7,
            7,
            7,
        ]


def test_output_comes_in_order_as_bytes_while_the_script_runs() -> None:
    got: list[tuple[int, bytes]] = []
    seen: list[int] = []

    def look() -> None:
        seen.append(len(got))

    with make(look) as sandbox:
        script = (
            "console.log('a'); console.error('b'); await look({}); process.stdout.write(new Uint8Array([255, 10])); 1"
        )
        result = sandbox.run(script, on_output=lambda fd, data: got.append((fd, data)))
    assert got == [(1, b"a\n"), (2, b"b\n"), (1, b"\xff\n")]
    assert seen == [2], "what was printed before a call is out before the call"
    assert (result.stdout_bytes, result.stdout) == (b"a\n\xff\n", "a\n\ufffd\n")


@pytest.mark.parametrize(
    "script", ["for (;;) console.log('x')", "console.log('x'); await hang({})", "console.log('x')"]
)
def test_what_an_output_callback_raises_is_raised_and_the_sandbox_goes_on(script: str) -> None:
    def fail(fd: int, data: bytes) -> None:
        raise LookupError("full")

    with make(hang) as sandbox:
        with pytest.raises(LookupError, match="full"):
            sandbox.run(script, on_output=fail)
        assert sandbox.run("return 1").return_value == 1


def test_a_sandbox_gets_ready_for_the_next_run_when_nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    ready = threading.Event()
    prepare = Instance.prepare
    monkeypatch.setattr(Instance, "prepare", lambda instance: (prepare(instance), ready.set()))
    with make() as sandbox:
        assert sandbox.run("return 1").return_value == 1
        assert ready.wait(30)
        assert sandbox.run("return 2").return_value == 2


def test_an_interrupt_that_comes_late_meets_no_later_run() -> None:
    with make() as sandbox:
        script = script_for("return 1", "javascript", None, (), {}, None)
        first = Run(sandbox._instance, script, sandbox._tools, lambda: sandbox.policy, sandbox.limits)
        assert Drive(first, lambda _: 1, lambda _: None).wait().return_value == 1
        over = threading.Event()

        def bother() -> None:
            while not over.is_set():
                first.interrupt()

        thread = threading.Thread(target=bother)
        thread.start()
        try:
            result = sandbox.run("for (let i = 0; i < 3e5; i++); return 'whole'")
        finally:
            over.set()
            thread.join()
    assert (result.exit_code, result.return_value) == (0, "whole")
