"""The tables of docs/policy.md are true: each cell is a test."""

from __future__ import annotations

import json
import math
import re
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from amla_capabilities import CODES, Constraint, Param, constraints_from_dict
from amla_capabilities._constraints._operators import OPERATORS

PAGE = (Path(__file__).parents[2] / "docs" / "policy.md").read_text("utf-8")
VERDICTS = {"true": True, "false": False, "fault": None}
MISSING = object()
COLUMNS = {
    "missing": [MISSING],
    "`null`": [None],
    "`true`": [True],
    "NaN, ±∞": [math.nan, math.inf, -math.inf],
    "NFD": ["e\u0301"],
}


class Cell(NamedTuple):
    spelling: str
    column: str
    value: Any
    verdict: bool | None


def rows(first: str) -> list[dict[str, str]]:
    """The rows of the table whose first column is headed `first`, by column."""
    lines = iter(PAGE.splitlines())
    header = _split(next(line for line in lines if line.startswith(f"| {first} |")))
    next(lines)
    found: list[dict[str, str]] = []
    for line in lines:
        if not line.startswith("|"):
            break
        found.append(dict(zip(header, _split(line), strict=True)))
    return found


def _split(line: str) -> list[str]:
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def cells() -> list[Cell]:
    found: list[Cell] = []
    for row in rows("in a manifest"):
        spelling = row["in a manifest"].strip("`")
        for column, verdict in VERDICTS.items():
            values = [json.loads(text) for text in re.findall(r"`([^`]*)`", row[column])]
            found += [Cell(spelling, column, value, verdict) for value in values]
        for column, values in COLUMNS.items():
            found += [Cell(spelling, column, value, VERDICTS[row[column]]) for value in values]
    return found


CELLS = cells()


def constraint(spelling: str) -> Constraint:
    (found,) = constraints_from_dict(tomllib.loads(spelling))
    return found


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: f"{cell.spelling}-{cell.column}-{cell.value!r}"[:90])
def test_each_cell(cell: Cell) -> None:
    """The verdict is the one in the table; negated it is exchanged, and a fault stays one; only true allows."""
    part, arguments = constraint(cell.spelling), {} if cell.value is MISSING else {"x": cell.value}
    assert part.verdict(arguments) is cell.verdict
    optional = "optional" in cell.spelling and cell.value is MISSING
    negated = True if optional else None if cell.verdict is None else not cell.verdict
    assert (~part).verdict(arguments) is negated
    assert part.holds(arguments) is (part.check(arguments) is None) is (cell.verdict is True)


def test_the_table_is_whole() -> None:
    """Every operator has a row, every row every kind of value."""
    assert len(CELLS) > 300
    texts = {
        name for cell in CELLS for name in re.findall(r"'type': '(\w+)'", str(constraint(cell.spelling).to_dict()))
    }
    assert texts >= set(OPERATORS) | {"each", "any"}
    for row in rows("in a manifest"):
        assert all(row[column] in VERDICTS for column in COLUMNS), row


def test_the_spellings_beside_each_other_mean_the_same() -> None:
    """Where both columns hold one complete example each, they are equal constraints."""
    compared = 0
    for row in rows("Python"):
        python, written = (
            re.findall(r"`([^`]*)`", row[key])[0] for key in ("Python", "manifest and `constraints={…}`")
        )
        if "Param(" not in python or "…" in written:
            continue
        meant = eval(python, {"Param": Param})
        read = constraints_from_dict(tomllib.loads(written))
        combined = read.constraints[0] if len(read) == 1 else read.constraints[0] & read.constraints[1]
        assert combined == meant, python
        compared += 1
    assert compared >= 7


def test_the_codes_are_those_there_are() -> None:
    assert {row["code"].strip("`"): row["means"] for row in rows("code")} == CODES
