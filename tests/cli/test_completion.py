"""The shell completions: current, right, and harmless (R1)."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

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
