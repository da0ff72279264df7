"""The table of limits, and how limits are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amla_capabilities import (
    ArgumentsError,
    Limits,
    check_size,
    format_duration,
    format_size,
    parse_arguments,
    parse_duration,
    parse_size,
)


@pytest.mark.parametrize(
    ("text", "seconds"), [("500ms", 0.5), ("30s", 30), ("2m", 120), ("1.5h", 5400), ("0", 0), ("10 S", 10)]
)
def test_durations(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize(
    ("text", "size"), [("64MB", 64_000_000), ("1GiB", 2**30), ("1.5KB", 1500), ("0", 0), ("7b", 7)]
)
def test_sizes(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "s", "30", "-1s", "1d", "1e3s", "nan", "1 2s", "٣s", "30s30s", "1.5B"])
def test_what_is_no_quantity_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"write for example|whole number"):
        parse_duration(text) if text != "1.5B" else parse_size(text)


@given(st.integers(0, 10**12))
def test_sizes_are_read_back(size: int) -> None:
    assert parse_size(format_size(size)) == size


@given(st.integers(0, 10**6))
def test_durations_are_read_back(milliseconds: int) -> None:
    assert parse_duration(format_duration(milliseconds / 1000)) == pytest.approx(milliseconds / 1000)


def test_the_table_has_a_line_for_each_limit() -> None:
    specs = list(Limits.specs())
    assert len(specs) == 16
    assert all(spec.about and spec.format(spec.default) for spec in specs)
    limits = Limits()
    assert (limits.timeout, limits.memory, limits.max_calls, limits.concurrency) == (30, 256_000_000, 1000, 128)


def test_limits_are_set_as_people_write_them() -> None:
    limits = Limits().written(timeout="500ms", memory="1GiB", max_calls=10, cpu=0)
    assert (limits.timeout, limits.memory, limits.max_calls) == (0.5, 2**30, 10)
    assert limits["cpu"] is None
    with pytest.raises(ValueError, match="did you mean 'timeout'"):
        Limits().written(timout="5s")


@pytest.mark.parametrize("wrong", [{"timeout": -1}, {"timeout": float("nan")}, {"memory": 1.5}, {"max_calls": True}])
def test_impossible_limits_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="not"):
        Limits(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "value"), [("timeout", "5s"), ("memory", None), ("max_calls", [1])])
def test_a_limit_that_is_no_number_is_named(name: str, value: object) -> None:
    with pytest.raises(TypeError, match=f"{name} is a .*number") as caught:
        Limits(**{name: value})  # type: ignore[arg-type]
    assert ("Limits().written(timeout='5s')" in str(caught.value)) is (name == "timeout")


def test_true_is_not_a_number_and_units_are_needed() -> None:
    for name, value in (("max_calls", True), ("timeout", 30), ("memory", 5.5), ("max_calls", "10s")):
        with pytest.raises(ValueError, match=name):
            Limits().written(**{name: value})


@pytest.mark.parametrize(
    "text",
    ['{"a":1,"a":2}', '{"a":{"b":1,"b":1}}', '{"a":NaN}', '{"a":-Infinity}', '{"a":1e999}', f'{{"a":1{"0" * 400}}}',
     "[1]", "1", "", "{", "null", '{"a":1} x', b"\xff"],
)  # fmt: skip
def test_r20_arguments_are_strict_json_objects(text: str | bytes) -> None:
    with pytest.raises(ArgumentsError):
        parse_arguments(text, Limits())


def test_r14_integers_to_400_digits_and_floats_for_fractions() -> None:
    value = parse_arguments(f'{{"a":{"9" * 400},"b":1.0,"c":1e2,"d":-0}}', Limits())
    assert value["a"] == 10**400 - 1
    assert [type(value[key]) for key in "bcd"] == [float, float, int]


def test_r9_arguments_are_capped_before_anything_sees_them() -> None:
    limits = Limits(arguments=100, argument_depth=3, argument_nodes=5)
    assert parse_arguments('{"a":[1,{}]}', limits) == {"a": [1, {}]}
    for text, says in (
        ('{"a":"' + "x" * 100 + '"}', "bytes"),
        ('{"a":[[[1]]]}', "deep"),
        ('{"a":[1,2,3,4,5]}', "values"),
        ("[" * 50, "JSON"),
    ):
        with pytest.raises(ArgumentsError, match=says):
            parse_arguments(text, limits)
    with pytest.raises(ArgumentsError):
        parse_arguments('{"a":' + "[" * 100_000 + "]" * 100_000 + "}", Limits())
    deep: list[object] = []
    for _ in range(10_000):
        deep = [deep]
    with pytest.raises(ArgumentsError, match="deep"):
        check_size(deep, Limits())
