"""The formats in which a check is reported: a table from a name to a function from a report to text.

All of them are fit for a terminal and a log: whatever the repository put into names and sources is escaped (R3).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module

from amla_cli.check._findings import Report

__all__ = ["FORMATS", "formatter"]

FORMATS = ("text", "json", "jsonl", "github", "sarif", "junit")
"""Each is a module of this package with a function `render`."""


def formatter(name: str) -> Callable[[Report, Mapping[str, bool]], str]:
    """What writes a report in a format; its second argument holds `color`, `quiet`, `strict`
    and `verbose`."""
    render: Callable[[Report, Mapping[str, bool]], str] = import_module(f"{__name__}._{name}").render
    return render
