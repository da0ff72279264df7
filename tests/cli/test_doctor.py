"""`amla doctor` and `amla selftest`: what they look at, and that they notice when something is wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from cli_process import Amla, environment

GROUPS = ["escape", "deadline", "limit", "capability"]


def test_doctor_names_what_is_here(amla: Amla) -> None:
    ended = amla("doctor", "--json")
    checks = {row["name"]: row for row in json.loads(ended.out)["result"]["checks"]}
    assert ended.status == 0
    for name in (
        "amla",
        "Python",
        "wasmtime",
        "guest",
        "extra http",
        "system",
        "processor",
        "cache",
        "engine",
        "limits",
    ):
        assert checks[name]["state"] in ("ok", "note", "warning"), checks[name]
    assert set(checks["limits"]) == {"name", "state", "detail", "hint"}


def test_doctor_fits_a_narrow_terminal(amla: Amla) -> None:
    ended = amla("doctor", env={"COLUMNS": "60", "AMLA_CACHE_DIR": "/nowhere/" + "long/" * 30})
    assert ended.err == ""
    words = [line for line in ended.out.decode().splitlines() if len(line) > 60]
    assert all("/" in line for line in words), "only a path that has no place to break may be longer"


def test_doctor_says_what_is_wrong(amla: Amla, tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    ended = amla("doctor", env={"AMLA_CACHE_DIR": str(shared / "cache")})
    line = next(line for line in ended.out.decode().splitlines() if " cache " in line)
    assert line.startswith("warning")


def test_doctor_finds_limits_that_do_not_hold(tmp_path: Path) -> None:
    """In a process where the watchdog never asks a guest to stop."""
    code = (
        "import sys, amla_sandbox._guest._canary as canary\n"
        "from amla_sandbox import SandboxError\n"
        "def broken(engine): raise SandboxError('the limits do not hold')\n"
        "canary.prove_limits = broken\n"
        "sys.argv = ['amla', 'doctor']\n"
        "from amla_cli.__main__ import main\n"
        "sys.exit(main())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, cwd=tmp_path, env=environment(), timeout=60
    )
    assert done.returncode == 1
    assert b"failed" in done.stdout


def test_selftest_holds(amla: Amla) -> None:
    ended = amla("selftest", "--json")
    result = json.loads(ended.out)["result"]
    assert [row for row in result["trials"] if not row["held"]] == []
    assert (ended.status, result["failed"]) == (0, 0)
    assert list(dict.fromkeys(row["group"] for row in result["trials"])) == GROUPS


def test_selftest_of_one_group(amla: Amla) -> None:
    ended = amla("selftest", "--only", "capability", "-v")
    assert ended.out.decode().startswith("capability")
    assert "capability, shell: over the budget: held" in ended.err
    assert amla("selftest", "--only", "escapes").status == 2
