"""A hidden folder beside what is to change: new files are made there, old ones kept there until all is done."""

from __future__ import annotations

import os
import secrets
import shutil
import stat
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress

__all__ = ["Stage", "give_back", "move", "place", "staging"]


class Stage:
    """`fd` is the folder's descriptor, `umask` the process's, found out without changing it."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        os.mkdir("umask", 0o777, dir_fd=fd)
        self.umask = 0o777 & ~stat.S_IMODE(os.stat("umask", dir_fd=fd).st_mode)
        os.rmdir("umask", dir_fd=fd)


@contextmanager
def staging(at: int) -> Generator[Stage]:
    """A stage in the folder `at`, gone at the end with all that is still in it."""
    name = f".amla-{secrets.token_hex(8)}"
    os.mkdir(name, 0o700, dir_fd=at)
    try:
        fd = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=at)
        try:
            yield Stage(fd)
        finally:
            os.close(fd)
    finally:
        shutil.rmtree(name, dir_fd=at, ignore_errors=True)


def move(from_: int, name: str, to: int, as_: str) -> None:
    """Rename between two folders of one file system."""
    os.rename(name, as_, src_dir_fd=from_, dst_dir_fd=to)


def place(stage: Stage, staged: str, at: int, name: str) -> None:
    """Give a staged file its place, which must be free: FileExistsError if anything got there first."""
    os.close(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=at))
    try:
        move(stage.fd, staged, at, name)
    except BaseException:
        os.unlink(name, dir_fd=at)
        raise


def give_back(undo: list[Callable[[], None]]) -> None:
    """Undo what was done, the last first; what cannot be undone does not keep the rest from it."""
    for step in reversed(undo):
        with suppress(OSError):
            step()
