"""Pages of a guest's memory: taking them away, which is the hard stop, and finding those that were written to.

The next access of the guest to a revoked page traps. Nothing else may touch the memory meanwhile.
"""

from __future__ import annotations

import ctypes
import os
import sys
from typing import Any

__all__ = ["CAN_REVOKE", "SIZE", "discard", "restore", "revoke", "spans", "view", "written"]

_NONE, _READ_WRITE = 0, 3
_WINDOWS_NONE, _WINDOWS_READ_WRITE = 0x01, 0x04

SIZE = 4096
"""Bytes of a page, where `written` tells anything."""

_DISCARD = 4
"""MADV_DONTNEED."""

_ENTRY = 8
"""Bytes that the kernel's map has for each page; the last of them holds the flags."""

_WRITTEN = bytes(bool(flags & 0xC0 and not flags & 0x20) for flags in range(256))
"""Of each byte of flags: whether the page is there, or swapped out, and is not still the file's."""

_view: Any = ctypes.pythonapi.PyMemoryView_FromMemory
_view.restype, _view.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_int)
_READ_ONLY, _WRITABLE = 0x100, 0x200
"""How Python's own view of memory at an address is to be made (PyBUF_READ, PyBUF_WRITE)."""

CAN_REVOKE = sys.platform.startswith(("linux", "darwin", "win32", "freebsd"))


def revoke(address: int, length: int) -> None:
    """Forbid all access to `length` bytes at `address`. Raises OSError."""
    _protect(address, length, _WINDOWS_NONE if sys.platform == "win32" else _NONE)


def restore(address: int, length: int) -> None:
    """Allow reading and writing again. Raises OSError."""
    _protect(address, length, _WINDOWS_READ_WRITE if sys.platform == "win32" else _READ_WRITE)


def view(address: int, length: int, *, writable: bool = True) -> memoryview:
    """Memory as Python sees bytes. Good only as long as the memory is there."""
    made: memoryview = _view(address, length, _WRITABLE if writable else _READ_ONLY)
    return made


def written(address: int, length: int) -> list[int]:
    """Offsets of the pages that are no longer as they were mapped; none where the kernel does not tell."""
    return [page for start, size in _spans(_marks(address, length)) for page in range(start, start + size, SIZE)]


def spans(address: int, length: int) -> list[tuple[int, int]]:
    """The same as offsets and lengths in bytes; all of it where the kernel does not tell."""
    return _spans(_marks(address, length)) or [(0, length)]


def _spans(marks: bytes) -> list[tuple[int, int]]:
    found = list[tuple[int, int]]()
    at = marks.find(1)
    while at >= 0:
        end = marks.find(0, at)
        if end < 0:
            end = len(marks)
        found.append((at * SIZE, (end - at) * SIZE))
        at = marks.find(1, end)
    return found


def _marks(address: int, length: int) -> bytes:
    """For each page 1 or 0, whether it was written to; nothing where the kernel does not tell."""
    if not sys.platform.startswith("linux") or os.sysconf("SC_PAGESIZE") != SIZE:
        return b""
    try:
        entries = os.open("/proc/self/pagemap", os.O_RDONLY)
    except OSError:
        return b""
    try:
        flags = os.pread(entries, length // SIZE * _ENTRY, address // SIZE * _ENTRY)[_ENTRY - 1 :: _ENTRY]
    finally:
        os.close(entries)
    return flags.translate(_WRITTEN) if len(flags) == length // SIZE else b""


if sys.platform == "win32":

    def discard(address: int, length: int) -> None:
        """Nothing here finds pages to discard."""
        raise NotImplementedError

    def _protect(address: int, length: int, mode: int) -> None:
        old = ctypes.c_ulong()
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.VirtualProtect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_ulong, ctypes.c_void_p]
        if not kernel.VirtualProtect(address, length, mode, ctypes.byref(old)):
            raise ctypes.WinError(ctypes.get_last_error())

else:
    _libc = ctypes.CDLL(None, use_errno=True)
    _libc.mprotect.argtypes = _libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]

    def discard(address: int, length: int) -> None:
        """Put memory back as it was mapped. Raises OSError."""
        if _libc.madvise(address, length, _DISCARD):
            raise OSError(ctypes.get_errno(), f"madvise failed on {length} bytes of guest memory")

    def _protect(address: int, length: int, mode: int) -> None:
        if _libc.mprotect(address, length, mode):
            number = ctypes.get_errno()
            raise OSError(number, f"mprotect failed on {length} bytes of guest memory")
