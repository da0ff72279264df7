"""Reading files of a git repository as they were at a revision, and nothing else.

What is read may come from someone who wants to mislead its reader. So git gets fixed arguments, reads objects by their
hashes, and runs no program that a repository could name: no pager, hook, filter, text conversion, file system monitor,
transport or replacement object.
"""

from __future__ import annotations

import os
import posixpath
import re
import shutil
import subprocess
from pathlib import Path

from amla_cli._outcome import CliError

__all__ = ["Tree"]

_FLAGS = ("--no-pager", "--no-replace-objects", "--no-optional-locks", "--literal-pathspecs")
_CONFIG = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "safe.bareRepository=explicit",  # a folder of the work tree that looks like a repository is none
)
_ENVIRONMENT = {
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # older versions of git, in a partial clone, would fetch what it lacks
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_ENTRY = re.compile(r"([0-7]{6}) [a-z]+ ([0-9a-f]+)\t(.*)", re.DOTALL)  # mode, kind, hash, path
_ODD_MODES = {"120000": "a symbolic link", "160000": "a submodule", "040000": "a folder"}
_MAX_BYTES = 4_000_000  # of a file; what a manifest may have
_SECONDS = 30.0


class Tree:
    """The files of one commit of the repository that the current folder lies in."""

    def __init__(self, revision: str) -> None:
        """Raises CliError if there is no git, no repository or no such revision."""
        if not revision or revision.startswith("-") or not revision.isprintable():
            raise CliError("against", f"{revision!r} is not a revision", "write REVISION:FILE, such as main:tools.toml")
        self.revision = revision
        found = _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        self._commit = "" if found is None else found.decode("ascii", "replace").strip()
        if not _COMMIT.fullmatch(self._commit):
            raise CliError("against", f"git knows no revision {revision!r} here", _FETCH)

    def path(self, written: str) -> str:
        """A file's path from the top of the repository; `./` in front means from the current folder, as in git.

        Raises CliError for one that leads out of the repository.
        """
        prefix = (_git("rev-parse", "--show-prefix") or b"").decode("utf-8", "surrogateescape").rstrip("\n")
        full = posixpath.normpath(prefix + written if written.startswith(("./", "../")) else written)
        if full.startswith(("/", "../")) or full in ("", ".", ".."):
            raise CliError("against", f"{written!r} is not a file of the repository", _PATHS)
        return full

    def read(self, path: str) -> bytes | None:
        """A file's bytes; None if there is none. Raises CliError for what is no ordinary file, or too large."""
        mode, blob = self._entry(path)
        if not blob:
            return None
        if mode in _ODD_MODES:
            raise self._error(path, f"is {_ODD_MODES[mode]}, which is not followed at a revision")
        size = _git("cat-file", "-s", blob)
        if size is not None and int(size) > _MAX_BYTES:
            raise self._error(path, f"is larger than {_MAX_BYTES:,} bytes")
        data = _git("cat-file", "blob", blob)
        if data is None:
            raise self._error(path, "cannot be read: the repository lacks it")
        return data

    def _entry(self, path: str) -> tuple[str, str]:
        """The mode and the hash of what is at a path; empty if nothing is."""
        listed = _git("ls-tree", "-z", "--full-tree", self._commit, "--", path)
        for line in (listed or b"").decode("utf-8", "surrogateescape").split("\0"):
            found = _ENTRY.fullmatch(line)
            if found and found[3] == path:
                return found[1], found[2]
        return "", ""

    def _error(self, path: str, what: str) -> CliError:
        return CliError("against", f"{self.revision}:{path} {what}")


_FETCH = "a shallow clone may lack it: fetch it first, with 'git fetch origin REVISION'"
_PATHS = "paths are told from the top of the repository, with ./ in front from this folder"


def _git(*arguments: str) -> bytes | None:
    """What git prints; None if it fails. Raises CliError if there is no git, or it takes too long."""
    config = [word for setting in _CONFIG for word in ("-c", setting)]
    try:
        done = subprocess.run(
            [_program(), *_FLAGS, *config, *arguments],
            check=False,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env={**os.environ, **_ENVIRONMENT},
            timeout=_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CliError("against", f"git could not be asked: {error}") from None
    return done.stdout if done.returncode == 0 else None


def _program() -> str:
    """git, looked for in absolute folders only: no other folder is the system's."""
    folders = [folder for folder in os.environ.get("PATH", os.defpath).split(os.pathsep) if Path(folder).is_absolute()]
    found = shutil.which("git", path=os.pathsep.join(folders))
    if found is None:
        raise CliError("against", "git is not installed, so no revision can be read", "name a file instead")
    return found
