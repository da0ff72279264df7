"""`lint`: mounts, and programs that run what they are given."""

from __future__ import annotations

from pathlib import Path

import pytest
from lint_texts import cap, codes, found, mount, only

from amla_capabilities import load_manifest
from amla_capabilities.lint import lint


@pytest.mark.parametrize(
    "host",
    [
        "/",
        "/root",
        "/home/me",
        "/home",
        "/Users/me",
        "/etc",
        "/home/me/../you",
        "~",
        "~/x",
        "C:/Users/me",
        "/srv/me/.ssh",
        ".aws",
    ],
)
def test_a_mount_of_a_home_or_root_folder(host: str) -> None:
    assert found(mount(host)) == ["AM207 2:8"]


def test_a_mount_of_the_home_folder_of_whoever_checks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "deep" / "home"))
    assert found(mount(str(tmp_path / "deep" / "home"))) == ["AM207 2:8"]
    assert found(mount(str(tmp_path / "deep"))) == ["AM207 2:8"]
    assert found(mount(str(tmp_path / "deep" / "home" / "project"))) == []


@pytest.mark.parametrize("host", ["data", "./data", "/srv/data", "/home/me/project", "/root/project"])
def test_a_mount_of_a_folder_is_none(host: str) -> None:
    assert found(mount(host)) == []


RW = 'mode = "rw"'


def test_r31_a_writable_mount_that_holds_what_decides(tmp_path: Path) -> None:
    def codes(text: str) -> list[str]:
        (tmp_path / "tools.toml").write_text(text)
        return [one.code for one in lint(load_manifest(tmp_path / "tools.toml"))]

    (tmp_path / "inner.toml").write_text("")
    for host in (".", "..", str(tmp_path), "sub/.."):
        assert codes(mount(host, RW)) == ["AM208"]
        assert codes(mount(host)) == []
        assert codes(mount(host, RW, "unsafe_shared = true")) == []
    inside = "[tools.t]\nallow = true\n"
    assert codes(inside + 'python = "lib.tools:f"\n' + mount("lib", RW)) == ["AM208"]
    assert codes(inside + 'command = ["bin/run"]\n' + mount("bin", RW)) == ["AM208"]
    assert codes(inside + 'command = ["run"]\ncwd = "work"\n' + mount("work", RW)) == ["AM208"]
    assert codes(inside + 'command = ["bin/run"]\ncwd = "work"\n' + mount("data", RW)) == []
    for host in (".git", "sub/.git/hooks", "sub/.GIT"):
        assert codes(mount(host, RW)) == ["AM208"]
        assert codes(mount(host)) == []


def test_two_mounts_at_one_place() -> None:
    assert found(mount("a") + mount("b")) == ["AM221 6:9"]
    assert found(mount("a") + mount("b", guest="/workspace/b")) == []


@pytest.mark.parametrize(
    "argv",
    [
        '["sh", "-c", "ls {x}"]',
        '["bash", "-lc", "{x}"]',
        '["/usr/bin/python3.11", "-c", "print({x})"]',
        '["node", "-e", "{x}"]',
        '["perl", "-ne", "{x}"]',
        '["powershell.exe", "-Command", "{x}"]',
        '["docker", "exec", "c", "sh", "-c", "ls {x}"]',
        '["env", "-i", "{x}"]',
        '["sudo", "{x}"]',
        '["xargs", "-n1", "{x}"]',
        '["bash", "{x}"]',
        '["python3", "-c{x}"]',
        '["python3", "-m", "{x}"]',
        '["node", "--eval={x}"]',
        '["timeout", "5s", "nice", "-n", "5", "{x}"]',
        '["env", "A=1", "LC_ALL=C", "find", ".", "-exec", "sed", "{x}", "{{}}", ";"]',
        '["find", ".", "-name", "*.c", "-exec", "{x}", "{{}}", ";"]',
        '["git", "-C", "repo", "-c", "core.pager={x}", "log"]',
        '["awk", "-F", ",", "{x}", "sales.csv"]',
        '["sed", "-e", "s/a/{x}/", "notes.txt"]',
        '["ssh", "-p", "22", "host", "ls {x}"]',
        '["ssh", "host", "ls", "{x}"]',
        '["sqlite3", "-separator", "|", "sales.db", "{x}"]',
        '["psql", "sales", "-c", "{x}"]',
        '["tar", "xf", "a.tar", "--to-command={x}"]',
        '["tar", "cf", "a.tar", "--checkpoint-action=exec={x}", "."]',
        '["rsync", "-e", "{x}", "a", "b"]',
        '["make", "CFLAGS={x}"]',
    ],
)
def test_a_parameter_inside_code(argv: str) -> None:
    finding = only(f'[tools.t]\ncommand = {argv}\nparams.x = {{ type = "string" }}\nallow = true\n')
    assert finding.code == "AM216"
    assert finding.source[finding.caret :].startswith('"')
    assert "{x}" in finding.source[finding.caret :]


