"""`CallSite`: a place in a script where a tool is called, or may be, and what is known of the call beforehand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["CallSite", "CallSites", "OpenText", "SiteError"]


@dataclass(frozen=True, slots=True)
class OpenText:
    """What is known of an open path: there is a text that begins with `prefix`, and ends, behind that, in `suffix`."""

    path: str
    prefix: str
    suffix: str


@dataclass(frozen=True, slots=True)
class CallSite:
    """A call of a tool as a script has it.

    `tool` is the tool's path, or the name as it is written where no such tool is declared; None where only a run can
    tell. `arguments` are those that every execution of the site passes, frozen; None if nothing is known of them.
    `open` are the paths at which they are not known: there may be any value there, or none. `""` stands for the whole:
    there may be any further key, and with `arguments` None any value. A path at which `arguments` has an object or
    array stands for further keys or elements of that; an element that is not known has None in its place. `texts` say
    of some open paths what is known of their values.

    `line` to `end_column` count from 1, columns in characters; `end_column` is that behind the last character. `text`
    is the beginning of the source there. `shadowed` says that the name is the script's own there, `fault` why the call
    always fails before it reaches any tool, `note` what else there is to say.
    """

    tool: str | None
    arguments: Mapping[str, Any] | None
    open: tuple[str, ...]
    line: int
    column: int
    end_line: int
    end_column: int
    text: str
    shadowed: bool = False
    fault: str = ""
    note: str = ""
    texts: tuple[OpenText, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether each execution of the site passes exactly `arguments`."""
        return self.arguments is not None and not self.open and not self.fault


@dataclass(frozen=True, slots=True)
class SiteError:
    """Why a script cannot be looked at: mostly that it cannot be parsed. `line` and `column` count from 1."""

    message: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class CallSites:
    """All sites of a script, in their order; none where there is an `error`."""

    sites: tuple[CallSite, ...]
    error: SiteError | None = None
