"""The bar at the bottom: whole words at every width, the most important first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amla_cli._terminal import text_width
from amla_cli.repl._guest import NO_HINT, Hint
from amla_cli.repl._standing import Standing, seconds_text, size_text
from amla_cli.repl._toolbar import toolbar

STANDING = Standing("js", "/workspace/日本", 12_345, 3, 4, 96, 1, 0.25)
HINT = Hint("greet({name: string})", 7)


def line(standing: Standing = STANDING, hint: Hint = NO_HINT, note: str = "", width: int = 100) -> str:
    return "".join(fragment[1] for fragment in toolbar(standing, hint, note, width))


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (100, " js  /workspace/日本  ✗ 1 250 ms  4 calls, 96 left  12.3 kB in 3 files"),
        (60, " js  /workspace/日本  ✗ 1 250 ms  4 calls, 96 left"),
        (40, " js  /workspace/日本  ✗ 1 250 ms"),
        (20, " js"),
    ],
)
def test_it_says_what_fits(width: int, shown: str) -> None:
    assert line(width=width).rstrip() == shown


@given(st.integers(1, 120), st.sampled_from([NO_HINT, HINT]), st.sampled_from(["", "compiling the guest …"]))
def test_it_never_wraps(width: int, hint: Hint, note: str) -> None:
    assert text_width(line(hint=hint, note=note, width=width)) <= width


def test_a_tool_that_is_being_called_comes_first() -> None:
    assert line(hint=HINT).rstrip() == " js  greet({name: string})  7 left"
    assert line(hint=HINT, width=28).rstrip() == " js  greet({name:…  7 left"


def test_what_takes_long_comes_before_all() -> None:
    assert line(hint=HINT, note="compiling …").rstrip() == " js  compiling …"


def test_a_working_directory_cannot_do_anything_to_it() -> None:
    assert "\\x1b[2J" in line(STANDING._replace(cwd="/\x1b[2J"))


def test_durations_and_sizes() -> None:
    assert [seconds_text(s) for s in (0.0004, 0.0351, 1.25, 125)] == ["0.4 ms", "35 ms", "1.2 s", "2m05s"]
    assert [size_text(n) for n in (0, 999, 1000, 123_456, 5e9)] == ["0 B", "999 B", "1.0 kB", "123 kB", "5.0 GB"]
