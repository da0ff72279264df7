"""The secret that this user's entries are sealed with."""

from __future__ import annotations

import os
from pathlib import Path

from ._atomic import write_atomically
from ._sealed import SECRET_BYTES
from ._status import CacheError
from ._trust import open_trusted

__all__ = ["KEY_FILE", "make_secret", "read_secret"]

KEY_FILE = "key"


def read_secret(folder: Path) -> bytes:
    """The secret in ``folder``; raises ``CacheError`` when there is none that only this user knows."""
    path = folder / KEY_FILE
    file = open_trusted(path)
    try:
        secret = os.read(file, SECRET_BYTES + 1)
    finally:
        os.close(file)
    if len(secret) != SECRET_BYTES:
        raise CacheError(f"{path} is damaged")
    return secret


def make_secret(folder: Path) -> bytes:
    """A new secret, kept in ``folder``; entries sealed with an older one are worthless from now on."""
    secret = os.urandom(SECRET_BYTES)
    write_atomically(folder / KEY_FILE, [secret])
    return secret
