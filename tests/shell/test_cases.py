"""Shell scripts print in the sandbox what they print in bash with GNU tools, but where a row says why not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from amla_sandbox import create_sandbox_tool

sys.path.insert(0, str(Path(__file__).parent.parent / "js"))
from cases_file import Case, load

_CASES = Path(__file__).with_name("cases")
_ROWS = [(path.stem, case) for path in sorted(_CASES.glob("*.toml")) for case in load(path)]


@pytest.mark.parametrize(("area", "case"), _ROWS, ids=[f"{area}-{case.name}" for area, case in _ROWS])
def test_case(area: str, case: Case) -> None:
    """The row's script, with its files and stdin, gives its stdout and exit status."""
    assert case.stdout is not None, "not recorded yet: run tests/shell/record.py"
    tool = create_sandbox_tool(tools=[])
    for path, text in case.files.items():
        tool.sandbox.fs.write(path if path.startswith("/") else f"/workspace/{path}", text)
    result = tool.shell(case.script, stdin=case.stdin)
    assert (result.stdout, result.exit_code) == (case.stdout, case.exit), result.stderr or result.error


def test_names_are_unique() -> None:
    """A name finds one row."""
    names = [(area, case.name) for area, case in _ROWS]
    assert len(names) == len(set(names))
