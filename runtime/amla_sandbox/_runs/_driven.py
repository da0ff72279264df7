"""A run that the host drives: it takes each call, and answers when it likes, in any order."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from typing import Any

from amla_sandbox._calls._calls import Request
from amla_sandbox._errors import SandboxError
from amla_sandbox._guest import _threads
from amla_sandbox._result import ExecutionResult

from ._run import INTERRUPTED, Run

__all__ = ["Driven"]

_NUDGE = 0.01
"""Seconds between two attempts to end what another thread does with the run."""


class Driven:
    """One run in the hands of its host."""

    def __init__(self, run: Run, take: Callable[[Driven], int], on_end: Callable[[Run], None]) -> None:
        """Start the script. `take` makes the sandbox busy with it, and says its number; `on_end` is called when the run
        is over."""
        self.run = run
        self._take, self._on_end = take, on_end
        self._is_taken = self._ended = False
        self._taken: dict[int, Request] = {}
        self._come = threading.Event()
        self._turn = threading.RLock()
        """Held by who does something with the run."""
        if run.input is not None:
            run.input.notify = self._come.set
        self._enter(self._begin)

    def _begin(self) -> None:
        number = self._take(self)
        self._is_taken = True
        self.run.begin(number)

    def has_work(self) -> bool:
        """Whether the script is not over. While it waits for nothing but its own timers, this waits for them."""
        self._go_on()
        return self.run.result is None

    def step(self) -> Request:
        """The next call that nobody has taken. Raises SandboxError if none is."""
        self._go_on()
        if not self.run.calls.ready:
            raise SandboxError(self._why_none())
        request = self.run.calls.ready.popleft()
        self._taken[request.id] = request
        return request

    def pending(self) -> tuple[Request, ...]:
        """All calls without an answer, taken or not."""
        return tuple(self.run.calls.pending.values())

    def resume(self, value: Any, request: Request | None, error: BaseException | str | None) -> None:
        """Answer a call: by default the one that was taken, or the only one that waits."""
        run = self.run
        if run.result is not None:
            raise SandboxError(f"the script is over{_reason(run.result)}; its calls need no answers")
        request = request or self._meant()
        if error is None:
            run.calls.succeed(request, value)
        else:
            run.calls.fail(request, error if isinstance(error, BaseException) else RuntimeError(error))
        self._taken.pop(request.id, None)
        if request in run.calls.ready:
            run.calls.ready.remove(request)
        if not run.calls.ready:
            self._enter(run.advance)

    def result(self) -> ExecutionResult:
        """What the run came to. Raises SandboxError while calls wait."""
        self._go_on()
        if self.run.result is None:
            waiting = len(self.run.calls.pending)
            raise SandboxError(f"the script waits for {_count(waiting)}; answer with resume(), or end it with stop()")
        return self.run.result

    def cancel(self) -> None:
        """End the run, from any thread."""
        while not self._turn.acquire(timeout=_NUDGE):
            self.run.interrupt()
        try:
            self._enter(self.run.stop, INTERRUPTED, "interrupted")
        finally:
            self._turn.release()
        self._come.set()

    def _meant(self) -> Request:
        for waiting in (self._taken, self.run.calls.pending):
            if len(waiting) == 1:
                return next(iter(waiting.values()))
            if waiting:
                raise SandboxError(f"{_count(len(waiting))} wait: say which one is answered, resume(value, request)")
        raise SandboxError("no call waits for an answer")

    def _why_none(self) -> str:
        if self.run.result is not None:
            return "the script is over; ask for its result()"
        return "no call waits to be taken; answer one of pending() with resume()"

    def _go_on(self) -> None:
        """Fire the timers that are due, and wait for them if the script waits for nothing else."""
        run = self.run
        while run.result is None and not run.calls.ready:
            if run.calls.held:
                self._ask()
                continue
            if self._took_input():
                continue
            if run.wake_at is None and not run.calls.pending and not run.wants_input:
                return self._enter(run.expire)
            due, now = min(run.wake_at or math.inf, run.deadline), time.monotonic()
            if due > now and run.calls.pending:
                return None
            if not self._input_comes(max(0.0, due - now)):
                self._enter(run.expire if due == run.deadline else run.advance)
        return None

    def _ask(self) -> None:
        """Ask a person about the calls that wait for one; what breaks that off (Ctrl-C, an error of theirs) ends it."""
        from ._asking import ask

        try:
            ask(self.run, None, self._wait, self._come.set)
        except BaseException:
            _threads.call(self.run.abort)
            self._close()
            raise
        if not self.run.calls.ready:
            self._enter(self.run.advance)

    def _wait(self, seconds: float) -> None:
        self._come.wait(min(seconds, threading.TIMEOUT_MAX))
        self._come.clear()

    def _took_input(self) -> bool:
        """Go on with input, if the script waits for it and it has come."""
        run = self.run
        if not run.wants_input or run.input is None:
            return False
        self._come.clear()
        self._enter(run.take_input)
        if run.wants_input:
            return False
        self._enter(run.advance)
        return True

    def _input_comes(self, seconds: float) -> bool:
        """Wait, for input at most that long; what breaks the wait off (Ctrl-C) ends the run."""
        try:
            return self._come.wait(min(seconds, threading.TIMEOUT_MAX))
        except BaseException:
            self.cancel()
            raise

    def _enter(self, function: Callable[..., None], *args: Any) -> None:
        """Do something with the run; an error from elsewhere (an output callback's) ends it."""
        call = _threads.call if self.run.is_plain else _threads.elsewhere
        with self._turn:
            try:
                call(function, *args, interrupt=self.run.interrupt)
            except BaseException:
                _threads.call(self.run.abort)
                raise
            finally:
                self._close()

    def _close(self) -> None:
        if self.run.result is not None and self._is_taken and not self._ended:
            self._ended = True
            self._taken.clear()
            self._on_end(self.run)


def _count(calls: int) -> str:
    return f"{calls} call{'' if calls == 1 else 's'}"


def _reason(result: ExecutionResult) -> str:
    return f" ({result.error.splitlines()[0]})" if result.error else ""
