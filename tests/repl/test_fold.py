"""Folding of long output."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from amla_cli.repl._fold import Fold


def shown(text: str, *, columns: int = 20, rows: int = 5, piece: int = 7) -> str:
    fold = Fold(columns, progress=False, shown=rows)
    parts = [fold.take(text[at : at + piece]) for at in range(0, len(text), piece)]
    assert fold.text == text
    return "".join(parts) + fold.end()


def numbered(count: int) -> str:
    return "".join(f"{number}\n" for number in range(count))


def test_what_fits_is_shown_as_it_is() -> None:
    assert shown(numbered(4), piece=100) == numbered(4)


def test_of_much_the_beginning_and_the_end_are_shown() -> None:
    told = shown(numbered(1000), piece=1000).split("\n")
    assert told[:5] == ["0", "1", "2", "3", "4"]
    assert told[5] == "\x1b[0m… 980 lines are folded; .more shows them …"
    assert told[6:] == [*(str(number) for number in range(985, 1000)), ""]


def test_little_more_than_fits_is_shown_whole() -> None:
    assert shown(numbered(12), piece=100) == numbered(12)


def test_one_endless_line_is_folded_too() -> None:
    told = shown("x" * 10_000, piece=10_000)
    assert told.startswith("x" * 100 + "\x1b[0m… 9,600 characters are folded")
    assert told.endswith("\n" + "x" * 300)


def test_progress_is_told_and_erased() -> None:
    fold = Fold(20, progress=True, shown=2)
    assert fold.take("a\nb\nc\n") == "a\nb\n\r\x1b[K\x1b[0m… 1 more lines"
    assert fold.end() == "\r\x1b[Kc\n"


@given(st.text(alphabet="ab\n", max_size=400), st.integers(1, 50))
def test_nothing_is_lost_that_is_not_said_to_be(text: str, piece: int) -> None:
    told = shown(text, piece=piece)
    assert told == text or "folded" in told
