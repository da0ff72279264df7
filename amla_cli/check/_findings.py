"""What a check comes to, before it is written in one format or another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from amla_capabilities.findings import Finding

__all__ = ["ON_TRIAL", "CheckedSite", "CheckedTest", "Report", "Unchecked", "joined"]


ON_TRIAL = " on trial"
"""What the verdicts on calls that were really made, with mocks, end with."""


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
    """A call found in a script, or made by it on trial.

    `tool` is empty where only a run can tell; `verdict` is a word or three, `reason` a sentence, `open` the constraints
    and conditions that only a run can decide, `text` the beginning of the call's source, or the arguments on trial.
    `code` is that of the finding which such a verdict makes, empty for a call that is allowed.
    """

    file: str
    line: int
    column: int
    tool: str
    verdict: str
    code: str
    reason: str
    open: tuple[str, ...]
    text: str


class Unchecked(NamedTuple):
    """Something that could not be checked, and why; the check says nothing about it.

    `code` is empty where it has none; `source` and `caret` are those of a finding.
    """

    file: str
    line: int
    column: int
    message: str
    code: str = ""
    source: str = ""
    caret: int = 0


class Report(NamedTuple):
    """All that was looked at. `files` are the names of manifests and scripts, in the order in which they were given."""

    files: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    tests: tuple[CheckedTest, ...] = ()
    sites: tuple[CheckedSite, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()


def joined(reports: Sequence[Report]) -> Report:
    """One report of several, with the findings in order; what two manifests include is told of once."""
    findings = dict.fromkeys(finding for report in reports for finding in report.findings)
    return Report(
        tuple(file for report in reports for file in report.files),
        tuple(sorted(findings, key=lambda f: (f.file, f.line, f.column, f.code))),
        tuple(test for report in reports for test in report.tests),
        tuple(site for report in reports for site in report.sites),
        tuple(unchecked for report in reports for unchecked in report.unchecked),
    )
