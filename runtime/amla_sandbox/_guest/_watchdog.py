"""The thread that keeps time for running guests and ends those whose time is up.

A guest cannot ask for the time: the watchdog writes it into the guest's memory every millisecond while a step runs.
When a step exceeds its deadline the watchdog first sets the guest's interrupt flag, which ends nearly everything
within a millisecond; what does not look at the flag loses its memory `GRACE` seconds later, and traps. What has
seen the flag, and only puts away what the script left, gets `UNWINDING` seconds, which millions of values take.
"""

from __future__ import annotations

import threading
import time
from typing import Protocol

__all__ = ["GRACE", "Watched", "unwatch", "watch"]

TICK = 0.001
"""Seconds between two looks; the resolution of the guest's clock."""

GRACE = 0.03
"""Seconds between asking a guest to stop and stopping it."""

UNWINDING = 2.0
"""Seconds for a guest that has heard, so that the files that the run wrote are not lost."""

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


_active: dict[int, Watched] = {}
_interrupted: dict[int, float] = {}
_wake = threading.Event()
_lock = threading.Lock()
_thread: threading.Thread | None = None


def watch(guest: Watched) -> None:
    """Keep time for `guest` until `unwatch`."""
    _active[id(guest)] = guest
    if not _wake.is_set():
        _start()


def unwatch(guest: Watched) -> None:
    _active.pop(id(guest), None)
    if _interrupted:
        _interrupted.pop(id(guest), None)


def _start() -> None:
    global _thread
    with _lock:
        _wake.set()
        if _thread is None or not _thread.is_alive():
            _thread = threading.Thread(target=_loop, name="amla-watchdog", daemon=True)
            _thread.start()


def _loop() -> None:
    idle = 0
    while True:
        time.sleep(TICK)
        if _active:
            idle = 0
            now = time.monotonic()
            for key, guest in tuple(_active.items()):
                _look(key, guest, now)
            continue
        idle += 1
        if idle > _LINGER:
            _wake.clear()
            if not _active:
                _wake.wait()
            idle = 0


def _look(key: int, guest: Watched, now: float) -> None:
    guest.tick(now)
    if now < guest.deadline:
        return
    since = _interrupted.get(key)
    if since is None:
        guest.interrupt()
        _interrupted[key] = now
        if key not in _active:
            _interrupted.pop(key, None)
    elif now >= since + GRACE and (now >= since + UNWINDING or not guest.heard):
        guest.kill()
