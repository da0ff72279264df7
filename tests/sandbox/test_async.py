"""Sandboxes under asyncio: on the caller's loop, side by side, and cancelled at any moment."""

from __future__ import annotations

import asyncio
import contextvars
import time
from collections.abc import Callable
from typing import Any

import pytest

from amla_sandbox import ExecutionError, Limits, MethodCapability, Sandbox, SandboxTool, tool_from_function

HANG = 5.0


def make(*functions: Callable[..., Any], **limits: Any) -> Sandbox:
    tools = [tool_from_function(function) for function in functions]
    return Sandbox(tools=tools, capabilities=[MethodCapability("**")], limits=Limits(**limits))


async def anap(ms: int) -> int:
    await asyncio.sleep(ms / 1000)
    return ms


def nap(ms: int) -> int:
    time.sleep(ms / 1000)
    return ms


async def ahang() -> None:
    await asyncio.sleep(HANG)


def hang() -> None:
    time.sleep(HANG)


def test_coroutines_run_on_the_callers_loop_with_its_context() -> None:
    user: contextvars.ContextVar[str] = contextvars.ContextVar("user")
    seen: list[Any] = []

    async def where() -> str:
        seen.append(asyncio.get_running_loop())
        return user.get()

    async def main() -> None:
        user.set("alice")
        with make(where) as sandbox:
            result = await sandbox.run_async("return [await where({}), ...await Promise.all([where({}), where({})])]")
            assert result.return_value == ["alice"] * 3
        assert set(seen) == {asyncio.get_running_loop()}

    asyncio.run(main())


def test_the_loop_goes_on_while_a_script_computes() -> None:
    async def main() -> int:
        ticks = 0
        with make() as sandbox:
            run = asyncio.create_task(sandbox.run_async("const end = Date.now() + 300; while (Date.now() < end);"))
            while not run.done():
                await asyncio.sleep(0.01)
                ticks += 1
            assert run.result().success
        return ticks

    assert asyncio.run(main()) > 5


def test_many_sandboxes_at_once() -> None:
    async def one(n: int) -> Any:
        with make(anap, nap) as sandbox:
            script = f"await Promise.all([anap({{ms: 100}}), nap({{ms: 100}})]); return {n}"
            return (await sandbox.run_async(script)).return_value

    async def main() -> list[Any]:
        return list(await asyncio.gather(*(one(n) for n in range(20))))

    started = time.monotonic()
    assert asyncio.run(main()) == list(range(20))
    assert time.monotonic() - started < 2.0 + 1.5, "twenty times 100 ms in turn, and the machine may be busy"


CANCELLED = {
    "computing": "for (;;);",
    "in engine code that looks at no flag": "new Array(1e8).join('abc')",
    "awaiting a coroutine": "await ahang({})",
    "awaiting a function": "await hang({})",
    "awaiting several": "await Promise.all([hang({}), ahang({}), hang({})])",
    "awaiting a timer": "await new Promise(done => setTimeout(done, 10000))",
    "swallowing errors": "for (;;) { try { await anap({ms: 1}) } catch {} }",
    "being denied for ever": "for (;;) { try { await nothing.at.all({}) } catch {} await null }",
}


@pytest.mark.parametrize("script", CANCELLED.values(), ids=CANCELLED)
def test_cancelling_ends_the_run_first(script: str) -> None:
    async def main() -> None:
        with make(ahang, hang, anap, memory=512_000_000) as sandbox:
            sandbox.fs.write("/workspace/kept", "x")
            run = asyncio.create_task(sandbox.run_async(script))
            await asyncio.sleep(0.1)
            begun = time.monotonic()
            run.cancel()
            with pytest.raises(asyncio.CancelledError):
                await run
            assert time.monotonic() - begun < 1.5
            after = await sandbox.run_async("return [fs.readFileSync('kept', 'utf8'), await anap({ms: 1})]")
            assert after.return_value == ["x", 1], after.error

    asyncio.run(main())


