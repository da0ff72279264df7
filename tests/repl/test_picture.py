"""The picture of the REPL is of this REPL."""

from __future__ import annotations

import html
import importlib.util
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_picture_says_what_a_session_shows() -> None:
    spec = importlib.util.spec_from_file_location("docs_picture", ROOT / "docs" / "picture.py")
    assert spec is not None
    assert spec.loader is not None
    picture = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(picture)
    rows: dict[float, str] = {}
    for y, text in re.findall(r'<text[^>]* y="([\d.]+)"[^>]*>(.*?)</text>', picture.PICTURE.read_text("utf-8")):
        rows[float(y)] = rows.get(float(y), "") + html.unescape(text).replace("\xa0", " ")
    drawn = [text.split() for _, text in sorted(rows.items()) if text.strip() and text != "amla repl"]
    shown = [line.split() for line in picture.said(picture.session()) if line]
    assert drawn == shown, "run nox -s picture"
