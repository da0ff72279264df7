"""Results: exact, or refused with the value and its path."""

from __future__ import annotations

import base64
import html
import json
import math
import re
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum, IntEnum
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import quote
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from amla_sandbox.tools import ResultError, encode_result


class Colour(str, Enum):  # noqa: UP042
    RED = "red"


class Level(IntEnum):
    HIGH = 2


class Kind(Enum):
    A = "a"


@dataclass
class Row:
    name: str
    when: date


class Model(BaseModel):
    n: int
    tags: set[str] = set()


class Pair(NamedTuple):
    a: int
    b: int


SAFE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=30,
)


@given(SAFE)
def test_json_values_cross_unchanged(value: Any) -> None:
    assert json.loads(encode_result(value)) == value


FORMS: list[tuple[Any, Any]] = [
    (Colour.RED, "red"),
    (Level.HIGH, 2),
    (Kind.A, "a"),
    ([Kind.A, (1, 2)], ["a", [1, 2]]),
    ({3, 1, 2}, [1, 2, 3]),
    (frozenset({"b", "a"}), ["a", "b"]),
    (Row("x", date(2024, 1, 31)), {"name": "x", "when": "2024-01-31"}),
    (Pair(1, 2), [1, 2]),
    (Model(n=1, tags={"b", "a"}), {"n": 1, "tags": ["a", "b"]}),
    ([Model(n=1)], [{"n": 1, "tags": []}]),
    (datetime(2024, 1, 31, 9, 30, tzinfo=timezone.utc), "2024-01-31T09:30:00+00:00"),  # noqa: UP017
    (timedelta(minutes=1.5), 90.0),
    (Decimal("1.10"), "1.10"),
    (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
    (PurePosixPath("/a/b"), "/a/b"),
    (b"\xff\x00", "/wA="),
    (bytearray(b"hi"), "aGk="),
    (memoryview(b"hi"), "aGk="),
    (deque([1, 2]), [1, 2]),
    (MappingProxyType({"a": (1,)}), {"a": [1]}),
    ({1: "a", None: "b"}, {"1": "a", "null": "b"}),
    ({"a": 1}.keys(), ["a"]),
    ("\ud800x", "\ud800x"),
    (2**60, 2**60),
]


@pytest.mark.parametrize(("value", "expected"), FORMS)
def test_python_values_have_a_json_form(value: Any, expected: Any) -> None:
    assert json.loads(encode_result(value)) == expected


def test_negative_zero_keeps_its_sign() -> None:
    assert encode_result([-0.0]) == b"[-0.0]"


def test_text_is_sent_as_utf8_and_lone_surrogates_as_escapes() -> None:
    assert encode_result("é") == '"é"'.encode()
    assert encode_result("é\ud800") == rb'"\u00e9\ud800"'


def cycle() -> Any:
    value: list[Any] = []
    value.append({"again": value})
    return value


def deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (math.nan, "result is NaN, which JSON cannot carry"),
        ({"rows": [{"price": math.inf}]}, "result.rows[0].price is Infinity"),
        (-math.inf, "result is -Infinity"),
        (Row("x", math.nan), "result.when is NaN"),  # type: ignore[arg-type]
        (2**53 + 1, "result is 9007199254740993, which JavaScript cannot hold exactly"),
        ({"id": -(2**63) + 1}, "result.id is -9223372036854775807"),
        ({"a b": [2**64 + 1]}, 'result["a b"][0] is 18446744073709551617'),
        (10**400, "an integer of more than 400 digits"),
        ({(1, 2): 3}, "result has a key of type tuple"),
        ([object()], "result[0] is of type object, which has no JSON form"),
        (lambda: 1, "of type function"),
        (cycle(), "nested more than 500 levels deep, or contains itself"),
        (deep(5000), "nested more than 500 levels deep, or contains itself"),
    ],
)
def test_what_cannot_cross_is_named_with_its_path(value: Any, message: str) -> None:
    with pytest.raises(ResultError) as caught:
        encode_result(value)
    assert message in str(caught.value)


def test_digits_in_text_are_not_integers() -> None:
    assert encode_result({"card": "9007199254740993", "x": 0.1234567890123456789}) is not None


def test_the_limit_counts_bytes_on_each_side() -> None:
    assert len(encode_result("x" * 8, limit=10)) == 10
    with pytest.raises(ResultError, match="takes 11 bytes as JSON; at most 10"):
        encode_result("x" * 9, limit=10)


@pytest.mark.parametrize("wrap", [lambda text: text, lambda text: [text] * 9, lambda text: {"a": ({"b": text},)}])
def test_too_much_text_is_refused_before_it_is_written(
    wrap: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Writing half a gigabyte as JSON takes seconds, in which a run cannot end at its deadline."""
    monkeypatch.setattr("amla_sandbox.tools._results._PLAIN_TEXT", None)
    with pytest.raises(ResultError, match=r"takes more than [0-9,]+ bytes as JSON; at most 1,000 are allowed"):
        encode_result(wrap("x" * 1_001), limit=1_000)


@pytest.mark.parametrize("secret", ["sk_live_1", 'quo"te', "sch\u00f6n", "a b/c", "12"])
def test_secrets_are_masked_wherever_text_is(secret: str) -> None:
    value = {"said": f"token {secret}!", f"key-{secret}": [quote(secret), 12], "deep": json.dumps({"x": secret})}
    data = encode_result(value, secrets=(secret,)).decode()
    read = json.loads(data)
    assert secret not in data.replace("12]", "")
    assert read["said"] == "token [secret]!"
    assert "key-[secret]" in read
    assert read["key-[secret]"] == ["[secret]", 12]


CODED: dict[str, Callable[[str], str]] = {
    "hex": lambda text: text.encode().hex(),
    "HEX": lambda text: text.encode().hex().upper(),
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64url": lambda text: base64.urlsafe_b64encode(text.encode()).decode(),
    "without padding": lambda text: base64.b64encode(text.encode()).decode().rstrip("="),
    "url": lambda text: quote(text, safe=""),
    "url, small digits": lambda text: re.sub("%..", lambda found: found[0].lower(), quote(text, safe="")),
    "html": html.escape,
}


@pytest.mark.parametrize("code", [pytest.param(code, id=name) for name, code in CODED.items()])
@pytest.mark.parametrize("secret", ["hunter2-hunter2", 'a&b<c>/\u00f6?"d', "\xbf\xff\xbe\xfa>>>???"])
def test_secrets_are_masked_however_they_are_spelled(secret: str, code: Callable[[str], str]) -> None:
    """Alone they leave no trace; within a longer text, such as `user:password`, at most a letter at either end."""
    assert encode_result(code(secret), secrets=(secret,)) == b'"[secret]"'
    for before in ("", "u", "us", "usr:"):
        for after in ("", "1", "12", "123"):
            shown = json.loads(encode_result(code(before + secret + after), secrets=(secret,)))
            start, _, end = shown.partition("[secret]")
            assert "[secret]" in shown
            assert len(start) <= len(code(before)) + 3
            assert len(end) <= len(code(after)) + 3


def test_short_digits_are_nobodys_secret() -> None:
    """A secret of three letters has six digits, which many a number has."""
    assert encode_result("616263", secrets=("abc",)) == b'"616263"'


def test_ten_megabytes_take_little_time() -> None:
    started = time.monotonic()
    assert len(encode_result({"text": "x" * 10_000_000})) > 10_000_000
    assert time.monotonic() - started < 2
