"""Strict JSON from the guest: caps before parsing, nothing ambiguous, nothing changeable afterwards."""

from __future__ import annotations

import contextlib
import json
import math
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amla_sandbox.tools import ArgumentError, Caps, freeze, thaw
from amla_sandbox.tools._json import extend_path, parse_json, show

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=30,
)


@given(JSON)
def test_what_json_writes_is_read_back(value: Any) -> None:
    """Strictness refuses nothing that a well-behaved writer produces."""
    assert parse_json(json.dumps(value).encode(), Caps()) == value


@given(JSON)
def test_freeze_and_thaw_are_inverse(value: Any) -> None:
    assert thaw(freeze(value)) == value


@given(st.binary(max_size=200))
def test_any_bytes_give_a_value_or_an_argument_error(data: bytes) -> None:
    """Guest bytes are hostile: no other exception may come out."""
    with contextlib.suppress(ArgumentError):
        parse_json(data, Caps())


@given(st.text(alphabet='[]{}",:\\019aue- .', max_size=60))
def test_any_json_like_text_gives_a_value_or_an_argument_error(text: str) -> None:
    with contextlib.suppress(ArgumentError):
        parse_json(text.encode(), Caps(depth=5, nodes=8))


@pytest.mark.parametrize("depth", [3, 4, 5])
def test_depth_is_counted_outside_strings_only(depth: int) -> None:
    """Each side of the cap: brackets in strings are text, brackets outside are depth."""
    data = b'{"a":' * (depth - 1) + b'["[[[[[[{{{{"]' + b"}" * (depth - 1)
    if depth <= 4:
        assert parse_json(data, Caps(depth=4)) is not None
    else:
        with pytest.raises(ArgumentError, match="nested 5 levels deep; at most 4"):
            parse_json(data, Caps(depth=4))


def test_nodes_are_capped_on_each_side() -> None:
    data = json.dumps([0] * 9).encode()
    assert parse_json(data, Caps(nodes=10)) == [0] * 9
    with pytest.raises(ArgumentError, match="about 10 values; at most 9"):
        parse_json(data, Caps(nodes=9))


def test_an_escaped_quote_does_not_end_a_string() -> None:
    data = rb'["\\\"[[[[[[[["]'
    assert parse_json(data, Caps(depth=1)) == ['\\"[[[[[[[[']


@pytest.mark.parametrize("data", [b"\xff{}", b'{"a": "\xed\xa0\x80"}', '{"a":1}'.encode("utf-16")])
def test_only_utf8_is_read(data: bytes) -> None:
    """json.loads would guess UTF-16 from the bytes, and raw surrogates are not UTF-8."""
    with pytest.raises(ArgumentError, match=r"not UTF-8|not JSON"):
        parse_json(data, Caps())


def test_lone_surrogates_survive_as_escapes() -> None:
    assert parse_json(rb'"\ud800x"', Caps()) == "\ud800x"


def test_negative_zero_keeps_its_sign() -> None:
    number = parse_json(b"[-0]", Caps())[0]
    assert math.copysign(1, number) == -1


def test_frozen_values_cannot_be_changed() -> None:
    frozen = freeze({"a": [{"b": 1}]})
    assert isinstance(frozen, MappingProxyType)
    with pytest.raises(TypeError):
        frozen["a"][0]["b"] = 2


@pytest.mark.parametrize(
    ("path", "key", "expected"),
    [("", "a", "a"), ("a", "b", "a.b"), ("a", 0, "a[0]"), ("a", "b c", 'a["b c"]'), ("", "é", "é")],
)
def test_paths_read_as_people_write_them(path: str, key: str | int, expected: str) -> None:
    assert extend_path(path, key) == expected


def test_huge_values_are_shown_short() -> None:
    assert len(show({"a": ["x" * 10_000] * 10_000})) <= 80
    assert show(10**500) == "an integer of more than 400 digits"


def test_caps_follow_the_sandbox_limits() -> None:
    from amla_capabilities import Limits

    assert Caps.of(Limits()) == Caps()
    unlimited = Caps.of(Limits(arguments=0, argument_depth=0, argument_nodes=0))
    assert unlimited.depth == 200  # forced by the validator's recursion, whoever asks for none
    assert unlimited.size > 10**12
