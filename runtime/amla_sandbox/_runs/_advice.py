"""Says more of an error than the engine does: which tool was probably meant by a name that there is not."""

from __future__ import annotations

import re
from collections.abc import Callable

from amla_sandbox._result import ScriptFailure

__all__ = ["advise"]

_NAME = re.compile(r"(?!\d)[\w$]+(?:\??\.[\w$]+|\[[^][]*\])*")
_UNDEFINED = re.compile(r"(\S+) is not defined")
_UNCALLABLE = re.compile(r"(\S+) is not a (?:function|constructor)")

_INSTEAD = {
    "alert": "console.log",
    "input": "a tool, or process.stdin for what was piped in",
    "print": "console.log",
    "println": "console.log",
}
"""What models write out of habit, and what there is."""

_MEMORY_ADVICE = " (limit 'memory'): work through the data in smaller parts, or ask for a higher limit"

Nearest = Callable[[str], str | None]
"""The tool whose name looks most like a name, if any does."""


def advise(failure: ScriptFailure, nearest: Nearest) -> ScriptFailure:
    """The failure, its message perhaps longer."""
    message = failure.message
    if failure.name == "TypeError" and (match := _UNCALLABLE.fullmatch(message)):
        message += _meant(match[1], nearest)
    elif failure.name == "ReferenceError" and (match := _UNDEFINED.fullmatch(message)):
        message += _meant(_called_from(match[1], failure), nearest)
    elif failure.name == "InternalError" and message == "out of memory":
        message += _MEMORY_ADVICE
    return failure if message == failure.message else failure._replace(message=message)


def _meant(name: str, nearest: Nearest) -> str:
    if name in _INSTEAD:
        return f"; use {_INSTEAD[name]}"
    tool = nearest(name)
    return f"; did you mean the tool {tool.replace('/', '.')}?" if tool else ""


def _called_from(name: str, failure: ScriptFailure) -> str:
    """`stripe.charges` for a name that is not defined, where the source goes on so."""
    line, at = failure.source_line or "", (failure.column or 1) - 1
    whole = _NAME.match(line, at)
    return whole[0] if whole and whole[0].startswith(name) else name
