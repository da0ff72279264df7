"""The WebAssembly binary format, as far as the build reads and rewrites it.

A module is a list of sections; each is an id and its bytes.  Functions here take the whole list and return what a
section says, or a new list with one section changed.  Everything that is not understood raises ``BuildError``.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from .errors import BuildError

__all__ = [
    "CUSTOM", "DATA", "DATA_COUNT", "EXPORT", "GLOBAL", "IMPORT", "MEMORY", "START",
    "Export", "Global", "Module", "Reader", "Segment", "signed", "unsigned",
]  # fmt: skip

CUSTOM, IMPORT, MEMORY, GLOBAL, EXPORT, START, CODE, DATA, DATA_COUNT = 0, 2, 5, 6, 7, 8, 10, 11, 12
_HEADER = b"\0asm\x01\0\0\0"
_KINDS = ["function", "table", "memory", "global"]
_I32_CONST, _I64_CONST, _F32_CONST, _F64_CONST, _END = 0x41, 0x42, 0x43, 0x44, 0x0B
_VALUE_TYPES = {0x7F: _I32_CONST, 0x7E: _I64_CONST, 0x7D: _F32_CONST, 0x7C: _F64_CONST}
_T = TypeVar("_T")


def unsigned(value: int) -> bytes:
    """``value`` in unsigned LEB128."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def signed(value: int) -> bytes:
    """``value`` in signed LEB128."""
    out = bytearray()
    while not -0x40 <= value < 0x40:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value & 0x7F])


