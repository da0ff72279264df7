"""The parts of the host that a sandbox has copies of, and the way back."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

from amla_sandbox._errors import CopyBackError
from amla_sandbox._guest._instance import Instance
from amla_sandbox._tree import TreeEntry, batches

if TYPE_CHECKING:
    from amla_capabilities import Limits
    from amla_sandbox._host_tree import Plan, Snapshot

    from ._fs import SandboxFiles

__all__ = ["Mount", "Mounts"]


class Mount(NamedTuple):
    """A file or folder of the host (its real path) that was copied to `guest`.

    Scripts may change the copy if it is `writable`; `sync_back` then changes the host, and with `delete` also removes
    what scripts removed. `snapshot` is what the host had, `losses` how often the sandbox had lost its files until then.
    """

    host: str
    guest: str
    writable: bool
    delete: bool
    snapshot: Snapshot
    losses: int

    def __repr__(self) -> str:
        return f"Mount({self.host!r}, {self.guest!r}, writable={self.writable}, delete={self.delete})"


class Mounts:
    """The mounts of one sandbox, in their order (`SandboxFiles` has the public side)."""

    def __init__(self, files: SandboxFiles, instance: Instance, limits: Limits | None) -> None:
        self._files = files
        self._instance = instance
        self._max_bytes, self._max_files = (limits.files, limits.file_count) if limits else (0, 0)
        self._all: list[Mount] = []

    def __iter__(self) -> Iterator[Mount]:
        return iter(self._all)

    def add(self, host: str | os.PathLike[str], guest: str, writable: bool, delete: bool) -> list[str]:
        from amla_sandbox._host_tree import read_host_tree

        if writable:
            _refuse_git(host)
        place = _mount_point(guest)
        self._demand_apart(place, writable)
        used = self._files.usage()
        max_bytes, max_files = _room(self._max_bytes, used["bytes"]), _room(self._max_files, used["files"])
        tree = read_host_tree(host, max_bytes=max_bytes, max_files=max_files)
        for batch in batches(tree.entries):
            self._instance.files("load", place, batch, flag=writable)
        snapshot: Snapshot = tree.snapshot() if writable else {}
        self._all.append(Mount(tree.root, place, writable, delete, snapshot, self._instance.losses))
        return tree.skipped

    def sync_back(self, protected: Sequence[str | os.PathLike[str]]) -> list[str]:
        if not any(mount.snapshot for mount in self._all):
            return []
        from amla_sandbox._host_tree import apply

        plans = [(index, self._plan(mount, protected)) for index, mount in enumerate(self._all) if mount.snapshot]
        refusing = [plan for _, plan in plans if plan.refused]
        if refusing:
            hosts = ", ".join(plan.base for plan in refusing)
            raise CopyBackError(hosts, [each for plan in refusing for each in plan.refused])
        for index, plan in plans:
            self._all[index] = self._all[index]._replace(snapshot=apply(plan))
        return [each for _, plan in plans for each in plan.left]

    def _plan(self, mount: Mount, protected: Sequence[str | os.PathLike[str]]) -> Plan:
        from amla_sandbox._host_tree import plan_copy_back

        after = self._copy_of(mount)
        return plan_copy_back(mount.host, mount.snapshot, after, delete=mount.delete, protected=protected)

    def _copy_of(self, mount: Mount) -> list[TreeEntry]:
        """What has become of a mount. Files that the sandbox lost are no files that a script deleted."""
        if mount.losses != self._instance.losses:
            raise CopyBackError(mount.host, ["the sandbox lost its files"])
        try:
            return self._files.tree(mount.guest)
        except FileNotFoundError:
            return []

    def _demand_apart(self, place: str, writable: bool) -> None:
        """Of two mounts in one another neither may be writable: whose files would be copied back?"""
        for mount in self._all:
            if (writable or mount.writable) and (_within(place, mount.guest) or _within(mount.guest, place)):
                raise ValueError(f"{place} and the mount {mount.guest} overlap, which only read-only mounts may")


def _refuse_git(host: str | os.PathLike[str]) -> None:
    """R31: what lies in a `.git` folder decides what git runs, so no script changes it."""
    from amla_sandbox._host_tree import is_git

    for path in (os.path.abspath(host), os.path.realpath(host)):  # noqa: PTH100
        if any(map(is_git, PurePath(path).parts)):
            raise ValueError("it lies in a .git folder, where no script may change anything; mount it read-only")


def _within(inner: str, outer: str) -> bool:
    return f"{inner}/".startswith(f"{outer}/")


def _room(limit: int, used: int) -> int | None:
    """What is left of a limit, where 0 is none."""
    return max(0, limit - used) if limit else None


def _mount_point(guest: str) -> str:
    place = "/" + posixpath.normpath(guest).strip("/")
    if place == "/":
        raise ValueError(f"{guest!r} cannot be mounted over; name a folder in the sandbox, such as /workspace/data")
    return place
