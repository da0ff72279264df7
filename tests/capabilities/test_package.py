"""The package as a whole."""

from __future__ import annotations

import subprocess
import sys

import amla_capabilities


def test_every_public_name_is_there() -> None:
    for name in amla_capabilities.__all__:
        assert getattr(amla_capabilities, name) is not None
    assert set(amla_capabilities.__all__) <= set(dir(amla_capabilities))


def test_importing_it_imports_nothing_else() -> None:
    """What a start pays for is what it uses: the manifest, TOML, decimals and JSON come only when needed."""
    code = "import sys; before = set(sys.modules); import amla_capabilities; print(sorted(set(sys.modules) - before))"
    assert set(_output(code).split("'")[1::2]) <= {"__future__", "amla_capabilities"}
    heavy = ("asyncio", "httpx", "wasmtime", "socket", "subprocess", "tomllib", "decimal")
    code = f"import sys; from amla_capabilities import Policy, Param; print([m for m in {heavy} if m in sys.modules])"
    assert _output(code) == "[]"


def _output(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
