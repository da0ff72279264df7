"""Copy-back (R30, R31): what a script changed in a mounted folder, and whether the host may take all of it."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from io import FileIO

from amla_sandbox._tree import TreeEntry

from ._folders import folder, folder_at, open_file, parts_of, reason
from ._known import Known, Snapshot
from ._protected import Protected

__all__ = ["Plan", "copy_back", "plan_copy_back"]


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps that make the host's folder `base` what the sandbox has. `before` and `entries` are by path in `base`.

    `left` says what is not taken over, and why; with any `refused` the plan must not be carried out.
    """

    base: str
    before: dict[str, Known]
    file: str = ""
    """The name of the one file in `base` that was mounted, if it was no folder."""
    deletions: list[str] = field(default_factory=list[str])
    folders: list[TreeEntry] = field(default_factory=list[TreeEntry])
    files: list[TreeEntry] = field(default_factory=list[TreeEntry])
    left: list[str] = field(default_factory=list[str])
    refused: list[str] = field(default_factory=list[str])


def copy_back(
    host: str,
    before: Snapshot,
    after: Iterable[TreeEntry],
    *,
    delete: bool = False,
    protected: Iterable[str | os.PathLike[str]] = (),
) -> list[str]:
    """Carry a script's changes over to the host: all, or none; returns what was not taken over, and why.

    `host` is the real path of what was mounted, `before` its snapshot from then. Raises CopyBackError, with nothing
    changed, where the host's files changed since, where a protected file or a `.git` folder would change, or where the
    host does not let us.
    """
    from ._apply import apply

    plan = plan_copy_back(host, before, after, delete=delete, protected=protected)
    apply(plan)
    return plan.left


def plan_copy_back(
    host: str,
    before: Snapshot,
    after: Iterable[TreeEntry],
    *,
    delete: bool = False,
    protected: Iterable[str | os.PathLike[str]] = (),
) -> Plan:
    """What `copy_back` would do. Nothing is changed, nothing raised."""
    entries = {entry.path: entry for entry in after}
    if before[""].type != "file":
        plan = Plan(host, dict(before))
    else:
        base, name = os.path.split(host)
        plan = Plan(base, {name: before[""]}, name)
        entries = {f"{name}/{path}" if path else name: entry for path, entry in entries.items()}
    _compare(plan, entries, delete)
    _check(plan, Protected(protected))
    return plan


# --- what changed in the sandbox ------------------------------------------------------------------


def _compare(plan: Plan, entries: Mapping[str, TreeEntry], delete: bool) -> None:
    for path, entry in entries.items():
        old = plan.before.get(path)
        if old is not None and old.holds(entry):
            continue
        if not path:
            plan.refused.append("the mounted folder itself is no folder any more in the sandbox")
        elif entry.type == "symlink":
            plan.left.append(f"{path}: links are not made on the host")
        elif old is not None and old.type != entry.type and not delete:
            plan.refused.append(f"{path}: was a {old.type}, is a {entry.type}, and the mount does not allow deleting")
        else:
            if old is not None and old.type != entry.type:
                plan.deletions.append(path)
            (plan.folders if entry.type == "directory" else plan.files).append(_at(path, entry))
    gone = [path for path in plan.before if path and path not in entries]
    if delete:
        plan.deletions.extend(gone)
    else:
        plan.left.extend(f"{path}: deleted in the sandbox, kept on the host" for path in gone)


def _at(path: str, entry: TreeEntry) -> TreeEntry:
    return TreeEntry(path, entry.type, entry.mode, entry.mtime, entry.target, entry.data)


# --- whether the host may take it -----------------------------------------------------------------


def _check(plan: Plan, protected: Protected) -> None:
    changed = list(_changes(plan))
    for path, old in changed:
        forbidden = protected.forbids(plan.base, path, (old.device, old.inode) if old else None)
        if forbidden:
            plan.refused.append(f"{path}: {forbidden}, and no script may change it")
    try:
        with folder_at(plan.base) as base:
            plan.refused.extend(_conflicts(plan, base, changed))
    except OSError as error:
        plan.refused.append(f"{plan.base}: {reason(error)}")


def _changes(plan: Plan) -> Iterator[tuple[str, Known | None]]:
    for path in (*plan.deletions, *(entry.path for entry in (*plan.folders, *plan.files))):
        yield path, plan.before.get(path)


def _conflicts(plan: Plan, base: int, changed: Iterable[tuple[str, Known | None]]) -> Iterator[str]:
    top = plan.before.get("")
    if top is not None and not top.matches(os.fstat(base)):
        yield f"{plan.base}: is not the folder that was mounted"
        return
    going, coming = set(plan.deletions), {entry.path for entry in plan.folders}
    for path, old in changed:
        if old is None and going & _above(path):
            continue  # its place becomes free
        conflict = _conflict(base, path, old, may_exist=path in coming)
        if conflict:
            yield f"{path}: {conflict}"


def _above(path: str) -> set[str]:
    parts = path.split("/")
    return {"/".join(parts[:count]) for count in range(1, len(parts))}


def _conflict(base: int, path: str, old: Known | None, *, may_exist: bool) -> str | None:
    """What speaks against changing `path`, which was `old` when it was copied in."""
    try:
        parents, name = parts_of(path)
        with folder(base, *parents) as at:
            return _changed(at, name, old, may_exist)
    except FileNotFoundError:
        return "was removed on the host meanwhile" if old else None
    except OSError as error:
        return reason(error)
    except ValueError as error:
        return str(error)


def _changed(at: int, name: str, old: Known | None, may_exist: bool) -> str | None:
    status = os.stat(name, dir_fd=at, follow_symlinks=False)
    if old is None:
        if may_exist and stat.S_ISDIR(status.st_mode):
            return None
        return "was not copied in, and is on the host"
    if not old.matches(status) or (old.type == "file" and _digest(at, name) != old.digest):
        return "changed on the host since it was copied in"
    return None


def _digest(at: int, name: str) -> bytes:
    with FileIO(open_file(at, name)) as file:
        return hashlib.file_digest(file, "sha256").digest()
