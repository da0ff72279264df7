"""Tables of short cells and a text: it stands beside the cells or, where the terminal is narrow, below them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from amla_cli._terminal import text_width

from ._paint import painted

__all__ = ["Cell", "Row", "columns"]

_GAP = 2
_LEAST = 30
"""Columns that a text needs beside the cells; arbitrary."""

_BELOW = "    "


class Cell(NamedTuple):
    """A short text on one line, `style` as in `painted`."""

    text: str
    style: str = ""
    right: bool = False


class Row(NamedTuple):
    cells: Sequence[Cell]
    text: str = ""


def columns(rows: Sequence[Row], width: int, *, color: bool) -> str:
    """The rows, each cell as wide as the widest of its column."""
    widths = [
        max(text_width(cell.text) for cell in column) for column in zip(*(row.cells for row in rows), strict=True)
    ]
    beside = width - sum(widths) - _GAP * len(widths) >= _LEAST
    return "\n".join(line for row in rows for line in _lines(row, widths, width, beside=beside, color=color))


def _lines(row: Row, widths: Sequence[int], width: int, *, beside: bool, color: bool) -> Iterator[str]:
    indent = " " * (sum(widths) + _GAP * len(widths)) if beside else _BELOW
    lines = [line for part in row.text.split("\n") for line in textwrap.wrap(part, max(1, width - len(indent)))]
    head = "".join(_padded(cell, width, color) + " " * _GAP for cell, width in zip(row.cells, widths, strict=True))
    if beside and lines:
        yield head + lines.pop(0)
    else:
        yield head.rstrip()
    yield from (indent + line for line in lines)


def _padded(cell: Cell, width: int, color: bool) -> str:
    shown, blanks = painted(cell.text, cell.style, color), " " * (width - text_width(cell.text))
    return blanks + shown if cell.right else shown + blanks
