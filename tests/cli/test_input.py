"""Standard input streams to the script: endless pipes, conversations, slow writers."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from cli_process import COMMAND, environment, start

SHELL = ["sh", "-c"]


def piped(folder: Path, writer: str, code: str, language: str = "js") -> subprocess.CompletedProcess[bytes]:
    """What `writer | amla run -e code` prints."""
    words = [*SHELL, f'{writer} | "$@"', "sh", *COMMAND, "run", "--lang", language, "-e", code]
    return subprocess.run(words, capture_output=True, cwd=folder, env=environment(), timeout=60, check=False)


FIRST_LINE = {
    "for await": "for await (const part of process.stdin) { console.log(String(part).split('\\n')[0]); break }",
    "sync": "const two = Buffer.alloc(1); fs.readSync(0, two); console.log(String(two))",
    "readline": "require('readline').createInterface({ input: process.stdin }).once('line', line => { console.log(line); process.exit() })",
}


@pytest.mark.parametrize("code", FIRST_LINE.values(), ids=FIRST_LINE)
def test_an_endless_pipe(tmp_path: Path, code: str) -> None:
    ended = piped(tmp_path, "yes", code)
    assert (ended.returncode, ended.stdout) == (0, b"y\n"), ended.stderr


@pytest.mark.parametrize("read", ["fs.readFileSync(0, 'utf8')", "await fs.promises.readFile('/dev/stdin', 'utf8')"])
def test_a_slow_writer(tmp_path: Path, read: str) -> None:
    assert piped(tmp_path, "(echo a; sleep 0.3; echo b)", f"return {read}").stdout == b"a\nb\n\n"


def test_a_conversation(tmp_path: Path) -> None:
    code = "for await (const part of process.stdin) console.log('got ' + String(part).trim())"
    process = start("run", "-e", code, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin and process.stdout
    for word in (b"one", b"two"):
        process.stdin.write(word + b"\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"got " + word + b"\n"
    process.stdin.close()
    assert process.wait(30) == 0


def test_a_terminal(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    outer, inner = pty.openpty()
    code = """const lines = require('readline').createInterface({ input: process.stdin });
              lines.question('', name => { console.log('hello ' + name); lines.close() })"""
    process = start("run", "-e", code, cwd=tmp_path, stdin=inner, stdout=subprocess.PIPE)
    os.close(inner)
    os.write(outer, b"Ann\n")
    assert process.stdout and process.stdout.read() == b"hello Ann\n"
    assert process.wait(30) == 0
    os.close(outer)


def test_output_comes_while_the_script_computes(tmp_path: Path) -> None:
    code = "console.log('first'); for (const until = Date.now() + 20000; Date.now() < until;);"
    process = start("run", "-e", code, cwd=tmp_path, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    assert process.stdout and process.stdout.readline() == b"first\n"
    assert process.poll() is None
    process.terminate()
    process.wait(30)


IN_SHELL = {
    "read": "read -r line; echo $line",
    "head": "head -1",
    "a loop": "while read -r line; do echo $line; break; done",
    "a pipeline": "tr y z | head -1 | tr z y",
}


@pytest.mark.parametrize("code", IN_SHELL.values(), ids=IN_SHELL)
def test_an_endless_pipe_into_a_shell_script(tmp_path: Path, code: str) -> None:
    ended = piped(tmp_path, "yes", code, "shell")
    assert (ended.returncode, ended.stdout) == (0, b"y\n"), ended.stderr


def test_a_conversation_with_a_shell_script(tmp_path: Path) -> None:
    code = 'while read -r word; do echo "got $word"; done'
    process = start("run", "--lang", "shell", "-e", code, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin and process.stdout
    for word in (b"one", b"two"):
        process.stdin.write(word + b"\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"got " + word + b"\n"
    process.stdin.close()
    assert process.wait(30) == 0
