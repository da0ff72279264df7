"""The regular-expression engine of the guest, alone in a module."""

from __future__ import annotations

import subprocess
import sys
from enum import IntFlag
from pathlib import Path
from typing import Any

import wasmtime

_RUNTIME = Path(__file__).resolve().parents[2] / "runtime"
sys.path.append(str(_RUNTIME))

__all__ = ["INTERRUPTED", "MATCH", "NONE", "TOO_COMPLEX", "Engine", "Flag", "Pattern", "compile_engine"]

NONE, MATCH, INTERRUPTED, TOO_COMPLEX = 0, 1, -1, -2
_UNSET = 0xFFFFFFFF
_FUNCTIONS = ("create", "free", "groups", "search", "search_line")
_EXPORTS = ["malloc", "free", "amla_cells", *(f"amla_regex_{name}" for name in _FUNCTIONS)]


class Flag(IntFlag):
    """As regex.h has them."""

    EXTENDED = 1 << 0
    PERL = 1 << 1
    LITERAL = 1 << 2
    AWK = 1 << 3
    IGNORE_CASE = 1 << 4
    BYTES = 1 << 5
    LINES = 1 << 6
    MULTILINE = 1 << 7
    WHOLE_WORD = 1 << 8
    WHOLE_LINE = 1 << 9
    NEWLINE_LIST = 1 << 10
    NUL_LINES = 1 << 11
    LONE_PAREN = 1 << 12


def compile_engine(output: Path) -> None:
    """Compile the engine with the guest's flags."""
    from guest.build.compile import COMMON_FLAGS, LINK_FLAGS
    from guest.build.tools import compiler_command

    c = _RUNTIME / "guest" / "c"
    sources = [str(path) for path in sorted((c / "regex").glob("*.c")) if not path.name.startswith("native_")]
    exports = [f"-Wl,--export={name}" for name in _EXPORTS]
    command = [*compiler_command(), *COMMON_FLAGS, *LINK_FLAGS, *exports, "-std=c11", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([*command, f"-I{c}", *sources, str(c / "cells.c"), "-o", str(output)], check=True)


class Engine:
    """An instance."""

    def __init__(self, binary: bytes, pages: int = 4000) -> None:
        self.store: Any = wasmtime.Store()
        self.store.set_limits(memory_size=pages * 65536)
        self.store.set_wasi(wasmtime.WasiConfig())
        linker = wasmtime.Linker(self.store.engine)
        linker.define_wasi()
        module = wasmtime.Module(self.store.engine, binary)
        self.exports: Any = linker.instantiate(self.store, module).exports(self.store)

    def call(self, name: str, *arguments: int) -> int:
        return int(self.exports[name](self.store, *arguments) or 0)

    def put(self, data: bytes) -> int:
        """A copy of `data`, NUL-terminated, in the module's memory."""
        address = self.call("malloc", len(data) + 1) & _UNSET
        assert address, "the module is out of memory"
        self.exports["memory"].write(self.store, data + b"\0", address)
        return address

    def words(self, address: int, count: int) -> list[int]:
        data = self.exports["memory"].read(self.store, address, address + 4 * count)
        return [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]

    def text_at(self, address: int) -> str:
        memory = self.exports["memory"]
        return bytes(memory.read(self.store, address, address + 200)).split(b"\0", 1)[0].decode()

    def interrupt(self, wanted: bool) -> None:
        cells = self.exports["amla_cells"].value(self.store)
        self.exports["memory"].write(self.store, wanted.to_bytes(4, "little"), cells + 4)


class Pattern:
    """A compiled expression; ValueError in the engine's words if it is wrong."""

    def __init__(self, engine: Engine, pattern: str | bytes, flags: Flag) -> None:
        data = pattern if isinstance(pattern, bytes) else pattern.encode()
        self._engine, error = engine, engine.put(bytes(4))
        self._handle = engine.call("amla_regex_create", engine.put(data), len(data), flags, error)
        if not self._handle:
            raise ValueError(engine.text_at(engine.words(error, 1)[0]))
        self.groups = engine.call("amla_regex_groups", self._handle)

    def free(self) -> None:
        self._engine.call("amla_regex_free", self._handle)

    def search(self, text: str | bytes, start: int = 0, spans: int | None = None) -> int | list[list[int]]:
        """The spans (whole match, then groups; [-1, -1] where unset), or the result if it is not MATCH."""
        data = text if isinstance(text, bytes) else text.encode()
        count = self.groups + 1 if spans is None else spans
        address, out = self._engine.put(data), self._engine.put(bytes(8 * count + 8))
        result = self._engine.call("amla_regex_search", self._handle, address, len(data), start, out, count)
        words = [-1 if word == _UNSET else word for word in self._engine.words(out, 2 * count)]
        for block in (address, out):
            self._engine.call("free", block)
        return [words[at : at + 2] for at in range(0, len(words), 2)] if result == MATCH else result

    def matches(self, text: bytes) -> list[list[int]]:
        """All matches that are not empty, as grep -o has them."""
        found: list[list[int]] = []
        at = 0
        while at <= len(text):
            spans = self.search(text, at, 1)
            if isinstance(spans, int):
                break
            start, end = spans[0]
            if end > start:
                found.append([start, end])
            at = max(end, at + 1) if end > start else end + 1
            while at < len(text) and text[at] & 0xC0 == 0x80:
                at += 1
        return found

    def lines(self, text: bytes) -> list[int]:
        """Numbers, from 1, of the lines that match."""
        address, out, at, found = self._engine.put(text), self._engine.put(bytes(8)), 0, list[int]()
        while at <= len(text):
            if self._engine.call("amla_regex_search_line", self._handle, address, len(text), at, out) != MATCH:
                break
            start, end = self._engine.words(out, 2)
            assert start >= at
            found.append(text.count(b"\n", 0, start) + 1)
            at = end + 1
        return found
