"""The hook for pre-commit, run by the real program in a repository that has a manifest and scripts."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cli_process import COMMAND, environment

HOOKS = Path(__file__).parents[2] / ".pre-commit-hooks.yaml"
MANIFEST = '[tools.pay]\ncommand = ["echo", "{amount}"]\nparams.amount = { type = "integer" }\nconstraints = { amount = "<=100" }\n'

if not HOOKS.is_file():
    pytest.skip("the hook is part of a checkout", allow_module_level=True)
pytest.importorskip("pre_commit")


def field(name: str) -> str:
    """A field of the hook, as the file has it."""
    found = re.search(rf"^(?:- |  ){name}: (.*)$", HOOKS.read_text("utf-8"), re.MULTILINE)
    assert found, name
    return found[1]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with the hook, whose entry runs the package that is tested instead of installing one."""
    program = tmp_path / "bin" / "amla"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {" ".join(COMMAND)} "$@"\n')
    program.chmod(0o755)
    folder = tmp_path / "repository"
    folder.mkdir()
    (folder / "tools.toml").write_text(MANIFEST)
    (folder / ".pre-commit-config.yaml").write_text(
        "repos:\n- repo: local\n  hooks:\n"
        f"  - id: {field('id')}\n    name: {field('name')}\n    entry: {field('entry')}\n    language: system\n"
        f"    files: '{field('files')}'\n    require_serial: {field('require_serial')}\n    args: [--tools, tools.toml]\n"
    )
    git = shutil.which("git")
    if git is None:
        pytest.skip("git is not installed")
    subprocess.run([git, "init", "-q"], cwd=folder, check=True)
    return folder


def run_hook(repository: Path, *files: str) -> subprocess.CompletedProcess[str]:
    env = environment(
        PATH=f"{repository.parent / 'bin'}:{os.environ['PATH']}", PRE_COMMIT_HOME=str(repository.parent / "home")
    )
    subprocess.run(["git", "add", "."], cwd=repository, check=True)
    command = [sys.executable, "-m", "pre_commit", "run", "--files", *files]
    return subprocess.run(command, cwd=repository, env=env, capture_output=True, text=True, timeout=120)


def test_the_hook_file_is_one() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "validate-manifest", HOOKS], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_calls_that_are_denied_stop_a_commit(repository: Path) -> None:
    (repository / "good.js").write_text("await pay({ amount: 50 });\n")
    passed = run_hook(repository, "tools.toml", "good.js")
    assert passed.returncode == 0, passed.stdout
    (repository / "bad.sh").write_text("tool pay --amount 500\n")
    failed = run_hook(repository, "good.js", "bad.sh")
    assert failed.returncode == 1
    assert "bad.sh:1:1: AM401" in failed.stdout
    assert "good.js:" not in failed.stdout


def test_other_files_are_left_alone(repository: Path) -> None:
    (repository / "pyproject.toml").write_text("[tools.pay]\n")
    (repository / "notes.md").write_text("# notes\n")
    assert "(no files to check)Skipped" in run_hook(repository, "pyproject.toml", "notes.md").stdout
