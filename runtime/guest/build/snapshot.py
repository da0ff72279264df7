"""Bake a memory into a module: its data becomes what the memory holds, and what only booting needs goes away."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .errors import BuildError
from .opcodes import BULK_MEMORY, TABLE_WRITES, offsets
from .wasm import CODE, CUSTOM, START, Module, Segment

__all__ = ["bake", "runs"]

_PAGE = 65536
_SMALLEST_GAP = 64
"""Zeros up to this many bytes stay inside a run: a segment of its own costs about 10 bytes and time to load."""

_ZEROS = re.compile(rb"\0{%d,}" % _SMALLEST_GAP)
_ONLY_FOR_BOOT = {"_initialize", "amla_boot", "amla_scrub"}


def runs(memory: bytes) -> Iterator[Segment]:
    """The parts of ``memory`` that are not zero, from low to high; gaps below ``_SMALLEST_GAP`` stay inside."""
    start = 0
    for gap in _ZEROS.finditer(memory):
        if gap.start() > start:
            yield _trimmed(memory, start, gap.start())
        start = gap.end()
    if memory[start:].strip(b"\0"):
        yield _trimmed(memory, start, len(memory))


def _trimmed(memory: bytes, start: int, end: int) -> Segment:
    data = memory[start:end]
    kept = data.lstrip(b"\0")
    return Segment(start + len(data) - len(kept), kept.rstrip(b"\0"))


def bake(linked: bytes, memory: bytes) -> bytes:
    """The module that starts with ``memory`` and has neither imports, start function, boot exports nor names."""
    module = Module.parse(linked)
    if module.imports() or module.section(START) is not None:
        raise BuildError("the guest must have neither imports nor a start function.")
    code = module.section(CODE) or b"\0"
    if offsets(code, BULK_MEMORY):
        raise BuildError("the guest must not use bulk-memory instructions (see c/copy.c).")
    if offsets(code, TABLE_WRITES) or sum(each.mutable for each in module.globals()) > 1:
        raise BuildError("the guest must keep all state but the stack pointer in its memory (see _machine.py).")
    _, most = module.memory()
    baked = module.without(CUSTOM).with_memory(len(memory) // _PAGE, most).with_segments(list(runs(memory)))
    return baked.with_exports([each for each in module.exports() if each.name not in _ONLY_FOR_BOOT]).binary()
