"""Drives a run to its end: runs the tools that it asks for, concurrently, and feeds back their results as they come.

A script that needs nothing of the host has only one step, which the caller's own thread takes: a switch to another and
back takes as long as a short script. For the others there is a loop on a thread of ours. A single call whose handler is
not async is made right there, to save such switches; everything else runs elsewhere. The caller only waits: if a
handler takes too long, the caller takes the run away from the thread that hangs, and another goes on with it or ends
it.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from amla_sandbox._calls._calls import Request
from amla_sandbox._calls._handlers import Handlers, Outcome
from amla_sandbox._errors import SandboxError
from amla_sandbox._guest import _threads
from amla_sandbox._result import ExecutionResult

from ._run import Run

if TYPE_CHECKING:
    import asyncio

__all__ = ["Drive"]

_SLACK = 0.25
"""Seconds past the deadline after which the caller takes a run away; the loop itself ends runs at the deadline."""

_NUDGE = 0.01
"""Seconds between two attempts to end a run."""

_STILL = 0.25
"""Seconds between two looks at a run whose time stands still; nobody says when it goes on."""

_CANCEL_SECONDS = 5.0
"""Most time that ending a run may keep the caller; a step ends within milliseconds of being told to."""

_LONGEST = 3600.0
"""Seconds of one wait without a deadline; arbitrary."""


class Drive:
    """One run being driven to its end."""

    def __init__(
        self,
        run: Run,
        take: Callable[[Drive], int],
        on_end: Callable[[Run], None],
        loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        """`take` makes the sandbox busy with the run, and says its number; `on_end` is called when it is over; both on
        whatever thread drives it. `loop` is where coroutines of handlers run."""
        self.run = run
        self._calls = run.calls
        self._take, self._on_end = take, on_end
        self._is_taken = False
        self._tell: Callable[[], None] = lambda: None
        self._answers: SimpleQueue[Outcome | None] = SimpleQueue()
        if run.input is not None:
            run.input.notify = lambda: self._answers.put(None)
        self._loop = loop
        self._handlers = Handlers(self._answers.put, loop)
        self._due: dict[int, float] = {}
        """Calls under way on other threads, and when each has taken too long."""
        self._thread: int | None = None
        """Which thread drives it: none yet, one of ours that is about to (0), or that one."""
        self._inline: dict[Request, float] = {}
        """The call that is made on the run's own thread, if any, and when it has taken too long.

        Whoever takes it out goes on with the run.
        """
        self._shortest = min(run.limits.call_timeout or math.inf, run.tools.least_timeout)
        """Seconds that every call may take."""
        self._over = threading.Lock()
        self._over.acquire()
        self._error: BaseException | None = None

    # --- for the caller ----------------------------------------------------------------------

    def wait(self) -> ExecutionResult:
        """Drive the run until it is over.

        Raises what an output callback raised, and what broke the wait off (KeyboardInterrupt) after ending the run.
        """
        try:
            if not self._is_over_at_once():
                while not self._passed(min(self._patience(), _threads.BLINK)):
                    self._look()
        except BaseException:
            self.cancel()
            raise
        return self._result()

    async def wait_async(self) -> ExecutionResult:
        """Like `wait`, on an event loop. Cancelling ends the run before CancelledError is raised."""
        import asyncio

        loop, over = asyncio.get_running_loop(), asyncio.Event()
        self._tell = lambda: _set(loop, over)
        self._start()
        try:
            while not await _is_set(over, self._patience()):
                self._look()
        except BaseException:
            self._interrupt()
            until = time.monotonic() + _CANCEL_SECONDS
            while not await _is_set(over, _NUDGE) and time.monotonic() < until:
                self._interrupt()
            raise
        return self._result()

    def cancel(self) -> None:
        """End the run now, from any thread. Returns once it is over, or at once in an output callback of its own."""
        self._interrupt()
        if self._thread is None or self._is_here():
            return
        until = time.monotonic() + _CANCEL_SECONDS
        while not self._passed(_NUDGE) and time.monotonic() < until:
            self._interrupt()

    def _is_here(self) -> bool:
        """Whether this thread would wait for itself."""
        return (threading.get_ident() == self._thread and not self._inline) or self.run.shows_here()

    def _interrupt(self) -> None:
        self.run.interrupt()
        self._answers.put(None)
        self._take_over()

    def _result(self) -> ExecutionResult:
        if self._error is not None:
            raise self._error
        if self.run.result is None:
            raise SandboxError("the run ended without a result")
        return self.run.result

    def _passed(self, seconds: float) -> bool:
        """Whether the run is over, after waiting for it."""
        passed = self._over.acquire(timeout=seconds)
        if passed:
            self._over.release()
        return passed

    # --- hanging handlers ----------------------------------------------------------------------

    def _patience(self) -> float:
        """Seconds until a handler may have to be looked at: no call that begins by then has taken too long."""
        longest, now = _STILL if self.run.still else _LONGEST, time.monotonic()
        late = min(self._inline.values(), default=now + self._shortest)
        return min(max(_NUDGE, min(self.run.deadline + _SLACK, late) - now), longest)

    def _look(self) -> None:
        """Take the run away from a handler that hangs past the deadline, or past its own time."""
        if time.monotonic() >= min([self.run.deadline, *self._inline.values()]):
            self._take_over()

    def _take_over(self) -> None:
        """Give up the thread on which a handler is at work, and go on with the run on another."""
        with suppress(KeyError):
            request, until = self._inline.popitem()
            self._due[request.id] = until
            _threads.start(self._drive)

    # --- the loop --------------------------------------------------------------------------------

    def _is_over_at_once(self) -> bool:
        """Take the first step here, if that may be, and have the rest, if there is any, done elsewhere."""
        here = _threads.here(self.run.interrupt) if self.run.is_plain else None
        if here is None:
            self._start()
            return False
        with here:
            self._attempt(self._begin)
            if self.run.result is None and self._error is None:
                self._start()
                return False
            self._end()
            return True

    def _start(self) -> None:
        """Have it done, or what is left of it, on a thread of ours; where none is to be had, that ends it."""
        self._thread = 0
        try:
            _threads.start(self._drive)
        except RuntimeError as error:
            self._fail(error)
            self._end()

    def _drive(self) -> None:
        try:
            self._attempt(self._go_on)
        except _GivenUp:
            return
        self._end()

    def _attempt(self, work: Callable[[], None]) -> None:
        """Do some of the run on this thread; what goes wrong outside the guest ends it."""
        self._thread = threading.get_ident()
        try:
            work()
        except _GivenUp:
            raise
        except BaseException as error:
            self._fail(error)

    def _fail(self, error: BaseException) -> None:
        self._error = error
        with suppress(Exception):  # what cannot even be ended must not keep its caller waiting
            self.run.abort()

    def _begin(self) -> None:
        if not self._is_taken:
            number = self._take(self)
            self._is_taken = True
            if not self.run.interrupted:
                self.run.begin(number)

    def _go_on(self) -> None:
        self._begin()
        while self.run.result is None:
            self._round()

    def _end(self) -> None:
        self._handlers.cancel_all()
        if self._is_taken:
            self._on_end(self.run)
            self.run.instance.prepare_later()
        self._over.release()
        self._tell()

    def _round(self) -> None:
        """Start what can start, wait for what comes first, and step the guest."""
        run = self.run
        run.take_input()
        if self._calls.held:
            self._ask()
        elif not run.interrupted and not self._call_here():
            self._start_ready()
            self._collect(self._timeout())
            run.take_input()
        if time.monotonic() >= run.deadline and not run.interrupted:
            run.expire()
        else:
            run.advance()

    def _ask(self) -> None:
        """Ask a person about the calls that wait for one; the tools of other calls work on meanwhile."""
        from ._asking import ask

        ask(self.run, self._loop, self._meanwhile, lambda: self._answers.put(None))
        if not self.run.interrupted:
            self._start_ready()

    def _meanwhile(self, seconds: float) -> None:
        self._start_ready()
        self._collect(min(max(0.0, min(self._due.values(), default=math.inf) - time.monotonic()), seconds))

    def _call_here(self) -> bool:
        """Make a lone call on this thread; False when there is none, or something else may happen meanwhile."""
        if not self._is_lone():
            return False
        request = self._calls.ready.popleft()
        self._inline[request] = self._call_deadline(request)
        value, error = self._handlers.invoke(request)
        if self._inline.pop(request, None) is None:
            self._answers.put((request, value, error))
            raise _GivenUp
        self._settle(request, value, error)
        return True

    def _is_lone(self) -> bool:
        """Whether nothing can happen before the one call that waits has ended, unless it takes too long."""
        run, ready = self.run, self._calls.ready
        if len(ready) != 1 or self._due or run.wake_at is not None or run.wants_input:
            return False
        return not ready[0].tool.is_async

    def _start_ready(self) -> None:
        limit = self.run.limits.concurrency or math.inf
        while self._calls.ready and len(self._due) < limit:
            request = self._calls.ready.popleft()
            self._due[request.id] = self._call_deadline(request)
            self._handlers.start(request)

    def _call_deadline(self, request: Request) -> float:
        seconds = request.tool.timeout or self.run.limits.call_timeout
        return time.monotonic() + seconds if seconds else math.inf

    def _timeout(self) -> float:
        """Seconds until something is due even if no tool answers."""
        due = min([self.run.deadline, self.run.wake_at or math.inf, *self._due.values()])
        return min(max(0.0, due - time.monotonic()), _LONGEST)

    def _collect(self, timeout: float) -> None:
        """Take all answers there are, waiting for the first, and the calls that took too long."""
        try:
            answer = self._answers.get(timeout=timeout) if timeout > 0 else self._answers.get_nowait()
            while True:
                if answer is not None:
                    self._settle(*answer)
                answer = self._answers.get_nowait()
        except Empty:
            pass
        now = time.monotonic()
        for number in [number for number, until in self._due.items() if now >= until]:
            self._handlers.cancel(number)
            request = self._calls.pending[number]
            self._settle(request, None, _late(request, self.run))

    def _settle(self, request: Request, value: Any, error: BaseException | None) -> None:
        """Answer a call, unless it was given up before."""
        self._due.pop(request.id, None)
        if request.id not in self._calls.pending:
            return
        if error is None:
            self._calls.succeed(request, value)
        else:
            self._calls.fail(request, error)


class _GivenUp(Exception):  # noqa: N818 - never leaves this module
    """The run belongs to another thread by now."""


def _late(request: Request, run: Run) -> TimeoutError:
    seconds = request.tool.timeout or run.limits.call_timeout
    return TimeoutError(f"{request.name} did not answer within {seconds:g} s")


def _set(loop: asyncio.AbstractEventLoop, event: asyncio.Event) -> None:
    try:
        loop.call_soon_threadsafe(event.set)
    except RuntimeError:  # the loop is closed: nobody waits any more
        return


async def _is_set(event: asyncio.Event, seconds: float) -> bool:
    """Whether the event is set, after waiting for it."""
    import asyncio

    try:
        await asyncio.wait_for(event.wait(), seconds)
    except TimeoutError:
        return False
    return True