@pytest.mark.parametrize(
    "argv",
    [
        '["sh", "-c", "ls \\"$1\\"", "sh", "{x}"]',
        '["python3", "script.py", "-c", "{x}"]',
        '["grep", "-e", "{x}"]',
        '["tar", "-c", "{x}"]',
        '["env", "A=1", "ls", "{x}"]',
        '["git", "log", "-c", "{x}"]',
        '["python3", "-m", "pytest", "-m", "{x}"]',
        '["python3", "-c", "print(1)", "{x}"]',
        '["awk", "{{print $1}}", "{x}"]',
        '["awk", "-f", "sum.awk", "{x}"]',
        '["sed", "-n", "5p", "{x}"]',
        '["sed", "-n", "-e", "5p", "{x}"]',
        '["find", ".", "-name", "{x}", "-exec", "wc", "-l", "{{}}", "+"]',
        '["ssh", "{x}", "uptime"]',
        '["sqlite3", "{x}", "select 1"]',
        '["tar", "cf", "a.tar", "{x}"]',
        '["nice", "-n", "5", "ls", "{x}"]',
        '["ls", "make", "{x}"]',
        '["curl", "-s", "--", "{x}"]',
    ],
)
def test_a_parameter_beside_code_is_none(argv: str) -> None:
    assert codes(f'[tools.t]\ncommand = {argv}\nparams.x = {{ type = "string" }}\nallow = true\n') == []


@pytest.mark.parametrize(
    ("argv", "found"),
    [
        ('["sh"]', ["AM216"]),
        ('["python3", "-"]', ["AM216"]),
        ('["psql", "sales"]', ["AM216"]),
        ('["sqlite3", "sales.db"]', ["AM216"]),
        ('["sh", "job.sh"]', []),
        ('["python3", "-m", "job"]', []),
        ('["sqlite3", "sales.db", "select 1"]', []),
        ('["wc"]', []),
    ],
)
def test_a_parameter_that_is_read_as_code(argv: str, found: list[str]) -> None:
    text = f'[tools.t]\ncommand = {argv}\nstdin = "x"\nparams.x = {{ type = "string" }}\nallow = true\n'
    assert codes(text) == found


def test_what_holds_no_code_may_stand_in_code() -> None:
    """A number, one of the owner's words: in the schema, or in the tool's own constraints, which bind every call."""
    tool = '[tools.t]\ncommand = ["sh", "-c", "sleep {x}"]\n'
    for schema in (
        'type = "integer"',
        'type = ["number", "null"]',
        'type = "string", enum = ["1s", "2s"]',
        "const = 5",
    ):
        assert codes(f"{tool}params.x = {{ {schema} }}\nallow = true\n") == []
    text = f'{tool}params.x = {{ type = "string" }}\n'
    assert codes(f'{text}constraints = {{ x = ["1s", "2s"] }}\n') == []
    for constraint in ('x = { not_in = ["1s"] }', "x = { length = '<=5' }"):
        assert codes(f"{text}constraints = {{ {constraint} }}\n") == ["AM216"]
    assert codes(text + cap("t", "constraints = { x = ['1s'] }")) == ["AM216"]  # others may grant it, too


def test_options_of_what_runs_code_may_run_it() -> None:
    text = 'params.x = { type = "string" }\noptions_ok = ["x"]\nallow = true\n'
    assert codes(f'[tools.t]\ncommand = ["git", "log", "{{x}}"]\n{text}') == ["AM216"]
    assert codes(f'[tools.t]\ncommand = ["ls", "{{x}}"]\n{text}') == []
