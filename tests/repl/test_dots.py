"""The dot commands, by what they show."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from repl_terminal import Start, Terminal

from amla_cli.repl._dots import DOTS
from amla_cli.repl._words import is_dot


def test_help_lists_every_command(js: Terminal) -> None:
    js.run(".help")
    for dot in DOTS:
        assert f".{dot.name}" in js.text + js.history
    js.fresh("js").run(".help why")
    assert js.body.endswith(
        "js> .help why\n.why [TOOL {json}]  How the policy decides about a call; nothing is called.\njs>"
    )


@pytest.mark.parametrize(
    ("text", "is_one"),
    [(".help", True), (".x y", True), (". file", False), ("./run.sh", False), (".5 + 1", False), (".a()", False),
     (".help\n.exit", False), ("..", False), (".time 1 +", True)],
)  # fmt: skip
def test_what_is_a_command(text: str, is_one: bool) -> None:
    assert is_dot(text) is is_one


def test_an_unknown_one_names_the_nearest(js: Terminal) -> None:
    js.run(".cals")
    assert "error: there is no command '.cals'; did you mean '.calls'?" in js.body
    assert "hint: .help lists them" in js.body


def test_switching_languages(js: Terminal) -> None:
    js.run(".lang", "sh>")
    js.run(".lang js")
    js.run(".lang javascript")
    assert "error: .lang javascript: unknown" in js.body


def test_tools(js: Terminal) -> None:
    js.run(".tools")
    assert 'greet({name: string, times?: number, mood?: "happy" | "sad"})' in js.body
    assert "granted: amount <= 100, each call waits for a person" in js.body
    js.run(".tools greet")
    assert "name: who is greeted" in js.body
    js.run(".tools gret")
    assert "error: there is no tool 'gret'; did you mean 'greet'?" in js.body


def test_calls(js: Terminal) -> None:
    js.run("await greet({name: 'ann'})")
    js.run("greet({name: 'bob', times: 9})")
    assert "ToolDeniedError: greet denied: times 9 violates times <= 3" in js.body
    assert ".why greet says how that was decided" in js.body
    js.fresh("js").run(".calls")
    assert '{"name": "bob", "times": 9, "mood": "happy"}' in js.text
    assert "greet denied: times 9 violates times <= 3" in js.text
    js.wait(lambda t: "left" in t.bar)


def test_why(js: Terminal) -> None:
    js.run('.why greet {"name": "ann", "times": 2}')
    assert "allowed" in js.body
    js.fresh("js").run('.why greet {"name": "ann", "times": 9}')
    assert "denied" in js.body
    assert "times <= 3" in js.body
    js.fresh("js").run(".why greet {name: 1}")
    assert "error: the arguments are not JSON" in js.body


def test_why_gives_the_policy_what_a_call_would(start: Start, shop: Path) -> None:
    """The tool's schema is asked first, and defaults are filled in (R20)."""
    terminal = start("--tools", "t.toml", cwd=shop).wait_prompt()
    terminal.run(".why")
    assert "error: name a tool, and its arguments as JSON" in terminal.body
    terminal.run('.why greet {"name": "ann"}')
    assert 'greet {"name": "ann", "times": 1, "mood": "happy"}\nallowed\n' in terminal.body
    terminal.run('.why greet {"nam": "ann"}')
    assert "denied BAD_ARGUMENTS: unknown parameter nam" in terminal.body
    terminal.run("await greet({name: 'bob'})")
    terminal.run(".why")
    assert '.why\ngreet {"name": "bob", "times": 1, "mood": "happy"}\nallowed\n' in terminal.body


def test_files_and_limits(sh: Terminal) -> None:
    sh.run("mkdir -p d/e; printf 12345 > d/e/five", "sh>")
    sh.run(".files d", "sh>")
    assert sh.body.endswith("          e/\n     5 B  e/five\nsh>")
    sh.run("cd d", "sh>")
    sh.run(".files e/five", "sh>")
    assert "5 B" in sh.body
    sh.run(".files nowhere", "sh>")
    assert sh.body.endswith(
        "error: /workspace/d/nowhere: no such file or directory\n  hint: '.files' lists those of the sandbox\nsh>"
    )
    assert "✗ 1 " in sh.bar
    sh.run("cd ..; rm -r d", "sh>")
    sh.fresh("shell").run(".limits", "sh>")
    memory = next(line for line in sh.lines if line.startswith("memory "))
    assert re.match(r"memory +256MB +[\d.]+ MB  memory of the sandbox", memory)
    assert re.search(r"^max_attempts +10,000 +\d+  tool calls", sh.body, re.MULTILINE)