def test_a_time_out_of_asyncios() -> None:
    async def main() -> None:
        with make() as sandbox:
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(sandbox.run_async("for (;;);"), 0.1)
            assert (await sandbox.run_async("return 1")).return_value == 1

    asyncio.run(main())


def test_cancelling_cancels_coroutines_of_handlers() -> None:
    ended: list[str] = []

    async def stuck() -> None:
        try:
            await asyncio.sleep(HANG)
        finally:
            ended.append("stuck")

    async def main() -> None:
        with make(stuck) as sandbox:
            run = asyncio.create_task(sandbox.run_async("await Promise.all([stuck({}), stuck({})])"))
            await asyncio.sleep(0.05)
            run.cancel()
            await asyncio.gather(run, return_exceptions=True)
            await asyncio.sleep(0.02)

    asyncio.run(main())
    assert ended == ["stuck", "stuck"]


@pytest.mark.parametrize("name", ["hang", "ahang"])
def test_the_deadline_holds_for_hanging_handlers(name: str) -> None:
    async def main() -> None:
        with make(hang, ahang, timeout=0.2) as sandbox:
            started = time.monotonic()
            result = await sandbox.run_async(f"await {name}({{}})")
            assert (result.exit_code, time.monotonic() - started < 1.5) == (124, True)
            assert (await sandbox.run_async("return 1")).return_value == 1

    asyncio.run(main())


def test_an_output_callback_that_raises() -> None:
    def fail(fd: int, data: bytes) -> None:
        raise LookupError("full")

    async def main() -> None:
        with make() as sandbox:
            with pytest.raises(LookupError):
                await sandbox.run_async("console.log(1); for (;;);", on_output=fail)
            assert (await sandbox.run_async("return 1")).return_value == 1

    asyncio.run(main())


def test_a_handler_that_blocks_the_loop_is_only_slow() -> None:
    async def rude() -> int:
        time.sleep(0.1)
        return 1

    async def main() -> Any:
        with make(rude) as sandbox:
            return (await sandbox.run_async("return await rude({})")).return_value

    assert asyncio.run(main()) == 1


def test_a_handler_may_await_another_sandbox() -> None:
    async def main() -> Any:
        with make(anap) as inner:

            async def nested() -> Any:
                return (await inner.run_async("return await anap({ms: 5})")).return_value

            with make(nested) as outer:
                return (await outer.run_async("return await nested({})")).return_value

    assert asyncio.run(main()) == 5


def test_a_synchronous_run_inside_a_loop() -> None:
    """It blocks the loop, as it says; its coroutines run on a loop of ours."""

    async def main() -> Any:
        with make(anap) as sandbox:
            return sandbox.run("return await anap({ms: 5})").return_value

    assert asyncio.run(main()) == 5


def test_loop_after_loop() -> None:
    with make(anap) as sandbox:
        for _ in range(3):
            assert asyncio.run(sandbox.run_async("return await anap({ms: 1})")).return_value == 1


def test_the_other_asynchronous_methods() -> None:
    async def main() -> None:
        pieces: list[str] = []
        with make(anap) as sandbox:
            assert await sandbox.execute_async("console.log(await anap({ms: 1}))", pieces.append) == "1\n"
            with pytest.raises(ExecutionError, match="boom"):
                await sandbox.execute_async("throw new Error('boom')")
        assert pieces == ["1\n"]
        with SandboxTool.from_functions([anap]) as tool:
            assert await tool.run_async("return await anap({ms: 2})") == "2"

    asyncio.run(main())


def test_a_handler_for_all_tools_may_be_a_coroutine_function() -> None:
    async def handle(method: str, params: dict[str, Any]) -> str:
        await asyncio.sleep(0)
        return method

    async def main() -> Any:
        with Sandbox(capabilities=[MethodCapability("a/**")], tool_handler=handle) as sandbox:
            return (await sandbox.run_async("return await a.b({})")).return_value

    assert asyncio.run(main()) == "a/b"
