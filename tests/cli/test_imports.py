"""Scripts that import what lies beside them on the host: nothing comes in unasked, and the error says how to ask."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_process import Amla

from amla_cli._imports import import_hint
from amla_cli._scripts import read_script


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("dir/lib.js", "dir/sub/deep.ts", "dir/two words/x.js", "up.js", "other/index.js"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("exports.x = 'found'")
    return tmp_path


@pytest.mark.parametrize(
    ("code", "mount"),
    [
        ("require('./lib.js')", "dir/lib.js:lib.js"),
        ("require('./lib')", "dir/lib.js:lib.js"),
        ("await import('./lib.js')", "dir/lib.js:lib.js"),
        ("require('./sub/deep')", "dir/sub:sub"),
        ("require('./two words/x.js')", "'dir/two words:two words'"),
        ("require('../up.js')", "up.js:/up.js"),
        ("require('../other')", "other:/other"),
    ],
)
def test_the_hint_names_a_mount_that_helps(amla: Amla, project: Path, code: str, mount: str) -> None:
    (project / "dir" / "script.js").write_text(f"console.log(({code}).x)")
    failed = amla("run", "dir/script.js")
    assert failed.status == 1
    assert f"add --mount {mount} to copy it in" in failed.err
    ended = amla("run", "dir/script.js", "--mount", mount.strip("'"))
    assert (ended.status, ended.out) == (0, b"found\n"), ended.err


def test_code_without_a_file_looks_beside_the_folder_it_is_run_in(amla: Amla, project: Path) -> None:
    assert "add --mount dir:dir " in amla("run", "-e", "require('./dir/lib.js')").err


def test_what_is_not_there_is_not_hinted_at(amla: Amla, project: Path) -> None:
    (project / "dir" / "script.js").write_text("require('./missing.js')")
    assert "--mount" not in amla("run", "dir/script.js").err


def test_a_script_cannot_make_the_hint_name_files_that_its_text_does_not(project: Path) -> None:
    (project / "dir" / "script.js").write_text("throw new Error(message)")
    script = read_script(str(project / "dir" / "script.js"), None, None)
    for module in ("/up.js", "/workspace/../up.js", "/workspace/../../etc/passwd", "/etc/passwd"):
        assert import_hint(f"Cannot find module '{module}' imported from x", script) == ""
