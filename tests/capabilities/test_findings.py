"""The table of findings: codes, and the page that repeats it."""

from __future__ import annotations

import re

import pytest

from amla_capabilities import ManifestError, parse_manifest
from amla_capabilities.findings import (
    FINDINGS,
    Finding,
    FindingKind,
    _faults,
    _policy_tests,
    _runs,
    _sites,
    _warnings,
    _widening,
)
from amla_capabilities.lint import lint, run_tests


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
        assert kind.meaning.endswith((".", ".)"))
        assert kind.mend.endswith((".", ".)"))


def test_a_finding_reads_as_a_line_its_source_and_a_hint() -> None:
    finding = Finding("AM201", "nothing grants it", "warning", "a.toml", 3, 2, "tools.x", "add a line", "[tools.x]", 1)
    assert str(finding) == "a.toml:3:2: AM201 tools.x: nothing grants it\n    [tools.x]\n     ^\n    add a line"
    assert str(Finding("AM101", "no TOML", "error", "a.toml", 1, 1)) == "a.toml:1:1: AM101 no TOML"


def codes_of(text: str) -> set[str]:
    """The codes of all that is found in a manifest."""
    try:
        manifest = parse_manifest(text)
    except ManifestError as error:
        return {fault.code for fault in error.faults}
    return {found.code for found in lint(manifest)} | {
        outcome.finding.code for outcome in run_tests(manifest) if outcome.finding
    }


TOML = [kind for kind in FINDINGS.values() if kind.language == "toml" and kind.code[:3] in ("AM1", "AM2", "AM3")]


@pytest.mark.parametrize("kind", [pytest.param(kind, id=kind.code) for kind in TOML if kind.example])
def test_the_examples_of_the_page_are_found(kind: FindingKind) -> None:
    """Each example has the finding that it illustrates, and no other."""
    assert codes_of(kind.example) == {kind.code}


@pytest.mark.parametrize("kind", [pytest.param(kind, id=kind.code) for kind in TOML if kind.mended])
def test_the_mended_examples_are_clean(kind: FindingKind) -> None:
    assert codes_of(kind.mended) == set()


def test_nearly_every_finding_about_manifests_has_an_example() -> None:
    """Those without one are about files and sizes, not about what stands in one."""
    assert {kind.code for kind in TOML if not kind.example} <= {"AM100", "AM102", "AM127", "AM130", "AM215", "AM220"}
