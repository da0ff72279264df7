"""Tab: candidates of both languages, of tools, of the files, of dot commands."""

from __future__ import annotations

from repl_terminal import Terminal


def offered(terminal: Terminal, text: str) -> list[str]:
    """Type something, press Tab, and what the menu says, a line each; the input is cleared again."""
    terminal.type(text)
    terminal.press("tab")
    terminal.wait(lambda t: t.screen.cursor.y + 1 < len(t.lines) and t.lines[t.screen.cursor.y + 1].strip() != "")
    shown = [line.strip() for line in terminal.body.split("\n")[terminal.screen.cursor.y + 1 :]]
    mark = terminal.line[:3]
    terminal.press("c-c").wait_prompt(mark)
    return [line for line in shown if line]


def completed(terminal: Terminal, text: str, expected: str) -> None:
    """Type something, press Tab, and wait for what it becomes; the input is cleared again."""
    terminal.type(text)
    terminal.press("tab")
    terminal.wait(lambda t: t.line == expected)
    terminal.press("c-c").wait_prompt(expected[:3])


def test_names_and_members(js: Terminal) -> None:
    js.run("var zebra = {stripes: 1, strength: 2}; const zenith = 1")
    completed(js, "zebra.strip", "js> zebra.stripes")
    completed(js, "console.inf", "js> console.info")
    menu = offered(js, "ze")
    assert sorted(line.split()[0] for line in menu) == ["zebra", "zenith"]
    menu = offered(js, "zebra.str")
    assert [line.split()[0] for line in menu] == ["strength", "stripes"]


def test_the_common_beginning_is_inserted(js: Terminal) -> None:
    js.run("var commonOne = 1, commonTwo = 2")
    js.type("comm")
    js.press("tab")
    js.wait("js> common\n")
    js.wait("commonTwo")
    js.press("down", "down")
    js.wait("js> commonTwo")
    js.press("enter")  # takes it, and does not run it yet
    js.wait(lambda t: "commonOne" not in t.body.split("js> commonTwo")[-1])
    js.run("")
    assert js.body.endswith("js> commonTwo\n2\njs>")


def test_escape_closes_the_menu(js: Terminal) -> None:
    js.type("console.t")
    js.press("tab")
    js.wait("table")
    js.press("escape")
    js.wait(lambda t: "table" not in t.text)
    assert js.line == "js> console.t"
    js.press("c-c")


def test_nothing_runs(js: Terminal) -> None:
    """Looking at an object invokes no getter."""
    js.run("var trap = {get inner() { globalThis.sprung = true; return {x: 1} }}")
    js.type("trap.inner.")
    js.press("tab", "c-c")
    js.run("typeof sprung")
    assert js.body.endswith("\n'undefined'\njs>")


def test_tools_their_parameters_and_values(js: Terminal) -> None:
    completed(js, "gre", "js> greet")
    menu = offered(js, "greet({")
    assert [line.split()[0] for line in menu] == ["name:", "times:", "mood:"]
    assert "<= 3" in menu[1]
    menu = offered(js, "greet({mood: '")
    assert [line.split()[0].strip("'\"") for line in menu] == ["happy", "sad"]
    completed(js, "bank.p", "js> bank.pay")


def test_the_signature_of_a_tool_is_in_the_bar(js: Terminal) -> None:
    js.type("await greet({")
    js.wait(lambda t: "name: string" in t.bar and "times?: integer" in t.bar)
    js.press("c-c")
    js.wait(lambda t: "calls" in t.bar or "call," in t.bar)


def test_commands_files_and_options(sh: Terminal) -> None:
    sh.run("mkdir -p dir; touch 'dir/with space.txt' dir/other.md; greeting=hi", "sh>")
    completed(sh, "base6", "sh> base64")
    completed(sh, "cat dir/oth", "sh> cat dir/other.md")
    completed(sh, "cat dir/wi", r"sh> cat dir/with\ space.txt")
    completed(sh, "echo $greet", "sh> echo $greeting")
    completed(sh, "sort --re", "sh> sort --reverse")
    sh.run("rm -r dir", "sh>")


def test_tools_in_the_shell(sh: Terminal) -> None:
    completed(sh, "tool gre", "sh> tool greet")
    menu = offered(sh, "tool greet --")
    assert {"--name", "--times", "--mood"} <= {line.split()[0] for line in menu}
    sh.type("tool greet --name ")
    sh.wait(lambda t: "greet" in t.bar and "name" in t.bar)
    sh.press("c-c")


def test_dot_commands(js: Terminal) -> None:
    completed(js, ".cal", "js> .calls")
    menu = offered(js, ".l")
    assert [line.split()[0] for line in menu] == [".lang", ".load", ".limits"]
    assert "Switch the language" in menu[0]
    completed(js, ".lang sh", "js> .lang shell")
    completed(js, ".tools bank", "js> .tools bank/pay")
    completed(js, ".why gre", "js> .why greet")
    completed(js, ".load toolb", "js> .load toolbox.py")
    js.run("require('fs').writeFileSync('report.csv', '')")
    completed(js, ".files rep", "js> .files report.csv")
    completed(js, ".export rep", "js> .export report.csv")


def test_a_word_that_is_complete_is_followed_by_a_blank(sh: Terminal) -> None:
    """As in bash; a folder, or an option that takes a value, goes on."""
    sh.run("mkdir -p deep; touch deep/file", "sh>")
    for text, more, expected in [
        ("cat deep/fi", "| wc", "sh> cat deep/file | wc"), ("cat dee", "f", "sh> cat deep/f"),
        ("ls --block", "1", "sh> ls --block-size=1"), (".lan", "js", "sh> .lang js"),
    ]:  # fmt: skip
        sh.type(text)
        sh.press("tab")
        sh.type(more)
        sh.wait(lambda t, expected=expected: t.line == expected)
        sh.press("c-c").wait_prompt("sh>")
    sh.run("rm -r deep", "sh>")


def test_tab_indents_where_a_line_begins(js: Terminal) -> None:
    js.type("[")
    js.press("alt-enter", "tab")
    js.type("1]")
    js.wait("...   1]")
    js.press("c-c")
