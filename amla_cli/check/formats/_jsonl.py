"""For programs that read line by line: a JSON object each, with its `kind`."""

from __future__ import annotations

import json
from collections.abc import Mapping

from amla_cli._render import unmarked
from amla_cli.check._findings import Report

from ._records import findings, sites, tests, unchecked

__all__ = ["render"]

_KINDS = {"finding": findings, "test": tests, "site": sites, "unchecked": unchecked}


def render(report: Report, options: Mapping[str, bool]) -> str:  # noqa: ARG001 - the same for all formats
    lines = [json.dumps({"kind": kind, **row}) for kind, rows in _KINDS.items() for row in rows(report)]
    return unmarked("\n".join(lines))
