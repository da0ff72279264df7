"""A seeded set of faulty manifests and scripts: all is found, at its line, and nothing else; and clean ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from check_case import HERE, Case, cases, data_of, found_in, order

from amla_capabilities.findings import FINDINGS, FindingKind

FAULTY = [*cases("faulty_manifests.toml"), *cases("faulty_scripts.toml")]


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in FAULTY])
def test_what_is_wrong_is_found(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case.write(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert found_in(data_of(order(*case.scripts))) == case.expected


def test_the_set_is_large_enough() -> None:
    assert len(FAULTY) >= 60
    assert len({case.name for case in FAULTY}) == len(FAULTY)
    assert all(case.expected for case in FAULTY)


PAY = """\
[tools.pay]
command = ["pay", "{amount}"]
params.amount = { type = "integer" }
constraints = { amount = "<=100" }
"""
ON_PAGE = [kind for kind in FINDINGS.values() if kind.code.startswith("AM4")]


@pytest.mark.parametrize("kind", [pytest.param(kind, id=kind.code) for kind in ON_PAGE])
def test_the_examples_of_the_page_are_found_in_scripts(
    kind: FindingKind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each has the finding that it illustrates, at one place, and no other; what it becomes has none."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tools.toml").write_text(PAY)
    (tmp_path / "script.js").write_text(kind.example)
    data = data_of(order("script.js", strict=True))
    assert [found["code"] for found in [*data["findings"], *data["unchecked"]]] == [kind.code]
    (tmp_path / "script.js").write_text(kind.mended)
    data = data_of(order("script.js", strict=True))
    assert [*data["findings"], *data["unchecked"]] == []


CLEAN = sorted(file for file in (HERE / "clean").glob("*/*") if file.suffix in (".js", ".mjs", ".ts", ".sh"))


@pytest.mark.parametrize("script", [pytest.param(file, id=f"{file.parent.name}/{file.name}") for file in CLEAN])
def test_nothing_is_found_where_nothing_is_wrong(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Realistic scripts beside realistic manifests: no finding of any kind, and their calls are seen."""
    monkeypatch.chdir(script.parent)
    data = data_of(order(script.name))
    assert (data["findings"], data["unchecked"]) == ([], [])
    assert all(test["passed"] for test in data["tests"])
    assert data["sites"]
    assert {site["verdict"] for site in data["sites"]} <= {"allowed", "at run time"}


def test_the_clean_set_is_large_enough() -> None:
    assert len(CLEAN) >= 30
    assert {file.suffix for file in CLEAN} == {".js", ".mjs", ".ts", ".sh"}
