"""What is printed, on terminals of every kind."""

from __future__ import annotations

import re

import pytest
from repl_terminal import Start, Terminal


def test_a_prompt_begins_a_line(sh: Terminal) -> None:
    sh.run("printf 'no end'", "sh>")
    assert sh.body == "sh> printf 'no end'\nno end\nsh>"


def test_r33_output_cannot_move_the_cursor_or_hide(js: Terminal) -> None:
    js.run(r"console.log('\x1b[1;1Hforged\x1b[2J\x1b[31mred\n\x9b2J\u202etxt')")
    assert js.lines[1:3] == ["\\x1b[1;1Hforged\\x1b[2Jred", "\\x9b2J\\u{202e}txt"]
    assert js.screen.buffer[1][js.lines[1].index("red")].fg == "red"


def test_r33_names_and_messages_are_harmless(js: Terminal) -> None:
    """What a script throws, and what a file is called, are text of a script's, too."""
    js.run(r"throw new Error('\x1b[2Jgone')")
    assert "js> throw" in js.body
    js.run(r"require('fs').writeFileSync('/tmp/\x1b[2Jx', ''); 0")
    js.run(".files /tmp")
    assert "\\x1b[2Jx" in js.body
    js.run(r"require('fs').rmSync('/tmp/\x1b[2Jx'); 0")


def test_colours_of_a_script_end_with_its_output(sh: Terminal) -> None:
    sh.run(r"printf '\033[31mred'", "sh>")
    row = next(at for at, line in enumerate(sh.lines) if line == "red")
    assert sh.screen.buffer[row][0].fg == "red"
    assert sh.screen.buffer[row + 1][4].fg == "default"


def test_a_hundred_thousand_lines(sh: Terminal) -> None:
    """The beginning and the end are shown, and `.more` pages through all of it."""
    sh.run("seq 100000", "sh>")
    assert "\n100000\nsh>" in sh.body
    assert re.search(r"… 98,9\d\d lines are folded; \.more shows them …", sh.history + sh.text)
    assert "\n1000\n" in sh.history + sh.text
    sh.enter(".more")
    sh.wait(lambda t: t.lines[0] == "1")
    sh.type("G")
    sh.wait(lambda t: "100000" in t.text and "99990" in t.text)
    sh.type("q")
    sh.wait_prompt("sh>")


def test_wide_and_combining_characters(js: Terminal) -> None:
    js.type("'日本e\u0301'")
    js.press("left")
    js.type("!")
    js.enter("")
    js.wait_prompt()
    assert js.body.replace(" ", "").endswith("\n'日本é!'\njs>".replace("é", "e\u0301")) or "日" in js.body


def test_resizing_while_a_line_is_typed_and_while_one_runs(start: Start) -> None:
    terminal = start().wait_prompt()
    terminal.type("'" + "wide " * 12)
    terminal.wait("wide wide")
    terminal.resize(20, 50)
    terminal.wait(lambda t: bool(t.bar) and len(t.lines) == 20)
    terminal.enter("'")
    terminal.wait_prompt()
    terminal.enter("await new Promise(done => setTimeout(done, 500)); 'x'.repeat(3)")
    terminal.resize(30, 100)
    terminal.wait("'xxx'")
    terminal.wait_prompt()
    assert len(terminal.bar) <= 100
    terminal.run("'still here'")


@pytest.mark.parametrize("columns", [20, 34, 60])
def test_narrow_terminals(start: Start, columns: int) -> None:
    terminal = start(columns=columns, rows=30).wait_prompt()
    terminal.run("({a: [1, 2, 3], b: 'text', c: {d: 1}})")
    terminal.run(".help exit")
    assert ".exit [STATUS]" in terminal.text
    terminal.run(".limits")
    assert "Traceback" not in terminal.text
    assert terminal.bar.startswith(" js")
    terminal.press("c-d")
    assert terminal.end() == 0


def test_a_dumb_terminal(start: Start) -> None:
    """Lines, prompts, no escape at all."""
    terminal = start(TERM="dumb")
    terminal.wait("js>")
    terminal.type("[1,\n")
    terminal.wait("...")
    terminal.type("2]\n")
    terminal.wait("[ 1, 2 ]\njs>")
    terminal.type("missing\n")
    terminal.wait("Uncaught ReferenceError: missing is not defined\njs>")
    terminal.type("console.log('begun'); for (;;) {}\n")
    terminal.wait("\nbegun\n")
    terminal.press("c-c")
    terminal.wait("^C\ninterrupted\njs>")
    terminal.type("half of a li")
    terminal.wait("half of a li")
    terminal.press("c-c")
    terminal.wait("half of a li^C\njs>")
    terminal.type(".lang shell\n")
    terminal.wait("sh>")
    terminal.type("echo $((6 * 7))\n")
    terminal.wait("\n42\nsh>")
    terminal.press("c-d")
    assert terminal.end() == 0
    assert b"\x1b" not in terminal.raw


def test_no_colours(start: Start) -> None:
    for options, env in (((), {"NO_COLOR": "1"}), (("--no-color",), {})):
        terminal = start(*options, **env).wait_prompt()
        terminal.run("[1, 'x', missing]")
        terminal.run("[1, 'x']")
        colours = {terminal.screen.buffer[row][at].fg for row in range(20) for at in range(60)}
        assert colours == {"default"}


def test_a_script_reads_what_is_typed(sh: Terminal) -> None:
    """Until Ctrl-D, and nothing of it is lost for the prompt."""
    sh.enter('echo ready; read -r name; echo "got $name"')
    sh.wait("\nready\n")
    sh.enter("typed").wait_prompt("sh>")
    assert sh.body.endswith("typed\ngot typed\nsh>")
    sh.enter("echo steady; cat > note; wc -l < note; rm note")
    sh.wait("\nsteady\n")
    sh.enter("one")
    sh.enter("two")
    sh.press("c-d").wait_prompt("sh>")
    assert sh.body.endswith("one\ntwo\n2\nsh>")
