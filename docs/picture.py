"""Draws repl.svg, the picture of the REPL in the README, from a real session on a terminal in memory.

Run ``nox -s picture``. A test compares what the picture says with what a session shows.
"""

from __future__ import annotations

import re
import sys
import tempfile
from itertools import groupby
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
PICTURE = Path(__file__).with_name("repl.svg")
ROWS, COLUMNS = 24, 96

sys.path.insert(0, str(ROOT / "tests" / "repl"))
from repl_terminal import Terminal  # noqa: E402 - found there

_FONTS = re.compile(r"@font-face \{\{.*?\}\}\s*", re.DOTALL)
_COLORS = {"brown": "yellow", "default": None, "brightbrown": "bright_yellow"}


def session() -> Terminal:
    """A session that has come to an interesting point."""
    with tempfile.TemporaryDirectory() as home:
        terminal = Terminal(
            "--tools", "examples/orders/tools.toml", cwd=ROOT, rows=ROWS, columns=COLUMNS, XDG_STATE_HOME=home
        )
        try:
            _talk(terminal.wait_prompt())
        finally:
            terminal.close()
    return terminal


def _talk(terminal: Terminal) -> None:
    terminal.run("const open = await list_orders({month: '2026-02', status: 'open'})")
    terminal.run("open.map(({order_id, quantity, unit_price}) => [order_id, quantity * unit_price])")
    terminal.run("await refund({order_id: open[0].order_id, amount: 500})")
    terminal.run(".lang shell", "sh>")
    terminal.run("tool list_orders --month 2026-02 | jq -r '.[].status' | sort | uniq -c", "sh>")
    terminal.type("tool exchange_rate --currency ")
    terminal.press("tab")
    terminal.wait(lambda t: "JPY" in t.text and "exchange_rate(" in t.bar)


def said(terminal: Terminal) -> list[str]:
    """The lines on the screen."""
    return terminal.lines


def drawn(terminal: Terminal) -> str:
    """The screen as an SVG without anything that lies elsewhere."""
    from rich._export_format import CONSOLE_SVG_FORMAT
    from rich.console import Console

    with open("/dev/null", "w", encoding="utf-8") as nowhere:  # noqa: PTH123
        console = Console(record=True, width=COLUMNS, file=nowhere, force_terminal=True, color_system="standard")
        for row in range(ROWS):
            console.print(_line(terminal, row), soft_wrap=True)
    return console.export_svg(title="amla repl", code_format=_FONTS.sub("", CONSOLE_SVG_FORMAT), unique_id="repl")


def _line(terminal: Terminal, row: int) -> Any:
    from rich.text import Text

    cells = [terminal.screen.buffer[row][column] for column in range(COLUMNS)]
    text = Text()
    for style, alike in groupby(cells, _style):
        text.append("".join(cell.data for cell in alike), style)
    return text


def _style(cell: Any) -> Any:
    from rich.style import Style

    front, back = (_COLORS.get(color, color.replace("bright", "bright_")) for color in (cell.fg, cell.bg))
    return Style(color=front, bgcolor=back, bold=cell.bold, reverse=cell.reverse)


def main() -> None:
    PICTURE.write_text(drawn(session()), "utf-8")


if __name__ == "__main__":
    main()
