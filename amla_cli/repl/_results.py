"""What an input came to, in words: its value or its error, its calls, its time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from amla_cli._escapes import harmless
from amla_cli._exit import Exit
from amla_cli._outcome import Message, Outcome, Problem
from amla_cli._report import Report
from amla_cli._scripts import Lang, Script

from ._paint import painted
from ._standing import seconds_text

if TYPE_CHECKING:
    from amla_sandbox import LineResult

    from ._repl import Repl

__all__ = ["report"]

_NOTHING = "undefined"
"""A value that is not worth a line where nobody looks."""

_LEAVE, _SHELL = ".exit leaves, and Ctrl-D", ".lang shell switches to the shell"
_MEANT = {
    "exit": _LEAVE, "quit": _LEAVE, "help": ".help says what there is", "clear": ".clear clears the screen",
    "ls": _SHELL, "pwd": _SHELL, "cd": _SHELL,
}  # fmt: skip
"""Names that nobody defined, and what people mean by them."""


def report(result: LineResult, text: str, language: Lang, repl: Repl) -> None:
    """Show what is to be said of an input that has run."""
    screen = repl.screen
    if result.shown is not None and (repl.typed or result.shown != _NOTHING):
        screen.say(harmless(result.shown))
    if result.error is not None:
        _complain(result, text, language, repl)
    if result.note:
        screen.complain(Outcome(messages=(Message("warning", result.note),)))
    if repl.settings.verbosity > 0:
        messages = Report(_script(text, language), result, repl.settings).details()
        screen.complain(Outcome(messages=tuple(messages)))
    if repl.times:
        screen.say(painted(seconds_text(repl.standing.seconds), "detail", screen.color))


def _complain(result: LineResult, text: str, language: Lang, repl: Repl) -> None:
    """Of an error that was thrown, what Node shows; of others, what happened and what to do next."""
    screen = repl.screen
    if result.exit_code == Exit.INTERRUPTED:
        screen.say_error(painted("interrupted", "warning", screen.color))
    elif result.failure is not None and result.error:
        screen.say_error(_reddened(harmless(result.error), screen.color))
        _hint(result, text, repl)
    else:
        screen.complain(Outcome(problems=_problems(result, text, language, repl)))


def _reddened(error: str, color: bool) -> str:
    """The error with the line in red that names it."""
    lines = error.split("\n")
    at = next((at for at, line in enumerate(lines) if line.startswith("Uncaught")), 0)
    end = at + 2 if lines[at] == "Uncaught:" else at + 1
    return "\n".join([*lines[:at], *(painted(line, "error", color) for line in lines[at:end]), *lines[end:]])


def _hint(result: LineResult, text: str, repl: Repl) -> None:
    """Where to look when the policy said no, or what was meant."""
    denied = next((call for call in reversed(result.calls) if call.outcome == "denied"), None)
    hint = "" if denied is None else f".why {denied.tool} says how that was decided"
    if result.failure is not None and result.failure.name == "ReferenceError":
        hint = _MEANT.get(text.strip().removesuffix("()"), hint)
    if hint and repl.settings.verbosity >= 0:
        repl.screen.say_error(painted(hint, "detail", repl.screen.color))


def _problems(result: LineResult, text: str, language: Lang, repl: Repl) -> tuple[Problem, ...]:
    return Report(_script(text, language), result, repl.settings).problems()


def _script(text: str, language: Lang) -> Script:
    return Script(text, "repl", "repl", language)
