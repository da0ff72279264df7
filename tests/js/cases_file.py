"""The rows of a case file, and writing what was recorded back without touching anything else."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["CASES", "Case", "load", "save"]

CASES = Path(__file__).with_name("cases")
_HEAD = "[[case]]"
_RECORDED = re.compile(r"^(?:stdout|exit) = (?:'''.*?'''|\"(?:[^\"\\\n]|\\.)*\"|\d+)\n", re.MULTILINE | re.DOTALL)
_LITERAL = re.compile(r"[^\x00-\x08\x0b-\x1f\x7f]*")


@dataclass
class Case:
    """One row. ``stdout`` is None until it is recorded."""

    name: str
    script: str
    files: dict[str, str] = field(default_factory=dict[str, str])
    stdin: str | None = None
    note: str | None = None
    differs: str | None = None
    stdout: str | None = None
    exit: int = 0


def load(path: Path) -> list[Case]:
    """All rows; a row with an unknown key is an error."""
    rows: list[dict[str, Any]] = tomllib.loads(path.read_text("utf-8")).get("case", [])
    return [Case(**row) for row in rows]


def save(path: Path, cases: list[Case]) -> None:
    """Write ``stdout`` and ``exit`` of each case at the end of its block; the rest of the file stays as it is."""
    head, *blocks = path.read_text("utf-8").split(f"{_HEAD}\n")
    if len(blocks) != len(cases):
        raise ValueError(f"{path}: {len(blocks)} blocks begin with {_HEAD}, but {len(cases)} rows were read")
    texts = [_recorded(block, case) for block, case in zip(blocks, cases, strict=True)]
    text = head + "".join(f"{_HEAD}\n{each}" for each in texts)
    if [_source(row) for row in tomllib.loads(text).get("case", [])] != [_source(vars(case)) for case in cases]:
        raise ValueError(f"{path}: writing the recording back would change the rows themselves; nothing was written")
    path.write_text(text, "utf-8")


def _recorded(block: str, case: Case) -> str:
    if case.differs is not None:
        return block
    script, separator, rest = _split_script(block)
    rest = _RECORDED.sub("", rest)
    body = f"{script}{separator}{rest}".rstrip("\n")
    exit_line = f"exit = {case.exit}\n" if case.exit else ""
    return f"{body}\nstdout = {_quote(case.stdout or '')}\n{exit_line}\n"


def _split_script(block: str) -> tuple[str, str, str]:
    """What is in the script must not be taken for a recording."""
    start, separator, rest = block.partition("script = '''")
    if not separator:
        return "", "", block
    script, end, after = rest.partition("'''")
    return f"{start}{separator}{script}", end, after


def _quote(text: str) -> str:
    if text.count("\n") > 1 and "'''" not in text and not text.endswith("'") and _LITERAL.fullmatch(text):
        return f"'''\n{text}'''"
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _source(row: dict[str, Any]) -> dict[str, Any]:
    return {key: row.get(key) or None for key in ("name", "script", "files", "stdin", "note", "differs")}
