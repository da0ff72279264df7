"""The shell completions: current, right, and harmless (R1)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest
from cli_process import COMMAND, environment

FOLDER = Path(__file__).parents[2] / "completions"


def test_they_are_current() -> None:
    done = subprocess.run([sys.executable, FOLDER / "generate.py", "--check"], capture_output=True, timeout=60)
    assert done.returncode == 0, done.stdout.decode()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_they_parse(shell: str) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed")
    assert subprocess.run([program, "-n", FOLDER / f"amla.{shell}"], timeout=60).returncode == 0


def completed(folder: Path, *words: str) -> list[str]:
    """What bash offers for the last of `words`."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not installed")
    script = (
        'compopt() { echo "(files)"; }; amla() { "${COMMAND[@]}" "$@"; }\n'
        f"COMMAND=({' '.join(map(repr, COMMAND))})\n"
        f"source {FOLDER / 'amla.bash'}\n"
        'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _amla\n'
        '(( ${#COMPREPLY[@]} )) && printf "%s\\n" "${COMPREPLY[@]}"; true'
    )
    done = subprocess.run(
        [bash, "-c", script, "bash", *words], capture_output=True, cwd=folder, env=environment(), timeout=60
    )
    assert done.stderr == b""
    return done.stdout.decode().split("\n")[:-1]


def test_commands_and_options(tmp_path: Path) -> None:
    assert {"run", "precompile", "tools", "init"} <= set(completed(tmp_path, "amla", ""))
    assert completed(tmp_path, "amla", "pre") == ["precompile"]
    assert completed(tmp_path, "amla", "run", "--max-o") == ["--max-output"]
    assert completed(tmp_path, "amla", "run", "--lang", "s") == ["shell"]
    assert completed(tmp_path, "amla", "run", "--timeout", "") == []
    assert completed(tmp_path, "amla", "run", "") == ["(files)"]
    assert completed(tmp_path, "amla", "tools", "--tools", "x") == ["(files)"]
    assert completed(tmp_path, "amla", "run", "--mount", "") == ["(files)"]
    assert completed(tmp_path, "amla", "watch", "a.js", "--max-o") == ["--max-output"]
    assert completed(tmp_path, "amla", "watch", "a.js", "--tools", "") == ["(files)"]
    assert completed(tmp_path, "amla", "watch", "a.js", "--approve", "a") == ["ask", "all"]


def test_groups_of_commands(tmp_path: Path) -> None:
    assert completed(tmp_path, "amla", "policy", "") == ["learn", "verify-log"]
    assert completed(tmp_path, "amla", "policy", "learn", "--ex") == ["--exact"]
    assert completed(tmp_path, "amla", "policy", "verify-log", "--h") == ["--head", "--help"]
    assert completed(tmp_path, "amla", "policy", "verify-log", "--key-file", "x") == ["(files)"]


def test_tool_names(tmp_path: Path, manifest: str) -> None:
    assert completed(tmp_path, "amla", "tools", "--tools", manifest, "") == ["greet", "hidden/one"]
    assert completed(tmp_path, "amla", "tools", "--tools", manifest, "hid") == ["hidden/one"]


def test_names_of_tools_are_never_expanded(tmp_path: Path) -> None:
    """A manifest in a cloned repository must not run anything when its names are completed."""
    (tmp_path / "t.toml").write_text(
        '[tools."$(touch canary)"]\ncommand = ["true"]\n[tools."`touch canary`"]\ncommand = ["true"]\n'
    )
    names = completed(tmp_path, "amla", "tools", "--tools", "t.toml", "")
    assert len(names) == 2
    assert all(name.startswith("\\") for name in names)
    assert not (tmp_path / "canary").exists()


# --- the other shells, as a person meets them


@pytest.fixture
def on_path(tmp_path: Path) -> Path:
    """A folder with a program `amla`, for shells that start it."""
    program = tmp_path / "bin" / "amla"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {" ".join(COMMAND)} "$@"\n')
    program.chmod(0o755)
    return program.parent


def in_fish(folder: Path, path: Path, line: str) -> list[str]:
    """What fish offers for a command line, without the descriptions."""
    fish = shutil.which("fish")
    if fish is None:
        pytest.skip("fish is not installed")
    script = f"source {FOLDER / 'amla.fish'}; complete -C {line!r}"
    env = environment(PATH=f"{path}:{os.environ['PATH']}", HOME=str(folder))
    done = subprocess.run([fish, "--no-config", "-c", script], capture_output=True, cwd=folder, env=env, timeout=60)
    assert done.stderr == b""
    return [row.split("\t")[0] for row in done.stdout.decode().splitlines()]


def test_fish(tmp_path: Path, on_path: Path, manifest: str) -> None:
    assert {"run", "policy", "tools"} <= set(in_fish(tmp_path, on_path, "amla "))
    assert set(in_fish(tmp_path, on_path, "amla policy ")) == {"learn", "verify-log"}
    assert in_fish(tmp_path, on_path, "amla run --max-o") == ["--max-output"]
    assert in_fish(tmp_path, on_path, "amla run --lang s") == ["shell"]
    assert in_fish(tmp_path, on_path, f"amla tools --tools {manifest} hid") == ["hidden/one"]


@pytest.fixture
def zsh(tmp_path: Path, on_path: Path) -> Iterator[pexpect.spawn[str]]:
    """An interactive zsh that has loaded the completions."""
    program = shutil.which("zsh")
    if program is None:
        pytest.skip("zsh is not installed")
    env = environment(PATH=f"{on_path}:{os.environ['PATH']}", HOME=str(tmp_path), TERM="dumb", PS1="> ")
    child = pexpect.spawn(
        program, ["-f", "-i"], cwd=tmp_path, env=env, encoding="utf-8", timeout=30, dimensions=(24, 200)
    )
    functions = tmp_path / "functions"
    functions.mkdir()
    (functions / "_amla").write_text((FOLDER / "amla.zsh").read_text())
    setup = f"fpath=({functions} $fpath); autoload -Uz compinit; compinit -u -D"
    child.sendline(f"{setup}; echo loaded-'$?'-$?")
    child.expect_exact("loaded-$?-0")
    yield child
    child.close(force=True)


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("amla prec", "amla precompile"),
        ("amla policy ver", "amla policy verify-log"),
        ("amla run --max-o", "amla run --max-output"),
        ("amla run --lang sh", "amla run --lang shell"),
        ("amla tools --tools my-tools.toml hid", "amla tools --tools my-tools.toml hidden/one"),
        ("amla check-policy --format sa", "amla check-policy --format sarif"),
        ("amla run my-t", "amla run my-tools.toml"),
    ],
)
def test_zsh(zsh: pexpect.spawn[str], manifest: str, typed: str, completed: str) -> None:
    """A line is typed, completed by Tab, and printed instead of run."""
    zsh.send(f"{typed}\t")
    zsh.send("\x01print -r -- '=\x05='\n")
    zsh.expect_exact(f"={completed}=\r\n")
