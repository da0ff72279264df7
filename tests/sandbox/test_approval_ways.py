"""Every way to call passes the gate, and the script stands still meanwhile; callbacks may be asynchronous."""

from __future__ import annotations

import asyncio
import contextvars
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from approval_people import SCHEMA, Answer, Person, asking, drive, made, pay, run_async, run_it

from amla_sandbox import (
    ApprovalAnswer,
    ApprovalRequest,
    Limits,
    MethodCapability,
    ToolDefinition,
)

# --- every way to call ------------------------------------------------------------------------------------------------

SCRIPTS: dict[str, tuple[str, str]] = {
    "loop": ("javascript", "for (const n of [1, 2, 3]) await pay({n}).catch(() => {})"),
    "at once": ("javascript", "await Promise.allSettled([1, 2, 3].map(n => pay({n})))"),
    "by name": ("javascript", "for (const n of [1, 2, 3]) await tools.call('pay', {n}).catch(() => {})"),
    "timers": (
        "javascript",
        "await Promise.all([1, 2, 3].map(n => new Promise(r => setTimeout(() => pay({n}).then(r, r), n))))",
    ),
    "nobody waits": ("javascript", "for (const n of [1, 2, 3]) pay({n}).catch(() => {})"),
    "from the shell": ("javascript", "await $`tool pay --n 1; tool pay --n 2 | cat; tool pay --n 3 & wait`"),
    "shell": ("shell", "for n in 1 2 3; do tool pay --n $n; done"),
    "pipeline": ("shell", "seq 3 | xargs -I{} tool pay --n {} | cat"),
    "jobs": ("shell", "tool pay --n 1 & tool pay --n 2 & tool pay --n 3 & wait"),
    "substitution": ("shell", 'echo "$(tool pay --n 1)"; cat <(tool pay --n 2); (tool pay --n 3)'),
    "JavaScript in the shell": ("shell", "js -e 'for (const n of [1, 2, 3]) await pay({n}).catch(() => {})'"),
}


@pytest.mark.parametrize("way", [run_it, run_async, drive])
@pytest.mark.parametrize(("language", "script"), SCRIPTS.values(), ids=SCRIPTS)
def test_every_way_to_call_passes_the_same_gate(way: Callable[..., Any], language: str, script: str) -> None:
    done: list[Any] = []
    person = Person(True, False, True)
    with made(person, tools=[pay(done)]) as sandbox:
        result = way(sandbox, script, language)
    assert sorted(person.numbers) == [1, 2, 3]
    allowed = [number for number, answer in zip(person.numbers, (True, False, True), strict=True) if answer]
    assert sorted(call["n"] for call in done) == sorted(allowed)
    assert sorted(call.approval for call in result.calls) == ["no", "yes", "yes"]


# --- the script stands still ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", [run_it, run_async, drive])
def test_waiting_for_a_person_is_not_the_runs_time(way: Callable[..., Any]) -> None:
    def slow(_: ApprovalRequest) -> bool:
        time.sleep(0.5)
        return True

    with made(slow, limits=Limits(timeout=0.4)) as sandbox:
        result = way(sandbox, "await pay({n: 1}); await pay({n: 2}); return 3", "javascript")
        assert (result.return_value, result.error) == (3, None)
        assert result.usage.wall_seconds < 0.4
        result = way(sandbox, "await pay({n: 1}); for (;;) await new Promise(r => setTimeout(r, 1))", "javascript")
        assert result.exit_code == 124


def test_a_handler_that_hangs_after_an_approval_is_still_given_up() -> None:
    def hang(_: Any) -> None:
        threading.Event().wait(60)

    stuck = ToolDefinition("pay", "", SCHEMA, handler=hang)
    since = time.monotonic()
    with made(Person(True), tools=[stuck], limits=Limits(timeout=0.5)) as sandbox:
        assert sandbox.run("await pay({n: 1})").exit_code == 124
    assert time.monotonic() - since < 5


def test_tools_of_other_calls_work_on_while_a_question_is_open() -> None:
    began, release = threading.Event(), threading.Event()

    def work(_: Any) -> str:
        began.set()
        release.wait(10)
        return "worked"

    def approve(_: ApprovalRequest) -> bool:
        seen = began.wait(10)
        release.set()
        return seen

    other = ToolDefinition("other", "", SCHEMA, handler=work)
    with made(approve, asking(MethodCapability("other")), tools=[pay(), other]) as sandbox:
        result = sandbox.run("return await Promise.all([other({}), pay({n: 1})])")
    assert result.return_value == ["worked", 1]


def test_an_approved_call_is_made_while_the_next_question_is_open() -> None:
    began = threading.Event()

    def approve(asked: ApprovalRequest) -> bool:
        return asked.arguments["n"] == 1 or began.wait(10)

    def handler(arguments: Any) -> Any:
        began.set()
        return arguments["n"]

    with made(approve, tools=[ToolDefinition("pay", "", SCHEMA, handler=handler)]) as sandbox:
        assert sandbox.run("return await Promise.all([pay({n: 1}), pay({n: 2})])").return_value == [1, 2]


# --- asynchronous callbacks ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", [run_it, run_async, drive])
def test_a_coroutine_function_can_answer(way: Callable[..., Any]) -> None:
    async def approve(asked: ApprovalRequest) -> Answer:
        await asyncio.sleep(0.01)
        return ApprovalAnswer(True, {"n": asked.arguments["n"] + 1})

    with made(approve) as sandbox:
        assert way(sandbox, "return await pay({n: 1})", "javascript").return_value == 2


def test_it_runs_on_the_loop_of_the_run() -> None:
    loops: list[Any] = []

    async def approve(_: ApprovalRequest) -> bool:
        loops.append(asyncio.get_running_loop())
        return True

    async def main() -> Any:
        loops.append(asyncio.get_running_loop())
        with made(approve) as sandbox:
            return await sandbox.run_async("return await pay({n: 1})")

    assert asyncio.run(main()).return_value == 1
    assert loops[0] is loops[1]


def test_a_callback_that_blocks_does_not_block_the_loop() -> None:
    async def main() -> int:
        ticks = 0
        with made(lambda _: time.sleep(0.3) is None) as sandbox:
            run = asyncio.ensure_future(sandbox.run_async("return await pay({n: 1})"))
            while not run.done():
                await asyncio.sleep(0.01)
                ticks += 1
            assert (await run).return_value == 1
        return ticks

    assert asyncio.run(main()) > 5


def test_callbacks_see_the_context_of_the_code_that_started_the_run() -> None:
    user: contextvars.ContextVar[str] = contextvars.ContextVar("user")
    seen: list[str] = []

    async def later(_: ApprovalRequest) -> bool:
        seen.append(user.get("nobody"))
        return True

    def now(_: ApprovalRequest) -> bool:
        seen.append(user.get("nobody"))
        return True

    for approve in (later, now):
        with made(approve) as sandbox:
            user.set("ann")
            sandbox.run("await pay({n: 1})")
    assert seen == ["ann", "ann"]
