"""A seeded set of faulty manifests and scripts: all is found, at its line, and nothing else; and clean ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from check_case import Case, cases, data_of, found_in, order

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
