"""The thread that keeps time for running guests and ends those whose time is up.

A guest cannot ask for the time: the watchdog writes it into the guest's memory every millisecond while a step runs.
When a step exceeds its deadline the watchdog first sets the guest's interrupt flag, which ends nearly everything
within a millisecond; what computes for `GRACE` seconds more without a look at the flag loses its memory, and traps.
Computing counts, not waiting for the processor, which on a busy machine may take long. What has seen the flag, and only
puts away what the script left, may compute on, as millions of values take a while. After `PATIENCE` seconds all ends.
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

from . import _later, _signals

__all__ = ["GRACE", "Watched", "unwatch", "watch"]

TICK = 0.001
"""Seconds between two looks; the resolution of the guest's clock."""

GRACE = 0.03
"""Seconds that a guest may compute between being asked to stop and being stopped."""

PATIENCE = 2.0
"""Seconds after which it is stopped in any case; files that the run wrote are lost then, so this is long."""

_LINGER = 50
"""Ticks without work before the thread sleeps: waking it costs more than a few idle ticks."""


class Watched(Protocol):
    """A guest during a step."""

    deadline: float
    """On `time.monotonic`'s clock; infinite for none."""

    def tick(self, now: float) -> None:
        """Show the guest the time."""

    def interrupt(self) -> None:
        """Ask it to stop."""

    @property
    def heard(self) -> bool:
        """Whether it knows that it is to stop."""
        raise NotImplementedError

    def kill(self) -> None:
        """Make it trap."""


class _Asked(NamedTuple):
    """When a guest was asked to stop, and how long its thread had computed by then."""

    at: float
    computed: float


_active: dict[int, Watched] = {}
_clocks: dict[int, int] = {}
"""Of the threads that the guests run on, where the system has such clocks."""

_interrupted: dict[int, _Asked] = {}
_clock_of = getattr(time, "pthread_getcpuclockid", None)
_wake = threading.Event()
_lock = threading.Lock()
_thread: threading.Thread | None = None


def watch(guest: Watched) -> None:
    """Keep time for `guest`, which this thread is about to run, until `unwatch`."""
    if _clock_of is not None:
        _clocks[id(guest)] = _clock_of(threading.get_ident())
    _active[id(guest)] = guest
    if not _wake.is_set():
        _start()


def unwatch(guest: Watched) -> None:
    _active.pop(id(guest), None)
    _clocks.pop(id(guest), None)
    if _interrupted:
        _interrupted.pop(id(guest), None)


def _start() -> None:
    global _thread
    with _lock:
        if _thread is None or not _thread.is_alive():
            _thread = threading.Thread(target=_loop, name="amla-watchdog", daemon=True)
            _thread.start()
        _wake.set()


def _forget() -> None:
    """In a child of this process, which has neither this thread nor those that guests run on."""
    global _lock, _thread, _wake
    _lock, _thread, _wake = threading.Lock(), None, threading.Event()
    for known in (_active, _clocks, _interrupted):
        known.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def _loop() -> None:
    idle = 0
    while True:
        time.sleep(TICK)
        now = time.monotonic()
        if _signals.is_deferring():
            _surely(_signals.pass_on)
        if _later.are_waiting():
            _surely(_later.begin_due, now)
        if _active:
            idle = 0
            for key, guest in tuple(_active.items()):
                _surely(guest.tick, now)
                _surely(_look, key, guest, now)
            continue
        idle += 1
        if idle > _LINGER:
            _wake.clear()
            if not _active and not _later.are_waiting():
                _wake.wait()
            idle = 0


def _surely(work: Callable[..., None], *args: Any) -> None:
    """Let no fault, such as a lack of threads or of memory, end this thread, and with it all limits."""
    with suppress(Exception):
        work(*args)


def _look(key: int, guest: Watched, now: float) -> None:
    if now < guest.deadline:
        return
    asked = _interrupted.get(key)
    if asked is None:
        guest.interrupt()
        _interrupted[key] = _Asked(now, _computed(key))
        if key not in _active:
            _interrupted.pop(key, None)
    elif now >= asked.at + PATIENCE or (now >= asked.at + GRACE and not guest.heard and _had_its_turn(key, asked)):
        guest.kill()


def _had_its_turn(key: int, asked: _Asked) -> bool:
    return _computed(key) >= asked.computed + GRACE


def _computed(key: int) -> float:
    """Seconds that a guest's thread has computed; without end where that cannot be told."""
    try:
        return time.clock_gettime(_clocks[key])
    except (KeyError, OSError):  # no such clock, or the thread is gone
        return math.inf
