"""The parser says of scripts what bash says, and prints what it can read again."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import mutate
from parser import ask, rows, runnable

pytestmark = pytest.mark.skipif(not runnable(), reason="needs node and the guest's build tools")
_NAME = "./x.sh: "


def _said(stdout: str) -> str:
    """What bash recorded, without what the script itself printed and without names."""
    lines = [line.removeprefix(_NAME) for line in stdout.splitlines() if line.startswith(_NAME)]
    return "\n".join(lines)


def test_faults() -> None:
    """A script that bash refuses is refused with bash's message, line and quoted source."""
    cases = rows("syntax-faults")
    answers = ask("faults", [case.files["x.sh"] for case in cases])
    first = {case.name: _said(case.stdout or "").split("\n")[0] for case in cases}
    assert {case.name: answer.split("\n")[0] for case, answer in zip(cases, answers, strict=True)} == first


def test_quoted_lines() -> None:
    """Where bash quotes the line at fault, so does the fault."""
    cases = [case for case in rows("syntax-faults") if ": `" in _said(case.stdout or "").partition("\n")[2]]
    answers = ask("faults", [case.files["x.sh"] for case in cases])
    assert len(cases) > 20
    assert {case.name: answer.rstrip("\n") for case, answer in zip(cases, answers, strict=True)} == {
        case.name: _said(case.stdout or "") for case in cases
    }


def test_functions() -> None:
    """A function is printed as `declare -f` prints it."""
    cases = rows("functions-printed")
    answers = ask("functions", [case.script for case in cases])
    assert dict(zip([case.name for case in cases], answers, strict=True)) == {case.name: case.stdout for case in cases}


def test_round_trip() -> None:
    """Every script of the cases, printed and read again, is the same tree."""
    cases = rows()
    answers = ask("round", [case.script for case in cases])
    assert {case.name: answer for case, answer in zip(cases, answers, strict=True) if answer} == {}


def test_mutants() -> None:
    """Broken scripts end in a tree or a fault, never in a failure of the parser."""
    assert list(mutate.wrong(mutate.mutants(seed=1, count=500))) == []


@pytest.mark.parametrize(
    "opening", ["$(", '"$(', "$((", "((", "${x:-", "a=(", "{ ", "if ", "a[", "@(", "$((a[", "`", "<(", "[[ ( "]
)
@pytest.mark.parametrize("count", [90, 20000])
def test_nesting(opening: str, count: int) -> None:
    """Nesting of any depth ends in a fault, and soon."""
    (answer,) = ask("faults", [opening * count])
    assert answer.startswith("line ") or opening == "`"
    if count == 20000 and opening in ("$(", '"$(', "${x:-", "{ ", "if ", "@(", "<("):
        assert "nesting too deep" in answer
