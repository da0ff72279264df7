"""Taking a guest's memory away and giving it back: the hard stop.

The next access of the guest to a revoked page traps. Nothing else may touch the memory meanwhile.
"""

from __future__ import annotations

import ctypes
import sys

__all__ = ["CAN_REVOKE", "restore", "revoke"]

_NONE, _READ_WRITE = 0, 3
_WINDOWS_NONE, _WINDOWS_READ_WRITE = 0x01, 0x04

CAN_REVOKE = sys.platform.startswith(("linux", "darwin", "win32", "freebsd"))


def revoke(address: int, length: int) -> None:
    """Forbid all access to `length` bytes at `address`. Raises OSError."""
    _protect(address, length, _WINDOWS_NONE if sys.platform == "win32" else _NONE)


def restore(address: int, length: int) -> None:
    """Allow reading and writing again. Raises OSError."""
    _protect(address, length, _WINDOWS_READ_WRITE if sys.platform == "win32" else _READ_WRITE)


if sys.platform == "win32":

    def _protect(address: int, length: int, mode: int) -> None:
        old = ctypes.c_ulong()
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.VirtualProtect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_ulong, ctypes.c_void_p]
        if not kernel.VirtualProtect(address, length, mode, ctypes.byref(old)):
            raise ctypes.WinError(ctypes.get_last_error())

else:
    _libc = ctypes.CDLL(None, use_errno=True)
    _libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]

    def _protect(address: int, length: int, mode: int) -> None:
        if _libc.mprotect(address, length, mode):
            number = ctypes.get_errno()
            raise OSError(number, f"mprotect failed on {length} bytes of guest memory")
