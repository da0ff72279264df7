"""One process at a time compiles, stores and removes."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Generator
from pathlib import Path

from ._status import CacheError

__all__ = ["locked"]

_POLL_SECONDS = 0.02


@contextlib.contextmanager
def locked(path: Path, seconds: float, waiting: Callable[[], None]) -> Generator[None]:
    """Hold the lock file ``path``; ``waiting`` is called once when another process has it.

    Raises ``CacheError`` after ``seconds``. A file system without locks is used without: writes are atomic anyway, only
    work may be done twice.
    """
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    file = os.open(path, flags, 0o600)
    try:
        if hasattr(os, "fchmod"):
            os.fchmod(file, 0o600)  # whatever the umask says
        held = _acquire(file, path, seconds, waiting)
        try:
            yield
        finally:
            if held:
                _release(file)  # closing is not enough when a forked child holds the file open
    finally:
        os.close(file)


def _acquire(file: int, path: Path, seconds: float, waiting: Callable[[], None]) -> bool:
    deadline = time.monotonic() + seconds
    told = False
    while True:
        try:
            _try_lock(file)
        except (BlockingIOError, PermissionError):
            if time.monotonic() >= deadline:
                raise CacheError(f"another process has held {path} for {seconds:g} s") from None
        except OSError:
            return False
        else:
            return True
        if not told:
            told = True
            waiting()
        time.sleep(_POLL_SECONDS)


if sys.platform == "win32":
    import msvcrt

    def _try_lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

    def _release(file: int) -> None:
        os.lseek(file, 0, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_UNLCK, 1)
else:
    import fcntl

    def _try_lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _release(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_UN)
