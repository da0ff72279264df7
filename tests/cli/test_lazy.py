"""The start is cheap: nothing is imported before it is used."""

from __future__ import annotations

import subprocess
import sys

import pytest
from cli_process import environment

HEAVY = ("wasmtime", "rich", "pydantic", "asyncio", "httpx", "jsonschema_rs", "tomli_w", "prompt_toolkit")


def imported(*args: str) -> set[str]:
    """Which of the heavy modules a command line loads."""
    code = (
        "import sys; sys.argv = ['amla', *sys.argv[1:]]\n"
        "from amla_cli.__main__ import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print('loaded:', *[name for name in {(*HEAVY, 'typer')!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, *args], capture_output=True, env=environment(), timeout=60)
    return set(done.stderr.decode().rpartition("loaded:")[2].split())


@pytest.mark.parametrize(
    ("args", "allowed"),
    [
        (("--version",), set[str]()),
        (("--help",), {"typer"}),
        (("run", "--help"), {"typer"}),
        (("tools", "--help"), {"typer"}),
        (("precompile", "--help"), {"typer"}),
        (("run", "missing.js"), {"typer"}),
    ],
)
def test_what_is_loaded(args: tuple[str, ...], allowed: set[str]) -> None:
    assert imported(*args) <= allowed


def test_a_run_loads_no_rich_and_no_pydantic() -> None:
    assert not imported("run", "-e", "1") & {"rich", "pydantic", "httpx", "tomli_w", "prompt_toolkit", "jsonschema_rs"}


def test_click_is_never_imported() -> None:
    """Typer carries its own; the package may not be there."""
    from pathlib import Path

    import amla_cli

    for file in Path(amla_cli.__file__).parent.rglob("*.py"):
        assert "import click" not in file.read_text()
        assert "from click" not in file.read_text()
