"""What goes on between host and guest while a step is under way: output is shown as it comes, input is handed in.

The watchdog calls `look` every millisecond and must not wait, so a thread of ours calls those who listen.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from queue import SimpleQueue

from amla_sandbox._guest._instance import Instance
from amla_sandbox._guest._protocol import Output, parse_output

from ._input import Source

__all__ = ["MidStep"]

_PERIOD = 0.05
"""Seconds between two looks for output; arbitrary."""

_tasks: SimpleQueue[Callable[[], None]] = SimpleQueue()
_lock = threading.Lock()
_thread: threading.Thread | None = None


class MidStep:
    """Attends to the steps of one run: `begin` and `end` enclose each."""

    def __init__(self, instance: Instance, show: Callable[[Output], None] | None, source: Source | None) -> None:
        """`show` takes output, from whatever thread; `source` is where input comes from."""
        self._instance, self._show, self._source = instance, show, source
        self._gate = threading.Lock()
        self._next = 0.0
        self._asked = self._open = False
        self._at = self._shown = 0
        """Bytes of the step's frames that were looked through, and frames of output among them."""
        self._speaker = 0
        self._error: BaseException | None = None

    @property
    def speaks_here(self) -> bool:
        """Whether the current thread is showing output just now."""
        return self._speaker == threading.get_ident()

    def begin(self, now: float) -> None:
        self._at = self._shown = 0
        self._next = now + _PERIOD
        self._open = True
        self._instance.observer = self

    def end(self) -> int:
        """How many of the step's frames of output were shown already. Raises what showing, or reading input, raised."""
        self._instance.observer = None
        with self._gate:
            self._open = False
        error, self._error = self._error, None
        if error is not None:
            raise error
        if self._source is not None:
            self._source.check()
        return self._shown

    def look(self, now: float, starving: bool) -> None:
        """Called by the watchdog; `starving` says that the guest stands still for input."""
        if starving and self._source is not None:
            self._source.supply(self._instance.supply)
            if self._source.failed:
                self._instance.interrupt()
        if self._show is not None and now >= self._next and not self._asked:
            self._asked = True
            self._next = now + _PERIOD
            _do(self._show_new)

    def _show_new(self) -> None:
        with self._gate:
            self._asked = False
            if not self._open or self._show is None or self._error is not None:
                return
            self._speaker = threading.get_ident()
            try:
                frames, length = parse_output(self._instance.published(self._at))
                self._at += length
                for frame in frames:
                    self._shown += 1
                    self._show(frame)
            except BaseException as error:
                self._error = error
                self._instance.interrupt()
            finally:
                self._speaker = 0


def _do(task: Callable[[], None]) -> None:
    """Have the thread of ours do it."""
    global _thread
    _tasks.put(task)
    with _lock:
        if _thread is None or not _thread.is_alive():
            _thread = threading.Thread(target=_work, name="amla-output", daemon=True)
            _thread.start()


def _work() -> None:
    while True:
        _tasks.get()()


def _forget() -> None:
    """In a child of this process, which does not have that thread."""
    global _lock, _tasks, _thread
    _lock, _tasks, _thread = threading.Lock(), SimpleQueue[Callable[[], None]](), None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
