"""`amla run --audit` and `amla policy verify-log`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_process import Amla, Ended


@pytest.fixture
def key(tmp_path: Path) -> str:
    (tmp_path / "audit.key").write_text("0123456789abcdef0123456789abcdef\n")
    return "audit.key"


def recorded(amla: Amla, manifest: str, *args: str) -> Ended:
    return amla("run", "--tools", manifest, "--audit", "a.log", *args, "-e", "await greet({name: 'x'})")


def told_head(ended: Ended) -> str:
    """The head that the command printed."""
    return ended.out.decode().splitlines()[1].removeprefix("head ")


def test_a_log_that_is_as_it_was_written(amla: Amla, manifest: str, tmp_path: Path) -> None:
    assert recorded(amla, manifest).status == 0
    assert recorded(amla, manifest).status == 0
    ended = amla("policy", "verify-log", "a.log")
    last = json.loads((tmp_path / "a.log").read_text().splitlines()[-1])
    assert (ended.status, ended.out.decode()) == (0, f"a.log: 8 records, intact\nhead {last['sha256']}\n")
    assert "keep its head, or use a key" in ended.err


def test_the_head_is_told_when_it_is_written(amla: Amla, manifest: str) -> None:
    told = json.loads(recorded(amla, manifest, "--json").out)
    assert told["result"]["audit"] == {"file": "a.log", "head": told_head(amla("policy", "verify-log", "a.log"))}


def test_r36_a_log_that_was_changed(amla: Amla, manifest: str, tmp_path: Path) -> None:
    recorded(amla, manifest)
    log = tmp_path / "a.log"
    log.write_text(log.read_text().replace('"name":"x"', '"name":"y"'))
    ended = amla("policy", "verify-log", "a.log")
    assert ended.status == 1
    assert "a.log:2: was changed" in ended.err


def test_r36_a_log_that_was_cut(amla: Amla, manifest: str, tmp_path: Path) -> None:
    recorded(amla, manifest)
    recorded(amla, manifest)
    head = told_head(amla("policy", "verify-log", "a.log"))
    log = tmp_path / "a.log"
    log.write_text("".join(log.read_text().splitlines(keepends=True)[:4]))
    assert amla("policy", "verify-log", "a.log").status == 0
    ended = amla("policy", "verify-log", "a.log", "--head", head)
    assert ended.status == 1
    assert "the end was cut" in ended.err


def test_keys(amla: Amla, manifest: str, key: str, tmp_path: Path) -> None:
    assert recorded(amla, manifest, "--audit-key-file", key).status == 0
    assert amla("policy", "verify-log", "a.log", "--key-file", key).status == 0
    without = amla("policy", "verify-log", "a.log")
    assert (without.status, "sealed with a key" in without.err) == (2, True)
    (tmp_path / "other.key").write_text("another key of many bytes")
    assert amla("policy", "verify-log", "a.log", "--key-file", "other.key").status == 1
    assert "another key" in recorded(amla, manifest).err


def test_json(amla: Amla, manifest: str, tmp_path: Path) -> None:
    recorded(amla, manifest)
    log = tmp_path / "a.log"
    log.write_text("".join(log.read_text().splitlines(keepends=True)[1:]))
    told = json.loads(amla("policy", "verify-log", "a.log", "--json").out)
    assert told["result"].keys() == {"file", "records", "head", "keyed", "flaws", "notes"}
    assert (told["exit_code"], told["errors"][0]["line"]) == (1, 1)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("no.log",), "cannot read no.log"),
        (("empty.log", "--head", "xyz"), "a head is 64 digits"),
        (("empty.log", "--key-file", "no.key"), "cannot read the key"),
        (("empty.log", "--key-file", "short.key"), "has 5 bytes"),
    ],
)
def test_what_cannot_be_told_is_status_2(amla: Amla, tmp_path: Path, args: tuple[str, ...], said: str) -> None:
    (tmp_path / "empty.log").touch()
    (tmp_path / "short.key").write_text("short")
    ended = amla("policy", "verify-log", *args)
    assert ended.status == 2
    assert said in ended.err


def test_a_log_that_cannot_be_written_stops_the_run_before_it_begins(amla: Amla, manifest: str) -> None:
    ended = amla("run", "--tools", manifest, "--audit", "no/folder/a.log", "-e", "console.log('ran')")
    assert (ended.status, ended.out) == (2, b"")
    assert "the audit log cannot be written: No such file or directory" in ended.err


def test_r31_a_script_cannot_change_the_log_through_a_mount(amla: Amla, manifest: str) -> None:
    ended = recorded(amla, manifest, "--mount", ".:all:rw")
    assert ended.status == 2
    assert "which a script must not change" in ended.err
