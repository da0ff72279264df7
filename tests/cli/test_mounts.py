"""`--mount` and `--out`: files in, and what may come back."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_process import Amla

from amla_cli._mounts import MountSpec, parse_mount, parse_out


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("data:in", MountSpec(Path("data"), "/workspace/in")),
        ("data:/workspace/in:ro", MountSpec(Path("data"), "/workspace/in")),
        ("./data:in:rw", MountSpec(Path("data"), "/workspace/in", writable=True)),
        ("a:b:in:rw,delete", MountSpec(Path("a:b"), "/workspace/in", writable=True, delete=True)),
        ("data:rw", MountSpec(Path("data"), "/workspace/rw")),
    ],
)
def test_spellings(text: str, spec: MountSpec) -> None:
    assert parse_mount(text) == spec


def test_out_spelling() -> None:
    assert parse_out("r.csv:out/r.csv") == ("/workspace/r.csv", Path("out/r.csv"))


WRITE = (
    "const fs = require('fs'); fs.writeFileSync('data/b.txt', 'B'); console.log(fs.readFileSync('data/a.txt', 'utf8'))"
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "a.txt").write_text("A")
    return folder


def test_a_writable_mount_comes_back(amla: Amla, data: Path) -> None:
    ended = amla("run", "--mount", "data:data:rw", "-e", WRITE)
    assert (ended.status, ended.out, (data / "b.txt").read_text()) == (0, b"A\n", "B")


def test_a_failed_run_gives_nothing_back(amla: Amla, data: Path) -> None:
    assert amla("run", "--mount", "data:data:rw", "-e", f"{WRITE}; process.exit(1)").status == 1
    assert not (data / "b.txt").exists()


def test_a_mount_is_read_only_unless_said(amla: Amla, data: Path) -> None:
    ended = amla("run", "--mount", "data:data", "-e", WRITE)
    assert ended.status == 1
    assert "EACCES" in ended.err or "EROFS" in ended.err
    assert not (data / "b.txt").exists()


def test_out(amla: Amla, tmp_path: Path) -> None:
    ended = amla("run", "--out", "r.bin:r.bin", "-e", "require('fs').writeFileSync('r.bin', new Uint8Array([0, 255]))")
    assert (ended.status, (tmp_path / "r.bin").read_bytes()) == (0, b"\x00\xff")


def test_a_missing_out_is_told(amla: Amla) -> None:
    ended = amla("run", "--out", "r.bin:r.bin", "-e", "console.log('done')")
    assert (ended.status, ended.out) == (1, b"done\n")
    assert ended.err == "amla: error: the script wrote no /workspace/r.bin, which --out was to copy to r.bin\n"
    assert amla("run", "--out", "r.bin:r.bin", "-e", "process.exit(7)").status == 7
    nowhere = amla("run", "--out", "r.bin:missing/r.bin", "-e", "fs.writeFileSync('r.bin', '')")
    assert nowhere.status == 125
    assert "cannot copy /workspace/r.bin to missing/r.bin" in nowhere.err


def test_r31_a_mount_in_a_git_folder_is_read_only(amla: Amla, tmp_path: Path) -> None:
    hooks = tmp_path / "repo" / ".git" / "hooks"
    hooks.mkdir(parents=True)
    (tmp_path / "innocent").symlink_to(hooks)
    for host, cwd in (("repo/.git/hooks", tmp_path), ("innocent", tmp_path), ("hooks", hooks.parent)):
        ended = amla("run", "-e", "1", "--mount", f"{host}:h:rw", cwd=cwd)
        assert (ended.status, "lies in a .git folder" in ended.err) == (2, True)
        assert amla("run", "-e", "1", "--mount", f"{host}:h", cwd=cwd).status == 0


def test_a_mount_must_not_hold_what_decides(amla: Amla, tmp_path: Path, manifest: str) -> None:
    """R31: a script that could change its manifest or its tools would grant itself anything."""
    args = ("run", "-e", "1", "--tools", manifest)
    ended = amla(*args, "--mount", ".:all:rw")
    assert ended.status == 2
    assert "a script must not change" in ended.err
    assert amla(*args, "--mount", ".:all").status == 0
    (tmp_path / "tools").mkdir()
    (tmp_path / "greeter.py").rename(tmp_path / "tools" / "greeter.py")
    (tmp_path / manifest).rename(tmp_path / "tools" / manifest)
    assert amla("run", "-e", "1", "--tools", f"tools/{manifest}", "--mount", "tools:t:rw").status == 2


def test_out_never_replaces_a_folder_that_has_something_in_it(amla: Amla, tmp_path: Path) -> None:
    kept = tmp_path / "precious" / "keep.txt"
    kept.parent.mkdir()
    kept.write_text("kept")
    script = "fs.mkdirSync('res'); fs.writeFileSync('res/r.txt', 'R')"
    ended = amla("run", "--out", f"res:{kept.parent}", "-e", script)
    assert ended.status != 0
    assert kept.read_text() == "kept"
