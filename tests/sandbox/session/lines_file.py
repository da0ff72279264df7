"""The rows of lines.toml: lines of a session in JavaScript, and what is printed after each."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

__all__ = ["LINES", "Row", "load", "save"]

LINES = Path(__file__).with_name("lines.toml")


class Row(NamedTuple):
    name: str
    lines: Sequence[str]
    shown: Sequence[str] = ()
    differs: str = ""
    """Why ours differs from Node's on purpose."""


def load() -> list[Row]:
    return [Row(**row) for row in tomllib.loads(LINES.read_text("utf-8"))["row"]]


def save(rows: Iterable[Row]) -> None:
    LINES.write_text("\n".join(map(_written, rows)), "utf-8")


def _written(row: Row) -> str:
    parts = ["[[row]]", f"name = {_text(row.name)}"]
    if row.differs:
        parts.append(f"differs = {_text(row.differs)}")
    for key, values in (("lines", row.lines), ("shown", row.shown)):
        parts += [f"{key} = [", *(f"  {_text(value)}," for value in values), "]"]
    return "\n".join(parts) + "\n"


def _text(value: str) -> str:
    """A TOML string: JSON's escapes are all TOML's."""
    return json.dumps(value, ensure_ascii=False)
