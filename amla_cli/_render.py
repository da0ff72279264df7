"""The one place that prints: an outcome as text for people, or as one JSON object."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from ._exit import Exit
from ._outcome import Message, Outcome, Problem, Settings
from ._streams import drop_output
from ._terminal import colored, printable, uncommanded

__all__ = ["SCHEMA_VERSION", "as_json", "render", "unmarked"]

SCHEMA_VERSION = 1
"""Of the JSON objects; grows when a key is removed or changes its meaning, not when one is added."""


def render(command: str, outcome: Outcome, settings: Settings) -> int:
    """Print an outcome; the exit status. A reader that went away is no error worth a word."""
    try:
        if settings.json:
            _write(sys.stdout, as_json(command, _heard(outcome, settings)) + "\n")
        else:
            _render_text(_heard(outcome, settings), settings)
    except BrokenPipeError:
        drop_output()
        return outcome.exit_code or Exit.BROKEN_PIPE
    return outcome.exit_code


def as_json(command: str, outcome: Outcome) -> str:
    """The outcome as a JSON object on one line, in ASCII; `docs/cli.md` describes the keys."""
    envelope = {
        "schema": SCHEMA_VERSION,
        "command": command,
        "success": outcome.exit_code == 0 and not outcome.problems,
        "exit_code": int(outcome.exit_code),
        "result": outcome.data,
        "errors": [_problem_data(problem) for problem in outcome.problems],
        "messages": [{"level": message.level, "text": message.text} for message in outcome.messages],
    }
    try:
        text = json.dumps(envelope, default=_plain, allow_nan=False)
    except ValueError:  # a number that JSON lacks, in what a script gave to a tool or returned
        text = json.dumps(json.loads(json.dumps(envelope, default=_plain), parse_constant=str))
    return unmarked(text)


def unmarked(text: str) -> str:
    """JSON in which no CI service finds the mark of a command, `##[` (R3); its value is the same."""
    return text.replace("##", "#\\u0023")


def _problem_data(problem: Problem) -> dict[str, Any]:
    return {"code": problem.code, "message": problem.message, "hint": problem.hint, **problem.where}


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return str(value)


def _render_text(outcome: Outcome, settings: Settings) -> None:
    if outcome.text:
        _write(sys.stdout, outcome.text if outcome.text.endswith("\n") else outcome.text + "\n")
    for message in outcome.messages:
        _write(sys.stderr, _message_text(message, settings))
    for problem in outcome.problems:
        _write(sys.stderr, _problem_text(problem, settings))


_NEEDED = {"detail": 1}


def _heard(outcome: Outcome, settings: Settings) -> Outcome:
    """The outcome with those messages that -v and -q leave."""
    kept = tuple(message for message in outcome.messages if settings.verbosity >= _NEEDED.get(message.level, 0))
    return outcome._replace(messages=kept)


def _message_text(message: Message, settings: Settings) -> str:
    label = "" if message.level == "detail" else colored(f"{message.level}: ", message.level, settings)
    return f"amla: {label}{printable(message.text)}\n"


def _problem_text(problem: Problem, settings: Settings) -> str:
    lines = [f"amla: {colored('error:', 'error', settings)} {printable(problem.message)}"]
    if problem.excerpt:
        lines.append(uncommanded(problem.excerpt))
    if problem.hint and settings.verbosity >= 0:
        lines.append(f"  {colored('hint:', 'hint', settings)} {printable(problem.hint)}")
    return "\n".join(lines) + "\n"


def _write(stream: Any, text: str) -> None:
    if stream is None:
        return
    encoding = getattr(stream, "encoding", None) or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
    stream.flush()
