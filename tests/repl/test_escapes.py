"""R33: what a script prints cannot do anything to the terminal but colour it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amla_cli._escapes import EscapeFilter, harmless

HOSTILE = {
    "\x1b[2J": "\\x1b[2J",  # clears
    "\x1b[5;1H": "\\x1b[5;1H",  # moves
    "\x1b]0;title\x07": "\\x1b]0;title\\x07",
    "\x1b]52;c;cm0=\x07": "\\x1b]52;c;cm0=\\x07",  # the clipboard
    "\x1b]8;;http://x\x1b\\y": "\\x1b]8;;http://x\\x1b\\y",  # a link
    "\x1b[6n": "\\x1b[6n",  # asks for an answer
    "\x1b[?1049h": "\\x1b[?1049h",
    "\x1bc": "\\x1bc",
    "\x9b2J": "\\x9b2J",
    "\x1b[31": "\\x1b[31",
    "\x1b[1;2\x1b[31m": "\\x1b[1;2\x1b[31m",
    "a\bb": "a\\x08b",
    "\x00\x7f": "\\x00\\x7f",
    "abc\u202edcb": "abc\\u{202e}dcb",  # turns the direction
    "\u2066x\u2069": "\\u{2066}x\\u{2069}",
    "\ufeff": "\\u{feff}",
}
HARMLESS = [
    "plain\n",
    "a\tb",
    "50%\r60%",
    "\x1b[31mred\x1b[0m",
    "\x1b[38;2;1;2;3m",
    "\x1b[4:3m",
    "日本 é e\u0301 \U0001f468\u200d\U0001f469",
]


@pytest.mark.parametrize(("text", "shown"), HOSTILE.items())
def test_r33_what_a_terminal_would_obey_is_spelled_out(text: str, shown: str) -> None:
    assert harmless(text) == shown


@pytest.mark.parametrize("text", HARMLESS)
def test_colours_and_every_script_pass(text: str) -> None:
    assert harmless(text) == text


@given(st.lists(st.sampled_from([*HOSTILE, *HARMLESS, "x", "é"])), st.data())
def test_it_does_not_matter_how_output_is_cut(pieces: list[str], data: st.DataObject) -> None:
    whole = "".join(pieces).encode()
    at = data.draw(st.integers(0, len(whole)))
    cut, once = EscapeFilter(), EscapeFilter()
    assert cut.take(whole[:at]) + cut.take(whole[at:]) + cut.end() == once.take(whole) + once.end()


@given(st.binary())
def test_r33_no_bytes_get_through(data: bytes) -> None:
    """Whatever is printed, all that is left of escapes are colours."""
    filtered = EscapeFilter()
    shown = filtered.take(data) + filtered.end()
    rest = "".join(part for at, part in enumerate(__import__("re").split(r"(\x1b\[[0-9;:]*m)", shown)) if at % 2 == 0)
    assert not any((ord(char) < 32 and char not in "\n\t\r") or 0x7F <= ord(char) < 0xA0 for char in rest)


def test_colours_end_with_the_output() -> None:
    filtered = EscapeFilter()
    assert filtered.take(b"\x1b[31mred") + filtered.end() == "\x1b[31mred\x1b[0m"
    assert filtered.take(b"\x1b[31mred\x1b[0m") + filtered.end() == "\x1b[31mred\x1b[0m"
