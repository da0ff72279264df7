"""What an input comes to: values as Node shows them, errors, state that stays."""

from __future__ import annotations

import pytest
from repl_terminal import Start, Terminal

VALUES = [
    ("1 + 1", "2"),
    ("[1, 2, {a: new Map([[1, 2]])}]", "[ 1, 2, { a: Map(1) { 1 => 2 } } ]"),
    ("'it\\'s'", '"it\'s"'),
    ("undefined", "undefined"),
    ("null", "null"),
    ("class A { #x = 1 }; new A()", "A {}"),
    ("(x) => x", "[Function (anonymous)]"),
    ("new Set('aab')", "Set(2) { 'a', 'b' }"),
    ("await Promise.resolve([1n])", "[ 1n ]"),
    ("Promise.resolve(3)", "Promise { 3 }"),
]
"""Inputs, and what Node 20's REPL shows of them."""


def test_values_are_shown_as_node_shows_them(js: Terminal) -> None:
    for code, shown in VALUES:
        js.run(code)
        assert js.body.endswith(f"js> {code}\n{shown}\njs>")


def test_values_have_colours(js: Terminal) -> None:
    """Those of Node: numbers are yellow, strings green."""
    js.run("[1, 'x']")
    row = js.screen.buffer[1]
    assert [row[at].fg for at in (0, 2, 5)] == ["default", "brown", "green"]


def test_names_stay_and_can_be_declared_again(js: Terminal) -> None:
    for code in ("const a = 1", "const a = 2", "let f = () => a + 1", "class C { m() { return f() } }"):
        js.run(code)
    js.run("new C().m()")
    assert js.body.endswith("\n3\njs>")


def test_the_last_value_is_in_underscore(js: Terminal) -> None:
    js.run("20 + 1")
    js.run("_ * 2")
    assert js.body.endswith("\n42\njs>")


def test_errors_are_shown_and_the_session_goes_on(js: Terminal) -> None:
    js.run("missing.thing")
    assert "Uncaught ReferenceError: missing is not defined" in js.body
    assert js.screen.buffer[1][0].fg == "red"
    js.run("1 +* 2")
    assert js.lines[js.lines.index("1 +* 2") + 1] == "   ^"
    js.wait(lambda t: "✗ 1" in t.bar)
    js.run("'still here'")
    js.wait(lambda t: "✓" in t.bar)


def test_words_that_people_try_are_understood(js: Terminal) -> None:
    js.run("exit")
    assert js.body.endswith("\nUncaught ReferenceError: exit is not defined\n.exit leaves, and Ctrl-D\njs>")
    js.run("var help = 1")
    js.run("help")
    assert js.body.endswith("\n1\njs>")
    js.run(".lang shell", "sh>")
    js.enter("clear")
    js.wait(lambda t: t.lines[0] == "sh>" and bool(t.bar))


def test_shell_state_stays(sh: Terminal) -> None:
    for line in ('x=5; f() { echo "f $x"; }', "mkdir -p /tmp/d && cd /tmp/d", "f; pwd"):
        sh.run(line, "sh>")
    assert sh.body.endswith("f 5\n/tmp/d\nsh>")
    sh.wait(lambda t: "/tmp/d" in t.bar)
    sh.run("cd /workspace", "sh>")


def test_a_status_is_in_the_bar(sh: Terminal) -> None:
    sh.run("(exit 3)", "sh>")
    sh.wait(lambda t: "✗ 3" in t.bar)
    sh.run("true", "sh>")
    sh.wait(lambda t: "✓" in t.bar)


def test_both_languages_see_the_same_files(js: Terminal) -> None:
    js.run("require('fs').writeFileSync('shared.txt', 'from js')")
    js.run(".lang shell", "sh>")
    js.run("cat shared.txt; echo; rm shared.txt", "sh>")
    assert "from js" in js.body


@pytest.mark.parametrize(("language", "text"), [("js", "process.exit(7)"), ("shell", "exit 7")])
def test_a_script_may_leave(start: Start, language: str, text: str) -> None:
    terminal = start("--lang", language)
    terminal.wait_prompt("js>" if language == "js" else "sh>").enter(text)
    assert terminal.end() == 7
