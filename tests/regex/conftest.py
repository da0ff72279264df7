"""The engine, compiled once for all tests of it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from regex_engine import Engine, compile_engine


@pytest.fixture(scope="session")
def binary(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    pytest.importorskip("ziglang", reason="compiles C: pip install ziglang")
    output = tmp_path_factory.mktemp("regex") / "regex.wasm"
    compile_engine(output)
    return output.read_bytes()


@pytest.fixture(scope="module")
def engine(binary: bytes) -> Engine:
    return Engine(binary)
