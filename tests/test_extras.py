"""What needs an extra says which, by its exact name."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from amla_sandbox import create_sandbox_tool


def web() -> Any:
    from amla_capabilities import parse_manifest
    from amla_sandbox.tools import from_manifest

    return from_manifest(parse_manifest('[tools.web]\nhttp = { url = "https://example.com/" }\nallow = true'))


def langchain() -> Any:
    with create_sandbox_tool() as tool:
        return tool.as_langchain_tool()


@pytest.mark.parametrize(
    ("library", "action", "extra"), [("httpx", web, "http"), ("langchain_core", langchain, "langchain")]
)
def test_the_hint_names_the_extra(monkeypatch: pytest.MonkeyPatch, library: str, action: Any, extra: str) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == library]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises((ValueError, ImportError)) as caught:
        action()
    assert re.findall(r"pip install \S+", str(caught.value)) == [f"pip install 'amla[{extra}]'"]
    declared = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))
    assert extra in declared["project"]["optional-dependencies"]
