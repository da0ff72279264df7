"""Asking a person about the calls that wait for one, one question after the other."""

from __future__ import annotations

import asyncio
import contextvars
import math
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from inspect import isawaitable
from typing import TYPE_CHECKING, Any

from amla_sandbox._calls._approval import ApprovalAnswer, ApprovalRequest, Approve, answer_of
from amla_sandbox._calls._handlers import handler_loop, start_thread

if TYPE_CHECKING:
    from ._run import Run

__all__ = ["ask"]

_LONGEST = 3600.0
"""Seconds of one wait without an end; arbitrary."""


def ask(
    run: Run, loop: asyncio.AbstractEventLoop | None, wait: Callable[[float], None], notify: Callable[[], None]
) -> None:
    """Put every question that is open, and settle its call, until none is left or the run is interrupted.

    `wait(seconds)` waits for at most that long, and returns when `notify` was called, from whatever thread. `loop` is
    where asynchronous callbacks run, by default one of ours. Raises what the callback raised, and TypeError for an
    answer that is none.
    """
    approve, context = run.approve, run.context or contextvars.copy_context()
    with run.standing_still():
        while approve is not None and not _is_over(run) and (asked := run.calls.question()) is not None:
            inquiry = _Inquiry(approve, asked, loop or handler_loop(), notify, context.copy())
            try:
                _await(inquiry, run, wait)
            finally:
                inquiry.withdraw()
            if _is_over(run):
                return
            if inquiry.answered:
                run.calls.answer(asked, inquiry.answer())
            else:
                seconds = run.limits.approval_timeout
                run.calls.answer(
                    asked, ApprovalAnswer(False, reason=f"nobody answered within {seconds:g} s"), "unanswered"
                )


def _await(inquiry: _Inquiry, run: Run, wait: Callable[[float], None]) -> None:
    """Wait for an answer, the end of the time for it, or that of the run."""
    seconds = run.limits.approval_timeout
    until = time.monotonic() + seconds if seconds else math.inf
    while not inquiry.answered and not _is_over(run) and time.monotonic() < until:
        wait(min(max(0.0, until - time.monotonic()), _LONGEST))


def _is_over(run: Run) -> bool:
    return run.interrupted or run.result is not None


class _Inquiry:
    """One question on its way: the callback is called on a thread of its own, a coroutine is awaited on a loop."""

    def __init__(
        self,
        approve: Approve,
        asked: ApprovalRequest,
        loop: asyncio.AbstractEventLoop,
        notify: Callable[[], None],
        context: contextvars.Context,
    ) -> None:
        self._asked, self._loop, self._notify = asked, loop, notify
        self._inner: Future[Any] | None = None
        self._value: object = None
        self._error: BaseException | None = None
        self.answered = False
        start_thread(lambda: context.run(self._work, approve))

    def answer(self) -> ApprovalAnswer:
        """The answer that has come. Raises what the callback raised, and TypeError for what is no answer."""
        if self._error is not None:
            raise self._error
        return answer_of(self._value)

    def withdraw(self) -> None:
        """Nobody waits any more."""
        self._asked.withdraw()
        if self._inner is not None:
            self._inner.cancel()

    def _work(self, approve: Approve) -> None:
        with suppress(CancelledError):
            try:
                self._value = self._settled(approve(self._asked))
            except CancelledError:
                if self._asked.withdrawn:
                    raise
                self._error = RuntimeError("the approve callback was cancelled")
            except BaseException as error:
                self._error = error
            self.answered = True
            self._notify()

    def _settled(self, value: object) -> object:
        if not isawaitable(value):
            return value
        self._inner = asyncio.run_coroutine_threadsafe(_awaited(value), self._loop)
        if self._asked.withdrawn:
            self._inner.cancel()
        return self._inner.result()


async def _awaited(value: Any) -> Any:
    return await value
