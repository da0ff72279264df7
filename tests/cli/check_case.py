"""Cases of `amla check-policy`: manifests and scripts with marks where something is to be found."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from amla_cli._outcome import Settings
from amla_cli.check import Order, check

HERE = Path(__file__).parent / "check_cases"
MARK = re.compile(r" <--((?: AM\d{3})+)$", re.MULTILINE)

Found = set[tuple[str, str, int]]
"""Codes with the file and the line where each is."""


@dataclass(frozen=True)
class Case:
    """Files to be written, without the marks, and what is to be found in them."""

    name: str
    files: Mapping[str, str]
    scripts: tuple[str, ...]
    expected: frozenset[tuple[str, str, int]]

    def write(self, folder: Path) -> None:
        for name, text in self.files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)


def cases(file: str) -> list[Case]:
    rows = tomllib.loads((HERE / file).read_text())["case"]
    return [_manifest_case(row) if "manifest" in row else _script_case(row) for row in rows]


def _manifest_case(row: dict[str, Any]) -> Case:
    return _case(row["name"], {"tools.toml": row["manifest"], **row.get("files", {})}, (), [])


def _script_case(row: dict[str, Any]) -> Case:
    shop = {"tools.toml": (HERE / "shop.toml").read_text(), "weather.py": (HERE / "weather.py").read_text()}
    placed = [(code, row["file"], line) for code, line in row.get("expect", [])]
    return _case(row["name"], {**shop, row["file"]: row["script"]}, (row["file"],), placed)


def _case(name: str, marked: Mapping[str, str], scripts: tuple[str, ...], placed: list[tuple[str, str, int]]) -> Case:
    texts = {file: text.removeprefix("\n") for file, text in marked.items()}
    found = {
        (code, file, text.count("\n", 0, mark.start()) + 1)
        for file, text in texts.items()
        for mark in MARK.finditer(text)
        for code in mark[1].split()
    }
    clean = {file: MARK.sub("", text) for file, text in texts.items()}
    return Case(name, clean, scripts, frozenset({*found, *placed}))


def order(*scripts: str, tools: tuple[str, ...] = ("tools.toml",), **more: Any) -> Order:
    usual = {"run": False, "against": None, "explain": None, "format": "text", "strict": False, "load": False}
    return Order(files=scripts, tools=tools, limits={}, **{**usual, **more})


def data_of(asked: Order) -> Any:
    """What a check in this process finds, as `--format json` has it."""
    return check(asked, Settings(json=True)).data


def found_in(data: Any) -> Found:
    return {(each["code"], each["file"], each["line"]) for each in [*data["findings"], *data["unchecked"]]}
