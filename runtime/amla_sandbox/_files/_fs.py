"""`sandbox.fs`: the sandbox's files, from the host."""

from __future__ import annotations

import builtins
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from amla_sandbox._guest._instance import Instance
from amla_sandbox._tree import TreeEntry

from ._mounts import Mount, Mounts

if TYPE_CHECKING:
    from amla_capabilities import Limits

__all__ = ["FileInfo", "Mount", "SandboxFiles"]


class FileInfo(NamedTuple):
    """An entry of a folder. `type` is `file`, `directory`, `symlink` or `device`; `size` in bytes, `mtime` in seconds
    since 1970."""

    name: str
    type: str
    size: int
    mode: int
    mtime: float


class SandboxFiles:
    """The files of a sandbox. Paths are absolute, or relative to `/workspace`; errors are `open`'s and the like."""

    def __init__(self, instance: Instance, limits: Limits | None = None) -> None:
        self._instance = instance
        self._mounted = Mounts(self, instance, limits)

    def read(self, path: str) -> bytes:
        """A file's bytes."""
        return self._instance.files("read", absolute(path)).data

    def read_text(self, path: str) -> str:
        """A file's text (UTF-8)."""
        return self.read(path).decode("utf-8")

    def write(self, path: str, data: bytes | str) -> None:
        """Create or replace a file; missing parents are created. A new file that begins with ``#!`` is executable."""
        self._instance.files("write", absolute(path), data.encode("utf-8") if isinstance(data, str) else bytes(data))

    def list(self, path: str = "/workspace") -> builtins.list[FileInfo]:
        """The entries of a folder, in the order of their names."""
        entries = self._instance.files("list", absolute(path)).value
        return sorted((_info(entry) for entry in _dicts(entries)), key=lambda info: info.name)

    def stat(self, path: str, *, follow: bool = True) -> FileInfo:
        """What is at `path`."""
        entry = self._instance.files("stat", absolute(path), flag=follow).value
        return _info({"name": path.rstrip("/").rpartition("/")[2], **_dicts([entry])[0]})

    def exists(self, path: str) -> bool:
        return self._instance.files("exists", absolute(path)).value is True

    def remove(self, path: str, *, recursive: bool = False) -> None:
        """Remove a file or an empty folder, or with `recursive` a whole tree."""
        self._instance.files("remove", absolute(path), flag=recursive)

    def mkdir(self, path: str) -> None:
        """Create a folder and its missing parents."""
        self._instance.files("mkdir", absolute(path))

    # --- the host's files --------------------------------------------------------------------------

    def mount(
        self, host: str | os.PathLike[str], guest: str, *, writable: bool = True, delete: bool = False
    ) -> builtins.list[str]:
        """Copy a file or folder of the host to `guest`; returns what was left out, and why: links that lead out of the
        folder, pipes, devices, sockets (R29).

        Without `writable` scripts can read but not change the copy. Nothing reaches the host before `sync_back`, which
        deletes only with `delete`. Raises OSError if `host` cannot be read or is too much for the sandbox's limits,
        ValueError if `guest` overlaps a mount and one of the two is writable.
        """
        return self._mounted.add(host, absolute(guest), writable, delete)

    @property
    def mounts(self) -> tuple[Mount, ...]:
        """What was mounted, in that order."""
        return tuple(self._mounted)

    def sync_back(self, protected: Iterable[str | os.PathLike[str]] = ()) -> builtins.list[str]:
        """Carry over to the host what scripts changed in writable mounts; returns what was not taken over, and why.

        Raises CopyBackError, with nothing changed, if the host's files changed since they were copied in, if one of the
        `protected` files of the host or a `.git` folder would change, or if the host refuses (R30, R31). Several mounts
        are all checked before the first is written; each by itself is written wholly or not at all.
        """
        return self._mounted.sync_back(tuple(protected))

    def export(self, guest: str, host: str | os.PathLike[str], *, overwrite: bool = False) -> builtins.list[str]:
        """Copy a file or folder of the sandbox to the host: all of it, or nothing; never through a link (R30).

        Returns what was left out, and why: no links are made on the host. Raises FileExistsError if `host` is there
        already, unless `overwrite`.
        """
        from amla_sandbox._host_tree import write_host_tree

        return write_host_tree(host, self.tree(guest), overwrite=overwrite)

    def tree(self, path: str) -> builtins.list[TreeEntry]:
        """Everything at and under `path`."""
        return self._instance.tree(absolute(path))

    def usage(self) -> dict[str, int]:
        """Bytes and files that count against the sandbox's limits."""
        (value,) = _dicts([self._instance.files("usage", "/").value])
        return {key: _count(value.get(key)) for key in ("bytes", "files")}


def absolute(path: str) -> str:
    """`path` with `/workspace` before it if it is relative. Raises ValueError for what no path may hold."""
    if not path or "\0" in path:
        raise ValueError(f"{path!r} is no path")
    return path if path.startswith("/") else f"/workspace/{path}"


def _dicts(values: Any) -> list[dict[str, Any]]:
    """What a guest of ours sends; a broken one gets an error, not a crash elsewhere."""
    if not isinstance(values, list) or not all(isinstance(each, dict) for each in cast("list[object]", values)):
        raise ValueError("the sandbox gave no list of files")
    return cast("list[dict[str, Any]]", values)


def _count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError("the sandbox gave no count")
    return value


def _info(entry: dict[str, Any]) -> FileInfo:
    try:
        mtime = float(entry["mtime"]) / 1000
        return FileInfo(str(entry["name"]), str(entry["type"]), int(entry["size"]), int(entry["mode"]), mtime)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise ValueError("the sandbox described a file badly") from error
