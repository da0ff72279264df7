"""Ctrl-C: ends what runs at once, keeps everything, and does no harm at bad moments."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from repl_terminal import Terminal

AT_ONCE = 2.0
"""Seconds; it is 0.1 on an idle machine, and tests run on busy ones."""

ENDLESS = {
    "js": ["for (;;) {}", "await new Promise(() => setTimeout(() => {}, 1e6))", "/(a+)+$/.test('a'.repeat(40) + 'b')"],
    "shell": ["while :; do :; done", "sleep 1000", "yes > /dev/null", "cat"],
}


def interrupted(terminal: Terminal, text: str, mark: str) -> Terminal:
    """Run something endless, and press Ctrl-C when it is under way."""
    terminal.enter({"js>": f"console.log('begun'); {text}", "sh>": f"echo begun; {text}"}[mark])
    terminal.wait("\nbegun\n")
    since = time.monotonic()
    terminal.press("c-c")
    terminal.wait("interrupted")
    assert time.monotonic() - since < AT_ONCE
    return terminal.wait_prompt(mark)


@pytest.mark.parametrize("text", ENDLESS["js"])
def test_it_ends_javascript_and_keeps_everything(js: Terminal, text: str) -> None:
    js.run("globalThis.kept = 'kept'; require('fs').writeFileSync('kept.txt', kept)")
    interrupted(js, text, "js>")
    js.run("[kept, require('fs').readFileSync('kept.txt', 'utf8')]")
    assert js.body.endswith("\n[ 'kept', 'kept' ]\njs>")


@pytest.mark.parametrize("text", ENDLESS["shell"])
def test_it_ends_the_shell_and_keeps_everything(sh: Terminal, text: str) -> None:
    sh.run("kept=kept; cd /tmp; echo kept > kept.txt", "sh>")
    interrupted(sh, text, "sh>")
    sh.run("echo $? $kept $(cat kept.txt) $PWD; cd /workspace", "sh>")
    assert sh.body.endswith("\n130 kept kept /tmp\nsh>")


def test_it_ends_endless_output(js: Terminal) -> None:
    js.enter("for (let n = 0;; n++) console.log(n)")
    js.wait("more lines")
    since = time.monotonic()
    js.press("c-c")
    js.wait("interrupted")
    assert time.monotonic() - since < AT_ONCE
    js.wait_prompt()


def test_it_ends_a_tool_that_hangs(js: Terminal, shop: Path) -> None:
    (shop / "napping").unlink(missing_ok=True)
    js.enter("await nap({seconds: 1000})")
    js.wait(lambda _: (shop / "napping").exists())
    since = time.monotonic()
    js.press("c-c")
    js.wait("interrupted")
    assert time.monotonic() - since < AT_ONCE
    js.wait_prompt()
    js.run("await greet({name: 'ann'})")
    assert js.body.endswith("\n'hello ann'\njs>")


def test_in_a_menu_it_clears_the_input(js: Terminal) -> None:
    js.type("cons")
    js.press("tab")
    js.wait("console")
    js.press("c-c").wait_prompt()
    js.run("'fine'")


def test_while_searching_it_only_ends_the_search(js: Terminal) -> None:
    js.press("c-r")
    js.wait("I-search")
    js.press("c-c")
    js.wait(lambda t: "I-search" not in t.text)
    js.run("'fine'")


def test_many_at_once_are_harmless(js: Terminal) -> None:
    js.press(*["c-c"] * 20)
    js.wait_prompt()
    js.enter("for (;;) {}")
    js.wait("{}\n")
    js.press(*["c-c"] * 20)
    js.wait("interrupted")
    js.wait_prompt()
    js.run("'fine'")
    assert js.body.endswith("\n'fine'\njs>")


def test_what_was_printed_before_is_there(sh: Terminal) -> None:
    interrupted(sh, "sleep 1000; echo after", "sh>")
    assert sh.body.endswith("\nbegun\n^C\ninterrupted\nsh>")


def test_one_that_comes_right_behind_enter_is_not_lost(js: Terminal) -> None:
    for _ in range(5):
        js.enter("for (;;) {}")
        js.wait(lambda t: t.line == "")
        js.press("c-c")
        js.wait_prompt()
    assert js.body.count("interrupted") == 5


def test_two_in_a_row_leave_no_trace_beside_the_prompt(js: Terminal) -> None:
    """The terminal writes `^C` for the second, where the next prompt begins."""
    for number in range(8):
        js.type(f"not run {number}")
        js.wait(f"not run {number}")
        js.press("c-c")
        js.wait(lambda t, number=number: t.line != f"js> not run {number}")
        js.press("c-c").wait_prompt()
    assert all(line.startswith("js>") for line in js.body.split("\n"))
