"""The one file in which sources travel into the guest at build time; ``c/modules.c`` reads it.

Little endian: ``u32`` count, then for each source ``u32`` length and bytes of its name, ``u32`` length and bytes of its
text, and a NUL that the length does not count (QuickJS wants sources NUL-terminated).
"""

from __future__ import annotations

import struct
from collections.abc import Mapping

__all__ = ["pack"]


def pack(sources: Mapping[str, bytes]) -> bytes:
    """The archive of ``sources``, by name, in the order of names; the same sources give the same bytes."""
    entries = [_counted(name.encode()) + _counted(sources[name]) + b"\0" for name in sorted(sources)]
    return struct.pack("<I", len(entries)) + b"".join(entries)


def _counted(data: bytes) -> bytes:
    return struct.pack("<I", len(data)) + data
