"""A private copy as a sealed file in memory (Linux): the engine maps it instead of copying it a second time."""

from __future__ import annotations

import contextlib
import fcntl
import mmap
import os
import sys
from collections.abc import Generator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wasmtime import Engine, Module

    from ._extents import Extents

assert sys.platform == "linux"  # noqa: S101  for type checkers; nobody imports this elsewhere

__all__ = ["MemoryFile"]

SEALS = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL
MOST_AT_ONCE = 1 << 30


class MemoryFile:
    """The ``extents`` that ``file`` holds from ``offset`` on; once made, not even this process can change them."""

    def __init__(self, file: int, offset: int, extents: Extents) -> None:
        self._file = os.memfd_create("amla", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        self._size = extents.size
        try:
            os.ftruncate(self._file, extents.size)
            for start, end in extents.parts:
                os.lseek(self._file, start, os.SEEK_SET)
                offset = _send(file, offset, self._file, end - start)
            fcntl.fcntl(self._file, fcntl.F_ADD_SEALS, SEALS)
        except BaseException:
            self.close()
            raise

    @contextlib.contextmanager
    def view(self) -> Generator[memoryview]:
        """The bytes, readable inside the ``with`` block."""
        if not self._size:
            yield memoryview(b"")
            return
        with mmap.mmap(self._file, self._size, prot=mmap.PROT_READ) as pages, memoryview(pages) as code:
            yield code

    def module(self, engine: Engine) -> Module:
        """The module in these bytes; it keeps them, also when this is closed."""
        import wasmtime

        try:
            return wasmtime.Module.deserialize_file(engine, f"/proc/self/fd/{self._file}")
        except wasmtime.WasmtimeError:  # no /proc, or code may not be mapped from there
            with self.view() as code:
                return wasmtime.Module.deserialize(engine, bytes(code))

    def close(self) -> None:
        """Give up the descriptor."""
        os.close(self._file)


def _send(source: int, offset: int, target: int, size: int) -> int:
    """Copy ``size`` bytes of ``source`` from ``offset`` on, or to its end if that comes first; where the copy ended."""
    end = offset + size
    while offset < end and (sent := os.sendfile(target, source, offset, min(end - offset, MOST_AT_ONCE))):
        offset += sent
    return offset
