"""What Ctrl-C does: it ends what is under way, or what is just about to be."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Generic, TypeVar

__all__ = ["Breakable", "Interrupts", "raising"]

_T = TypeVar("_T")

_AGAIN = 0.03
"""Seconds between two looks, and after which a line that still runs is told again to end: it may not have begun before.
"""


def raising() -> None:
    """Break off whatever the main thread does."""
    raise KeyboardInterrupt


class Interrupts:
    """The handler of SIGINT, from `__enter__` to `__exit__`. A Ctrl-C that comes too early is kept for what comes."""

    def __init__(self) -> None:
        self._action: Callable[[], None] = self.keep
        self._before: signal.Handlers | Callable[[int, FrameType | None], object] | int | None = None
        self._kept = False

    def __enter__(self) -> Interrupts:
        self._before = signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._before)

    @contextmanager
    def calling(self, action: Callable[[], None]) -> Generator[None]:
        """Ctrl-C calls `action`, on the main thread."""
        before, self._action = self._action, action
        try:
            if self._kept:
                self.forget()
                action()
            yield
        finally:
            self._action = before

    def forget(self) -> None:
        """What was pressed until now was meant for something that is over."""
        self._kept = False

    def _handle(self, *_: object) -> None:
        self._action()

    def keep(self) -> None:
        self._kept = True


class Breakable(Generic[_T]):
    """Something that runs and can be broken off; `interrupt` does so, unless it has not begun yet.

    It runs on a thread of its own, since the main thread must look up now and then: Python handles a signal that comes
    just before the main thread waits for something when that wait is over.
    """

    def __init__(self, function: Callable[[], _T], interrupt: Callable[[], None]) -> None:
        self._function = function
        self._interrupt = interrupt
        self._over = threading.Event()
        self._results: list[_T] = []
        self._error: BaseException | None = None
        self._broken = False

    def run(self) -> _T:
        """What the function returns. Raises what it raises."""
        threading.Thread(target=self._run, name="amla-line", daemon=True).start()
        while not self._over.wait(_AGAIN):
            pass
        if self._error is not None:
            raise self._error
        return self._results[0]

    def break_off(self) -> None:
        """End it, from a signal handler."""
        if not self._broken:
            self._broken = True
            threading.Thread(target=self._insist, name="amla-break", daemon=True).start()

    def _run(self) -> None:
        try:
            self._results.append(self._function())
        except BaseException as error:
            self._error = error
        self._over.set()

    def _insist(self) -> None:
        while not self._over.is_set():
            self._interrupt()
            self._over.wait(_AGAIN)
