"""Writing a file so that a reader sees all of it or nothing."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

from ._status import CacheError
from ._trust import belongs_to_user

__all__ = ["PART_SUFFIX", "write_atomically"]

PART_SUFFIX = ".part"


def write_atomically(
    path: Path, chunks: Iterable[bytes | memoryview], mode: int = 0o600, *, durable: bool = True
) -> None:
    """Make ``path`` a file of ``chunks``, replacing what this user had there; what is another's stays.

    What is not ``durable`` may be cut short if the machine fails. Raises ``CacheError`` for what is another's, and
    ``OSError`` when it cannot be written; the old file is then as it was.
    """
    with contextlib.suppress(FileNotFoundError):
        if not belongs_to_user(path):
            raise CacheError(f"{path} belongs to another user and is not replaced")
    part = path.with_name(f"{path.name}.{os.getpid()}-{os.urandom(4).hex()}{PART_SUFFIX}")
    file = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0), 0o600)
    try:
        with os.fdopen(file, "wb") as stream:
            stream.writelines(chunks)
            stream.flush()
            if durable:
                os.fsync(file)
        part.chmod(mode)  # whatever the umask says
        part.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise
