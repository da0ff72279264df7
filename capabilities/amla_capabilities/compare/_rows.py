"""How each field of a manifest is compared: one table, so that a field that is new cannot be forgotten.

A field that is not `Free` counts as widened unless its row proves that it did not (R37).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from amla_capabilities._decisions._tool_limits import ToolLimits
from amla_capabilities._grants._capability import MethodCapability
from amla_capabilities._limits import Limits
from amla_capabilities.manifest import (
    CommandTool,
    HttpTool,
    Manifest,
    McpServer,
    Mount,
    PolicyTest,
    PythonTool,
    Tool,
)

__all__ = ["ROWS", "Apart", "Free", "Kept", "Row"]


class Free(NamedTuple):
    """May change as it likes, because no right hangs on it."""

    because: str


class Apart(NamedTuple):
    """Is compared elsewhere, together with other fields."""

    where: str


class Kept(NamedTuple):
    """May only change where `narrower(old, new)` says so. `keys` lead to it in the table of what has the field."""

    code: str
    narrower: Callable[[Any, Any], bool]
    keys: tuple[str, ...]


Row = Free | Apart | Kept
_RESULTS = Limits().results


def _unchanged(old: Any, new: Any) -> bool:
    return bool(type(old) is type(new) and old == new)


def _at_most(old: float, new: float) -> bool:
    """0 is no limit."""
    return not old or bool(new and new <= old)


def _at_most_or_default(old: int | None, new: int | None) -> bool:
    """Bytes that a tool may send; where none are set the host's limit on results holds."""
    return (new or _RESULTS) <= (old or _RESULTS)


def _off_or_unchanged(old: bool, new: bool) -> bool:
    return old or not new


def _fewer(old: Any, new: Any) -> bool:
    return set(new) <= set(old)


def _more(old: Any, new: Any) -> bool:
    return set(old) <= set(new)


def _write_or_unchanged(old: str | None, new: str | None) -> bool:
    return new in (old, "write")


_GRANTS = Apart("_grants")
_BUDGETS = Apart("_budgets, by way of _grants")
_WIDENED = Apart("_widened")
_PLACE = Free("says where it is written")
_PEOPLE = Free("is read by people only")


def _does(*keys: str) -> Kept:
    return Kept("AM506", _unchanged, keys)


def _guards(narrower: Callable[[Any, Any], bool], *keys: str) -> Kept:
    return Kept("AM508", narrower, keys)


_TOOL: Mapping[str, Row] = {
    "path": _WIDENED,
    "file": _WIDENED,
    "at": _PLACE,
    "description": _PEOPLE,
    "schema": _WIDENED,
    "returns": Free("says what a tool gives; it grants nothing"),
    "mock": Free("stands for the tool where it is not called"),
    "has_mock": Free("goes with mock"),
    "effect": _guards(_write_or_unchanged, "effect"),
    "idempotent": _guards(_off_or_unchanged, "idempotent"),
    "timeout": _WIDENED,
    "note": _PEOPLE,
    "granted": _GRANTS,
    "implied": _GRANTS,
    "limits": Apart("the rows of ToolLimits"),
}

