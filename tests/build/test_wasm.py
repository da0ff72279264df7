"""Reading and rewriting modules: what goes in comes out, and a baked module behaves like the one that ran."""

from __future__ import annotations

from typing import Any

import pytest
import wasmtime
from hypothesis import given
from hypothesis import strategies as st

from guest.build.errors import BuildError
from guest.build.snapshot import bake, runs
from guest.build.wasm import Export, Module, Reader, Segment, signed, unsigned

COUNTER = """
(module
  (memory (export "memory") 2)
  (global $sp (export "__stack_pointer") (mut i32) (i32.const 65536))
  (global i64 (i64.const -5))
  (data (i32.const 65600) "\\07\\00\\00\\00")
  (func (export "_initialize"))
  (func (export "amla_boot") (i32.store (i32.const 65600) (i32.const 41)) (drop (memory.grow (i32.const 1))))
  (func (export "amla_step") (result i32)
    (i32.store (i32.const 65600) (i32.add (i32.load (i32.const 65600)) (i32.const 1)))
    (i32.load (i32.const 65600))))
"""


def binary(text: str) -> bytes:
    return bytes(wasmtime.wat2wasm(text))


def read_all(module: Module) -> None:
    module.segments()
    module.globals()


def started(module: bytes) -> tuple[wasmtime.Store, Any]:
    store = wasmtime.Store()
    return store, wasmtime.Instance(store, wasmtime.Module(store.engine, module), []).exports(store)


@given(st.integers(0, 2**40))
def test_unsigned_numbers_round_trip(value: int) -> None:
    assert Reader(unsigned(value)).unsigned() == value


@given(st.integers(-(2**40), 2**40))
def test_signed_numbers_round_trip(value: int) -> None:
    assert Reader(signed(value)).signed() == value


def test_numbers_are_the_specifications() -> None:
    """The examples that the LEB128 encoding is commonly defined by."""
    assert unsigned(624485) == bytes.fromhex("e58e26")
    assert signed(-123456) == bytes.fromhex("c0bb78")


def test_an_unchanged_module_round_trips() -> None:
    original = binary(COUNTER)
    assert Module.parse(original).binary() == original


def test_what_a_module_says() -> None:
    module = Module.parse(binary(COUNTER))
    assert [each.name for each in module.exports()] == [
        "memory",
        "__stack_pointer",
        "_initialize",
        "amla_boot",
        "amla_step",
    ]
    assert [(each.mutable, each.initial) for each in module.globals()] == [(True, 65536), (False, -5)]
    assert module.memory() == (2, None)
    assert module.segments() == [Segment(65600, b"\x07\0\0\0")]
    assert module.imports() == []


def test_imports_are_named() -> None:
    module = Module.parse(binary('(module (import "wasi" "fd_close" (func)) (import "env" "m" (memory 1)))'))
    assert module.imports() == ["wasi.fd_close", "env.m"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('(module (memory 1) (data "passive"))', "passive"),
        ("(module (memory 1) (table 1 funcref) (func $f) (global funcref (ref.func $f)))", "initialiser"),
    ],
)
def test_what_a_snapshot_would_lose_is_refused(text: str, reason: str) -> None:
    module = Module.parse(binary(text))
    with pytest.raises(BuildError, match=reason):
        read_all(module)


def test_a_module_that_is_cut_short_is_refused() -> None:
    with pytest.raises(BuildError, match="cut short"):
        Module.parse(binary(COUNTER)[:-3])


def test_a_baked_module_goes_on_where_the_memory_was() -> None:
    linked = binary(COUNTER)
    store, running = started(linked)
    running["amla_boot"](store)
    memory = bytes(running["memory"].read(store, 0, None))
    baked = bake(linked, memory)

    store, fresh = started(baked)
    assert fresh["amla_step"](store) == 42
    assert fresh["memory"].size(store) == 3
    names = [each.name for each in Module.parse(baked).exports()]
    assert names == ["memory", "__stack_pointer", "amla_step"], "what only booting needs is gone"


def test_baking_refuses_imports() -> None:
    with pytest.raises(BuildError, match="neither imports"):
        bake(binary('(module (import "a" "b" (func)) (memory 1) (data (i32.const 0) "x"))'), bytes(65536))


@pytest.mark.parametrize(
    "state",
    [
        "(global (mut i32) (i32.const 0))",
        "(func (table.set (i32.const 0) (ref.null func)))",
        "(func (table.fill (i32.const 0) (ref.null func) (i32.const 1)))",
        "(func (drop (table.grow (ref.null func) (i32.const 1))))",
        "(func (table.copy (i32.const 0) (i32.const 0) (i32.const 1)))",
        "(elem $e func) (func (elem.drop $e))",
        "(elem $e func) (func (table.init $e (i32.const 0) (i32.const 0) (i32.const 0)))",
    ],
)
def test_baking_refuses_state_outside_the_memory(state: str) -> None:
    parts = '(memory 1) (data (i32.const 0) "x") (table 1 funcref) (global (export "__stack_pointer") (mut i32) (i32.const 9))'
    memory = b"x" + bytes(65535)
    with pytest.raises(BuildError, match="all state but the stack pointer"):
        bake(binary(f"(module {parts} {state})"), memory)
    bake(binary(f"(module {parts} (func (drop (table.get (i32.const 0)))) (func (drop (table.size))))"), memory)


def test_exports_can_be_added() -> None:
    module = Module.parse(binary(COUNTER))
    store, running = started(module.with_exports([*module.exports(), Export("probe", "global", 1)]).binary())
    assert running["probe"].value(store) == -5


@given(st.lists(st.tuples(st.integers(0, 200), st.binary(min_size=1, max_size=80)), max_size=12))
def test_runs_hold_every_byte_that_is_not_zero(pieces: list[tuple[int, bytes]]) -> None:
    memory = b"".join(bytes(gap) + data for gap, data in pieces)
    rebuilt = bytearray(len(memory))
    last = -1
    for run in runs(memory):
        assert run.offset > last
        assert run.data[0] != 0
        assert run.data[-1] != 0
        rebuilt[run.offset : run.offset + len(run.data)] = run.data
        last = run.offset + len(run.data)
    assert bytes(rebuilt) == memory


def test_long_gaps_split_runs_and_short_ones_do_not() -> None:
    memory = b"a" + bytes(63) + b"b" + bytes(64) + b"c"
    assert [(run.offset, len(run.data)) for run in runs(memory)] == [(0, 65), (129, 1)]
