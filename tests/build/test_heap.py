"""The guest's allocator, alone in a module: blocks never overlap, freed neighbours join, scrubbing leaves no data."""

from __future__ import annotations

import itertools
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest
import wasmtime

from guest.build.compile import COMMON_FLAGS, LINK_FLAGS
from guest.build.tools import compiler_command
from guest.build.tree import SourceTree

pytest.importorskip("ziglang", reason="compiles C: pip install ziglang")

HEAP = SourceTree(Path(__file__).resolve().parents[2] / "runtime" / "guest").c / "heap.c"
EXPORTS = ["malloc", "free", "realloc", "calloc", "aligned_alloc", "malloc_usable_size"]


@pytest.fixture(scope="module")
def binary(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    output = tmp_path_factory.mktemp("heap") / "heap.wasm"
    exports = [f"-Wl,--export={name}" for name in EXPORTS]
    subprocess.run(
        [*compiler_command(), *COMMON_FLAGS, *LINK_FLAGS, *exports, str(HEAP), "-o", str(output)], check=True
    )
    return output.read_bytes()


class Heap:
    """A fresh instance; every block that is handed out is filled with a pattern of its own."""

    def __init__(self, binary: bytes, pages: int = 1000) -> None:
        self.store = wasmtime.Store()
        self.store.set_limits(memory_size=pages * 65536)
        module = wasmtime.Module(self.store.engine, binary)
        self.exports: Any = wasmtime.Instance(self.store, module, []).exports(self.store)
        self.blocks: dict[int, bytes] = {}
        self._patterns = itertools.cycle(range(1, 256))

    def call(self, name: str, *arguments: int) -> int:
        return int(self.exports[name](self.store, *arguments) or 0) & 0xFFFFFFFF

    def read(self, start: int, end: int) -> bytes:
        return bytes(self.exports["memory"].read(self.store, start, end))

    @property
    def size(self) -> int:
        return int(self.exports["memory"].data_len(self.store))

    def fill(self, address: int, size: int) -> int:
        pattern = bytes([next(self._patterns)]) * size
        self.exports["memory"].write(self.store, pattern, address)
        self.blocks[address] = pattern
        return address

    def malloc(self, size: int) -> int:
        address = self.call("malloc", size)
        assert address, "out of memory"
        return self.fill(address, size)

    def check(self, address: int) -> None:
        pattern = self.blocks[address]
        assert self.read(address, address + len(pattern)) == pattern, "another block was written over this one"

    def free(self, address: int) -> None:
        self.check(address)
        del self.blocks[address]
        self.call("free", address)

    def realloc(self, address: int, size: int) -> int:
        kept = self.blocks.pop(address)[:size]
        moved = self.call("realloc", address, size)
        assert self.read(moved, moved + len(kept)) == kept, "realloc lost what was in the block"
        return self.fill(moved, size)


def some_size(chance: random.Random) -> int:
    return chance.choice([chance.randrange(64), chance.randrange(2000), chance.randrange(200_000)])


@pytest.mark.parametrize("seed", range(4))
def test_blocks_keep_what_is_in_them(binary: bytes, seed: int) -> None:
    heap, chance = Heap(binary), random.Random(seed)
    for _ in range(1500):
        step = chance.random()
        if step < 0.5 or not heap.blocks:
            address = heap.malloc(some_size(chance))
        elif step < 0.7:
            address = heap.realloc(chance.choice(list(heap.blocks)), some_size(chance))
        else:
            heap.free(chance.choice(list(heap.blocks)))
            continue
        assert address % 8 == 0
        assert heap.call("malloc_usable_size", address) >= len(heap.blocks[address])
    for address in list(heap.blocks):
        heap.free(address)


def test_freed_neighbours_join(binary: bytes) -> None:
    heap = Heap(binary)
    for address in [heap.malloc(1000) for _ in range(2000)]:
        heap.free(address)
    size = heap.size
    heap.malloc(1_900_000)
    assert heap.size == size


def test_alignment(binary: bytes) -> None:
    heap = Heap(binary)
    for power in range(13):
        address = heap.fill(heap.call("aligned_alloc", 1 << power, 100), 100)
        assert address % (1 << power) == 0
    for address in list(heap.blocks):
        heap.free(address)


def test_calloc_clears(binary: bytes) -> None:
    heap = Heap(binary)
    heap.free(heap.malloc(5000))
    address = heap.call("calloc", 50, 100)
    assert heap.read(address, address + 5000) == bytes(5000)


@pytest.mark.parametrize("arguments", [("malloc", 0xFFFFFFFF), ("calloc", 0x10000, 0x10001), ("malloc", 64 << 20)])
def test_too_much_is_refused(binary: bytes, arguments: tuple[str, int]) -> None:
    heap = Heap(binary, pages=200)
    assert heap.call(*arguments) == 0
    heap.free(heap.malloc(100))


def test_memory_can_be_used_up_and_given_back(binary: bytes) -> None:
    heap = Heap(binary, pages=100)
    taken = list(iter(lambda: heap.call("malloc", 10_000), 0))
    assert len(taken) > 400
    for address in taken:
        heap.call("free", address)
    heap.malloc(len(taken) * 9_000)


def test_scrubbing_leaves_nothing_of_freed_blocks(binary: bytes) -> None:
    heap = Heap(binary)
    fresh = len(heap.read(0, heap.size).replace(b"\0", b""))
    for address in [heap.malloc(500) for _ in range(1000)]:
        heap.free(address)
    kept = heap.malloc(10)
    heap.call("amla_scrub")
    heap.check(kept)
    assert len(heap.read(0, heap.size).replace(b"\0", b"")) < fresh + 100