ROWS: Mapping[type, Mapping[str, Row]] = {
    Manifest: {
        "path": Free("says where the file is"),
        "limits": Apart("the rows of Limits"),
        "limits_set": _WIDENED,
        "tools": _WIDENED,
        "capabilities": _GRANTS,
        "mcp": _WIDENED,
        "mounts": _WIDENED,
        "env": _WIDENED,
        "tests": _WIDENED,
        "suppressed": Free("hides findings of other codes, and none of these"),
        "warnings": Free("is found, not written"),
        "files": Free("names the files; which tools a capability reaches is compared"),
        "sources": Free("holds the texts of the files"),
        "origins": _PLACE,
        "where": _PLACE,
    },
    Tool: _TOOL,
    PythonTool: {**_TOOL, "module": _does("python"), "attribute": _does("python")},
    CommandTool: {
        **_TOOL,
        "argv": _does("command"),
        "stdin": _does("stdin"),
        "env": _does("env"),
        "cwd": _does("cwd"),
        "output": _does("output"),
        "max_output": Kept("AM509", _at_most_or_default, ("max_output",)),
        "exit_ok": _guards(_fewer, "exit_ok"),
        "options_ok": _guards(_fewer, "options_ok"),
    },
    HttpTool: {
        **_TOOL,
        "method": _does("http", "method"),
        "url": _does("http", "url"),
        "query": _does("http", "query"),
        "headers": _does("http", "headers"),
        "body": _does("http", "body"),
        "fields": _does("http", "fields"),
        "text": _does("http", "text"),
        "output": _does("http", "output"),
        "allow_private": _guards(_off_or_unchanged, "http", "allow_private"),
        "max_response": Kept("AM509", _at_most_or_default, ("http", "max_response")),
    },
    ToolLimits: {
        "constraints": _GRANTS,
        "max_calls": _BUDGETS,
        "allow": _GRANTS,
        "secret": _guards(_more, "secret"),
        "approval": _GRANTS,
        "rate": _BUDGETS,
        "total": _BUDGETS,
        "expires": _GRANTS,
    },
    MethodCapability: {
        "method_pattern": _GRANTS,
        "constraints": _GRANTS,
        "max_calls": _BUDGETS,
        "input_schema": Free("is never judged"),
        "approval": _GRANTS,
        "note": _PEOPLE,
        "rate": _BUDGETS,
        "total": _BUDGETS,
        "expires": _GRANTS,
        "scope": _GRANTS,
        "parent": _BUDGETS,
    },
    McpServer: {
        "name": _WIDENED,
        "command": Kept("AM513", _unchanged, ("command",)),
        "url": Kept("AM513", _unchanged, ("url",)),
        "env": Kept("AM513", _unchanged, ("env",)),
        "headers": Kept("AM513", _unchanged, ("headers",)),
        "cwd": Kept("AM513", _unchanged, ("cwd",)),
        "timeout": _WIDENED,
        "note": _PEOPLE,
        "file": _WIDENED,
    },
    Mount: {
        "host": _WIDENED,
        "guest": _WIDENED,
        "mode": _WIDENED,
        "delete": _WIDENED,
        "unsafe_shared": _WIDENED,
        "file": _WIDENED,
        "at": _PLACE,
    },
    PolicyTest: {
        "call": _WIDENED,
        "args": _WIDENED,
        "expect": _WIDENED,
        "note": _PEOPLE,
        "file": _PLACE,
        "at": _PLACE,
    },
    Limits: {
        "timeout": Kept("AM509", _at_most, ("timeout",)),
        "cpu": Kept("AM509", _at_most, ("cpu",)),
        "memory": Kept("AM509", _at_most, ("memory",)),
        "max_output": Kept("AM509", _at_most, ("max_output",)),
        "files": Kept("AM509", _at_most, ("files",)),
        "file_count": Kept("AM509", _at_most, ("file_count",)),
        "source": Kept("AM509", _at_most, ("source",)),
        "arguments": Kept("AM509", _at_most, ("arguments",)),
        "argument_depth": Kept("AM509", _at_most, ("argument_depth",)),
        "argument_nodes": Kept("AM509", _at_most, ("argument_nodes",)),
        "results": Kept("AM509", _at_most, ("results",)),
        "max_calls": Kept("AM509", _at_most, ("max_calls",)),
        "max_attempts": Kept("AM509", _at_most, ("max_attempts",)),
        "concurrency": Kept("AM509", _at_most, ("concurrency",)),
        "call_timeout": Kept("AM509", _at_most, ("call_timeout",)),
        "approval_timeout": Kept("AM509", _at_most, ("approval_timeout",)),
    },
}
