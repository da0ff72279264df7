"""The rows of cases.toml, and writing them with what the reference said."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

__all__ = ["CASES", "Row", "load", "save"]

CASES = Path(__file__).with_name("cases.toml")
_HEAD = """\
# Expressions and what the GNU tools find with them. record.py writes `error`, `spans`, `lines` and `matches`.
# by = "regexec": the C library's regexec() with `options` among E (extended), i (any case) and m (lines);
#                 spans of the whole match and the groups, [-1, -1] for a group without a part, [] if nothing matches.
# by = "grep":    GNU grep with `options` as arguments; numbers of the lines, and from -o the parts that match.
# Rows that are meant to differ say why in `differs`; the recorder leaves those alone.
"""


@dataclass
class Row:
    by: str
    pattern: str
    text: str
    options: str = ""
    differs: str | None = None
    error: str | None = None
    spans: list[list[int]] | None = None
    lines: list[int] | None = None
    matches: list[list[int]] | None = None

    @property
    def name(self) -> str:
        return f"{self.by} {self.options} {self.pattern!r} {self.text[:20]!r}"


def load() -> list[Row]:
    """All rows; an unknown key is an error."""
    rows: list[dict[str, Any]] = tomllib.loads(CASES.read_text("utf-8"))["row"]
    return [Row(**row) for row in rows]


def save(rows: list[Row]) -> None:
    """Write the file anew."""
    CASES.write_text(_HEAD + "".join(map(_block, rows)), "utf-8")


def _block(row: Row) -> str:
    values = [(field.name, getattr(row, field.name)) for field in fields(row)]
    kept = [(name, value) for name, value in values if value is not None and (name, value) != ("options", "")]
    return "\n[[row]]\n" + "".join(f"{name} = {_value(value)}\n" for name, value in kept)


def _value(value: object) -> str:
    if isinstance(value, str) and "'" not in value and value.isprintable():
        return f"'{value}'"
    return json.dumps(value, ensure_ascii=False)
