"""Manifests of several files: includes, and what of a file is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from amla_capabilities import (
    ManifestError,
    ToolNameError,
    combine,
    load_manifest,
    parse_manifest,
)


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text)
    return folder / "top.toml"


def test_r2_an_include_grants_only_its_own_tools(tmp_path: Path) -> None:
    top = write(
        tmp_path,
        top='include = ["inner.toml"]\n[tools.danger]\npython = "d:d"\n',
        inner='[tools.safe]\npython = "s:s"\n[[capabilities]]\nmethod = "**"\n',
    )
    manifest = load_manifest(top)
    policy = manifest.policy()
    assert set(manifest.tools) == {"danger", "safe"}
    assert policy.check("safe", {}).allowed
    assert not policy.check("danger", {}).allowed
    assert len(manifest.files) == 2


def test_r2_the_top_file_reaches_its_includes(tmp_path: Path) -> None:
    top = write(
        tmp_path,
        top='include = ["inner.toml"]\n[[capabilities]]\nmethod = "safe"\n',
        inner='[tools.safe]\npython = "s:s"\n',
    )
    assert load_manifest(top).policy().check("safe", {}).allowed


def test_r2_includes_stay_inside_end_in_toml_and_do_not_cycle(tmp_path: Path) -> None:
    inside = tmp_path / "project"
    inside.mkdir()
    (tmp_path / "outside.toml").write_text("")
    (inside / "link.toml").symlink_to(tmp_path / "outside.toml")
    (inside / "data.txt").write_text("")
    for name, says in (
        ("../outside.toml", "outside"),
        ("link.toml", "outside"),
        ("data.txt", ".toml"),
        ("top.toml", "itself"),
        ("gone.toml", "No such file"),
        (str(tmp_path / "outside.toml"), "outside"),
    ):
        with pytest.raises(ManifestError, match=says):
            load_manifest(write(inside, top=f"include = ['{name}']\n"))
    with pytest.raises(ManifestError, match="itself"):
        load_manifest(write(inside, top="include = ['b.toml']\n", b="include = ['top.toml']\n"))


def test_r2_faults_of_all_files_are_told_and_limits_are_the_tops(tmp_path: Path) -> None:
    top = write(tmp_path, top='include = ["inner.toml"]\nfoo = 1\n', inner="[sandbox]\ntimeout = '1s'\n[tools.x]\n")
    with pytest.raises(ManifestError) as caught:
        load_manifest(top)
    assert [Path(fault.file).name for fault in caught.value.faults] == ["top.toml", "inner.toml", "inner.toml"]


def test_r2_several_manifests_do_not_grant_each_others_tools() -> None:
    one = parse_manifest('[tools.a]\npython = "a:a"\n[[capabilities]]\nmethod = "**"\n')
    other = parse_manifest('[tools.b]\npython = "b:b"\n')
    policy = combine([one, other])
    assert policy.check("a", {}).allowed
    assert not policy.check("b", {}).allowed
    with pytest.raises(ToolNameError):
        combine([one, one])


def test_r2_source_lines_that_look_secret_are_masked() -> None:
    text = '[tools.t]\nhttp = { url = "https://x.example/", headers = { Token = "Bearer sk_live_01234" }, bad = 1 }\n'
    with pytest.raises(ManifestError) as caught:
        parse_manifest(text)
    assert "sk_live" not in str(caught.value)
    assert "https://x.example/" in str(caught.value)


def test_r3_control_characters_are_escaped() -> None:
    with pytest.raises(ManifestError) as caught:
        parse_manifest('[tools."a\\u001b[31m"]\npython = "a:a"\nx = "\u202e"\n"\\u202e" = 1\n')
    text = str(caught.value)
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load_manifest(tmp_path / "gone.toml")
    (tmp_path / "bad.toml").write_bytes(b"a = 1\nb = '\xff'\n")
    with pytest.raises(ManifestError, match=r"bad\.toml:2:1: AM100 is not UTF-8"):
        load_manifest(tmp_path / "bad.toml")
