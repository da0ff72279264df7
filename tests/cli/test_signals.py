"""Ctrl-C, SIGTERM and a reader that goes away."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from cli_process import COMMAND, environment, start

SCRIPTS = {
    "computing": "console.log('begun'); for (;;) {}",
    "asynchronous": "console.log('begun'); for (;;) { new Promise(() => { for (;;) {} }).catch(() => {}) }",
    "waiting": "console.log('begun'); await new Promise(resolve => setTimeout(resolve, 60000))",
    "in a tool": "console.log('begun'); await nap({})",
    "catching": "console.log('begun'); for (;;) { try { for (;;) {} } catch {} }",
}


@pytest.fixture
def napping(tmp_path: Path) -> str:
    (tmp_path / "napper.py").write_text("import time\ndef nap():\n    time.sleep(60)\n")
    (tmp_path / "nap.toml").write_text('[tools.nap]\npython = "napper:nap"\nallow = true\n')
    return "nap.toml"


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_script(tmp_path: Path, napping: str, script: str, number: int, status: int) -> None:
    """At once, whatever the script does, with what it printed kept and no traceback."""
    args = ("run", "--timeout", "50s", "--cpu", "50s", "--tools", napping, "-e", script)
    process = start(*args, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"begun\n"
    begun = time.monotonic()
    process.send_signal(number)
    _, err = process.communicate(timeout=30)
    assert process.returncode == status
    assert time.monotonic() - begun < 5
    assert b"Traceback" not in err


def test_ctrl_c_in_json(tmp_path: Path) -> None:
    import json

    process = start("run", "--json", "-e", "for (;;) {}", cwd=tmp_path, stdout=subprocess.PIPE)
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    told = json.loads(out)
    assert (told["exit_code"], told["errors"][0]["code"]) == (130, "interrupted")


def test_a_reader_that_leaves_ends_it_quietly(tmp_path: Path) -> None:
    """`amla run … | head -1`: no complaint, no endless script."""
    args = ("run", "--max-output", "0", "--timeout", "50s", "--cpu", "50s")
    process = start(
        *args, "-e", "for (;;) console.log('line')", cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"line\n"
    process.stdout.close()
    assert process.wait(30) == 141
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.stderr.close()


@pytest.mark.parametrize("args", [("--help",), ("run", "--json", "-e", "return 'x'.repeat(300000)"), ("--version",)])
def test_a_reader_that_was_never_there(tmp_path: Path, args: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*COMMAND, *args], stdout=writing, stderr=subprocess.PIPE, cwd=tmp_path, env=environment(), timeout=60
    )
    os.close(writing)
    assert done.stderr == b""
    assert done.returncode in (1, 141)  # help is printed by the parser, which says 1
