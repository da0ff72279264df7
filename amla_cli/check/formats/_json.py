"""For programs: one JSON object, in ASCII."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from amla_cli._render import unmarked
from amla_cli.check._findings import Report

from ._records import findings, sites, tests, unchecked

__all__ = ["as_data", "render"]

SCHEMA_VERSION = 1
"""Grows when a key is removed or changes its meaning, not when one is added."""


def render(report: Report, options: Mapping[str, bool]) -> str:  # noqa: ARG001 - the same for all formats
    return unmarked(json.dumps(as_data(report), indent=2))


def as_data(report: Report) -> dict[str, Any]:
    return {
        "schema": SCHEMA_VERSION,
        "files": list(report.files),
        "findings": [*findings(report)],
        "tests": [*tests(report)],
        "sites": [*sites(report)],
        "unchecked": [*unchecked(report)],
    }
