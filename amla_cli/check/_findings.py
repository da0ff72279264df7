"""What a check comes to, before it is written in one format or another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from amla_capabilities.findings import Finding

__all__ = ["CheckedSite", "CheckedTest", "Report", "Unchecked"]


class CheckedTest(NamedTuple):
    """A policy test: what was expected of a call, what was decided, and by which rule."""

    file: str
    line: int
    call: str
    arguments: Mapping[str, Any]
    expected: str
    actual: str
    rule: str

    @property
    def passed(self) -> bool:
        return self.expected == self.actual


class CheckedSite(NamedTuple):
    """A call found in a script, or made by it on trial: `verdict` is a word, `reason` a sentence."""

    file: str
    line: int
    column: int
    tool: str
    verdict: str
    reason: str
    text: str


class Unchecked(NamedTuple):
    """Something that could not be checked, and why; the check says nothing about it."""

    file: str
    line: int
    column: int
    message: str


class Report(NamedTuple):
    """All that was looked at. `files` are the names of manifests and scripts, in the order in which they were given."""

    files: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    tests: tuple[CheckedTest, ...] = ()
    sites: tuple[CheckedSite, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()
