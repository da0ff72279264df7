"""A session at rest as bytes that can be kept in a file.

    magic 16 | seal 32 | u32 length of the header | header (JSON) | pages, compressed

The seal is HMAC-SHA-256 over all but itself, under a key of this user's, so that a file from elsewhere is refused
before anything in it is read (R35). Only pages of the guest's memory are kept that are not as in a guest in which
nothing ran: u32 number, then 4096 bytes. A file fits one build of the guest.
"""

from __future__ import annotations

import hmac
import json
import struct
import zlib
from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from amla_sandbox._errors import SandboxError

__all__ = ["STATE_VERSION", "SavedState", "StateError", "pack_state", "unpack_state"]

STATE_VERSION = 1
_MAGIC = b"amla session 1\n\0"
_SEAL = 32
_U32 = struct.Struct("<I")
_PAGE = 4096
_MOST_HEADER = 16 << 20
_MOST_MEMORY = 4 << 30
"""Bytes: beyond what any session of ours writes, and what a guest can have."""


class StateError(SandboxError):
    """The bytes are no saved session that may be loaded here."""


class SavedState(NamedTuple):
    """A session at rest: what the host knows of it, and the guest's memory."""

    told: Mapping[str, Any]
    memory: bytes


def pack_state(state: SavedState, pristine: bytes, guest: str, key: bytes) -> bytes:
    """`pristine` is the memory of a guest in which nothing ran, `guest` the hash of its build."""
    pages = _changed_pages(state.memory, pristine)
    header = {
        "version": STATE_VERSION,
        "guest": guest,
        "memory": len(state.memory),
        "pages": len(pages) // (_U32.size + _PAGE),
        "session": dict(state.told),
    }
    text = json.dumps(header).encode()
    body = _U32.pack(len(text)) + text + zlib.compress(pages, 1)
    return _MAGIC + _sealed(key, body) + body


def unpack_state(data: bytes, pristine: bytes, guest: str, key: bytes, *, most: int = 0) -> SavedState:
    """What `pack_state` packed. `most` are bytes of memory that the sandbox may have, 0 for no limit.

    Raises StateError for what was not signed by this user, another build's, or larger.
    """
    header, packed = _opened(data, key)
    if header.get("guest") != guest:
        raise StateError("the session was saved by another version of amla, and only that one can load it")
    size, count = _number(header, "memory"), _number(header, "pages")
    if size > min(most or _MOST_MEMORY, _MOST_MEMORY) or size % _PAGE or count > size // _PAGE:
        raise StateError(
            f"the session takes {size:,} bytes of memory, more than this sandbox may have (limit 'memory')"
        )
    return SavedState(_told(header), _memory(_pages(packed, count), pristine, size))


def _sealed(key: bytes, body: bytes) -> bytes:
    seal = hmac.new(key, _MAGIC, "sha256")
    seal.update(body)
    return seal.digest()


def _opened(data: bytes, key: bytes) -> tuple[Mapping[str, Any], bytes]:
    """The header and the packed pages of what this user signed."""
    start = len(_MAGIC) + _SEAL
    if not data.startswith(_MAGIC) or len(data) < start + _U32.size:
        raise StateError("what was read is no saved session")
    seal, body = data[len(_MAGIC) : start], data[start:]
    if not hmac.compare_digest(seal, _sealed(key, body)):
        raise StateError("the session was changed, or signed by another user or key; only its own user can load it")
    (length,) = _U32.unpack_from(body)
    if length > min(_MOST_HEADER, len(body) - _U32.size):
        raise StateError("the session's header is cut short")
    header = _json(body[_U32.size : _U32.size + length])
    if header.get("version") != STATE_VERSION:
        raise StateError("the session was saved in another format")
    return header, body[_U32.size + length :]


def _json(text: bytes) -> Mapping[str, Any]:
    try:
        header = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise StateError("the session's header is no JSON") from error
    if not isinstance(header, dict):
        raise StateError("the session's header is no object")
    return cast("Mapping[str, Any]", header)


def _told(header: Mapping[str, Any]) -> Mapping[str, Any]:
    told = header.get("session")
    if not isinstance(told, dict):
        raise StateError("the session's header says nothing of the session")
    return cast("Mapping[str, Any]", told)


def _number(header: Mapping[str, Any], name: str) -> int:
    value = header.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise StateError(f"the session's header has no {name!r}")
    return value


# --- pages -------------------------------------------------------------------------------------


def _changed_pages(memory: bytes, pristine: bytes) -> bytes:
    """Each page that is not as in `pristine`, behind its number; beyond the end of that, as zero."""
    zero = bytes(_PAGE)
    parts: list[bytes] = []
    for at in range(0, len(memory), _PAGE):
        page = memory[at : at + _PAGE]
        if page != (pristine[at : at + _PAGE] or zero):
            parts += (_U32.pack(at // _PAGE), page)
    return b"".join(parts)


def _pages(packed: bytes, count: int) -> bytes:
    """The unpacked pages, `count` of them and not a byte more."""
    size = count * (_U32.size + _PAGE)
    unpacker = zlib.decompressobj()
    try:
        pages = unpacker.decompress(packed, size + 1)
    except zlib.error as error:
        raise StateError("the session's memory is damaged") from error
    if len(pages) != size or not unpacker.eof or unpacker.unused_data:
        raise StateError("the session's memory is not as long as it says")
    return pages


def _memory(pages: bytes, pristine: bytes, size: int) -> bytes:
    memory = bytearray(pristine[:size])
    memory.extend(bytes(size - len(memory)))
    for at in range(0, len(pages), _U32.size + _PAGE):
        start = _U32.unpack_from(pages, at)[0] * _PAGE
        if start >= size:
            raise StateError("the session's memory has a page beyond its end")
        memory[start : start + _PAGE] = pages[at + _U32.size : at + _U32.size + _PAGE]
    return bytes(memory)
