"""Showing where a script went wrong: the place, the source line, a caret under the column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._outcome import Problem, Settings
from ._terminal import colored, printable, terminal_width, text_width

if TYPE_CHECKING:
    from amla_sandbox import ScriptFailure

    from ._scripts import Script

__all__ = ["script_problem"]

_INDENT = "    "


def script_problem(failure: ScriptFailure, script: Script, settings: Settings, hint: str = "") -> Problem:
    """The failure of a script as a problem, its own file name in place of the sandbox's."""
    head = ": ".join(part for part in (failure.name, failure.message) if part) or "the script failed"
    ours = failure.file == script.name
    file = script.label if ours else failure.file
    place = ":".join(str(part) for part in (file, failure.line, failure.column) if part is not None)
    where: dict[str, Any] = {
        "name": failure.name, "script_code": failure.code, "file": file, "line": failure.line, "column": failure.column,
        "source_line": failure.source_line, "stack": list(failure.stack),
    }  # fmt: skip
    lines = _source_lines(script.text if ours else None, failure, settings)
    lines += [f"{_INDENT}{printable(frame)}" for frame in failure.stack[1:]]
    return Problem("script", f"{place}: {head}" if place else head, hint, where, "\n".join(lines))


def _source_lines(text: str | None, failure: ScriptFailure, settings: Settings) -> list[str]:
    if text is None or failure.line is None:
        return []
    every = text.split("\n")
    if failure.line > len(every):
        return []
    line = every[failure.line - 1].rstrip("\r")
    column = min(failure.column or 1, len(line) + 1)
    shown, before = window(line, column - 1, terminal_width() - 2 * len(_INDENT))
    caret = [] if failure.column is None else [f"{_INDENT}{before}{colored('^', 'caret', settings)}"]
    return [f"{_INDENT}{shown}", *caret]


def window(line: str, at: int, width: int) -> tuple[str, str]:
    """As much of `line` around offset `at` as fits into `width`, and the blanks that stand before the offset."""
    start = 0 if len(line) <= width or at < width * 2 // 3 else at - width // 2
    end = start + width
    head, rest = _visible(line[start:at]), _visible(line[at:end])
    ahead, behind = "…" if start else "", "…" if end < len(line) else ""
    blanks = "".join(char if char == "\t" else " " * text_width(char) for char in ahead + head)
    return ahead + head + rest + behind, blanks


def _visible(text: str) -> str:
    """Text for a terminal; tabs stay, so that the caret's line can repeat them."""
    return "\t".join(printable(part) for part in text.split("\t"))
