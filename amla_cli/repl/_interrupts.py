"""What Ctrl-C does: it ends what is under way, or what is just about to be."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType

__all__ = ["Breakable", "Interrupts", "raising"]

_AGAIN = 0.05
"""Seconds after which a line that still runs is told again to end: it may not have begun when it was told first."""


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


class Breakable:
    """Something that runs and can be broken off; `interrupt` does so, unless it has not begun yet."""

    def __init__(self, interrupt: Callable[[], None]) -> None:
        self._interrupt = interrupt
        self._over = threading.Event()
        self._broken = False

    def __enter__(self) -> Breakable:
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()

    def break_off(self) -> None:
        """End it, from a signal handler."""
        if not self._broken:
            self._broken = True
            threading.Thread(target=self._insist, name="amla-break", daemon=True).start()

    def _insist(self) -> None:
        while not self._over.is_set():
            self._interrupt()
            self._over.wait(_AGAIN)
