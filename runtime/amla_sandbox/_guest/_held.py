"""A guest's memory between two lines of a session, to go back to.

A line that has to be stopped the hard way leaves the guest in mid-change. The copy is made while nobody waits, after
each line, into a buffer that stays.
"""

from __future__ import annotations

import ctypes

from ._guest import Guest

__all__ = ["Held"]


class Held:
    """The last copy, if there is one. Belongs to the instance, and to its lock."""

    def __init__(self) -> None:
        self.is_current = False
        """Whether the guest has not changed since."""
        self._buffer = ctypes.create_string_buffer(0)
        self._size = 0
        self._spans: list[tuple[int, int]] = []

    def take(self, guest: Guest) -> None:
        """Copy the memory of a guest at rest, if it has changed."""
        if self.is_current:
            return
        size = guest.memory_size
        if size > len(self._buffer):
            self._buffer = ctypes.create_string_buffer(size)
        self._spans = guest.copy_to(ctypes.addressof(self._buffer))
        self._size = size
        self.is_current = True

    def put_back(self, guest: Guest) -> bool:
        """Give a fresh guest that memory; False if there is none."""
        if not self._size:
            return False
        guest.copy_from(ctypes.addressof(self._buffer), self._size, self._spans)
        self.is_current = True
        return True
