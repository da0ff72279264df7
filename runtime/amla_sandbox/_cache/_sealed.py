"""Files of compiled code: a header with a seal, then what the engine serialised.

    magic 16 | fingerprint 32 | seal 32 | table of extents | those extents of the code, one after the other

The seal is HMAC-SHA-256 over all the rest (twice as fast as keyed BLAKE2b where the processor has SHA instructions,
which most have). The code is verified in a private copy and loaded from that copy, so that no later change of the file
matters.
"""

from __future__ import annotations

import contextlib
import hmac
import os
from collections.abc import Generator, Iterable
from typing import TYPE_CHECKING

from ._copy import private_copy
from ._extents import LONGEST_TABLE, Extents, extents_of, read_extents
from ._status import CacheError

if TYPE_CHECKING:
    from pathlib import Path

    from wasmtime import Engine, Module

__all__ = ["EXPORT_SECRET", "SECRET_BYTES", "load_sealed", "sealed"]

MAGIC = b"amla compiled 2\n"
SECRET_BYTES = 32
FINGERPRINT_BYTES = 32
SEAL_BYTES = 32
START_BYTES = len(MAGIC) + FINGERPRINT_BYTES
HEADER_BYTES = START_BYTES + SEAL_BYTES

# The seal of an exported file only shows damage: what makes it trusted is who can write it.
EXPORT_SECRET = b"amla export".ljust(SECRET_BYTES, b"\0")


def sealed(fingerprint: bytes, secret: bytes, code: bytearray) -> Iterable[bytes | memoryview]:
    """The chunks of a file that holds ``code``."""
    start, extents = MAGIC + fingerprint, extents_of(code)
    view = memoryview(code)
    return start, _seal(secret, start, extents, view), extents.table(), *_parts(extents, view)


def load_sealed(engine: Engine, file: int, path: Path, fingerprint: bytes, secret: bytes) -> Module:
    """The module in the open ``file`` (``path`` in messages); raises ``CacheError`` if it is not the right one."""
    import wasmtime

    header = _header(file)
    start, seal, table = header[:START_BYTES], header[START_BYTES:HEADER_BYTES], header[HEADER_BYTES:]
    if len(header) < HEADER_BYTES or not start.startswith(MAGIC):
        raise CacheError(f"{path} is not a file of compiled code")
    if start != MAGIC + fingerprint:
        raise CacheError(f"{path} was compiled from another guest, or for another engine or machine")
    try:
        extents = read_extents(table)
    except CacheError as error:
        raise CacheError(f"{path} is damaged: {error}") from error
    offset = HEADER_BYTES + len(extents.table())
    if os.fstat(file).st_size != offset + extents.kept:
        raise CacheError(f"{path} is damaged: it is cut short, or has more than its table says")
    with contextlib.closing(private_copy(file, offset, extents)) as copy:
        with copy.view() as code:
            if not hmac.compare_digest(seal, _seal(secret, start, extents, code)):
                raise CacheError(f"{path} is damaged, or was not written by this user")
        try:
            return copy.module(engine)
        except wasmtime.WasmtimeError as error:
            raise CacheError(f"{path} does not suit this machine ({_first_line(error)})") from error


def _header(file: int) -> bytes:
    os.lseek(file, 0, os.SEEK_SET)
    return os.read(file, HEADER_BYTES + LONGEST_TABLE)


def _seal(secret: bytes, start: bytes, extents: Extents, code: memoryview) -> bytes:
    seal = hmac.new(secret, start + extents.table(), "sha256")
    for part in _parts(extents, code):
        seal.update(part)
    return seal.digest()


def _parts(extents: Extents, code: memoryview) -> Generator[memoryview]:
    return (code[start:end] for start, end in extents.parts)


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
