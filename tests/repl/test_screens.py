"""Whole screens at three widths, compared with files. AMLA_WRITE_SCREENS=1 writes them; look at what changed."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

import pytest
from repl_terminal import Start, Terminal

FOLDER = Path(__file__).parent / "screens"
ROWS = 32


def values(terminal: Terminal) -> None:
    terminal.run("const people = ['ann', 'bob']")
    terminal.run("await Promise.all(people.map((name) => greet({name})))")
    terminal.run("({list: [1, 2n, 'three'], when: new Date(0), of: new Map([['a', {b: null}]])})")
    terminal.run("await greet({name: 'eve', times: 9})")
    terminal.run("missing + 1")
    terminal.paste("function add(a, b) {\n  return a + b\n}\nadd(1, '日本')")
    terminal.enter().wait_prompt()
    terminal.type("greet({mood: 'happy', ")
    terminal.press("tab")
    terminal.wait(lambda t: "times:" in t.text and "left" in t.bar and "greet(" in t.bar)


def help_and_limits(terminal: Terminal) -> None:
    terminal.run(".help")
    terminal.run(".nothing")


def why(terminal: Terminal) -> None:
    terminal.run(".tools")
    terminal.run('.why greet {"name": "eve", "times": 9}')


def shell(terminal: Terminal) -> None:
    terminal.run(".lang shell", "sh>")
    terminal.run("for name in ann bob; do tool greet --name $name; done | tee out.txt", "sh>")
    terminal.run("wc out.txt; nosuch; printf 'no end'", "sh>")
    terminal.run("seq 2000 | sed 's/$/ bottles/'", "sh>")
    terminal.type("sort --ignore-")
    terminal.press("tab")
    terminal.wait("--ignore-nonprinting")


SCENES = (help_and_limits, values, why, shell)
"""What a line used is in the limits from the first line on, and never twice the same."""


def plain(terminal: Terminal) -> str:
    """The screen without what differs from run to run."""
    return re.sub(r"(✓|✗ \d+) [\d.]+ m?s", r"\1 TIME", terminal.text).rstrip() + "\n"


@pytest.mark.parametrize("columns", [60, 80, 140])
def test_screens(start: Start, shop: Path, tmp_path: Path, columns: int) -> None:
    terminal = start(
        "--tools", "t.toml", cwd=shop, rows=ROWS, columns=columns, XDG_STATE_HOME=str(tmp_path)
    ).wait_prompt()
    for scene in SCENES:
        terminal.fresh("js")
        scene(terminal)
        file = FOLDER / f"{scene.__name__}-{columns}.txt"
        if os.environ.get("AMLA_WRITE_SCREENS"):
            FOLDER.mkdir(exist_ok=True)
            file.write_text(plain(terminal), "utf-8")
        expected = file.read_text("utf-8")
        with suppress(AssertionError):  # the comparison below shows where they differ
            terminal.wait(lambda t, expected=expected: plain(t) == expected)
        assert plain(terminal) == expected
        terminal.press("c-c")
