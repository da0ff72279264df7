"""The folder of entries."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING

from ._atomic import PART_SUFFIX, write_atomically
from ._identity import Identity
from ._lock import locked
from ._place import cache_folder
from ._sealed import load_sealed, sealed
from ._secret import KEY_FILE, make_secret, read_secret
from ._status import CacheError
from ._trust import open_trusted, own_folder

if TYPE_CHECKING:
    from wasmtime import Engine, Module

__all__ = ["Store", "locked_store", "open_store"]

FOLDER = "precompiled"
LOCK_FILE = "lock"
ENTRIES = "*.compiled"
MOST_ENTRIES = 4  # about 10 MB each: a few environments or versions used in turn
PART_SECONDS = 3600.0  # unfinished files of processes that died are removed after this time
LOCK_SECONDS = 60.0


class Store:
    """The entries in ``folder``, which has been found to be this user's alone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, identity: Identity) -> Path:
        """Where the entry for ``identity`` is, or would be."""
        return self.folder / identity.name

    def load(self, engine: Engine, identity: Identity) -> Module:
        """The module kept for ``identity``; raises ``CacheError``, as ``MissingError`` when there is none."""
        path = self.path(identity)
        with _told(path):
            file = open_trusted(path)
            try:
                module = load_sealed(engine, file, path, identity.fingerprint, read_secret(self.folder))
            finally:
                os.close(file)
        with contextlib.suppress(OSError):  # a read-only home
            os.utime(path)  # the entries used last are kept
        return module

    def save(self, module: Module, identity: Identity) -> None:
        """Keep ``module``; the caller holds the lock. Raises ``CacheError``."""
        with _told(self.folder):
            try:
                secret = read_secret(self.folder)
            except CacheError:
                secret = make_secret(self.folder)
            write_atomically(self.path(identity), sealed(identity.fingerprint, secret, module.serialize()))
        self._prune()

    def clear(self) -> int:
        """Remove every entry, unfinished files and the secret; the number of entries. The caller holds the lock."""
        entries = list(self.folder.glob(ENTRIES))
        with _told(self.folder):
            for path in [*entries, *self.folder.glob(f"*{PART_SUFFIX}"), self.folder / KEY_FILE]:
                path.unlink(missing_ok=True)
        return len(entries)

    def _prune(self) -> None:
        newest = sorted(self.folder.glob(ENTRIES), key=_modified, reverse=True)
        dead = [part for part in self.folder.glob(f"*{PART_SUFFIX}") if _modified(part) < time.time() - PART_SECONDS]
        for path in newest[MOST_ENTRIES:] + dead:
            with contextlib.suppress(OSError):
                path.unlink()


def _modified(path: Path) -> float:
    try:
        return path.lstat().st_mtime
    except OSError:
        return 0.0


@contextlib.contextmanager
def _told(path: Path) -> Generator[None]:
    """What the system refuses, as a ``CacheError`` that names the file."""
    try:
        yield
    except OSError as error:
        raise CacheError(f"{error.filename or path} cannot be used ({error.strerror or error})") from error


def open_store(*, create: bool = False) -> Store:
    """This user's store; raises ``CacheError`` (without ``create`` ``MissingError`` when there is none)."""
    path = cache_folder() / FOLDER
    with _told(path):
        return Store(own_folder(path, create=create))


@contextlib.contextmanager
def locked_store(waiting: Callable[[], None]) -> Generator[Store]:
    """This user's store, made if need be, with nobody else writing; ``waiting`` is called when that takes a while."""
    store = open_store(create=True)
    with contextlib.ExitStack() as held:
        with _told(store.folder):
            held.enter_context(locked(store.folder / LOCK_FILE, LOCK_SECONDS, waiting))
        yield store