def test_loading_a_script(js: Terminal, shop: Path) -> None:
    (shop / "script.js").write_text("const loaded = 'from a file'\nconsole.log(__filename.length > 0)\nloaded")
    (shop / "script.sh").write_text("loaded=shell\necho $loaded\n")
    js.run(".load script.js")
    js.run("loaded")
    assert js.body.endswith("\n'from a file'\njs>")
    js.run(".load script.sh")
    assert "\nshell\njs>" in js.body
    js.run(".load missing.js")
    assert "error: cannot read missing.js: No such file or directory" in js.body


def test_mounting_and_exporting(js: Terminal, shop: Path) -> None:
    (shop / "data").mkdir(exist_ok=True)
    (shop / "data" / "in.txt").write_text("in")
    js.run(".mount")
    js.run(".mount data:data")
    assert "at /workspace/data, to be read" in js.body
    js.run("require('fs').readFileSync('data/in.txt', 'utf8')")
    assert "\n'in'\n" in js.body
    js.run("require('fs').writeFileSync('out.txt', 'out'); 0")
    (shop / "copy.txt").unlink(missing_ok=True)
    js.run(".export out.txt copy.txt")
    assert "/workspace/out.txt is copied to copy.txt" in js.body
    assert (shop / "copy.txt").read_text() == "out"
    js.run(".export out.txt copy.txt")
    assert "error: copy.txt is there already" in js.body
    js.run(".mount")


def test_r31_a_manifest_cannot_be_mounted_for_writing(js: Terminal) -> None:
    js.run(".mount .:here:rw")
    assert "is mounted for writing and holds" in js.body


def test_changes_go_back_at_the_end(start: Start, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    terminal = start("--mount", "out:out:rw", "--lang", "shell").wait_prompt("sh>")
    terminal.run("echo new > out/file", "sh>")
    assert not (tmp_path / "out" / "file").exists()
    terminal.press("c-d")
    assert terminal.end() == 0
    assert (tmp_path / "out" / "file").read_text() == "new\n"


def test_the_whole_session_is_saved_and_loaded(start: Start, tmp_path: Path) -> None:
    first = start().wait_prompt()
    first.run("const kept = new Map([['a', 1]]); function f() { return kept }")
    first.run(".lang shell", "sh>")
    first.run("x=shell; mkdir sub; cd sub; echo file > here", "sh>")
    first.run(".save work.session", "sh>")
    assert "'amla repl --load work.session' goes on with it" in first.body
    assert (tmp_path / "work.session").stat().st_mode & 0o777 == 0o600
    first.run(".save work.session", "sh>")
    (tmp_path / "notes.txt").write_text("mine")
    first.run(".save notes.txt", "sh>")
    assert "error: notes.txt is there already, and is no saved session" in first.body
    assert (tmp_path / "notes.txt").read_text() == "mine"
    first.press("c-d")
    first.end()
    second = start("--load", "work.session").wait_prompt()
    second.run("f()")
    assert second.body.endswith("\nMap(1) { 'a' => 1 }\njs>")
    second.run(".lang shell", "sh>")
    second.run("echo $x $PWD $(cat here)", "sh>")
    assert second.body.endswith("\nshell /workspace/sub file\nsh>")


def test_r35_a_saved_session_that_somebody_changed_is_refused(start: Start, tmp_path: Path) -> None:
    terminal = start().wait_prompt()
    terminal.run(".save work.session")
    data = bytearray((tmp_path / "work.session").read_bytes())
    data[len(data) // 2] ^= 1
    (tmp_path / "changed.session").write_bytes(data)
    other = start("--load", "changed.session")
    assert other.end() == 2
    assert "error" in other.text


def test_times(js: Terminal) -> None:
    js.run(".time 1 + 1")
    assert js.lines[1] == "2"
    assert js.lines[2].endswith(" ms")
    js.run(".time")
    js.run("3")
    assert js.body.split("\n")[-2].endswith("s")
    js.run(".time")


def test_exit_takes_a_status(start: Start) -> None:
    terminal = start().wait_prompt()
    terminal.run(".exit soon")
    assert "error: 'soon' is no status" in terminal.body
    terminal.enter(".exit 3")
    assert terminal.end() == 3


def test_audit_records_the_calls(start: Start, shop: Path, tmp_path: Path) -> None:
    log = tmp_path / "audit.jsonl"
    terminal = start("--tools", "t.toml", "--audit", str(log), cwd=shop).wait_prompt()
    terminal.run("await greet({name: 'ann'})")
    terminal.press("c-d")
    assert terminal.end() == 0
    assert any("greet" in json.dumps(json.loads(line)) for line in log.read_text().splitlines())
