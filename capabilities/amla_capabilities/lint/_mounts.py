"""Checks of mounts. They go by the paths alone: nothing is looked up on the host."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePath

from amla_capabilities.findings import Finding
from amla_capabilities.manifest import CommandTool, Mount, PythonTool, Tool

from ._subject import Subject, name_of

__all__ = ["at_one_place", "of_homes", "of_what_decides"]

_KEYS = frozenset({".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".gcloud", ".password-store", ".mozilla"})
_SYSTEM = re.compile(
    r"/|/(?:home|root|etc|usr|var|opt|boot|dev|proc|sys|run|Users|System|Library|private|Volumes)"
    r"|/(?:home|Users)/[^/]+|[A-Za-z]:[/\\]?|[A-Za-z]:[/\\](?:Users|Windows)(?:[/\\][^/\\]+)?"
)


def of_homes(subject: Subject) -> Iterator[Finding]:
    """AM207."""
    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - fails nowhere
    for mount in subject.manifest.mounts:
        host = _host(mount)
        if mount.host.startswith("~"):
            what = "'~' is not filled in, and would be a home folder"
        elif not _KEYS.isdisjoint(host.parts):
            what = f"{mount.host!r} is where people keep keys"
        elif host == home or host in home.parents or any(map(_SYSTEM.fullmatch, (str(host), mount.host))):
            what = f"{mount.host!r} is a home or system folder"
        else:
            continue
        hint = "mount the folder that scripts work on"
        yield subject.manifest.finding("AM207", (*mount.at, "host"), what, file=mount.file, hint=hint)


def of_what_decides(subject: Subject) -> Iterator[Finding]:
    """AM208 (R31)."""
    for mount in subject.manifest.mounts:
        if mount.mode != "rw" or mount.unsafe_shared:
            continue
        host = _host(mount)
        inside = next((what for path, what in _deciding(subject) if path == host or host in path.parents), None)
        if ".git" in map(str.casefold, host.parts):
            inside = "parts of a git repository"
        if inside is not None:
            message = f"{mount.host!r} is writable and holds {inside}, which a script must not change"
            hint = 'mount a folder beside it, use mode = "ro", or accept it with unsafe_shared = true'
            yield subject.manifest.finding("AM208", (*mount.at, "host"), message, file=mount.file, hint=hint)


def _deciding(subject: Subject) -> Iterator[tuple[PurePath, str]]:
    """What decides about scripts, with a name for each."""
    for file in subject.manifest.files:
        yield _absolute(Path(file)), f"the manifest {Path(file).name}"
    for tool in subject.manifest.tools.values():
        yield from ((path, f"the {what} of [{name_of(tool.at)}]") for path, what in _behind(tool))


def _behind(tool: Tool) -> Iterator[tuple[PurePath, str]]:
    folder = Path(tool.file).parent
    if isinstance(tool, PythonTool):
        yield _absolute(folder.joinpath(*tool.module.split("."))).with_suffix(".py"), "module"
    if isinstance(tool, CommandTool):
        program = str(tool.argv[0])
        if "/" in program or "\\" in program:
            yield _absolute(folder / program), "program"
        if tool.cwd is not None:
            yield _absolute(folder / tool.cwd), "working folder"


def at_one_place(subject: Subject) -> Iterator[Finding]:
    """AM221."""
    seen: dict[str, Mount] = {}
    for mount in subject.manifest.mounts:
        other = seen.setdefault(mount.guest, mount)
        if other is not mount:
            message = f"{name_of(other.at)} is mounted at {mount.guest} already"
            hint = "give one of them another guest folder"
            yield subject.manifest.finding("AM221", (*mount.at, "guest"), message, file=mount.file, hint=hint)


def _host(mount: Mount) -> Path:
    return _absolute(Path(mount.file).parent / mount.host)


def _absolute(path: Path) -> Path:
    return Path(os.path.normpath(Path.cwd() / path))
