"""A copy of a file's code that nobody can change, for the engine to load."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Generator
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from wasmtime import Engine, Module

    from ._extents import Extents

__all__ = ["Copy", "HeapCopy", "private_copy"]


class Copy(Protocol):
    """Owned by whoever made it, until closed; modules made from it live on."""

    def view(self) -> contextlib.AbstractContextManager[memoryview]:
        """The bytes, readable inside the ``with`` block."""
        ...

    def module(self, engine: Engine) -> Module:
        """The module in these bytes; raises ``WasmtimeError`` when the engine does not want them."""
        ...

    def close(self) -> None:
        """Give up what holds the bytes."""
        ...


def private_copy(file: int, offset: int, extents: Extents) -> Copy:
    """A copy of the ``extents`` that the open ``file`` holds from ``offset`` on, one after the other.

    It has zeros where the file has nothing more.
    """
    if sys.platform == "linux":
        from ._memory_file import MemoryFile

        with contextlib.suppress(OSError):  # no files in memory here, or none allowed
            return MemoryFile(file, offset, extents)
    return HeapCopy(file, offset, extents)


class HeapCopy:
    """The bytes in this process's own memory."""

    def __init__(self, file: int, offset: int, extents: Extents) -> None:
        self._code = bytearray(extents.size)
        os.lseek(file, offset, os.SEEK_SET)
        with os.fdopen(os.dup(file), "rb") as stream, memoryview(self._code) as code:
            for start, end in extents.parts:
                stream.readinto(code[start:end])

    @contextlib.contextmanager
    def view(self) -> Generator[memoryview]:
        """The bytes; they stay readable as long as this is open."""
        yield memoryview(self._code)

    def module(self, engine: Engine) -> Module:
        """The module in these bytes, which are copied."""
        import wasmtime

        return wasmtime.Module.deserialize(engine, self._code)

    def close(self) -> None:
        """Give up the bytes."""
        self._code = bytearray()
