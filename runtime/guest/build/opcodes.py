"""A look at each instruction of a module's code, for those that the guest must not contain.

Bulk-memory instructions run in native code of the engine, where an access to revoked memory ends the process instead of
trapping (see ``c/copy.c``).  Those that write to tables leave state outside the memory, which the host would not put
back for the next sandbox (see ``_machine.py``).  The encoding is that of the WebAssembly core specification, binary
format, instructions.
"""

from __future__ import annotations

__all__ = ["BULK_MEMORY", "TABLE_WRITES", "offsets"]

_MISC = 0xFC00
"""Added to the second number of an instruction that begins with 0xFC."""

BULK_MEMORY = frozenset(range(_MISC + 8, _MISC + 12))
"""``memory.init``, ``data.drop``, ``memory.copy`` and ``memory.fill``."""

TABLE_WRITES = frozenset({0x26, *range(_MISC + 12, _MISC + 16), _MISC + 17})
"""``table.set``, ``table.init``, ``elem.drop``, ``table.copy``, ``table.grow`` and ``table.fill``."""

_LEB, _LEB2, _MEMARG = 1, 2, 2
_FIXED = {0x43: 4, 0x44: 8}
_COUNTS = {
    **dict.fromkeys((0x02, 0x03, 0x04, 0x08, 0x0C, 0x0D, 0x10, 0x3F, 0x40, 0x41, 0x42, 0xD0, 0xD2), _LEB),
    **dict.fromkeys(range(0x20, 0x27), _LEB),
    **dict.fromkeys(range(0x28, 0x3F), _MEMARG),
    0x11: _LEB2,
}
"""How many LEB128 numbers follow an opcode; none where it is missing."""

_SIMD_MEMARG = {*range(12), 92, 93}
_SIMD_LANE = range(21, 35)
_SIMD_MEMARG_LANE = range(84, 92)
_MISC_COUNTS = {8: 2, 9: 1, 10: 2, 11: 1, 12: 2, 13: 1, 14: 2, 15: 1, 16: 1, 17: 1}


def offsets(code: bytes, wanted: frozenset[int]) -> list[int]:
    """Where in a code section the functions use one of those instructions."""
    found: list[int] = []
    count, at = _leb(code, 0)
    for _ in range(count):
        size, at = _leb(code, at)
        _scan(code, _after_locals(code, at), at + size, wanted, found)
        at += size
    return found


def _leb(code: bytes, at: int) -> tuple[int, int]:
    """An unsigned LEB128 number and where it ends; of signed ones only the end is right."""
    value = shift = 0
    while True:
        byte = code[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def _skip(code: bytes, at: int, numbers: int) -> int:
    for _ in range(numbers):
        while code[at] >= 0x80:
            at += 1
        at += 1
    return at


def _after_locals(code: bytes, at: int) -> int:
    groups, at = _leb(code, at)
    for _ in range(groups):
        at = _skip(code, at, 1) + 1
    return at


def _scan(code: bytes, at: int, end: int, wanted: frozenset[int], found: list[int]) -> None:
    while at < end:
        opcode = code[at]
        if (opcode if opcode != 0xFC else _MISC + _leb(code, at + 1)[0]) in wanted:
            found.append(at)
        if opcode == 0xFC:
            at = _misc(code, at + 1)
        elif opcode == 0xFD:
            at = _simd(code, at + 1)
        elif opcode in (0x0E, 0x1C):
            count, at = _leb(code, at + 1)
            at = _skip(code, at, count + (opcode == 0x0E))
        elif opcode == 0x1F:
            at = _try_table(code, at + 1)
        else:
            at = _skip(code, at + 1 + _FIXED.get(opcode, 0), _COUNTS.get(opcode, 0))


def _try_table(code: bytes, at: int) -> int:
    count, at = _leb(code, _skip(code, at, 1))
    for _ in range(count):
        names_tag = code[at] < 2  # "catch" and "catch_ref"; the others catch all
        at = _skip(code, at + 1, 1 + names_tag)
    return at


def _misc(code: bytes, at: int) -> int:
    sub, at = _leb(code, at)
    return _skip(code, at, _MISC_COUNTS.get(sub, 0))


def _simd(code: bytes, at: int) -> int:
    sub, at = _leb(code, at)
    if sub in (12, 13):
        return at + 16
    if sub in _SIMD_LANE:
        return at + 1
    if sub in _SIMD_MEMARG:
        return _skip(code, at, 2)
    if sub in _SIMD_MEMARG_LANE:
        return _skip(code, at, 2) + 1
    return at
