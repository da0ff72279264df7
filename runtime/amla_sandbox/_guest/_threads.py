"""Threads that guest code runs on: the caller's, which takes half the time, or one of ours.

The caller's must not be kept from its signals, nor from ending a run whose tool handler hangs. Ours are daemon threads,
which are reused; one whose tool handler hangs is given up: it ends when the handler does.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeVar

from . import _signals

__all__ = ["BLINK", "call", "elsewhere", "here", "start"]

_T = TypeVar("_T")
_IDLE_KEPT = 8
"""Idle threads that are kept; arbitrary."""

BLINK = 0.05
"""Seconds that a caller waits at once. The system may give a signal (Ctrl-C) to any thread, and Python tells the main
thread of it, but does not wake it."""

_idle: list[Worker] = []
"""Without a lock: a signal's handler may come while its thread would hold it, and run a script."""


class Worker:
    """One thread; `run` gives it one task at a time."""

    def __init__(self) -> None:
        self._wake = threading.Lock()
        self._wake.acquire()
        self._task: Callable[[], None] | None = None
        threading.Thread(target=self._loop, name="amla-guest", daemon=True).start()

    def run(self, task: Callable[[], None]) -> None:
        self._task = task
        self._wake.release()

    def _loop(self) -> None:
        while True:
            self._wake.acquire()
            task, self._task = self._task, None
            if task is None:
                return
            task()
            del task
            if len(_idle) >= _IDLE_KEPT:
                return
            _idle.append(self)


def start(task: Callable[[], None]) -> None:
    """Run `task`, which must not raise, on a thread of ours."""
    try:
        worker = _idle.pop()
    except IndexError:
        worker = Worker()
    worker.run(task)


def here(interrupt: Callable[[], None] | None) -> AbstractContextManager[object] | None:
    """To be entered while this thread runs guest code, which a Ctrl-C ends: `interrupt` is called on another thread.

    None where this thread should not, as signals would have to wait.
    """
    if _takes_signals() and not _signals.is_deferring():
        return _signals.deferral(interrupt)
    return nullcontext()


def call(function: Callable[..., _T], *args: Any, interrupt: Callable[[], None] | None = None) -> _T:
    """Run `function`, which enters guest code and calls nothing of the user's, and wait for it.

    If the caller's wait is broken off (Ctrl-C), `interrupt` is called until the function has ended.
    """
    entered = here(interrupt)
    if entered is None:
        return elsewhere(function, *args, interrupt=interrupt)
    with entered:
        return function(*args)


def elsewhere(function: Callable[..., _T], *args: Any, interrupt: Callable[[], None] | None = None) -> _T:
    """Like `call`, always on a thread of ours: `function` may call what is the user's."""
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


def _takes_signals() -> bool:
    return threading.get_ident() == threading.main_thread().ident


if hasattr(os, "register_at_fork"):  # a child has none of our threads
    os.register_at_fork(after_in_child=_idle.clear)
