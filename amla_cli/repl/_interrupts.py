"""What Ctrl-C does: it ends what is under way, and otherwise nothing."""

from __future__ import annotations

import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType

__all__ = ["Interrupts", "raising"]


def raising() -> None:
    """Break off whatever the main thread does."""
    raise KeyboardInterrupt


class Interrupts:
    """The handler of SIGINT, from `__enter__` to `__exit__`."""

    def __init__(self) -> None:
        self._action: Callable[[], None] = _nothing
        self._before: signal.Handlers | Callable[[int, FrameType | None], object] | int | None = None

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
            yield
        finally:
            self._action = before

    def _handle(self, *_: object) -> None:
        self._action()


def _nothing() -> None:
    pass
