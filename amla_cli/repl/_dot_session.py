"""The dot commands about the session itself."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from amla_cli._outcome import CliError
from amla_cli._params import one_of
from amla_cli._scripts import Lang

from ._columns import Cell, Row, columns
from ._editor import edited

if TYPE_CHECKING:
    from ._dots import Dot
    from ._repl import Repl

__all__ = ["clear", "edit", "help_line", "help_text", "languages", "leave", "more", "switch", "time"]

_NAMES = {Lang.js: "JavaScript", Lang.shell: "shell"}
_KEYS = (
    ("Enter", "runs what is complete, and else begins a new line; Alt-Enter always begins one"),
    ("Tab", "completes; Esc closes the menu"),
    ("Up, Down", "earlier inputs; Ctrl-R searches them; Right takes the one that is suggested"),
    ("Ctrl-X Ctrl-E", "edits the input in $EDITOR"),
    ("Ctrl-C", "ends what runs, or clears the input; Ctrl-D leaves"),
)
"""An input that begins with a space is not kept in the history."""


def help_text(dots: Sequence[Dot], repl: Repl) -> str:
    """All commands, and the keys."""
    keys = [Row([Cell(key, "hint")], about) for key, about in _KEYS]
    width, color = repl.screen.columns, repl.screen.color
    return f"{columns(list(map(_row, dots)), width, color=color)}\n\n{columns(keys, width, color=color)}"


def help_line(dot: Dot, repl: Repl) -> str:
    """One command."""
    return columns([_row(dot)], repl.screen.columns, color=repl.screen.color)


def _row(dot: Dot) -> Row:
    return Row([Cell(f".{dot.name} {dot.words}".rstrip(), "hint")], dot.about)


def switch(repl: Repl, words: str) -> None:
    """`.lang`: without a word, the other one."""
    known = [str(language) for language in _NAMES]
    other = Lang.shell if repl.language is Lang.js else Lang.js
    repl.language = Lang(one_of(".lang", words, known)) if words else other


def languages(_repl: Repl, words: str) -> Iterator[tuple[str, int, str]]:
    yield from ((str(language), 0, name) for language, name in _NAMES.items() if language.startswith(words))


def edit(repl: Repl, words: str) -> None:
    """`.edit`: the last input comes to the prompt as it was edited; a file of the sandbox is written back."""
    suffix = ".js" if repl.language is Lang.js else ".sh"
    if not words:
        text = edited(repl.last[repl.language], suffix)
        repl.put_next(text.rstrip("\n"))
        return
    from ._dot_files import guest_file

    path = guest_file(repl, words)
    files = repl.guest.sandbox.fs
    before = files.read(path) if files.exists(path) else b""
    after = edited(before.decode("utf-8"), os.path.splitext(path)[1] or suffix).encode("utf-8")  # noqa: PTH122
    if after != before:
        files.write(path, after)
    repl.screen.say(f"{path}: {'unchanged' if after == before else 'written'}")


def time(repl: Repl, words: str) -> int | None:
    """`.time`: for one input, or for all from now on."""
    if not words:
        repl.times = not repl.times
        repl.screen.say(f"the time of each input is {'told' if repl.times else 'not told'}")
        return None
    before, repl.times = repl.times, True
    try:
        return repl.run(words).exit_code
    finally:
        repl.times = before


def more(repl: Repl, _words: str) -> None:
    """`.more`: all that the last input printed, in a pager."""
    repl.screen.page()


def clear(repl: Repl, _words: str) -> None:
    """`.clear`."""
    repl.screen.clear()


def leave(repl: Repl, words: str) -> int:
    """`.exit`: with the status that is named, or 0."""
    if words and not words.isdecimal():
        raise CliError("usage", f"{words!r} is no status", ".exit, or .exit 1")
    repl.left = True
    return int(words or 0) & 0xFF
