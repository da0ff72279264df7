"""The JSON Schema of manifests, and manifests made at random."""

from __future__ import annotations

import json
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st
from manifest_texts import EXAMPLE

from amla_capabilities import (
    FINDINGS,
    ManifestError,
    manifest_schema,
    parse_manifest,
)

SCHEMA = jsonschema_rs.validator_for(manifest_schema(), validate_formats=True)


def accepted(text: str) -> bool:
    """Whether an editor that knows the JSON Schema would find nothing to underline."""
    plain = json.dumps(tomllib.loads(text), default=lambda when: when.isoformat())
    return SCHEMA.is_valid(json.loads(plain))


CLEAN = sorted(Path(__file__).with_name("clean").glob("*.toml"))


@pytest.mark.parametrize("text", [EXAMPLE, *(file.read_text("utf-8") for file in CLEAN)])
def test_the_schema_of_manifests_accepts_what_is_read(text: str) -> None:
    assert accepted(text)


@pytest.mark.parametrize("code", ["AM103", "AM104", "AM106", "AM110", "AM128"])
def test_the_schema_of_manifests_refuses_what_is_no_manifest(code: str) -> None:
    kind = FINDINGS[code]
    assert not accepted(kind.example)
    assert not kind.mended or accepted(kind.mended)


def test_the_schema_that_ships_is_the_one_that_is_made() -> None:
    assert (
        json.loads(files("amla_capabilities.manifest").joinpath("schema.json").read_text("utf-8")) == manifest_schema()
    )


_WORDS = st.sampled_from(
    [
        "tools",
        "mcp",
        "capabilities",
        "sandbox",
        "mounts",
        "env",
        "tests",
        "check",
        "include",
        "python",
        "command",
        "http",
        "params",
        "constraints",
        "method",
        "call",
        "args",
        "expect",
        "url",
        "headers",
        "a",
        "b",
        "type",
        "optional",
        "default",
        "max_calls",
        "allow",
        "note",
        "timeout",
        "host",
        "guest",
        "secret",
        "query",
        "body",
    ]
)
_SCALARS = st.one_of(
    st.integers(), st.booleans(), st.floats(), st.sampled_from(["", "a", "a:b", "<=5", "{a}", "**", "GET"])
)
_TOML = st.recursive(
    _SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(_WORDS, inner, max_size=3)),
    max_leaves=12,
)


@given(st.dictionaries(_WORDS, _TOML, max_size=4))
def test_any_toml_is_read_or_refused_with_places(data: dict[str, Any]) -> None:
    text = tomli_w.dumps(data)
    try:
        parse_manifest(text, "tools.toml")
    except ManifestError as error:
        assert all(fault.line >= 1 and fault.column >= 1 and fault.message for fault in error.faults)  # noqa: PT017
