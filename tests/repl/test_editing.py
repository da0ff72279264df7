"""Typing: what is complete and what is not, pasting, editors, keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from repl_terminal import Start, Terminal

UNFINISHED = {
    "js": [
        ("function f() {", "  return 6 * 7", "}"),
        ("`a", "b`"),
        ("[1,", "2]"),
        ("1 +", "2"),
        ("/* a", "*/ 3"),
        ("if (true)", "4"),
    ],
    "shell": [
        ("for i in 1 2; do", "echo $i", "done"),
        ("cat <<E", "a", "E"),
        ("echo 'a", "b'"),
        ("echo a |", "cat"),
        ("echo a \\", "b"),
        ("if true; then", "echo yes", "fi"),
        ("f() {", "echo f", "}"),
    ],
}
"""Inputs of several lines, each of which is incomplete without the last."""


@pytest.mark.parametrize("language", ["js", "shell"])
def test_incomplete_input_goes_on(shared: Terminal, language: str) -> None:
    terminal = shared.fresh(language)
    for lines in UNFINISHED[language]:
        for line in lines[:-1]:
            terminal.enter(line.strip())
            terminal.wait(lambda t: t.line.startswith("...") and t.screen.cursor.x >= 4)
            assert "error" not in terminal.body.lower()
        terminal.run(lines[-1], "js>" if language == "js" else "sh>")
    assert "Uncaught" not in terminal.body
    assert "syntax error" not in terminal.body


def test_a_new_line_is_indented_behind_a_bracket(js: Terminal) -> None:
    js.enter("function f(x) {")
    js.wait(lambda t: t.line == "..." and t.screen.cursor.x == len("...   "))
    js.enter("return [")
    js.enter("x]")
    js.enter("}").wait_prompt()
    assert js.lines[:4] == ["js> function f(x) {", "...   return [", "...     x]", "... }"]


def test_alt_enter_begins_a_line_although_the_input_is_complete(js: Terminal) -> None:
    js.type("1 + 1")
    js.press("alt-enter")
    js.wait(lambda t: t.line == "...")
    js.run("+ 1")
    assert js.body.endswith("js> 1 + 1\n... + 1\n3\njs>")


def test_a_paste_is_one_block(js: Terminal) -> None:
    """Nothing runs before Enter, blanks stay as they are, and all of it is one input."""
    js.paste("const one = 1\nfunction two() {\n      return 2\n}\n`${one}\n  ${two()}`")
    js.wait("... `${one}")
    assert js.lines[:6] == [
        "js> const one = 1", "... function two() {", "...       return 2", "... }", "... `${one}", "...   ${two()}`",
    ]  # fmt: skip
    js.run("")
    assert js.body.endswith("'1\\n  2'\njs>")
    js.press("up")
    js.wait(lambda t: t.body.count("function two() {") == 2)


def test_a_paste_in_the_shell_with_tabs(sh: Terminal) -> None:
    sh.paste("cat <<-E\n\tindented\n\tE")
    sh.wait("... ")
    sh.enter("")
    sh.wait("\nindented\nsh>")


def test_ctrl_c_clears_the_input(js: Terminal) -> None:
    js.type("this is not run (")
    js.wait("not run (")
    js.press("c-c").wait_prompt()
    js.enter("[1,")
    js.wait("\n...")
    js.press("c-c").wait_prompt()
    js.run("'fine'")
    assert js.body.endswith("\n'fine'\njs>")


def test_ctrl_d_leaves_and_only_at_an_empty_prompt(start: Start) -> None:
    terminal = start().wait_prompt()
    terminal.type("abc")
    terminal.press("c-a", "c-d")
    terminal.wait("js> bc")
    terminal.press("c-c", "c-d")
    assert terminal.end() == 0


def test_typing_ahead_is_kept(js: Terminal) -> None:
    """What is typed while an input runs belongs to the next one."""
    js.enter("await new Promise(done => setTimeout(done, 300, 'first'))")
    js.enter("'second'")
    js.wait("'second'\njs>")
    assert "'first'" in js.body


def editor(folder: Path, text: str) -> dict[str, str]:
    """An editor that puts `text` behind what is there."""
    program = folder / "edit.sh"
    program.write_text(f"#!/bin/sh\nprintf '%s' '{text}' >> \"$1\"\n")
    program.chmod(0o755)
    return {"EDITOR": str(program), "VISUAL": ""}


def test_editing_in_an_editor(start: Start, tmp_path: Path) -> None:
    """Ctrl-X Ctrl-E takes what is typed there and back; .edit the last input, or a file."""
    terminal = start(**editor(tmp_path, " + 1")).wait_prompt()
    terminal.type("40")
    terminal.press("c-x", "c-e")
    terminal.wait("js> 40 + 1")
    terminal.enter().wait_prompt()
    assert terminal.body.endswith("\n41\njs>")
    terminal.enter(".edit")
    terminal.wait("js> 40 + 1 + 1")
    terminal.enter().wait_prompt()
    assert terminal.body.endswith("\n42\njs>")
    terminal.run(".edit notes.txt")
    assert "/workspace/notes.txt: written" in terminal.body
    terminal.run("require('fs').readFileSync('notes.txt', 'utf8')")
    assert "' + 1'" in terminal.body


def test_an_editor_that_is_not_there(start: Start) -> None:
    terminal = start(EDITOR="no-such-editor", VISUAL="").wait_prompt()
    terminal.run(".edit")
    assert "error: there is no editor no-such-editor" in terminal.body


def test_ctrl_l_clears_the_screen(js: Terminal) -> None:
    js.run("'old'")
    js.type("abc")
    js.press("c-l")
    js.wait(lambda t: t.lines[0] == "js> abc")


def test_a_terminal_that_goes_away_ends_it(start: Start) -> None:
    assert start().wait_prompt().hang_up()
