"""Files of compiled code: a header with a seal, then what the engine serialised.

    magic 16 | fingerprint 32 | seal 32 | code …

The seal is HMAC-SHA-256 over magic, fingerprint and code (twice as fast as keyed BLAKE2b where the processor has SHA
instructions, which most have). The code is verified in a private copy and loaded from that copy, so that no later
change of the file matters.
"""

from __future__ import annotations

import contextlib
import hmac
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ._copy import private_copy
from ._status import CacheError

if TYPE_CHECKING:
    from pathlib import Path

    from wasmtime import Engine, Module

__all__ = ["EXPORT_SECRET", "SECRET_BYTES", "load_sealed", "sealed"]

MAGIC = b"amla compiled 1\n"
SECRET_BYTES = 32
FINGERPRINT_BYTES = 32
SEAL_BYTES = 32
HEADER_BYTES = len(MAGIC) + FINGERPRINT_BYTES + SEAL_BYTES

# The seal of an exported file only shows damage: what makes it trusted is who can write it.
EXPORT_SECRET = b"amla export".ljust(SECRET_BYTES, b"\0")


def sealed(fingerprint: bytes, secret: bytes, code: bytearray) -> Iterable[bytes | bytearray]:
    """The chunks of a file that holds ``code``."""
    start = MAGIC + fingerprint
    return start, _seal(secret, start, code), code


def load_sealed(engine: Engine, file: int, path: Path, fingerprint: bytes, secret: bytes) -> Module:
    """The module in the open ``file`` (``path`` in messages); raises ``CacheError`` if it is not the right one."""
    import wasmtime

    header = _header(file)
    start, seal = header[:-SEAL_BYTES], header[-SEAL_BYTES:]
    if len(header) < HEADER_BYTES or not start.startswith(MAGIC):
        raise CacheError(f"{path} is not a file of compiled code")
    if start != MAGIC + fingerprint:
        raise CacheError(f"{path} was compiled from another guest, or for another engine or machine")
    with contextlib.closing(private_copy(file, HEADER_BYTES)) as copy:
        with copy.view() as code:
            if not hmac.compare_digest(seal, _seal(secret, start, code)):
                raise CacheError(f"{path} is damaged, or was not written by this user")
        try:
            return copy.module(engine)
        except wasmtime.WasmtimeError as error:
            raise CacheError(f"{path} does not suit this machine ({_first_line(error)})") from error


def _header(file: int) -> bytes:
    os.lseek(file, 0, os.SEEK_SET)
    return os.read(file, HEADER_BYTES)


def _seal(secret: bytes, start: bytes, code: bytearray | memoryview) -> bytes:
    seal = hmac.new(secret, start, "sha256")
    seal.update(code)
    return seal.digest()


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
