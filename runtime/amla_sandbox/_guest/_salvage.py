"""The files of a guest that was stopped in mid-change, read out of its memory (runtime/guest/c/keep.h).

Nothing of that guest runs for this. Before a run begins the guest lists its files, and until the run is over it changes
no byte of what it listed; the host copies the list and those bytes into another guest.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

from ._guest import Guest
from ._protocol import ProtocolError

__all__ = ["salvaged"]

_KEPT = struct.Struct("<4I")
"""Address and length of the table, address and count of the extents."""

_EXTENT = struct.Struct("<2I")
_MOST_FILES = 1 << 20
_MOST_BYTES = 1 << 30
"""Files, and bytes of them, that the host takes; beyond every limit on files."""

_BATCH = 1 << 20
"""Bytes of files that go into the other guest at once: they are there twice for a moment, except a lone file's."""


def salvaged(guest: Guest) -> Iterator[tuple[dict[str, Any], bytes]]:
    """What puts the files that `guest` had when its run began into another: requests for files, and their data.

    Raises ProtocolError if the guest has no list of them, or one that cannot be.
    """
    table, extents = _kept(guest)
    yield {"op": "restore", "path": "/"}, table
    first, batch, size = 0, list[bytes](), 0
    for index, (address, length) in enumerate(extents):
        if batch and size + length > _BATCH:
            yield {"op": "fill", "path": "/", "from": first}, b"".join(batch)
            first, batch, size = index, [], 0
        batch.append(guest.read(address, length))
        size += length
    if size:
        yield {"op": "fill", "path": "/", "from": first}, b"".join(batch)


def _kept(guest: Guest) -> tuple[bytes, list[tuple[int, int]]]:
    address = guest.kept
    if not address:
        raise ProtocolError("the guest has no list of its files")
    table, length, extents, count = _KEPT.unpack(guest.read(address, _KEPT.size))
    if count > _MOST_FILES or length > _MOST_BYTES:
        raise ProtocolError("the guest lists more files than there can be")
    found: list[tuple[int, int]] = list(_EXTENT.iter_unpack(guest.read(extents, count * _EXTENT.size)))
    if sum(size for _, size in found) > _MOST_BYTES:
        raise ProtocolError("the guest lists more bytes of files than there can be")
    return guest.read(table, length), found
