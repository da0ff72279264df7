"""Runs the tools that a script asks for, concurrently, and feeds their results back in whatever order they come.

The loop lives on a guest thread. A single call whose handler is not async is made right there, which saves two switches
of thread; everything else runs on threads of its own or on an event loop. The caller only waits: if a handler never
returns, the caller takes the run away from the thread that hangs and ends it.
"""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import math
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine
from queue import Empty, SimpleQueue
from typing import Any

from . import _threads
from ._errors import SandboxError
from ._run import Request, Run

__all__ = ["Drive", "handler_loop"]

_SLACK = 0.25
"""Seconds past a deadline after which the caller takes a run away; the loop itself ends runs at the deadline."""

Outcome = tuple[Request, Any, BaseException | None]


class Drive:
    """One run being driven to its end."""

    def __init__(self, run: Run, number: int, loop: asyncio.AbstractEventLoop | None = None) -> None:
        """`loop` is where handlers that are coroutines run; by default one that we keep on a thread."""
        self.run = run
        self._number = number
        self._loop = loop
        self._context = contextvars.copy_context()
        self._answers: SimpleQueue[Outcome | bytes | None] = SimpleQueue()
        self._running: dict[int, float] = {}
        self._tasks: set[Any] = set()
        self._owner = object()
        self._hand_over = threading.Lock()
        self._inline: Request | None = None
        self._inline_since: float | None = None
        self._inline_until = math.inf
        self._over = threading.Lock()
        self._over.acquire()
        self._on_over: Callable[[], None] = self._over.release
        self._error: BaseException | None = None
        self._interrupted = False

    # --- for the caller ----------------------------------------------------------------------

    def wait(self) -> None:
        """Drive the run on a guest thread until it is over. Raises what an output callback raised, and KeyboardInterrupt
        after the run was ended for it."""
        _threads.start(lambda: self._drive(self._owner))
        while not self._over.acquire(timeout=self._patience()):
            if self._is_stuck():
                self._take_over()
        if self._error is not None:
            raise self._error

    def begin(self, on_over: Callable[[], None]) -> None:
        """Like `wait`, without waiting: `on_over` is called on another thread when the run is over."""
        self._on_over = on_over
        _threads.start(lambda: self._drive(self._owner))

    def interrupt(self) -> None:
        """End the run soon, from any thread."""
        self._interrupted = True
        self.run.interrupt()
        self._answers.put(None)

    def check(self) -> float:
        """For callers that do not `wait`: take the run away if it hangs; seconds until the next check is due."""
        if self._is_stuck():
            self._take_over()
        return self._patience()

    @property
    def error(self) -> BaseException | None:
        """What an output callback raised."""
        return self._error

    # --- hanging handlers ----------------------------------------------------------------------

    def _patience(self) -> float:
        until = min(self.run.deadline, self._inline_until)
        if math.isinf(until):
            return 3600.0
        return max(0.01, until + _SLACK - time.monotonic())

    def _is_stuck(self) -> bool:
        until = self._inline_until
        return self._inline_since is not None and time.monotonic() >= min(self.run.deadline, until)

    def _take_over(self) -> None:
        """Give up the thread on which a handler hangs, and go on with the run on another."""
        with self._hand_over:
            if self._inline_since is None:
                return
            owner = self._owner = object()
            request, self._inline, self._inline_since, self._inline_until = self._inline, None, None, math.inf
        if request is not None and time.monotonic() < self.run.deadline:
            self._answers.put((request, None, _late(request, self.run)))
        _threads.start(lambda: self._drive(owner))

    # --- the loop --------------------------------------------------------------------------------

    def _drive(self, owner: object) -> None:
        try:
            if self.run.result is None and not self.run.begun:
                self.run.begin(self._number)
            while self.run.result is None:
                self._round(owner)
                if self._owner is not owner:
                    return
        except _GivenUp:
            return
        except BaseException as error:  # noqa: BLE001 - an output callback's; the caller gets it
            self._error = error
            self.run.abort()
        for task in tuple(self._tasks):
            task.cancel()
        self._on_over()
        self.run.prepare_next()

    def _round(self, owner: object) -> None:
        """Start what can start, wait for what comes first, and step the guest."""
        run = self.run
        if self._interrupted:
            run.stop(130, "interrupted")
            return
        if self._call_here(owner):
            run.advance()
            return
        limit = run.limits.concurrency or math.inf
        while run.ready and len(self._running) < limit:
            self._start(run.ready.popleft())
        self._collect(self._timeout())
        if time.monotonic() >= run.deadline:
            run.expire()
        elif run.result is None:
            run.advance()

    def _call_here(self, owner: object) -> bool:
        """Make a lone call on this thread; False when there is none, or something else may happen meanwhile."""
        run = self.run
        if len(run.ready) != 1 or self._running or run.delay is not None or run.ready[0].tool.is_async:
            return False
        request = run.ready.popleft()
        with self._hand_over:
            self._inline, self._inline_since = request, time.monotonic()
            self._inline_until = self._call_deadline(request)
        value, error = _invoke(request, self._context)
        with self._hand_over:
            if self._owner is not owner:
                raise _GivenUp
            self._inline, self._inline_since, self._inline_until = None, None, math.inf
        self._settle(request, value, error)
        return True

    def _timeout(self) -> float:
        """Seconds until something is due even if no tool answers."""
        now = time.monotonic()
        due = min([self.run.deadline, *self._running.values()]) if self._running else self.run.deadline
        if self.run.delay is not None:
            due = min(due, now + self.run.delay)
        return max(0.0, due - now)

    def _collect(self, timeout: float) -> None:
        """Take all answers there are, waiting for the first, and the calls that took too long."""
        try:
            answer = self._answers.get(timeout=min(timeout, 3600.0)) if timeout > 0 else self._answers.get_nowait()
            while True:
                self._accept(answer)
                answer = self._answers.get_nowait()
        except Empty:
            pass
        now = time.monotonic()
        for number in [number for number, until in self._running.items() if now >= until]:
            request = self.run.pending.get(number)
            del self._running[number]
            if request is not None:
                self.run.fail(request, _late(request, self.run))

    def _accept(self, answer: Outcome | bytes | None) -> None:
        if isinstance(answer, bytes):
            self.run.feed(answer)
        elif answer is not None:
            request, value, error = answer
            self._running.pop(request.id, None)
            self._settle(request, value, error)

    def _settle(self, request: Request, value: Any, error: BaseException | None) -> None:
        if request.id not in self.run.pending:
            return
        if error is None:
            self.run.succeed(request, value)
        else:
            self.run.fail(request, error)

    # --- starting calls --------------------------------------------------------------------------

    def _call_deadline(self, request: Request) -> float:
        seconds = request.tool.timeout or self.run.limits.call_timeout
        return time.monotonic() + seconds if seconds else math.inf

    def _start(self, request: Request) -> None:
        self._running[request.id] = self._call_deadline(request)
        if request.tool.is_async:
            self._start_async(request)
        else:
            _start_thread(lambda: self._answers.put((request, *_invoke(request, self._context))))

    def _start_async(self, request: Request) -> None:
        loop = self._loop or handler_loop()
        future = asyncio.run_coroutine_threadsafe(_await(request, self._context), loop)
        self._tasks.add(future)

        def done(finished: Any) -> None:
            self._tasks.discard(future)
            if not finished.cancelled():
                self._answers.put((request, *finished.result()))

        future.add_done_callback(done)


