"""Tables of the dot commands, on wide terminals and on narrow ones."""

from __future__ import annotations

from amla_cli.repl._columns import Cell, Row, columns

ROWS = [
    Row([Cell("name", "title"), Cell("used", "title", right=True)], "what it is"),
    Row([Cell("日本"), Cell("5", right=True)], "a text that is longer than there is room for on one line"),
    Row([Cell("longer", "error"), Cell("1,000", right=True)]),
]


def test_the_text_stands_beside_the_cells() -> None:
    assert columns(ROWS, 46, color=False).split("\n") == [
        "name     used  what it is",
        "日本        5  a text that is longer than",
        "               there is room for on one line",
        "longer  1,000",
    ]


def test_on_a_narrow_terminal_it_stands_below() -> None:
    assert columns(ROWS, 40, color=False).split("\n") == [
        "name     used",
        "    what it is",
        "日本        5",
        "    a text that is longer than there is",
        "    room for on one line",
        "longer  1,000",
    ]


def test_colours_take_no_room() -> None:
    plain, coloured = columns(ROWS, 46, color=False), columns(ROWS, 46, color=True)
    assert "\x1b[1mname\x1b[0m     \x1b[1mused\x1b[0m  what it is" in coloured
    assert "\x1b[1;31mlonger\x1b[0m  1,000" in coloured
    assert len(coloured.split("\n")) == len(plain.split("\n"))
