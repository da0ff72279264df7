"""Copy-in (R29): what a folder of the host holds, except what leads or reaches out of it."""

# Paths go to the calls of the operating system as they are.
# ruff: noqa: PTH118, PTH120, PTH208

from __future__ import annotations

import errno
import os
import stat
import sys
from dataclasses import dataclass, field
from io import FileIO
from pathlib import Path

from amla_sandbox._errors import SandboxFileError
from amla_sandbox._tree import TreeEntry

from ._folders import folder, folder_at, kind_of, open_file, reason
from ._known import Known, Snapshot

__all__ = ["HostTree", "read_host_tree"]

_DEEPEST = 100
"""Folders in one another. Each holds a descriptor while what is in it is read; arbitrary otherwise."""

_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class HostTree:
    """A file or folder of the host as it was read. `root` is its real path; `skipped` tells what was left out."""

    root: str
    entries: list[TreeEntry] = field(default_factory=list[TreeEntry])
    skipped: list[str] = field(default_factory=list[str])
    statuses: list[os.stat_result] = field(default_factory=list[os.stat_result], repr=False)

    def snapshot(self) -> Snapshot:
        pairs = zip(self.statuses, self.entries, strict=True)
        return {entry.path: Known.of(status, entry) for status, entry in pairs}


def read_host_tree(
    host: str | os.PathLike[str], *, max_bytes: int | None = None, max_files: int | None = None
) -> HostTree:
    """Read a file, or a folder with all that is in it.

    Left out and told are links that lead out of the folder, pipes, devices, sockets, and what cannot be read. Raises
    OSError where `host` itself cannot be read, and SandboxFileError, as soon as it is known, if there are more than
    `max_bytes` or `max_files` (folders and links count too).
    """
    root = os.path.realpath(str(Path(host)), strict=True)
    parent, name = os.path.split(root)
    reader = _Reader(HostTree(root), max_bytes, max_files)
    with folder_at(parent) as at:
        if kind_of(os.stat(name or ".", dir_fd=at, follow_symlinks=False)) not in ("file", "directory"):
            raise OSError(errno.EINVAL, "only files and folders can be mounted", root)
        reader.take(at, name or ".", "")
    return reader.tree


class _Reader:
    def __init__(self, tree: HostTree, max_bytes: int | None, max_files: int | None) -> None:
        self.tree = tree
        self._bytes = sys.maxsize - 1 if max_bytes is None else max(0, max_bytes)
        self._files = sys.maxsize if max_files is None else max(0, max_files)

    def take(self, at: int, name: str, path: str) -> None:
        kind = kind_of(os.stat(name, dir_fd=at, follow_symlinks=False))
        if kind == "directory":
            self._folder(at, name, path)
        elif kind == "file":
            self._file(at, name, path)
        elif kind == "symlink":
            self._link(at, name, path)
        else:
            self._skip(path, f"a {kind} is not copied")

    def _folder(self, at: int, name: str, path: str) -> None:
        with folder(at, name) as fd:
            self._add(path, "directory", os.fstat(fd))
            if path.count("/") >= _DEEPEST:
                self._skip(path, f"what is more than {_DEEPEST} folders deep is not copied")
                return
            for child in sorted(os.listdir(fd)):
                self._child(fd, child, f"{path}/{child}" if path else child)

    def _child(self, at: int, name: str, path: str) -> None:
        try:
            self.take(at, name, path)
        except SandboxFileError:
            raise
        except OSError as error:
            self._skip(path, reason(error))

    def _file(self, at: int, name: str, path: str) -> None:
        fd = open_file(at, name)
        with FileIO(fd) as file:
            status = os.fstat(fd)
            self._demand_room(path, status.st_size)
            data = _read(file, status.st_size, self._bytes + 1)
        self._demand_room(path, len(data))
        self._bytes -= len(data)
        self._add(path, "file", status, data=data)

    def _link(self, at: int, name: str, path: str) -> None:
        """A link that stays inside is copied as a link, an absolute one as the relative one that means the same."""
        target = os.readlink(name, dir_fd=at)
        here = os.path.join(self.tree.root, os.path.dirname(path))
        resolved = os.path.realpath(os.path.join(here, target))
        if os.path.commonpath([self.tree.root, resolved]) != self.tree.root:
            self._skip(path, "a link that leads out of the folder is not copied")
            return
        if target.startswith("/"):
            target = os.path.relpath(resolved, here)
        self._add(path, "symlink", os.stat(name, dir_fd=at, follow_symlinks=False), target=target)

    def _add(
        self, path: str, kind: str, status: os.stat_result, *, target: str | None = None, data: bytes = b""
    ) -> None:
        if not self._files:
            raise _full(self.tree.root, "more files than the sandbox has room for (limit: file_count)")
        self._files -= 1
        mode, mtime = stat.S_IMODE(status.st_mode) & 0o777, status.st_mtime_ns / 1e6
        self.tree.entries.append(TreeEntry(path, kind, mode, mtime, target, data))
        self.tree.statuses.append(status)

    def _demand_room(self, path: str, size: int) -> None:
        if size > self._bytes:
            where = os.path.join(self.tree.root, path) if path else self.tree.root
            raise _full(
                where,
                f"with it the sandbox would hold more bytes than it may, by {size - self._bytes:,} (limit: files)",
            )

    def _skip(self, path: str, why: str) -> None:
        self.tree.skipped.append(f"{_shown(path)}: {why}")


def _full(path: str, what: str) -> SandboxFileError:
    return SandboxFileError(errno.ENOSPC, f"{what}; mount less, or raise the limit", path, "ENOSPC")


def _read(file: FileIO, expected: int, most: int) -> bytes:
    """At most `most` bytes, most likely `expected`: a file may grow or shrink while it is read."""
    parts: list[bytes] = []
    chunk = file.read(min(expected + 1, most))
    while chunk:
        parts.append(chunk)
        most -= len(chunk)
        chunk = file.read(min(_CHUNK, most)) if most > 0 else b""
    return b"".join(parts)


def _shown(path: str) -> str:
    """A path for people: control characters in a file's name cannot reach a terminal (R3)."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape", "surrogatepass").decode() for char in path
    )
