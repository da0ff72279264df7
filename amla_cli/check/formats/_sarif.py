"""SARIF 2.1.0 (OASIS), the format that code scanning services read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from amla_capabilities.findings import FINDINGS, Finding
from amla_cli._render import unmarked
from amla_cli._terminal import printable
from amla_cli.check._findings import Report, Unchecked

__all__ = ["render"]

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render(report: Report, options: Mapping[str, bool]) -> str:  # noqa: ARG001 - the same for all formats
    from amla_sandbox import __version__

    rules = sorted({finding.code for finding in report.findings})
    driver = {"name": "amla", "semanticVersion": __version__, "rules": [_rule(code) for code in rules]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(report)],
        "results": list(_results(report, rules)),
    }
    return unmarked(json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2))


def _rule(code: str) -> dict[str, Any]:
    kind = FINDINGS[code]
    return {
        "id": code,
        "shortDescription": {"text": kind.title},
        "fullDescription": {"text": kind.meaning},
        "help": {"text": kind.mend},
        "defaultConfiguration": {"level": kind.severity},
    }


def _results(report: Report, rules: list[str]) -> Iterator[dict[str, Any]]:
    for finding in report.findings:
        yield {
            "ruleId": finding.code,
            "ruleIndex": rules.index(finding.code),
            "level": finding.severity,
            "message": {"text": _text(finding)},
            "locations": [_location(finding.file, finding.line, finding.column)],
        }


def _text(finding: Finding) -> str:
    message = f"{finding.path}: {finding.message}" if finding.path else finding.message
    return printable(f"{message}\n{finding.hint}" if finding.hint else message)


def _location(file: str, line: int, column: int) -> dict[str, Any]:
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": _uri(file)},
            "region": {"startLine": max(1, line), "startColumn": max(1, column)},
        }
    }


def _uri(file: str) -> str:
    """A relative reference for what lies here, which a service resolves in the checkout; else a file URI."""
    path = Path(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())


def _invocation(report: Report) -> dict[str, Any]:
    notifications = [_notification(one) for one in report.unchecked]
    told = {"toolExecutionNotifications": notifications} if notifications else {}
    return {"executionSuccessful": not report.unchecked, **told}


def _notification(one: Unchecked) -> dict[str, Any]:
    return {
        "level": "error",
        "message": {"text": printable(f"{one.code}: {one.message}" if one.code else one.message)},
        "locations": [_location(one.file, one.line, one.column)],
    }
