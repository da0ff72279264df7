"""Export (R30): a tree becomes a file or folder of the host, all of it or nothing."""

# Paths go to the calls of the operating system as they are.
# ruff: noqa: PTH100, PTH119

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from pathlib import Path

from amla_sandbox._tree import TreeEntry

from ._folders import create_file, folder, folder_at, kind_of, names_of, parts_of
from ._protected import is_git
from ._stage import Stage, move, place, staging

__all__ = ["write_host_tree"]

_NEW, _OLD = "new", "old"


def write_host_tree(
    host: str | os.PathLike[str], entries: Iterable[TreeEntry], *, overwrite: bool = False
) -> list[str]:
    """Make `host` what `entries` say; returns what was left out, and why: no links are made.

    The folder that `host` lies in must exist, with no link on the way to it. A file or a folder with anything in it is
    replaced only with `overwrite`, a link never. Modes are masked by the umask. Raises OSError or ValueError, and then
    nothing is written.
    """
    tree, left_out = _writable(entries)
    path = os.path.abspath(str(Path(host)))
    parent, name = os.path.split(path)
    if not name:
        raise FileExistsError(errno.EEXIST, "name the file or folder to make", path)
    with folder_at(parent) as at:
        there = _demand_place(at, path, tree[0].type, overwrite)
        with staging(at) as stage:
            for entry in tree:
                _make(stage, entry)
            if tree[0].type == "file":
                _put_file(stage, at, name, there)
            else:
                _set_modes(stage, [entry for entry in tree[1:] if entry.type == "directory"])
                _put_folder(stage, at, name, tree[0], there)
    return left_out


def _writable(entries: Iterable[TreeEntry]) -> tuple[list[TreeEntry], list[str]]:
    """What can be written, and what is left out. ValueError for a tree that leads astray."""
    tree: list[TreeEntry] = []
    left_out: list[str] = []
    for entry in entries:
        if entry.type == "symlink":
            left_out.append(f"{entry.path or 'the link itself'}: links are not made on the host")
            continue
        if bool(entry.path) != bool(tree):
            raise ValueError("a tree starts with its top, and has one")
        if any(map(is_git, names_of(entry.path))):
            raise PermissionError(errno.EPERM, "a script may not write to a git repository's own files", entry.path)
        tree.append(entry)
    if not tree:
        raise ValueError("there is nothing to write" + (f": {left_out[0]}" if left_out else ""))
    return tree, left_out


def _demand_place(at: int, path: str, kind: str, overwrite: bool) -> str | None:
    """The kind of what is at `path` and may be replaced, or None. Raises OSError if it may not."""
    try:
        there = kind_of(os.stat(os.path.basename(path), dir_fd=at, follow_symlinks=False))
    except FileNotFoundError:
        return None
    if there == "symlink":
        raise FileExistsError(errno.EEXIST, "is a link, and links are neither followed nor replaced", path)
    if there != kind:
        wrong = IsADirectoryError(errno.EISDIR, "is a folder, and a file was to be written", path)
        raise wrong if there == "directory" else FileExistsError(errno.EEXIST, f"is there already, as a {there}", path)
    if not overwrite and (kind == "file" or _holds_anything(at, os.path.basename(path))):
        raise FileExistsError(errno.EEXIST, "is there already; remove it, or ask for it to be overwritten", path)
    return there


def _holds_anything(at: int, name: str) -> bool:
    with folder(at, name) as fd, os.scandir(fd) as found:
        return next(found, None) is not None


def _make(stage: Stage, entry: TreeEntry) -> None:
    parents, name = parts_of(f"{_NEW}/{entry.path}" if entry.path else _NEW)
    with folder(stage.fd, *parents) as at:
        if entry.type == "directory":
            os.mkdir(name, 0o700, dir_fd=at)
        else:
            create_file(at, name, entry.data, entry.mode)


def _set_modes(stage: Stage, folders: list[TreeEntry]) -> None:
    """Last, and the deepest first: a folder may forbid its owner to write to it."""
    for entry in reversed(folders):
        with folder(stage.fd, _NEW, *names_of(entry.path)) as fd:
            os.fchmod(fd, entry.mode & 0o777 & ~stage.umask)


def _put_folder(stage: Stage, at: int, name: str, top: TreeEntry, there: str | None) -> None:
    if there is not None:
        move(at, name, stage.fd, _OLD)
    with folder(stage.fd, _NEW) as made:
        try:
            move(stage.fd, _NEW, at, name)
        except BaseException:
            if there is not None:
                move(stage.fd, _OLD, at, name)
            raise
        os.fchmod(made, top.mode & 0o777 & ~stage.umask)


def _put_file(stage: Stage, at: int, name: str, there: str | None) -> None:
    if there is not None:
        move(stage.fd, _NEW, at, name)
    else:
        place(stage, _NEW, at, name)