class _GivenUp(Exception):  # noqa: N818 - never leaves this module
    """The run belongs to another thread by now."""


def _late(request: Request, run: Run) -> TimeoutError:
    seconds = request.tool.timeout or run.limits.call_timeout
    return TimeoutError(f"{request.name} did not answer within {seconds:g} s")


def _invoke(request: Request, context: contextvars.Context) -> tuple[Any, BaseException | None]:
    handler = request.tool.handler
    if handler is None:
        return None, SandboxError(f"{request.name} has no handler: drive the run with start() and step()")
    try:
        value = context.copy().run(handler, request.arguments)
        if inspect.isawaitable(value):
            value = asyncio.run_coroutine_threadsafe(_settled(value), handler_loop()).result()
        return value, None
    except Exception as error:  # noqa: BLE001 - the script gets it
        return None, error
    except BaseException as error:  # noqa: BLE001 - SystemExit in a tool must not end a thread of ours
        return None, RuntimeError(f"the tool ended with {type(error).__name__}")


async def _settled(value: Awaitable[Any]) -> Any:
    """What an awaitable comes to, for handlers that are not coroutine functions and return one all the same."""
    return await value


async def _await(request: Request, context: contextvars.Context) -> tuple[Any, BaseException | None]:
    handler = request.tool.handler
    try:
        made: Coroutine[Any, Any, Any] = context.copy().run(handler, request.arguments)  # type: ignore[arg-type]
        return await asyncio.get_running_loop().create_task(made, context=context.copy()), None
    except asyncio.CancelledError:
        raise
    except Exception as error:  # noqa: BLE001 - the script gets it
        return None, error


# --- threads and a loop for handlers ---------------------------------------------------------------

_IDLE_SECONDS = 10.0
_tasks: SimpleQueue[Callable[[], None]] = SimpleQueue()
_idle = 0
_idle_lock = threading.Lock()


def _start_thread(task: Callable[[], None]) -> None:
    """Run `task` on a daemon thread: one that hangs never keeps the process alive."""
    global _idle
    with _idle_lock:
        reuse = _idle > 0
        if reuse:
            _idle -= 1
    if reuse:
        _tasks.put(task)
    else:
        threading.Thread(target=_serve, args=(task,), name="amla-tool", daemon=True).start()


def _serve(task: Callable[[], None] | None) -> None:
    global _idle
    while task is not None:
        task()
        task = None
        with _idle_lock:
            _idle += 1
        try:
            task = _tasks.get(timeout=_IDLE_SECONDS)
        except Empty:
            with _idle_lock:
                if _idle > 0:
                    _idle -= 1
                    return
            task = _tasks.get()


_loop_lock = threading.Lock()
_handler_loop: asyncio.AbstractEventLoop | None = None


def handler_loop() -> asyncio.AbstractEventLoop:
    """The event loop on which coroutine handlers of synchronous runs live."""
    global _handler_loop
    with _loop_lock:
        if _handler_loop is None or _handler_loop.is_closed():
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="amla-handlers", daemon=True).start()
            _handler_loop = loop
        return _handler_loop
