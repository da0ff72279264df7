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
    "computing": "for (;;) {}",
    "asynchronous": "for (;;) { new Promise(() => { for (;;) {} }).catch(() => {}) }",
    "waiting": "await new Promise(resolve => setTimeout(resolve, 60000))",
    "in a tool": "await nap({})",
    "catching": "for (;;) { try { for (;;) {} } catch {} }",
}

TOOLS = """\
import time
from pathlib import Path

def ready():
    Path(__file__).with_name("begun").touch()

def nap():
    time.sleep(60)
"""

MANIFEST = """\
[tools.ready]
python = "signalling:ready"
allow = true
[tools.nap]
python = "signalling:nap"
allow = true
"""


def begun(folder: Path) -> bool:
    """Wait until the script has called `ready`."""
    until = time.monotonic() + 30
    while not (folder / "begun").exists() and time.monotonic() < until:
        time.sleep(0.02)
    return (folder / "begun").exists()


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["INT", "TERM"])
def test_a_signal_ends_the_script(tmp_path: Path, script: str, number: int, status: int) -> None:
    """At once, whatever the script does, and without a traceback."""
    (tmp_path / "signalling.py").write_text(TOOLS)
    (tmp_path / "t.toml").write_text(MANIFEST)
    args = ("run", "--timeout", "20s", "--cpu", "20s", "--tools", "t.toml", "-e", f"await ready({{}}); {script}")
    process = start(*args, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert begun(tmp_path)
    time.sleep(0.2)  # the tool has answered, and the script goes on
    since = time.monotonic()
    process.send_signal(number)
    _, err = process.communicate(timeout=30)
    assert (process.returncode, b"Traceback" in err) == (status, False), err.decode()
    assert time.monotonic() - since < 5


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
        *args,
        "-e",
        "for (;;) { console.log('line'); await new Promise(next => setTimeout(next, 1)) }",
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
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
