"""The guest as it ships: imports nothing, exports what docs/protocol.md lists, small, and what its provenance says."""

from __future__ import annotations

import hashlib
import json
from importlib import resources
from typing import Any

import pytest
import wasmtime

EXPORTS = {
    "memory": wasmtime.MemoryType,
    "__stack_pointer": wasmtime.GlobalType,
    "amla_address": wasmtime.FuncType,
    "amla_alloc": wasmtime.FuncType,
    "amla_inbox": wasmtime.FuncType,
    "amla_serve": wasmtime.FuncType,
    "amla_step": wasmtime.FuncType,
}
LARGEST = 6_250_000  # arbitrary: what grows unnoticed is found; the compiled code and its first memory grow with it
FOLDER = resources.files("amla_sandbox") / "guest"


@pytest.fixture(scope="module")
def binary() -> bytes:
    return (FOLDER / "amla.wasm").read_bytes()


@pytest.fixture(scope="module")
def module(binary: bytes) -> wasmtime.Module:
    return wasmtime.Module(wasmtime.Engine(), binary)


@pytest.fixture(scope="module")
def provenance() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((FOLDER / "provenance.json").read_text("utf-8"))
    return loaded


def test_it_imports_nothing(module: wasmtime.Module) -> None:
    assert list(module.imports) == []


def test_it_exports_what_the_protocol_lists(module: wasmtime.Module) -> None:
    assert {each.name: type(each.type) for each in module.exports} == EXPORTS


def test_it_is_small(binary: bytes) -> None:
    assert len(binary) < LARGEST


def test_it_holds_no_names_of_the_machine_that_built_it(binary: bytes) -> None:
    for trace in [b"/home/", b"/root/", b"/tmp/amla", b"/Users/", b".cache/amla", b"site-packages"]:
        assert trace not in binary


def test_the_provenance_is_of_this_file(binary: bytes, provenance: dict[str, Any]) -> None:
    assert provenance["guest"] == {"sha256": hashlib.sha256(binary).hexdigest(), "size": len(binary)}


def test_the_provenance_names_what_went_in(provenance: dict[str, Any]) -> None:
    assert {each["name"] for each in provenance["sources"]} == {"quickjs-ng", "jq"}
    assert all(len(each["sha256"]) == 64 for each in provenance["sources"])
    assert {"esbuild", "sucrase", "acorn"} <= set(provenance["npm"])
    assert all(each["integrity"].startswith("sha512-") for each in provenance["npm"].values())
    assert provenance["compiler"]["name"] == "ziglang"
    assert provenance["tzdata"]
