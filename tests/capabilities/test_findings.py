"""The table of findings: codes, and the page that repeats it."""

from __future__ import annotations

import re

from amla_capabilities.findings import FINDINGS, Finding, _faults, _policy_tests, _runs, _sites, _warnings, _widening


def test_every_code_is_given_once() -> None:
    """No two rows share a code: the later one would hide the earlier."""
    rows = [
        *_faults.FAULTS,
        *_warnings.WARNINGS,
        *_policy_tests.POLICY_TESTS,
        *_sites.SITES,
        *_widening.WIDENING,
        *_runs.RUNS,
    ]
    assert len(rows) == len(FINDINGS)


def test_every_row_is_whole() -> None:
    for code, kind in FINDINGS.items():
        assert re.fullmatch(r"AM[1-6]\d\d", code)
        assert kind.title
        assert not kind.title.endswith(".")
        assert kind.meaning.endswith(".")
        assert kind.mend.endswith(".")


def test_a_finding_reads_as_a_line_its_source_and_a_hint() -> None:
    finding = Finding("AM201", "nothing grants it", "warning", "a.toml", 3, 2, "tools.x", "add a line", "[tools.x]", 1)
    assert str(finding) == "a.toml:3:2: AM201 tools.x: nothing grants it\n    [tools.x]\n     ^\n    add a line"
    assert str(Finding("AM101", "no TOML", "error", "a.toml", 1, 1)) == "a.toml:1:1: AM101 no TOML"
