"""`sandbox.fs`: the sandbox's files, from the host."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from ._instance import Instance
from ._tree import TreeEntry, pack, unpack

__all__ = ["FileInfo", "SandboxFiles"]


@dataclass(frozen=True, slots=True)
class FileInfo:
    """An entry of a folder. `type` is `file`, `directory`, `symlink` or `device`; `size` in bytes, `mtime` in seconds."""

    name: str
    type: str
    size: int
    mode: int
    mtime: float


class SandboxFiles:
    """The files of a sandbox. Paths are absolute, or relative to `/workspace`; errors are those of `open` and friends."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance

    def read(self, path: str) -> bytes:
        """A file's bytes."""
        return self._instance.files("read", absolute(path)).data

    def read_text(self, path: str) -> str:
        """A file's text (UTF-8)."""
        return self.read(path).decode("utf-8")

    def write(self, path: str, data: bytes | str) -> None:
        """Create or replace a file; missing parents are created."""
        self._instance.files("write", absolute(path), data.encode("utf-8") if isinstance(data, str) else bytes(data))

    def list(self, path: str = "/workspace") -> list[FileInfo]:
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

    def mount(self, host: str | os.PathLike[str], guest: str, *, writable: bool = True) -> list[str]:
        """Copy a file or folder of the host to `guest`. Returns what was left out: links that lead out of the folder,
        pipes, devices, sockets (R29). Without `writable` scripts can read but not change the copy."""
        from ._host_tree import read_host_tree

        entries, skipped = read_host_tree(host)
        self._instance.files("load", absolute(guest), pack(entries), flag=writable)
        return skipped

    def export(self, guest: str, host: str | os.PathLike[str]) -> None:
        """Copy a file or folder of the sandbox to the host: all of it, or nothing; never through a link (R30)."""
        from ._host_tree import write_host_tree

        write_host_tree(host, self.tree(guest))

    def tree(self, path: str) -> list[TreeEntry]:
        """Everything at and under `path`."""
        return unpack(self._instance.files("dump", absolute(path)).data)

    def usage(self) -> dict[str, int]:
        """Bytes and files that count against the sandbox's limits."""
        value: Any = self._instance.files("usage", "/").value
        return {key: int(value[key]) for key in ("bytes", "files")}


def absolute(path: str) -> str:
    """`path` with `/workspace` before it if it is relative. Raises ValueError for what no path may hold."""
    if not path or "\0" in path:
        raise ValueError(f"{path!r} is no path")
    return path if path.startswith("/") else f"/workspace/{path}"


def _dicts(values: Any) -> list[dict[str, Any]]:
    """What a guest of ours sends; a broken one gets an error, not a crash elsewhere."""
    if not isinstance(values, list) or not all(isinstance(each, dict) for each in values):
        raise ValueError("the sandbox gave no list of files")
    return values


def _info(entry: dict[str, Any]) -> FileInfo:
    try:
        mtime = float(entry["mtime"]) / 1000
        return FileInfo(str(entry["name"]), str(entry["type"]), int(entry["size"]), int(entry["mode"]), mtime)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError("the sandbox described a file badly") from error
