"""Threads that guest code runs on.

Guest code needs a large native stack, and it must not keep the caller's thread from taking a signal; so it runs on
daemon threads of ours, which are reused. A thread whose tool handler hangs is given up: it ends when the handler does.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from ._engine import THREAD_STACK

__all__ = ["BLINK", "call", "on_worker", "start", "when_idle"]

_T = TypeVar("_T")
_IDLE_KEPT = 8
"""Idle threads that are kept; arbitrary."""

BLINK = 0.05
"""Seconds that a caller waits at once. The system may give a signal (Ctrl-C) to any thread, and Python tells the main
thread of it, but does not wake it."""

_MOMENT = 0.0003
"""Seconds without a task after which a thread does what can wait: longer than who closes a sandbox, or runs a script
after the other in it, takes to do so."""

_lock = threading.Lock()
_idle: list[Worker] = []
_local = threading.local()


class _Later(NamedTuple):
    """Work that the caller of a task need not wait for."""

    work: Callable[[], None]
    owner: object
    now: bool


class Worker:
    """One thread; `run` gives it one task at a time."""

    def __init__(self) -> None:
        self._wake = threading.Lock()
        self._wake.acquire()
        self._task: Callable[[], None] | None = None
        self._later: _Later | None = None
        self.tidies: object | None = None
        """Whose affairs it puts in order just now, although it is idle."""
        with _lock:
            before = threading.stack_size(THREAD_STACK)
            try:
                threading.Thread(target=self._loop, name="amla-guest", daemon=True).start()
            finally:
                threading.stack_size(before)

    def run(self, task: Callable[[], None]) -> None:
        self._task = task
        self._wake.release()

    def _loop(self) -> None:
        _local.guest = True
        while True:
            self._wait()
            task, self._task = self._task, None
            if task is None:
                return
            task()
            del task
            self._later = _local.__dict__.pop("later", None)
            with _lock:
                if len(_idle) >= _IDLE_KEPT:
                    return
                self.tidies = self._later.owner if self._later and self._later.now else None
                _idle.append(self)

    def _wait(self) -> None:
        """Wait for a task, and meanwhile do what the last one left for later."""
        later, self._later = self._later, None
        if later is not None:
            if not later.now and self._wake.acquire(timeout=_MOMENT):
                return
            self.tidies = later.owner
            later.work()
            self.tidies = later = None
        self._wake.acquire()


def on_worker() -> bool:
    """Whether the current thread may enter guest code."""
    return getattr(_local, "guest", False)


def start(task: Callable[[], None], owner: object = None) -> None:
    """Run `task`, which must not raise, on a guest thread; not on one that puts another owner's affairs in order."""
    with _lock:
        free = (worker for tidies in (owner, None) for worker in reversed(_idle) if worker.tidies is tidies)
        worker = next(free, None)
        if worker is not None:
            _idle.remove(worker)
    (worker or Worker()).run(task)


def when_idle(work: Callable[[], None], owner: object, *, now: bool) -> None:
    """On this guest thread do `work`, which must not raise: at once, before any other task, or when none has come for a
    moment, and else never. Tasks of its `owner` would have to wait for it anyway."""
    _local.later = _Later(work, owner, now)


def call(function: Callable[..., _T], *args: Any, interrupt: Callable[[], None] | None = None) -> _T:
    """Run `function` on a guest thread and wait for it; on such a thread already, run it here.

    If the caller's wait is broken off (Ctrl-C), `interrupt` is called until the function has ended.
    """
    if on_worker():
        return function(*args)
    done = threading.Lock()
    done.acquire()
    results: list[_T] = []
    errors: list[BaseException] = []

    def task() -> None:
        try:
            results.append(function(*args))
        except BaseException as error:
            errors.append(error)
        done.release()

    start(task)
    try:
        while not done.acquire(timeout=BLINK):
            pass
    except BaseException:
        while interrupt is not None and not done.acquire(timeout=0.01):
            interrupt()
        raise
    if errors:
        raise errors[0]
    return results[0]
