"""Carrying out a copy-back: new files are staged first, then each takes its place; a failure takes all back (R30)."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable

from amla_sandbox._errors import CopyBackError
from amla_sandbox._tree import TreeEntry

from ._folders import create_file, folder, folder_at, parts_of, reason
from ._known import Known, Snapshot
from ._plan import Plan
from ._stage import Stage, give_back, move, place, staging

__all__ = ["apply"]


def apply(plan: Plan) -> Snapshot:
    """Carry out a plan; returns the snapshot for the next one. Raises CopyBackError with nothing changed."""
    if plan.refused:
        raise CopyBackError(plan.base, plan.refused)
    known = plan.before
    try:
        if plan.deletions or plan.folders or plan.files:
            with folder_at(plan.base) as base, staging(base) as stage:
                known = _Work(plan, base, stage).done()
    except OSError as error:
        raise CopyBackError(plan.base, [f"{error.filename or plan.base}: {reason(error)}"]) from error
    if not plan.file:
        return known
    return {"": known[plan.file]} if plan.file in known else {}


class _Work:
    def __init__(self, plan: Plan, base: int, stage: Stage) -> None:
        self._plan, self._base, self._stage = plan, base, stage
        self._undo: list[Callable[[], None]] = []
        self._known = dict(plan.before)
        self._kept = 0

    def done(self) -> dict[str, Known]:
        for number, entry in enumerate(self._plan.files):
            self._prepare(f"new{number}", entry)
        try:
            for path in sorted(self._plan.deletions, key=lambda path: path.count("/"), reverse=True):
                self._delete(path)
            for entry in self._plan.folders:
                self._make_folder(entry)
            for number, entry in enumerate(self._plan.files):
                self._write(f"new{number}", entry)
        except BaseException:
            give_back(self._undo)
            raise
        return self._known

    def _prepare(self, staged: str, entry: TreeEntry) -> None:
        """A file that replaces one keeps its mode, which the umask may not allow, unless the script changed it."""
        old = self._plan.before.get(entry.path)
        exact = old is not None and old.type == "file" and old.same_mode(entry)
        create_file(self._stage.fd, staged, entry.data, entry.mode, exact=exact)

    def _delete(self, path: str) -> None:
        parents, name = parts_of(path)
        with folder(self._base, *parents) as at:
            old = self._known.pop(path)
            if old.type == "directory":
                self._demand_empty(at, name, path)
            self._keep(at, path, old)

    @staticmethod
    def _demand_empty(at: int, name: str, path: str) -> None:
        with folder(at, name) as fd, os.scandir(fd) as found:
            if next(found, None) is not None:
                raise OSError(errno.ENOTEMPTY, "holds what was not copied in, and cannot be deleted", path)

    def _make_folder(self, entry: TreeEntry) -> None:
        parents, name = parts_of(entry.path)
        with folder(self._base, *parents) as at:
            try:
                os.mkdir(name, entry.mode & 0o777 | 0o700, dir_fd=at)
            except FileExistsError:
                pass
            else:
                self._undo.append(lambda: self._inside(parents, lambda at: os.rmdir(name, dir_fd=at)))
            with folder(at, name) as made:
                self._known[entry.path] = Known.of(os.fstat(made), entry)

    def _write(self, staged: str, entry: TreeEntry) -> None:
        parents, name = parts_of(entry.path)
        with folder(self._base, *parents) as at:
            old = self._known.get(entry.path)
            if old is not None and self._keep(at, entry.path, old, link=True):
                move(self._stage.fd, staged, at, name)
            else:
                place(self._stage, staged, at, name)
            self._undo.append(lambda: self._inside(parents, lambda at: os.unlink(name, dir_fd=at)))
            self._known[entry.path] = Known.of(os.stat(name, dir_fd=at, follow_symlinks=False), entry)

    def _keep(self, at: int, path: str, old: Known, *, link: bool = False) -> bool:
        """Put what is at `path` into the stage, and see that it is what was checked.

        With `link` it stays at its place too, so that whoever looks always finds a file, unless the file system has no
        such links. Returns whether it is still there.
        """
        parents, name = parts_of(path)
        self._kept += 1
        kept = f"old{self._kept}"
        stays = link and _link(at, name, self._stage.fd, kept)
        if not stays:
            move(at, name, self._stage.fd, kept)
        self._undo.append(lambda: self._inside(parents, lambda at: move(self._stage.fd, kept, at, name)))
        if not old.matches(os.stat(kept, dir_fd=self._stage.fd, follow_symlinks=False)):
            raise OSError(errno.EBUSY, "changed on the host meanwhile", path)
        return stays

    def _inside(self, parents: list[str], step: Callable[[int], None]) -> None:
        with folder(self._base, *parents) as at:
            step(at)


def _link(at: int, name: str, to: int, as_: str) -> bool:
    try:
        os.link(name, as_, src_dir_fd=at, dst_dir_fd=to, follow_symlinks=False)
    except OSError:
        return False
    return True
