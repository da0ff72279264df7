"""The dot commands about the session itself."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from amla_cli._outcome import CliError
from amla_cli._params import one_of
from amla_cli._scripts import Lang

from ._editor import edited
from ._paint import painted

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
    commands = [(f".{dot.name} {dot.words}".rstrip(), dot.about) for dot in dots]
    width, color = repl.screen.columns, repl.screen.color
    return "\n".join([*_rows(commands, width, color), "", *_rows(_KEYS, width, color)])


def help_line(dot: Dot, repl: Repl) -> str:
    """One command."""
    return "\n".join(_rows([(f".{dot.name} {dot.words}".rstrip(), dot.about)], repl.screen.columns, repl.screen.color))


def _rows(rows: Sequence[tuple[str, str]], width: int, color: bool) -> Iterator[str]:
    """Two columns, or where they do not fit side by side the second below the first."""
    left = min(max(len(word) for word, _ in rows), 20)
    for word, about in rows:
        beside = width >= 60 and len(word) <= left
        indent = " " * (left + 2 if width >= 60 else 4)
        lines = textwrap.wrap(about, max(20, width - len(indent)))
        head = painted(word, "hint", color)
        if beside:
            yield head + " " * (left + 2 - len(word)) + lines[0]
            lines = lines[1:]
        else:
            yield head
        yield from (indent + line for line in lines)


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
