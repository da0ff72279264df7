"""What was typed before."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from repl_terminal import Start

from amla_cli.repl._history import KeptHistory, history_file


def kept(file: Path) -> list[str]:
    return list(KeptHistory(file).load_history_strings())


def test_the_file_is_private_and_holds_whole_inputs(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "history-js.jsonl"
    history = KeptHistory(file)
    for text in ("one", "two\nlines", "日本 \x1b"):
        history.append_string(text)
    assert kept(file) == ["日本 \x1b", "two\nlines", "one"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_what_begins_with_a_space_is_not_kept(tmp_path: Path) -> None:
    history = KeptHistory(tmp_path / "h")
    history.append_string(" secret")
    history.append_string("seen")
    assert kept(tmp_path / "h") == ["seen"]


def test_a_damaged_file_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    (tmp_path / "h").write_bytes(b'"good"\n\xff\xfe\n{"no": 1}\n"bet')
    assert kept(tmp_path / "h") == ["good"]


def test_a_file_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    KeptHistory(tmp_path / "file" / "h").append_string("lost")


def test_no_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "h").symlink_to(tmp_path / "target")
    KeptHistory(tmp_path / "h").append_string("x")
    assert not (tmp_path / "target").exists()


def test_it_does_not_grow_for_ever(tmp_path: Path) -> None:
    file = tmp_path / "h"
    file.write_text("".join(f'"{number}"\n' for number in range(10_001)))
    assert kept(file)[:2] == ["10000", "9999"]
    assert len(file.read_text().splitlines()) == 5_000


def test_each_language_has_a_history_across_sessions(start: Start, tmp_path: Path) -> None:
    first = start().wait_prompt()
    first.run("'in js'")
    first.run(" 'hidden'")
    first.run(".lang shell", "sh>")
    first.run("echo in the shell", "sh>")
    first.press("c-d")
    assert first.end() == 0
    second = start("--lang", "shell").wait_prompt("sh>")
    second.press("up")
    second.wait("sh> echo in the shell")
    second.press("c-c")
    second.run(".lang js")
    second.press("up", "up")
    second.wait("js> 'in js'")
    assert stat.S_IMODE((tmp_path / "state" / "amla" / "history-js.jsonl").stat().st_mode) == 0o600


def test_it_can_be_switched_off(start: Start, tmp_path: Path) -> None:
    terminal = start("--no-history").wait_prompt()
    terminal.run("'not kept'")
    terminal.press("up")
    terminal.wait(lambda t: t.body.count("'not kept'") == 3)
    assert not (tmp_path / "state").exists()


def test_searching_and_suggestions(start: Start) -> None:
    terminal = start().wait_prompt()
    for text in ("'needle one'", "'hay'", "'needle two'"):
        terminal.run(text)
    terminal.press("c-r")
    terminal.type("needle")
    terminal.wait(lambda t: t.lines[7] == "js> 'needle two'")
    terminal.press("c-r")
    terminal.wait(lambda t: t.lines[7] == "js> 'needle one'")
    terminal.press("enter")
    terminal.wait(lambda t: "I-search" not in t.text)
    terminal.press("c-c").wait_prompt()
    terminal.type("'ha")
    terminal.wait(lambda t: t.line == "js> 'hay'")
    terminal.press("right")
    terminal.enter("")
    terminal.wait(lambda t: t.body.count("'hay'\n'hay'") == 2)


def test_where_it_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert history_file("js") == tmp_path / "amla" / "history-js.jsonl"
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert history_file("shell") == tmp_path / ".local" / "state" / "amla" / "history-shell.jsonl"
