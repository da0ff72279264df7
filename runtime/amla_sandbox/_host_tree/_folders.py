"""Folders of the host by descriptor: every step from one to the next refuses links."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Generator, Sequence
from contextlib import contextmanager

from amla_sandbox._tree import is_inside

__all__ = ["create_file", "folder", "folder_at", "kind_of", "names_of", "open_file", "parts_of", "reason"]

if os.open not in os.supports_dir_fd:
    raise NotImplementedError("mounts and exports need a system that opens files by folder descriptor: Linux or macOS")

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_WAY = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
"""For folders on the way, which one may be allowed to pass and not to list."""

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NOCTTY | os.O_NONBLOCK
"""Without blocking: a file may have become a pipe since it was looked at."""

_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC

_KINDS = {
    stat.S_IFREG: "file",
    stat.S_IFDIR: "directory",
    stat.S_IFLNK: "symlink",
    stat.S_IFIFO: "pipe",
    stat.S_IFSOCK: "socket",
}


def kind_of(status: os.stat_result) -> str:
    """`file`, `directory`, `symlink`, `pipe`, `socket` or `device`."""
    return _KINDS.get(stat.S_IFMT(status.st_mode), "device")


def reason(error: OSError) -> str:
    """What went wrong, without the path."""
    return error.strerror or str(error)


@contextmanager
def folder_at(path: str) -> Generator[int]:
    """A descriptor of the folder at an absolute path; OSError where a link is on the way."""
    root = os.open("/", _FOLDER)
    try:
        fd = _descend(root, [name for name in path.split("/") if name])
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None
    finally:
        os.close(root)
    try:
        yield fd
    finally:
        os.close(fd)


@contextmanager
def folder(at: int, *names: str) -> Generator[int]:
    """A descriptor of the folder that `names` lead to from the folder `at`."""
    fd = _descend(at, names)
    try:
        yield fd
    finally:
        os.close(fd)


def _descend(at: int, names: Sequence[str]) -> int:
    fd = os.dup(at)
    for index, name in enumerate(names):
        try:
            deeper = _enter(fd, name, _FOLDER if index == len(names) - 1 else _WAY)
        finally:
            os.close(fd)
        fd = deeper
    return fd


def _enter(at: int, name: str, flags: int) -> int:
    try:
        return os.open(name, flags, dir_fd=at)
    except OSError as error:
        if error.errno in (errno.ENOTDIR, errno.ELOOP) and _is_link(at, name):
            raise OSError(errno.ELOOP, f"{name!r} is a link, and links are not followed", name) from None
        raise


def _is_link(at: int, name: str) -> bool:
    try:
        return stat.S_ISLNK(os.stat(name, dir_fd=at, follow_symlinks=False).st_mode)
    except OSError:
        return False


def names_of(path: str) -> list[str]:
    """The names in a relative path, none in an empty one."""
    return path.split("/") if path else []


def parts_of(path: str) -> tuple[list[str], str]:
    """The folders on the way to a relative path, and its last name. ValueError where it would lead astray."""
    *parents, name = path.split("/")
    if not path or not is_inside(path):
        raise ValueError(f"{path!r} leads out of the tree")
    return parents, name


def open_file(at: int, name: str) -> int:
    """A descriptor for reading a regular file. OSError for anything else."""
    fd = os.open(name, _READ, dir_fd=at)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise OSError(errno.EINVAL, "is no longer a file", name)
    return fd


def create_file(at: int, name: str, data: bytes, mode: int, *, exact: bool = False) -> None:
    """Make a file that is not there yet. The umask applies unless `exact`; set-user-id and the like never pass."""
    fd = os.open(name, _CREATE, mode & 0o777, dir_fd=at)
    with open(fd, "wb", buffering=0) as file:  # noqa: PTH123 - a descriptor
        if exact:
            os.fchmod(fd, mode & 0o777)
        left = memoryview(data)
        while left:
            left = left[file.write(left) :]
