"""Ctrl-C while guest code has the main thread.

Python calls the handler of a signal on the main thread, between two of its own instructions: not while guest code runs
there, nor should KeyboardInterrupt come up in the middle of ours. So meanwhile Ctrl-C is only noted. Python writes a
byte into a pipe as soon as one comes, the watchdog finds it there and ends what the guest does, and KeyboardInterrupt
is raised when all is in order. A program that handles other signals in Python, or Ctrl-C in its own way, would wait for
its handlers as long as a script takes; it has guest code run on a thread of ours.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext, suppress
from importlib import import_module
from typing import Any, Self

__all__ = ["Deferral", "deferral", "is_deferring", "pass_on"]

_raw: Any = import_module("_signal")
"""What `signal` wraps into enumerations, which takes twenty times as long."""

_SIGNALS = tuple(map(int, signal.valid_signals()))

_active: Deferral | None = None
_gate = threading.Lock()
"""Held while a byte of the pipe is taken, which is the active deferral's, and while one ends."""
_pipe = (-1, -1)


class Deferral:
    """Until it is left, Ctrl-C calls `interrupt`, from the watchdog's thread; KeyboardInterrupt is raised then."""

    def __init__(self, interrupt: Callable[[], None] | None) -> None:
        self.interrupt = interrupt
        self.noted = False
        """Whether Ctrl-C has come."""

    def begin(self) -> bool:
        """Whether Ctrl-C waits from now on; not where somebody else, an event loop, reads Python's pipe for signals."""
        global _active
        try:
            _open_pipe()
            _raw.signal(signal.SIGINT, self._note)
        except (OSError, ValueError):  # no files are left, or this is not the main interpreter
            return False
        if _takes_pipe():
            _active = self
            return True
        self._end()
        return False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        global _active
        with _gate:
            _active = None
        _raw.set_wakeup_fd(-1)
        self._end()

    def _end(self) -> None:
        _raw.signal(signal.SIGINT, signal.default_int_handler)
        if self.noted:
            raise KeyboardInterrupt

    def _note(self, _signal: int, _frame: object) -> None:
        self.noted = True
        _arrived()


def deferral(interrupt: Callable[[], None] | None) -> AbstractContextManager[object] | None:
    """One that has begun, and is to be left; None where signals could not wait. On the main thread only."""
    raises = _raw.getsignal(signal.SIGINT) is signal.default_int_handler
    handlers: Iterable[object] = map(_raw.getsignal, _SIGNALS)
    if sum(map(callable, handlers)) > raises:
        return None
    if not raises:  # nor does anything: Ctrl-C is ignored, as in the background
        return nullcontext()
    begun = Deferral(interrupt)
    return begun if begun.begin() else None


def is_deferring() -> bool:
    """Whether the main thread has entered a deferral."""
    return _active is not None


def pass_on() -> None:
    """Tell whoever it concerns of a Ctrl-C that has come, again and again: a step that just begins does not hear of it.

    Called by the watchdog.
    """
    with _gate:
        active = _active
        if active is None:
            return
        if _arrived():
            active.noted = True
    if active.noted and active.interrupt is not None:
        active.interrupt()


def _arrived() -> bool:
    """Whether Python has written to the pipe since the last time that this was asked."""
    with suppress(BlockingIOError):
        return bool(os.read(_pipe[0], 64))
    return False


def _open_pipe() -> None:
    global _pipe
    if _pipe[0] < 0:
        _pipe = os.pipe()
        for end in _pipe:
            os.set_blocking(end, False)


def _takes_pipe() -> bool:
    """Have Python write to our pipe, unless it writes to somebody else's."""
    before = _raw.set_wakeup_fd(_pipe[1], warn_on_full_buffer=False)
    if before in (-1, _pipe[1]):
        return True
    with suppress(OSError, ValueError):  # theirs is closed
        _raw.set_wakeup_fd(before)
    return False


def _forget() -> None:
    """In a child of this process, which has this thread alone: Ctrl-C is its own, and so is its pipe."""
    global _active, _gate, _pipe
    if _active is not None:
        _raw.set_wakeup_fd(-1)
        _raw.signal(signal.SIGINT, signal.default_int_handler)
    for end in _pipe:
        if end >= 0:
            os.close(end)
    _active, _gate, _pipe = None, threading.Lock(), (-1, -1)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
