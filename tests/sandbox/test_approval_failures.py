"""Callbacks that fail or hang, and questions that are withdrawn."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from approval_people import drive, made, pay, run_async, run_it

from amla_sandbox import (
    ApprovalRequest,
    Limits,
    SandboxClosedError,
)


class PagerError(Exception):
    pass


@pytest.mark.parametrize("way", [run_it, run_async, drive])
@pytest.mark.parametrize("kind", ["plain", "coroutine"])
def test_what_a_callback_raises_ends_the_run_and_is_raised(way: Callable[..., Any], kind: str) -> None:
    """Fail closed, and loudly: the script cannot catch it, and learns nothing of it."""
    done: list[Any] = []

    def plain(_: ApprovalRequest) -> bool:
        raise PagerError("the pager is broken")

    async def coroutine(_: ApprovalRequest) -> bool:
        raise PagerError("the pager is broken")

    with made(plain if kind == "plain" else coroutine, tools=[pay(done)]) as sandbox:
        with pytest.raises(PagerError, match="the pager is broken"):
            way(sandbox, "try { await pay({n: 1}) } catch { for (;;) {} }", "javascript")
        assert sandbox.run("return 1").return_value == 1
    assert done == []


@pytest.mark.parametrize("way", [run_it, run_async, drive])
def test_a_callback_that_hangs_is_given_up_and_the_call_denied(way: Callable[..., Any]) -> None:
    withdrawn = threading.Event()

    def hang(asked: ApprovalRequest) -> bool:
        while not asked.withdrawn:
            time.sleep(0.01)
        withdrawn.set()
        return True

    with made(hang, limits=Limits(approval_timeout=0.15)) as sandbox:
        result = way(sandbox, "await pay({n: 1})", "javascript")
        assert "pay denied: nobody answered within 0.15 s" in str(result.error)
        assert result.calls[0].approval == "unanswered"
        assert withdrawn.wait(5)


def test_a_coroutine_that_hangs_is_cancelled() -> None:
    cancelled = threading.Event()

    async def hang(_: ApprovalRequest) -> bool:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return True

    with made(hang, limits=Limits(approval_timeout=0.15)) as sandbox:
        assert sandbox.run("await pay({n: 1})").exit_code == 77
    assert cancelled.wait(5)


def test_cancelling_the_task_withdraws_the_question() -> None:
    asked: list[ApprovalRequest] = []
    done: list[Any] = []

    async def wait(request: ApprovalRequest) -> bool:
        asked.append(request)
        await asyncio.sleep(60)
        return True

    async def main() -> None:
        with made(wait, tools=[pay(done)]) as sandbox:
            run = asyncio.ensure_future(sandbox.run_async("await pay({n: 1})"))
            while not asked:
                await asyncio.sleep(0.01)
            run.cancel()
            with pytest.raises(asyncio.CancelledError):
                await run
            assert asked[0].withdrawn
            assert sandbox.last_stderr == ""
            assert (await sandbox.run_async("return 1")).return_value == 1

    asyncio.run(main())
    assert done == []


def test_closing_the_sandbox_withdraws_the_question() -> None:
    asked = threading.Event()
    requests: list[ApprovalRequest] = []

    def wait(request: ApprovalRequest) -> bool:
        requests.append(request)
        asked.set()
        threading.Event().wait(30)
        return True

    sandbox = made(wait)

    def close() -> None:
        asked.wait(10)
        sandbox.close()

    threading.Thread(target=close).start()
    with pytest.raises(SandboxClosedError):
        sandbox.run("await pay({n: 1})")
    assert requests[0].withdrawn


def test_a_late_answer_to_a_withdrawn_question_does_nothing() -> None:
    done: list[Any] = []
    release = threading.Event()

    def late(_: ApprovalRequest) -> bool:
        release.wait(10)
        return True

    with made(late, tools=[pay(done)], limits=Limits(approval_timeout=0.1)) as sandbox:
        assert sandbox.run("await pay({n: 1})").exit_code == 77
        release.set()
        time.sleep(0.1)
        assert sandbox.run("return 1").return_value == 1
    assert done == []


def test_stopping_a_driven_script_while_a_question_is_open() -> None:
    asked: list[ApprovalRequest] = []

    def stop(request: ApprovalRequest) -> bool:
        asked.append(request)
        sandbox.stop()
        return True

    with made(stop) as sandbox:
        sandbox.start("await Promise.all([1, 2].map(n => pay({n})))")
        assert not sandbox.has_work()
        result = sandbox.result()
        assert len(asked) == 1
        assert (result.exit_code, [call.outcome for call in result.calls]) == (130, ["abandoned", "abandoned"])
        assert [call.approval for call in result.calls] == ["unanswered", "unanswered"]
