"""The dot commands, in one table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from amla_cli._outcome import CliError

from . import _dot_files as files
from . import _dot_session as session
from . import _dot_tools as tools
from ._words import split_dot

if TYPE_CHECKING:
    from ._repl import Repl

__all__ = ["DOTS", "Dot", "candidates", "obey"]

Found = Iterable[tuple[str, int, str]]
"""Candidates: a text, where in what was typed it begins, and what it is."""


class Dot(NamedTuple):
    """One command. `run` gets the words behind it; `complete` gets them up to the cursor."""

    name: str
    words: str
    about: str
    run: Callable[[Repl, str], int | None]
    complete: Callable[[Repl, str], Found] = lambda _repl, _words: ()


def _help(repl: Repl, words: str) -> None:
    name = words.removeprefix(".")
    repl.screen.say(session.help_text(DOTS, repl) if not name else session.help_line(_find(name), repl))


def _names(_repl: Repl, words: str) -> Iterator[tuple[str, int, str]]:
    yield from ((dot.name, 0, dot.about) for dot in DOTS if dot.name.startswith(words))


DOTS: tuple[Dot, ...] = (
    Dot("help", "[COMMAND]", "What there is, and the keys.", _help, _names),
    Dot("lang", "[js|shell]", "Switch the language, on the same files.", session.switch, session.languages),
    Dot("tools", "[NAME]", "The tools, what is granted, and how many calls are left.", tools.tools, tools.names),
    Dot("why", "[TOOL {json}]", "How the policy decides about a call; nothing is called.", tools.why, tools.names),
    Dot("calls", "", "The tool calls so far, and how each was decided.", tools.calls),
    Dot("files", "[PATH]", "The files of the sandbox.", files.files, files.guest_paths),
    Dot("load", "FILE", "Run a script of the host.", files.load, files.host_paths),
    Dot("save", "FILE", "Keep the session; 'amla repl --load FILE' goes on with it.", files.save, files.host_paths),
    Dot("export", "PATH [FILE]", "Copy a file or folder of the sandbox to the host.", files.export, files.export_paths),
    Dot("mount", "[HOST:GUEST]", "Copy a file or folder in, as --mount does.", files.mount, files.host_paths),
    Dot("limits", "", "The limits, and what is used of them.", tools.limits),
    Dot("edit", "[PATH]", "The last input, or a file of the sandbox, in $EDITOR.", session.edit, files.guest_paths),
    Dot("time", "[CODE]", "Tell the time of each input from now on, or of this one.", session.time),
    Dot("more", "", "Page through what the last input printed.", session.more),
    Dot("clear", "", "Clear the screen.", session.clear),
    Dot("exit", "[STATUS]", "Leave, as Ctrl-D does.", session.leave),
)


def obey(repl: Repl, text: str) -> int:
    """Do what a dot command says; its status. Raises CliError, also for what is wrong with files."""
    name, words = split_dot(text)
    try:
        return _find(name).run(repl, words) or 0
    except BrokenPipeError:
        raise
    except OSError as error:
        what = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        raise CliError("files", what, "'.files' lists those of the sandbox", exit_code=1) from error


def _find(name: str) -> Dot:
    found = next((dot for dot in DOTS if dot.name == name), None)
    if found is None:
        from amla_capabilities import did_you_mean

        near = did_you_mean(f".{name}", [f".{dot.name}" for dot in DOTS])
        raise CliError("usage", f"there is no command '.{name}'{near}", ".help lists them")
    return found


def candidates(repl: Repl, before: str) -> Found:
    """What could stand at the end of a dot command that is typed so far."""
    name, space, words = before[1:].partition(" ")
    if not space:
        return [(f".{dot.name}", 0, dot.about) for dot in DOTS if dot.name.startswith(name)]
    dot = next((dot for dot in DOTS if dot.name == name), None)
    if dot is None:
        return ()
    offset = len(before) - len(words)
    return [(text, offset + start, about) for text, start, about in dot.complete(repl, words)]
