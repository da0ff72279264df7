"""Calls of tools are found, and are what a run makes of them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from amla_sandbox import find_calls

sys.path.insert(0, str(Path(__file__).parent / "sites"))
from sites_file import SCHEMAS, Case, calls_of, cases, covers, expected, written

CASES = {
    f"{file}: {case.name}": case
    for file, language in (("javascript.toml", "javascript"), ("hostile.toml", "javascript"), ("shell.toml", "shell"))
    for case in cases(file, language)
}
RUNNING = {name: case for name, case in CASES.items() if case.runs}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_sites_are_those_of_the_script(case: Case) -> None:
    found = find_calls(case.script, "script", case.language, SCHEMAS)
    assert found.error is None
    assert [written(site) for site in found.sites] == [expected(site) for site in case.sites]


@pytest.mark.parametrize("case", RUNNING.values(), ids=RUNNING)
def test_a_run_calls_what_was_said(case: Case) -> None:
    """Each call that is really made is one of a site: the tool, and all that is known of its arguments."""
    sites = find_calls(case.script, "script", case.language, SCHEMAS).sites
    for tool, arguments in calls_of(case):
        assert any(covers(site, tool, arguments) for site in sites), (tool, arguments)
