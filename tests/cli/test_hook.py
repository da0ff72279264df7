"""The hook for pre-commit, run by the real program in a repository that has a manifest and scripts."""

from __future__ import annotations

import os
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


def git(folder: Path, *words: str) -> str:
    config = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(
        ["git", *config, *words], cwd=folder, env=environment(), check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository that takes the hook, as its file has it, from a clone.

    Only its language is another: installing amla anew would build the guest, so its entry is the package under test.
    """
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    program = tmp_path / "bin" / "amla"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {" ".join(COMMAND)} "$@"\n')
    program.chmod(0o755)
    clone, folder = tmp_path / "amla", tmp_path / "repository"
    for each in (clone, folder):
        each.mkdir()
        git(each, "init", "-q")
    shutil.copy(HOOKS, clone)
    git(clone, "add", ".")
    git(clone, "commit", "-q", "-m", "hooks")
    (folder / "tools.toml").write_text(MANIFEST)
    (folder / ".pre-commit-config.yaml").write_text(
        f"repos:\n- repo: {clone}\n  rev: {git(clone, 'rev-parse', 'HEAD')}\n  hooks:\n"
        "  - id: amla-check-policy\n    language: system\n    args: [--tools, tools.toml]\n"
    )
    return folder


def run_hook(repository: Path, *files: str) -> subprocess.CompletedProcess[str]:
    env = environment(
        PATH=f"{repository.parent / 'bin'}:{os.environ['PATH']}", PRE_COMMIT_HOME=str(repository.parent / "home")
    )
    git(repository, "add", ".")
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


def test_a_manifest_that_is_faulty_stops_a_commit(repository: Path) -> None:
    """Also where it is the only file that changed; it is read once, though it is named twice."""
    (repository / "tools.toml").write_text(MANIFEST.replace("<=", "=<"))
    failed = run_hook(repository, "tools.toml")
    assert failed.returncode == 1
    assert failed.stdout.count("tools.toml:4:26: AM114") == 1


def test_what_does_not_parse_stops_a_commit(repository: Path) -> None:
    (repository / "broken.ts").write_text("const x: = 5;\n")
    assert "broken.ts:1:10: AM407 not checked" in run_hook(repository, "broken.ts").stdout


def test_other_files_are_left_alone(repository: Path) -> None:
    (repository / "pyproject.toml").write_text("[tools.pay]\n")
    (repository / "notes.md").write_text("# notes\n")
    assert "(no files to check)Skipped" in run_hook(repository, "pyproject.toml", "notes.md").stdout
