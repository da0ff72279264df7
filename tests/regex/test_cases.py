"""Expressions find what the GNU tools find with them, but where a row says why not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from case_rows import Row, load
from regex_engine import NONE, Engine, Flag, Pattern

_LIBRARY = {"E": Flag.EXTENDED | Flag.LONE_PAREN, "i": Flag.IGNORE_CASE, "m": Flag.MULTILINE}
_GREP = {
    "-E": Flag.EXTENDED,
    "-F": Flag.LITERAL,
    "-P": Flag.PERL,
    "-i": Flag.IGNORE_CASE,
    "-w": Flag.WHOLE_WORD,
    "-x": Flag.WHOLE_LINE,
    "-z": Flag.NUL_LINES,
}


def _compiled(engine: Engine, row: Row) -> Pattern | str:
    known = _LIBRARY if row.by == "regexec" else _GREP
    flags = Flag(0) if row.by == "regexec" else Flag.LINES | Flag.NEWLINE_LIST
    for option in row.options if row.by == "regexec" else row.options.split():
        flags |= known[option]
    try:
        return Pattern(engine, row.pattern, flags)
    except ValueError as error:
        return str(error)


@pytest.mark.parametrize("row", [pytest.param(row, id=row.name) for row in load()])
def test_finds_what_the_gnu_tools_find(engine: Engine, row: Row) -> None:
    """The row's spans, or its lines and matches, or its error."""
    pattern = _compiled(engine, row)
    if isinstance(pattern, str) or row.error is not None:
        assert pattern == row.error
        return
    text = row.text.encode()
    if row.by == "regexec":
        assert pattern.search(text) == (row.spans or NONE)
        assert pattern.search(text, spans=0) == ([] if row.spans else NONE)
    else:
        assert pattern.lines(text) == row.lines
        assert pattern.matches(text) == row.matches
    pattern.free()
