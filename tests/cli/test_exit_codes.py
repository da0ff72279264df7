"""The exit codes, each produced by a run, and their table in the help."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_process import Amla

from amla_cli._exit import exit_table

ALLOCATE = "const kept = []; for (;;) kept.push(new Array(10_000).fill(kept.length))"


@pytest.mark.parametrize(
    ("status", "args"),
    [
        (0, ("run", "-e", "console.log(1)")),
        (1, ("run", "-e", "throw new Error('x')")),
        (1, ("run", "-e", "let a = ;")),
        (3, ("run", "-e", "process.exit(3)")),
        (44, ("run", "-e", "process.exit(300)")),
        (2, ("run",)),
        (2, ("run", "missing.js")),
        (2, ("run", "unknown.txt")),
        (2, ("run", "-e", "1", "--timeout", "soon")),
        (2, ("run", "-e", "1", "--nonsense")),
        (2, ("run", "-e", "1", "--lang", "perl")),
        (2, ("run", "-e", "1", "--env", "NAME")),
        (2, ("run", "-e", "1", "--mount", "here")),
        (2, ("run", "-e", "1", "--mount", "missing:data")),
        (2, ("run", "-e", "1", "--mount", ".:../data")),
        (2, ("run", "-e", "1", "--tools", "missing.toml")),
        (2, ("run", "-e", "1", "--tools", "bad.toml")),
        (2, ("rum",)),
        (2, ("tools",)),
        (2, ("precompile", "--check", "--clear")),
        (13, ("run", "-e", "await new Promise(() => {})")),
        (1, ("run", "-e", "1", "--out", "x:x")),
        (77, ("run", "-e", "await greet({name: 'x', times: 9})", "--tools", "my-tools.toml")),
        (0, ("run", "-e", "try { await greet({name: 'x', times: 9}) } catch {}", "--tools", "my-tools.toml")),
        (124, ("run", "--timeout", "300ms", "-e", "for (;;) {}")),
        (124, ("run", "--timeout", "300ms", "-e", "await new Promise(r => setTimeout(r, 60000))")),
        (137, ("run", "--memory", "40MB", "-e", ALLOCATE)),
    ],
)
def test_status(amla: Amla, tmp_path: Path, manifest: str, status: int, args: tuple[str, ...]) -> None:
    """Each failure has its status, a sentence, and never a traceback of ours."""
    (tmp_path / "bad.toml").write_text('[tools.x]\ncomand = ["ls"]\n')
    (tmp_path / "unknown.txt").write_text("console.log(1)")
    ended = amla(*args)
    assert ended.status == status, ended.err
    assert "Traceback" not in ended.err
    assert ended.err.startswith("amla: error: ") or status in (0, 3, 44)


WRONG = [
    (("policy", "verify-log"), "LOG is missing", "amla policy verify-log --help"),
    (("tools", "tools.toml"), "there is no manifest to list", "amla tools --tools tools.toml"),
    (("init", "."), ". is a folder", "name a file in it"),
    (("init", "no/tools.toml"), "cannot write no/tools.toml", "mkdir -p no"),
    (("precompile", "--output", "."), "--output . is a folder", "name a file"),
    (("precompile", "--output", "no/file"), "there is no folder", "name a file in a folder that is there"),
    (("run", "-e", "1", "--memory", "1MB"), "no sandbox fits in 1,000,000 bytes", "give it 16MB or more"),
    (("watch", "test.js", "--tool", "x"), "No such option: --tool", "amla run SCRIPT -- --flag"),
    (("policy", "learn", "test.js", "--within", "no.toml"), "cannot read the manifest no.toml", "REVISION:FILE"),
    (("repl", "--load", "test.js"), "no saved session", ".save FILE"),
]


@pytest.mark.parametrize(("args", "said", "following"), WRONG, ids=lambda part: " ".join(part) if part else "")
def test_wrong_usage_says_what_to_do_next(
    amla: Amla, tmp_path: Path, args: tuple[str, ...], said: str, following: str
) -> None:
    (tmp_path / "test.js").write_text('{"tool": "a", "arguments": {}, "verdict": "allowed"}\n')
    ended = amla(*args)
    assert ended.status == 2
    assert said in ended.err
    assert following in ended.err


def test_the_help_lists_them(amla: Amla) -> None:
    for args in (("--help",), ("run", "--help")):
        text = amla(*args).out.decode()
        for code, about in exit_table():
            assert f"{code:>3}  {about}" in text
