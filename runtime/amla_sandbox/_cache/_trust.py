"""Whether anybody but this user (and root, who can do anything) can change a file or a folder on the way to it.

Windows has neither owners nor modes in ``stat``: there a folder is trusted when it lies in the user's profile, which
Windows keeps from other users.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path, PurePath

from ._status import CacheError, MissingError

__all__ = ["FOR_OTHERS", "WRITE_BY_OTHERS", "belongs_to_user", "open_trusted", "own_folder", "trusted_folder", "user"]

POSIX = os.name == "posix"
ROOT = 0
WRITE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
FOR_OTHERS = stat.S_IRWXG | stat.S_IRWXO
MOST_LINKS = 40  # as Linux has it

# O_NONBLOCK: opening a named pipe must not wait for its other end.
_OPEN = sum(getattr(os, name, 0) for name in ("O_RDONLY", "O_NOFOLLOW", "O_CLOEXEC", "O_NONBLOCK", "O_BINARY"))


def user() -> int:
    """The user we act as; 0 where there are no such numbers."""
    return os.geteuid() if POSIX else ROOT


def belongs_to_user(path: Path) -> bool:
    """Whether what ``path`` names (a link itself, not its target) is this user's, and so may be replaced."""
    return not POSIX or path.lstat().st_uid == user()


def open_trusted(path: Path, *, forbidden: int = FOR_OTHERS, from_root: bool = False) -> int:
    """A descriptor of the regular file ``path`` that is this user's; the caller closes it.

    ``forbidden`` are the mode bits it must not have; with ``from_root`` it may be root's. Raises
    ``CacheError``, as ``MissingError`` when there is none.
    """
    try:
        file = os.open(path, _OPEN)
    except FileNotFoundError:
        raise MissingError(f"{path} does not exist") from None
    except OSError as error:
        kind = "is a symbolic link" if path.is_symlink() else f"cannot be opened ({error.strerror})"
        raise CacheError(f"{path} {kind}") from error
    try:
        _check_file(path, os.fstat(file), forbidden, from_root)
    except BaseException:
        os.close(file)
        raise
    return file


def _check_file(path: Path, status: os.stat_result, forbidden: int, from_root: bool) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise CacheError(f"{path} is not a regular file")
    if status.st_nlink != 1 and not from_root:
        raise CacheError(f"{path} has {status.st_nlink} hard links instead of one")
    if POSIX:
        _check_owner(path, status, from_root=from_root)
        if status.st_mode & forbidden:
            raise CacheError(f"{path} is open to other users (mode {stat.S_IMODE(status.st_mode):04o})")


def _check_owner(path: Path, status: os.stat_result, *, from_root: bool) -> None:
    if status.st_uid != user() and not (from_root and status.st_uid == ROOT):
        raise CacheError(f"{path} belongs to another user (uid {status.st_uid}; this is uid {user()})")


def own_folder(path: Path, *, create: bool) -> Path:
    """``path`` with links on the way resolved: a real folder of this user's alone, below trusted ones.

    With ``create`` it is made, as are its parents, all 0700, and closed to readers if it was open to them.
    """
    folder = trusted_folder(path.parent, create=create) / path.name
    status = _status(folder, create)
    if not stat.S_ISDIR(status.st_mode):
        raise CacheError(f"{folder} is a link or a file, not a folder; remove it")
    if POSIX:
        _check_owner(folder, status, from_root=False)
        _check_writers(folder, status)
        if create and status.st_mode & FOR_OTHERS:
            folder.chmod(stat.S_IRWXU)
    return folder


def trusted_folder(path: Path, *, create: bool = False) -> Path:
    """``path`` with its links resolved, having made sure that only this user and root can change a step of the way."""
    if not POSIX:
        return _profile_folder(path, create)
    here = Path(path.anchor)
    _check_step(here, here.lstat())
    ahead, links = list(reversed(path.parts[1:])), 0
    while ahead:
        part = ahead.pop()
        there = here.parent if part == ".." else here / part
        status = _status(there, create)
        _check_step(there, status)
        if stat.S_ISLNK(status.st_mode):
            links += 1
            if links > MOST_LINKS:
                raise CacheError(f"{path} goes through too many symbolic links")
            target = PurePath(there.readlink())
            here = Path(target.anchor) if target.is_absolute() else here
            ahead += reversed(target.parts[1:] if target.is_absolute() else target.parts)
        else:
            here = there
    return here


def _status(path: Path, create: bool) -> os.stat_result:
    try:
        return path.lstat()
    except FileNotFoundError:
        if not create:
            raise MissingError(f"{path} does not exist") from None
    with contextlib.suppress(FileExistsError):  # another process was faster
        path.mkdir(stat.S_IRWXU)
        path.chmod(stat.S_IRWXU)  # whatever the umask says
    return path.lstat()


def _check_step(path: Path, status: os.stat_result) -> None:
    """Raise unless only trusted users can change what ``path`` (a folder, or a link to one) leads to."""
    _check_owner(path, status, from_root=True)
    if stat.S_ISLNK(status.st_mode):
        return
    if not stat.S_ISDIR(status.st_mode):
        raise CacheError(f"{path} is not a folder")
    if not status.st_mode & stat.S_ISVTX:  # in a sticky folder nobody can rename or remove what is another's
        _check_writers(path, status)


def _check_writers(path: Path, status: os.stat_result) -> None:
    writers = status.st_mode & WRITE_BY_OTHERS
    if writers and not (writers == stat.S_IWGRP and _is_private_group(path, status)):
        raise CacheError(f"other users can write to {path}; close it with: chmod go-w {path}")


def _is_private_group(path: Path, status: os.stat_result) -> bool:
    """Whether the group is this user's alone, as on systems where each user has one and folders are made 0775."""
    import grp
    import pwd

    try:
        me, group = pwd.getpwuid(user()), grp.getgrgid(status.st_gid)
    except KeyError:
        return False
    alone = group.gr_gid == me.pw_gid and group.gr_name == me.pw_name and set(group.gr_mem) <= {me.pw_name}
    return alone and not _has_access_list(path)


def _has_access_list(path: Path) -> bool:
    """With an access list the group's bits are a mask for other people's entries."""
    try:
        return "system.posix_acl_access" in os.listxattr(path, follow_symlinks=False)
    except (AttributeError, OSError):
        return False


def _profile_folder(path: Path, create: bool) -> Path:
    folder = path.resolve()
    if not folder.is_relative_to(Path.home().resolve()):
        raise CacheError(f"{folder} is outside of your profile, where others may write")
    if create:
        folder.mkdir(parents=True, exist_ok=True)
    if not folder.is_dir():
        raise MissingError(f"{folder} does not exist")
    return folder
