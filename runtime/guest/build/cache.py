"""The user's build cache: finished guests by the hash of their inputs, objects, sources, and the compiler's own files.

The folder is the user's alone.  When it cannot be made so (a read-only home, a folder that others can write), the build
works in a temporary folder instead and says so.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["MODULE", "PROVENANCE", "Cache", "cache_folder", "find_guest", "is_guest", "open_cache"]

MODULE = "amla.wasm"
PROVENANCE = "provenance.json"
_KEEP_SECONDS = 30 * 24 * 3600


@dataclass(frozen=True)
class Cache:
    """An open cache below ``root``; ``kept`` is False for a temporary one."""

    root: Path
    kept: bool

    def folder(self, name: str) -> Path:
        path = self.root / name
        path.mkdir(mode=0o700, exist_ok=True)
        return path

    def store_guest(self, key: str, built: Path) -> None:
        """Keep the two files in ``built`` under ``key``; a racing build of the same key has the same bytes."""
        guests = self.folder("guests")
        fresh = Path(tempfile.mkdtemp(dir=guests))
        for name in (MODULE, PROVENANCE):
            shutil.copyfile(built / name, fresh / name)
        shutil.rmtree(guests / key, ignore_errors=True)
        try:
            fresh.rename(guests / key)
        except OSError:
            shutil.rmtree(fresh, ignore_errors=True)

    def prune(self) -> None:
        """Drop guests and objects that no build has used for a month."""
        oldest = time.time() - _KEEP_SECONDS
        for path in [*self.folder("guests").iterdir(), *self.folder("objects").iterdir()]:
            if path.stat().st_mtime < oldest:
                shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)


def cache_folder() -> Path:
    """Where this user's build cache belongs: ``$AMLA_CACHE_DIR``, or the platform's place for caches."""
    chosen = os.environ.get("AMLA_CACHE_DIR")
    if chosen:
        return Path(chosen).expanduser().absolute() / "build"
    if sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    elif sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "amla" / "build"


def _is_private(folder: Path) -> bool:
    """Whether ``folder`` is a real folder that only we can write."""
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode):
        return False
    if sys.platform == "win32":
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & 0o022


def _usable() -> Path | None:
    try:
        folder = cache_folder()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        return folder if _is_private(folder) else None
    except (OSError, RuntimeError):  # RuntimeError: no home folder
        return None


@contextlib.contextmanager
def open_cache(*, fresh: bool = False) -> Generator[Cache]:
    """The user's cache; a temporary one, removed afterwards, when ``fresh`` or when the user's cannot be used."""
    folder = None if fresh else _usable()
    if folder is not None:
        yield Cache(folder, kept=True)
        return
    with tempfile.TemporaryDirectory(prefix="amla-build-", ignore_cleanup_errors=True) as temporary:
        yield Cache(Path(temporary).resolve(), kept=False)


def is_guest(folder: Path, key: str) -> bool:
    """Whether ``folder`` holds a whole guest that was built from the inputs that ``key`` stands for."""
    try:
        provenance = json.loads((folder / PROVENANCE).read_text("utf-8"))
        module = hashlib.sha256((folder / MODULE).read_bytes()).hexdigest()
        return bool(provenance["inputs"] == key and provenance["guest"]["sha256"] == module)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def find_guest(key: str) -> Path | None:
    """The user's cached guest for ``key``, checked against its recorded hash."""
    folder = _usable()
    if folder is None:
        return None
    guest = folder / "guests" / key
    if not is_guest(guest, key):
        return None
    os.utime(guest)
    return guest
