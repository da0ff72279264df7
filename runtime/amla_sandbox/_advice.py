"""Says more of an error than the engine does: which name is no function, and which tool was probably meant."""

from __future__ import annotations

import re
from collections.abc import Callable

from ._result import ScriptFailure

__all__ = ["advise"]

_NAME = r"(?!\d)[\w$]+(?:\??\.[\w$]+|\[[^][]*\])*"
_CALLED_HERE = re.compile(rf"\s*({_NAME})\s*(?:\?\.)?\(")
_MEMBER = re.compile(r"\??\.\s*([\w$]+)")
_BEFORE = re.compile(rf"({_NAME})\s*$")
_UNDEFINED = re.compile(r"(\S+) is not defined")
_UNCALLABLE = ("not a function", "not a constructor")

_INSTEAD = {
    "alert": "console.log",
    "input": "a tool, or process.stdin for what was piped in",
    "print": "console.log",
    "println": "console.log",
}
"""What models write out of habit, and what there is."""

Nearest = Callable[[str], str | None]
"""The tool whose name looks most like a name, if any does."""


def advise(failure: ScriptFailure, nearest: Nearest) -> ScriptFailure:
    """The failure, its message perhaps longer."""
    message = failure.message
    if failure.name == "TypeError" and message in _UNCALLABLE:
        called = _called(failure.source_line or "", (failure.column or 1) - 1)
        if called:
            message = f"{called} is {message}{_meant(called, nearest)}"
    elif failure.name == "ReferenceError" and (match := _UNDEFINED.fullmatch(message)):
        message += _meant(_called_from(match[1], failure), nearest)
    return failure if message == failure.message else failure._replace(message=message)


def _meant(name: str, nearest: Nearest) -> str:
    if name in _INSTEAD:
        return f"; use {_INSTEAD[name]}"
    tool = nearest(name)
    return f"; did you mean the tool {tool.replace('/', '.')}?" if tool else ""


def _called(line: str, at: int) -> str | None:
    """The expression whose call failed: the engine points at it, at its last member, or at the bracket behind it."""
    member = _MEMBER.match(line, at)
    if member:
        before = _BEFORE.search(line[:at].rstrip("?"))
        return f"{before[1]}.{member[1]}" if before else member[1]
    here = _CALLED_HERE.match(line, at)
    if here:
        return here[1]
    before = _BEFORE.search(line[:at]) if line[at : at + 1] == "(" else None
    return before[1] if before else None


def _called_from(name: str, failure: ScriptFailure) -> str:
    """`stripe.charges` for a name that is not defined, where the source goes on so."""
    line, at = failure.source_line or "", (failure.column or 1) - 1
    whole = re.compile(_NAME).match(line, at)
    return whole[0] if whole and whole[0].startswith(name) else name
