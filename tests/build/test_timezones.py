"""The time zone table: complete, the same every time, small, and saying what the database says."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from importlib import resources
from itertools import accumulate
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from guest.build.timezones import generate

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ZONES = ["America/New_York", "Europe/Dublin", "Africa/Casablanca", "Asia/Kathmandu", "Australia/Lord_Howe", "Etc/GMT+5"]
MAX_BYTES = 64_000


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    out = tmp_path_factory.mktemp("zones")
    generate(out)
    return constants(out / "timezones.ts")


def constants(module: Path) -> dict[str, str]:
    """The string constants of the generated module, and its number as text."""
    found = re.findall(r'^export const (\w+) = (".*"|\d+);$', module.read_text("ascii"), re.MULTILINE)
    return {name: str(json.loads(value)) for name, value in found}


def transitions(table: dict[str, str], name: str) -> list[tuple[int, int]]:
    """Decode a zone as the docstring of the generator describes: moments with the offsets that begin there."""
    names = [re.split("[;,]", line) for line in table["NAMES"].split("\n")]
    line = next(i for i, members in enumerate(names) if name in members)
    kinds, first, text, _ = table["ZONES"].split("\n")[line].split("|")
    common = table["TYPES"].split(" ")
    offsets = [int((k if ":" in k else common[int(k, 36)]).split(":")[0]) for k in kinds.split(" ")]
    if not first:
        return []
    moves, types = read_steps(table, text)
    return list(zip(accumulate(moves, initial=int(first, 36)), (offsets[i] for i in types), strict=True))


def read_steps(table: dict[str, str], text: str) -> tuple[list[int], list[int]]:
    digits, short = table["DIGITS"], int(table["SHORT"])
    steps = [int(step, 36) for step in table["STEPS"].split(" ")]
    characters = iter(text)
    digit: Callable[[str], int] = digits.index
    moves: list[int] = []
    types: list[int] = []
    follows: dict[int, int] = {}
    old, pending = 0, next(characters, "")
    while pending or not types:
        if types:
            if pending == "!":
                moves.append(sum(digit(next(characters)) * len(digits) ** p for p in (4, 3, 2, 1, 0)))
            else:
                index = digit(pending)
                moves.append(
                    steps[index if index < short else short + (index - short) * len(digits) + digit(next(characters))]
                )
            pending = next(characters, "")
        new = digit(next(characters)) if pending == "#" else follows[old]
        pending = next(characters, "") if pending == "#" else pending
        follows[old], old = new, new
        types.append(new)
    return moves, types


def test_it_is_the_same_every_time(tmp_path: Path) -> None:
    """Two runs write the same bytes."""
    generate(tmp_path / "a")
    generate(tmp_path / "b")
    assert (tmp_path / "a/timezones.ts").read_bytes() == (tmp_path / "b/timezones.ts").read_bytes()


def test_every_name_is_there_once(table: dict[str, str]) -> None:
    """All zones and links of the database are named, but for the one that is no place."""
    wanted = set(resources.files("tzdata").joinpath("zones").read_text().split()) - {"Factory"}
    assert sorted(re.split("[;,\n]", table["NAMES"])) == sorted(wanted)


def test_it_stays_small(table: dict[str, str]) -> None:
    """It is loaded with every script that writes a local time."""
    assert sum(map(len, table.values())) < MAX_BYTES


@pytest.mark.parametrize("name", ZONES)
def test_offsets_are_those_of_zoneinfo(table: dict[str, str], name: str) -> None:
    """Right after each transition the offset is what zoneinfo gives for that moment from the same database."""
    with resources.files("tzdata").joinpath("zoneinfo", name).open("rb") as file:
        zone = ZoneInfo.from_file(file)
    for moment, offset in transitions(table, name):
        if moment > -(2**31):
            at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=moment + 1)
            assert at.astimezone(zone).utcoffset() == timedelta(seconds=offset), at
