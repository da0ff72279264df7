"""The parts of a report as JSON objects, which two formats share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from amla_cli._terminal import printable
from amla_cli.check._findings import Report

__all__ = ["findings", "sites", "tests", "unchecked"]

_FINDING = ("code", "severity", "file", "line", "column", "path", "message", "hint", "source", "caret")


def findings(report: Report) -> Iterator[dict[str, Any]]:
    for finding in report.findings:
        yield {name: _clean(getattr(finding, name)) for name in _FINDING}


def tests(report: Report) -> Iterator[dict[str, Any]]:
    for test in report.tests:
        yield {**{name: _clean(value) for name, value in test._asdict().items()}, "passed": test.passed}


def sites(report: Report) -> Iterator[dict[str, Any]]:
    for site in report.sites:
        yield {name: _clean(value) for name, value in site._asdict().items()}


def unchecked(report: Report) -> Iterator[dict[str, Any]]:
    for one in report.unchecked:
        yield {name: _clean(value) for name, value in one._asdict().items()}


def _clean(value: Any) -> Any:
    return printable(value) if isinstance(value, str) else value
