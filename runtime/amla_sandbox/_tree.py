"""A tree of files as it crosses between host and guest: for each entry u32 length and JSON, u32 length and bytes."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, cast

__all__ = ["TreeEntry", "batches", "is_canonical", "is_inside", "pack", "unpack"]

_U32 = struct.Struct("<I")
_TYPES = ("file", "directory", "symlink")
_BATCH = 4 << 20
"""Bytes of files that go into the sandbox at once: a message is there twice while it is unpacked."""

_LARGEST = 2**53
"""Of modes and times. JSON from a guest may hold infinities, NaN, and integers of any length."""


class TreeEntry(NamedTuple):
    """`path` is relative to the top of the tree, empty for the top itself; a folder comes before what is in it."""

    path: str
    type: str
    mode: int = 0o644
    mtime: float = 0.0
    """Milliseconds since 1970."""
    target: str | None = None
    data: bytes = b""


def pack(entries: Iterable[TreeEntry]) -> bytes:
    parts: list[bytes] = []
    for entry in entries:
        header = {"path": entry.path, "type": entry.type, "mode": entry.mode, "mtime": entry.mtime}
        if entry.target is not None:
            header["target"] = entry.target
        text = json.dumps(header).encode()
        parts += (_U32.pack(len(text)), text, _U32.pack(len(entry.data)), entry.data)
    return b"".join(parts)


def batches(entries: Sequence[TreeEntry]) -> Iterator[bytes]:
    """A tree in packed parts of about the same size, for loading one after the other.

    Folders come again at the end of several: what was put into them since has changed their time.
    """
    first, size = 0, 0
    for index, entry in enumerate(entries):
        size += len(entry.data)
        if size > _BATCH:
            yield pack(entries[first : index + 1])
            first, size = index + 1, 0
    rest = list(entries[first:])
    yield pack(rest + [entry for entry in entries[:first] if entry.type == "directory"])


def unpack(packed: bytes) -> list[TreeEntry]:
    """The entries that a guest sent. Raises ValueError for what is malformed, or leads out of the tree."""
    entries: list[TreeEntry] = []
    at = 0
    while at < len(packed):
        text, at = _field(packed, at)
        data, at = _field(packed, at)
        try:
            header = json.loads(text)
        except RecursionError as error:
            raise ValueError("an entry's header is nested too deep") from error
        entries.append(_entry(header, data))
    return entries


def _field(packed: bytes, at: int) -> tuple[bytes, int]:
    if len(packed) - at < 4:
        raise ValueError("the tree is cut short")
    (length,) = _U32.unpack_from(packed, at)
    end = at + 4 + length
    if end > len(packed):
        raise ValueError("the tree is cut short")
    return packed[at + 4 : end], end


def _entry(header: Any, data: bytes) -> TreeEntry:
    if not isinstance(header, dict):
        raise ValueError("an entry has no header")
    fields = cast("dict[str, Any]", header)
    path, kind, mode, mtime, target = (fields.get(key) for key in ("path", "type", "mode", "mtime", "target"))
    if not isinstance(path, str) or kind not in _TYPES or isinstance(target, str) != (kind == "symlink"):
        raise ValueError("an entry is malformed")
    if not is_inside(path):
        raise ValueError(f"the entry {path!r} leads out of the tree")
    if not all(is_canonical(name) for name in (path, target) if isinstance(name, str)):
        raise ValueError(f"the entry {path!r} could be spelled otherwise")
    return TreeEntry(path, kind, int(_number(mode)) & 0o777, _number(mtime), target, data if kind == "file" else b"")


def is_inside(path: str) -> bool:
    """Whether a relative path names one place in the tree, and nothing above it. An empty one is the top."""
    return not path or not any(part in ("", ".", "..") or "\0" in part for part in path.split("/"))


def is_canonical(name: str) -> bool:
    """Whether it is the one text for its bytes, as Python and the guest decode them: UTF-8, and any other byte as the
    surrogate that stands for it (PEP 383). Only so are two names the same file when they are the same text.
    """
    try:
        return name.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape") == name
    except UnicodeEncodeError:
        return False


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not -_LARGEST <= value <= _LARGEST:
        raise ValueError("an entry's mode or time is no number")
    return float(value)
