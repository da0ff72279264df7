"""Parameters taken as they were written.

Typer checks values against their annotations with pydantic, which takes longer to load than a script takes to run. All
our values are texts, counts and flags; what a text means is for the command to say, in a better sentence than a type's.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MethodType
from typing import Any

from typer.core import TyperCommand, TyperGroup

from ._outcome import CliError

__all__ = ["PlainCommand", "PlainGroup", "one_of"]


class PlainCommand(TyperCommand):
    """A command whose parameters are not coerced, and whose first sentence stands in lists of commands as a whole."""

    def get_params(self, ctx: Any) -> Any:
        return _plain(super().get_params(ctx))

    def get_short_help_str(self, limit: int = 0) -> str:  # noqa: ARG002 - the base class's signature
        return _first_paragraph(self.help)


class PlainGroup(TyperGroup):
    """The same for a group of commands."""

    def get_params(self, ctx: Any) -> Any:
        return _plain(super().get_params(ctx))

    def get_short_help_str(self, limit: int = 0) -> str:  # noqa: ARG002 - the base class's signature
        return _first_paragraph(self.help)


def _plain(parameters: Sequence[Any]) -> Sequence[Any]:
    for parameter in parameters:
        parameter.process_value = MethodType(_as_written, parameter)
        if getattr(parameter, "is_flag", False) or getattr(parameter, "count", False):
            parameter.metavar = ""  # Typer's help would say `<bool>`
    return parameters


def _first_paragraph(text: str | None) -> str:
    return " ".join((text or "").split("\n\n", 1)[0].split())


def _as_written(parameter: Any, context: Any, value: Any) -> Any:
    """The value for a parameter: itself, or an empty tuple where there could be several."""
    if value is None and parameter.required:
        context.fail(f"{parameter.metavar} is missing")
    if value is None and (parameter.nargs == -1 or getattr(parameter, "multiple", False)):
        value = ()
    return value if parameter.callback is None else parameter.callback(context, parameter, value)


def one_of(option: str, value: str, known: Sequence[str]) -> str:
    """A choice, checked. Raises CliError that lists what there is."""
    if value not in known:
        from amla_capabilities import did_you_mean

        raise CliError(
            "usage", f"{option} {value}: unknown{did_you_mean(value, known)}", f"use one of {', '.join(known)}"
        )
    return value
