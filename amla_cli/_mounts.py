"""Folders that a sandbox gets, and files that it gives back."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ._outcome import CliError, Message, Problem

if TYPE_CHECKING:
    from amla_capabilities import Manifest
    from amla_sandbox import Sandbox

__all__ = [
    "NOT_WRITTEN",
    "MountSpec",
    "check_shared",
    "give_back",
    "mount_all",
    "mounts_of",
    "parse_env",
    "parse_mount",
    "parse_out",
]

NOT_WRITTEN = "not_written"
_MODES = {"ro": (False, False), "rw": (True, False), "rw,delete": (True, True)}


class MountSpec(NamedTuple):
    """A file or folder of the host, copied in; `writable` copies changes back, `delete` deletions too (R30)."""

    host: Path
    guest: str
    writable: bool = False
    delete: bool = False
    unsafe_shared: bool = False


def parse_mount(text: str) -> MountSpec:
    """`HOST:GUEST[:ro|rw|rw,delete]`. Raises CliError."""
    rest, _, mode = text.rpartition(":")
    if mode not in _MODES or ":" not in rest:
        rest, mode = text, "ro"
    host, colon, guest = rest.rpartition(":")
    if not (colon and host and guest):
        raise CliError("usage", f"--mount {text}: write HOST:GUEST, and :ro, :rw or :rw,delete if you like")
    writable, delete = _MODES[mode]
    return MountSpec(Path(host), _guest_path(guest, f"--mount {text}"), writable, delete)


def parse_out(text: str) -> tuple[str, Path]:
    """`GUEST:HOST`. Raises CliError."""
    guest, colon, host = text.partition(":")
    if not (colon and guest and host):
        raise CliError("usage", f"--out {text}: write GUEST:HOST, such as report.csv:./report.csv")
    return _guest_path(guest, f"--out {text}"), Path(host)


def parse_env(texts: Iterable[str]) -> dict[str, str]:
    """`K=V`, several. Raises CliError."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not (equals and name):
            raise CliError(
                "usage", f"--env {text}: write NAME=VALUE; nothing of this environment reaches a script by itself"
            )
        found[name] = value
    return found


def _guest_path(path: str, option: str) -> str:
    """An absolute path in the sandbox; relative ones start at /workspace."""
    whole = path if path.startswith("/") else f"/workspace/{path}"
    steps = [step for step in whole.split("/") if step not in ("", ".")]
    if ".." in steps or not steps or "\0" in whole:
        raise CliError("usage", f"{option}: {path!r} is not a path in the sandbox, such as /workspace/data")
    return "/" + "/".join(steps)


def mounts_of(manifests: Sequence[Manifest], given: Iterable[str]) -> list[MountSpec]:
    """The manifests' mounts, their folders beside the manifest, then those of the command line."""
    return [*(spec for manifest in manifests for spec in _declared(manifest)), *map(parse_mount, given)]


def _declared(manifest: Manifest) -> Iterator[MountSpec]:
    beside = manifest.path.parent if manifest.path else Path()
    for mount in manifest.mounts:
        yield MountSpec(beside / mount.host, mount.guest, mount.mode == "rw", mount.delete, mount.unsafe_shared)


def check_shared(mounts: Iterable[MountSpec], guarded: Iterable[str]) -> None:
    """Refuse a writable mount that holds what decides about scripts: manifests, tools' programs and modules (R31)."""
    files = [Path(file).resolve() for file in guarded]
    for mount in mounts:
        top = mount.host.resolve()
        inside = [file for file in files if file.is_relative_to(top)]
        if mount.writable and inside and not mount.unsafe_shared:
            raise CliError(
                "mount",
                f"{mount.host} is mounted for writing and holds {inside[0]}, which a script must not change",
                "mount a folder beside it, mount it :ro, or set unsafe_shared = true in the manifest's [[mounts]]",
            )


def mount_all(sandbox: Sandbox, mounts: Iterable[MountSpec]) -> list[Message]:
    """Copy the mounts in; a warning for each thing that stays out. Raises CliError for what cannot be mounted."""
    left_out: list[Message] = []
    for mount in mounts:
        try:
            skipped = sandbox.fs.mount(mount.host, mount.guest, writable=mount.writable, delete=mount.delete)
        except (OSError, ValueError) as error:
            raise CliError(
                "mount", f"cannot mount {mount.host}: {getattr(error, 'strerror', None) or error}"
            ) from error
        left_out += [Message("warning", f"{mount.host}: {what}") for what in skipped]
    return left_out


def give_back(
    sandbox: Sandbox, outs: Iterable[tuple[str, Path]], guarded: Sequence[str]
) -> tuple[list[Message], list[Problem]]:
    """After a run that ended well: copy changes back to writable mounts, and files out. What did not go, and why."""
    from amla_sandbox import SandboxError

    left: list[Message] = []
    lost: list[Problem] = []
    try:
        left += [Message("warning", what) for what in sandbox.fs.sync_back(guarded)]
    except (OSError, SandboxError) as error:
        lost.append(Problem("copy_back", str(error), "nothing was changed there; what the script wrote is lost"))
    for guest, host in outs:
        try:
            if not sandbox.fs.exists(guest):
                lost.append(Problem(NOT_WRITTEN, f"the script wrote no {guest}, which --out was to copy to {host}"))
                continue
            # A file is replaced; a folder that has something in it is refused, since all of it would go.
            replace = not os.path.isdir(host)  # noqa: PTH112
            skipped = sandbox.fs.export(guest, host, overwrite=replace)
            left += [Message("warning", f"{host}: {what}") for what in skipped]
        except (OSError, ValueError, SandboxError) as error:
            lost.append(Problem("out", f"cannot copy {guest} to {host}: {_reason(error)}"))
    return left, lost


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
