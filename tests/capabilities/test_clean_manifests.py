"""Manifests as careful people write them: nothing is found in them, and their own tests pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from amla_capabilities import load_manifest
from amla_capabilities.lint import lint, run_tests

ROOT = Path(__file__).parents[2]
CLEAN = sorted(Path(__file__).with_name("clean").glob("*.toml"))
EXAMPLES = sorted((ROOT / "examples").rglob("*.toml"))


def test_there_are_enough_of_them() -> None:
    assert len(CLEAN) >= 15
    assert EXAMPLES


@pytest.mark.parametrize("file", [pytest.param(file, id=file.stem) for file in [*CLEAN, *EXAMPLES]])
def test_nothing_is_found(file: Path) -> None:
    """Notes aside: that a server is not asked, and that an exception stands before its rule."""
    manifest = load_manifest(file)
    assert [str(found) for found in lint(manifest) if found.code not in ("AM212", "AM218")] == []
    assert [str(outcome.finding) for outcome in run_tests(manifest) if not outcome.passed] == []
