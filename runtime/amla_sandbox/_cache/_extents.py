"""Which parts of compiled code are not zeros.

Almost half of the guest's file is memory that the guest begins with and has not used: stretches of zeros, which need
neither be kept, nor copied, nor sealed.
"""

from __future__ import annotations

import struct
from itertools import pairwise
from typing import NamedTuple

from ._status import CacheError

__all__ = ["LONGEST_TABLE", "Extents", "extents_of", "read_extents"]

GRAIN = 1 << 16
"""Bytes that are looked at, and left out, together."""

MOST_PARTS = 256
MOST_BYTES = 1 << 30

_HEAD = struct.Struct("<QI")
_PART = struct.Struct("<QQ")

LONGEST_TABLE = _HEAD.size + MOST_PARTS * _PART.size
"""Bytes of the longest table that `read_extents` reads."""


class Extents(NamedTuple):
    """What a file holds of `size` bytes: `parts` from start to end, in order; all else is zeros."""

    size: int
    parts: tuple[tuple[int, int], ...]

    @property
    def kept(self) -> int:
        """Bytes of all the parts."""
        return sum(end - start for start, end in self.parts)

    def table(self) -> bytes:
        """The table for the file: its size as u64, the number of parts as u32, and each part's start and end as u64."""
        return _HEAD.pack(self.size, len(self.parts)) + b"".join(_PART.pack(*part) for part in self.parts)


def extents_of(code: bytes | bytearray) -> Extents:
    """The parts of ``code`` that have to be kept."""
    zeros = bytes(GRAIN)
    parts: list[tuple[int, int]] = []
    for start in range(0, len(code), GRAIN):
        grain = code[start : start + GRAIN]
        if grain == zeros[: len(grain)]:
            continue
        joins = bool(parts) and (parts[-1][1] == start or len(parts) == MOST_PARTS)
        first = parts.pop()[0] if joins else start
        parts.append((first, start + len(grain)))
    return Extents(len(code), tuple(parts))


def read_extents(table: bytes) -> Extents:
    """The table that ``table`` begins with; raises ``CacheError`` if there is none."""
    try:
        size, count = _HEAD.unpack_from(table)
        places = range(_HEAD.size, _HEAD.size + _PART.size * min(count, MOST_PARTS + 1), _PART.size)
        parts = tuple(_PART.unpack_from(table, place) for place in places)
    except struct.error as error:
        raise CacheError("its table is cut short") from error
    edges = [0, *(edge for part in parts for edge in part), size]
    if count > MOST_PARTS or size > MOST_BYTES or any(edge > after for edge, after in pairwise(edges)):
        raise CacheError("its table makes no sense")
    return Extents(size, parts)
