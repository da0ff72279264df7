"""What can wait until nobody does: a sandbox is put in order when no run has followed the last one for a moment."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from functools import partial
from time import monotonic

from . import _threads

__all__ = ["are_waiting", "begin_due", "drop", "when_idle"]

_MOMENT = 0.0003
"""Seconds: longer than who closes a sandbox, or runs a script after the other in it, takes to do so."""

_due: dict[object, tuple[float, Callable[[], None]]] = {}
"""By whose affairs it is: when it is due, and what."""

_at_work = threading.Lock()
"""Held by who does what is due, and by who forks: a child would find a sandbox half in order."""


def when_idle(work: Callable[[], None], owner: object) -> None:
    """Do `work` on a thread of ours in a while. It must not raise, and does nothing where it is not needed any more."""
    _due[owner] = monotonic() + _MOMENT, work


def drop(owner: object) -> None:
    """It is somebody's turn to do it."""
    _due.pop(owner, None)


def are_waiting() -> bool:
    return bool(_due)


def begin_due(now: float) -> None:
    """Begin what is due by now; called by the watchdog."""
    for owner, (at, work) in tuple(_due.items()):
        if at <= now and _due.pop(owner, None) is not None:
            _threads.start(partial(_do, work))


def _do(work: Callable[[], None]) -> None:
    with _at_work:
        work()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_at_work.acquire, after_in_parent=_at_work.release, after_in_child=_at_work.release)
