"""Tool handlers at work: on the thread of the run, on threads of their own, or on an event loop.

Whatever a handler raises is its tool's failure, also what would end a thread or a loop elsewhere (SystemExit).
"""

from __future__ import annotations

import contextvars
import inspect
import os
import threading
from collections.abc import Awaitable, Callable
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from amla_sandbox._errors import SandboxError

from ._calls import Request

if TYPE_CHECKING:
    import asyncio
    from concurrent.futures import Future

__all__ = ["Handlers", "Outcome", "handler_loop", "start_thread"]

Outcome = tuple[Request, Any, BaseException | None]
"""A call with its value, or with what the handler raised."""

_Ended = tuple[Any, BaseException | None]


class Handlers:
    """The handlers of one run. They see the context variables of the code that started it."""

    def __init__(self, report: Callable[[Outcome], None], loop: asyncio.AbstractEventLoop | None) -> None:
        """`report` gets outcomes, on any thread. `loop` is where coroutines run; by default one that we keep."""
        self._report = report
        self._loop = loop
        self._context = contextvars.copy_context()
        self._futures: dict[int, Future[_Ended]] = {}

    def start(self, request: Request) -> None:
        """Run a handler elsewhere; its outcome is reported."""
        if request.tool.is_async:
            future = self._submit(request, _called(request, self._context))
            future.add_done_callback(lambda ended: self._report((request, *_outcome(ended))))
        else:
            start_thread(lambda: self._report((request, *self.invoke(request))))

    def invoke(self, request: Request) -> _Ended:
        """Run a handler here."""
        try:
            value = _call(request, self._context)
            if inspect.isawaitable(value):
                return _outcome(self._submit(request, _settled(value)))
            return value, None
        except BaseException as error:
            return None, _as_failure(error)

    def cancel(self, number: int) -> None:
        """Nobody waits for that call any more. A coroutine is cancelled; a thread cannot be."""
        future = self._futures.pop(number, None)
        if future is not None:
            future.cancel()

    def cancel_all(self) -> None:
        for number in tuple(self._futures):
            self.cancel(number)

    def _submit(self, request: Request, awaitable: Any) -> Future[_Ended]:
        import asyncio

        future: Future[_Ended] = asyncio.run_coroutine_threadsafe(awaitable, self._loop or handler_loop())
        self._futures[request.id] = future
        future.add_done_callback(lambda _: self._futures.pop(request.id, None))
        return future


def _call(request: Request, context: contextvars.Context) -> Any:
    handler = request.tool.handler
    if handler is None:
        raise SandboxError(f"{request.name} has no handler: drive the run with start() and step()")
    return context.copy().run(handler, request.arguments)


async def _called(request: Request, context: contextvars.Context) -> _Ended:
    """Call a handler on the event loop, in a task of its own that has the run's context."""
    import asyncio

    try:
        made = _call(request, context)
    except BaseException as error:
        return None, _as_failure(error)
    if not inspect.isawaitable(made):
        return made, None
    return await asyncio.get_running_loop().create_task(_settled(made), context=context.copy())


async def _settled(awaitable: Awaitable[Any]) -> _Ended:
    import asyncio

    try:
        return await awaitable, None
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        return None, _as_failure(error)
    except BaseException as error:
        return None, _as_failure(error)


def _outcome(ended: Future[_Ended]) -> _Ended:
    try:
        return ended.result()
    except BaseException as error:
        return None, _as_failure(error)


def _as_failure(error: BaseException) -> BaseException:
    """What the script learns: of what is no ordinary error, its name only."""
    return error if isinstance(error, Exception) else RuntimeError(f"the tool ended with {type(error).__name__}")


# --- threads and a loop -------------------------------------------------------------------------------

_IDLE_SECONDS = 10.0
_tasks: SimpleQueue[Callable[[], None]] = SimpleQueue()
_idle = 0
_idle_lock = threading.Lock()


def start_thread(task: Callable[[], None]) -> None:
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
    """The event loop on which coroutines of synchronous runs live."""
    import asyncio

    global _handler_loop
    with _loop_lock:
        if _handler_loop is None:
            _handler_loop = asyncio.new_event_loop()
            threading.Thread(target=_run_loop, args=(_handler_loop,), name="amla-handlers", daemon=True).start()
        return _handler_loop


def _run_loop(loop: asyncio.AbstractEventLoop) -> None:
    """Keep the loop running, also when a task that a handler left behind ends with SystemExit."""
    import asyncio

    asyncio.set_event_loop(loop)
    while True:
        try:
            loop.run_forever()
        except BaseException:  # noqa: S112 - one handler's; the others go on
            continue
        loop.close()
        return


def _forget() -> None:
    """In a child of this process, which has none of these threads."""
    global _handler_loop, _idle, _idle_lock, _loop_lock, _tasks
    _idle_lock, _loop_lock, _tasks = threading.Lock(), threading.Lock(), SimpleQueue[Callable[[], None]]()
    _idle, _handler_loop = 0, None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