class Reader:
    """Reads ``data`` from front to end."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.position = 0

    @property
    def done(self) -> bool:
        return self.position >= len(self._data)

    def bytes(self, count: int) -> bytes:
        if count < 0 or self.position + count > len(self._data):
            raise BuildError("the linked module is cut short.")
        start, self.position = self.position, self.position + count
        return self._data[start : self.position]

    def byte(self) -> int:
        return self.bytes(1)[0]

    def unsigned(self) -> int:
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def signed(self) -> int:
        start = self.position
        value = self.unsigned()
        bits = 7 * (self.position - start)
        return value - (1 << bits) if value >> (bits - 1) else value

    def name(self) -> str:
        return self.bytes(self.unsigned()).decode()

    def vector(self, item: Callable[[], _T]) -> list[_T]:
        return [item() for _ in range(self.unsigned())]


@dataclass(frozen=True)
class Export:
    name: str
    kind: str
    index: int


@dataclass(frozen=True)
class Global:
    """A global of the module; ``initial`` is the constant in its initialiser."""

    mutable: bool
    initial: int | float


@dataclass(frozen=True)
class Segment:
    """Bytes that instantiation writes to ``offset`` of the memory."""

    offset: int
    data: bytes


@dataclass(frozen=True)
class Module:
    """The sections of a module, in order, as pairs of id and content."""

    sections: tuple[tuple[int, bytes], ...]

    @classmethod
    def parse(cls, binary: bytes) -> Module:
        reader = Reader(binary)
        if reader.bytes(8) != _HEADER:
            raise BuildError("the linker's output is not a WebAssembly module of version 1.")
        sections: list[tuple[int, bytes]] = []
        while not reader.done:
            sections.append((reader.byte(), reader.bytes(reader.unsigned())))
        return cls(tuple(sections))

    def binary(self) -> bytes:
        return _HEADER + b"".join(bytes([kind]) + unsigned(len(body)) + body for kind, body in self.sections)

    def section(self, kind: int) -> bytes | None:
        return next((body for each, body in self.sections if each == kind), None)

    def without(self, *kinds: int) -> Module:
        return replace(self, sections=tuple(pair for pair in self.sections if pair[0] not in kinds))

    def with_section(self, kind: int, body: bytes) -> Module:
        """Replace the section of that kind, which has to be there."""
        if self.section(kind) is None:
            raise BuildError(f"the linked module has no section {kind}.")
        return replace(self, sections=tuple((each, body if each == kind else old) for each, old in self.sections))

    def _vector(self, kind: int, item: Callable[[Reader], _T]) -> list[_T]:
        reader = Reader(self.section(kind) or b"\0")
        return reader.vector(lambda: item(reader))

    def imports(self) -> list[str]:
        """``module.name`` of each import, up to the first that this reader cannot skip over."""
        reader = Reader(self.section(IMPORT) or b"\0")
        names: list[str] = []
        for _ in range(reader.unsigned()):
            names.append(f"{reader.name()}.{reader.name()}")
            if reader.byte() != 0:  # only functions have a description of one number
                break
            reader.unsigned()
        return names

    def exports(self) -> list[Export]:
        return self._vector(EXPORT, lambda r: Export(r.name(), _KINDS[r.byte()], r.unsigned()))

    def with_exports(self, exports: list[Export]) -> Module:
        entries = [
            _counted(each.name.encode()) + bytes([_KINDS.index(each.kind)]) + unsigned(each.index) for each in exports
        ]
        return self.with_section(EXPORT, unsigned(len(entries)) + b"".join(entries))

    def globals(self) -> list[Global]:
        return self._vector(GLOBAL, _read_global)

    def memory(self) -> tuple[int, int | None]:
        """Pages at the start, and at most, of the one memory."""
        reader = Reader(self.section(MEMORY) or b"\0")
        if reader.unsigned() != 1:
            raise BuildError("the guest must have exactly one memory.")
        flags = reader.byte()
        if flags > 1:
            raise BuildError("the guest's memory must be a plain 32-bit one.")
        return reader.unsigned(), reader.unsigned() if flags else None

    def with_memory(self, pages: int, most: int | None) -> Module:
        limits = b"\0" + unsigned(pages) if most is None else b"\1" + unsigned(pages) + unsigned(most)
        return self.with_section(MEMORY, b"\1" + limits)

    def segments(self) -> list[Segment]:
        return self._vector(DATA, _read_segment)

    def with_segments(self, segments: list[Segment]) -> Module:
        entries = [
            b"\0" + bytes([_I32_CONST]) + signed(_wrapped(each.offset)) + bytes([_END]) + _counted(each.data)
            for each in segments
        ]
        return self.without(DATA_COUNT).with_section(DATA, unsigned(len(entries)) + b"".join(entries))


def _counted(data: bytes) -> bytes:
    return unsigned(len(data)) + data


def _wrapped(offset: int) -> int:
    """An address as the signed number that ``i32.const`` takes."""
    return offset - (1 << 32) if offset >= 1 << 31 else offset


def _read_constant(reader: Reader) -> tuple[int, int | float]:
    """The instruction and the value of a constant expression."""
    code = reader.byte()
    if code in (_I32_CONST, _I64_CONST):
        value: int | float = reader.signed()
    elif code == _F32_CONST:
        value = struct.unpack("<f", reader.bytes(4))[0]
    elif code == _F64_CONST:
        value = struct.unpack("<d", reader.bytes(8))[0]
    else:
        raise BuildError(f"the linked module has an initialiser that is no constant (instruction {code:#x}).")
    if reader.byte() != _END:
        raise BuildError("the linked module has an initialiser of several instructions.")
    return code, value


def _read_global(reader: Reader) -> Global:
    kind, mutable = reader.byte(), reader.byte()
    code, value = _read_constant(reader)
    if _VALUE_TYPES.get(kind) != code:
        raise BuildError(f"the linked module has a global of type {kind:#x}, which a snapshot cannot keep.")
    return Global(bool(mutable), value)


def _read_segment(reader: Reader) -> Segment:
    if reader.unsigned() != 0:
        raise BuildError("the linked module has a passive data segment, which a snapshot would lose.")
    _, offset = _read_constant(reader)
    return Segment(int(offset) & 0xFFFFFFFF, reader.bytes(reader.unsigned()))
