"""What can be wrong with a tool: its declaration (the owner's), a call's arguments (the script's), or its result."""

from __future__ import annotations

from typing import Any

__all__ = ["ArgumentError", "ResultError", "ToolDefinitionError", "ToolFailedError", "reason_of"]


class ToolDefinitionError(ValueError):
    """A tool cannot be declared as written; the message says which tool, what is wrong and what to write instead."""


class ArgumentError(ValueError):
    """The arguments of one call are refused before any policy sees them; the message is meant for the script's author.

    ``parameter`` is the path of the first offending value (``customer.address[0]``), empty when it is the whole object.
    """

    def __init__(self, message: str, parameter: str = "") -> None:
        super().__init__(message)
        self.parameter = parameter


class ResultError(ValueError):
    """A tool's result has no JSON form, or is too large; the message names the value and its path."""


class ToolFailedError(RuntimeError):
    """A program or request behind a tool failed; the message is fit for the script (no host paths)."""


def reason_of(error: Exception) -> str:
    """One line of what a conversion had to say: pydantic's first faults where it lists them, else the first line."""
    list_faults: Any = getattr(error, "errors", None)
    if not callable(list_faults):
        return str(error).split("\n", 1)[0]
    faults: Any = list_faults()
    return "; ".join(f"{'.'.join(map(str, fault.get('loc', ())))}: {fault.get('msg', '')}" for fault in faults[:3])
