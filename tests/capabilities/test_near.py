"""Sets of constraints that are found by the values that they demand, and arguments found at a glance."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from amla_capabilities import constraints_from_dict
from amla_capabilities._algebra._apart import plainly_apart
from amla_capabilities._algebra._example import example
from amla_capabilities._algebra._near import Near

VALUES = st.sampled_from(["a", "ab", "abc", "b", "/a/", "/a/b", 1, 1.0, 1.5, True, "1"])
TEXTS = st.sampled_from(["a", "ab", "b", "/a/", "/a/b/", "c"])
RULES: Any = st.one_of(
    VALUES.map(lambda value: {"eq": value}),
    st.lists(VALUES, min_size=1, max_size=3).map(lambda values: {"is_in": values}),
    TEXTS.map(lambda text: {"starts_with": text}),
    TEXTS.map(lambda text: {"ends_with": text}),
    st.integers(0, 3).map(lambda bound: {"<=": bound}),
    st.integers(0, 3).map(lambda bound: {">": bound}),
    TEXTS.map(lambda text: {"eq": text, "optional": True}),
    TEXTS.map(lambda text: {"not": text}),
    st.just({"eq": [1]}),
    st.just({"length": "<=2"}),
)
SETS: Any = st.dictionaries(st.sampled_from(["x", "y", "x[*]", "y.z"]), RULES, max_size=3).map(constraints_from_dict)


@given(st.lists(SETS, max_size=8), SETS)
def test_what_is_not_near_is_apart(sets: list[Any], one: Any) -> None:
    for most in range(len(sets) + 1):
        found = list(Near(sets).of(tuple(one), most))
        assert found == sorted(set(found) & set(range(most)))
        assert all(plainly_apart(other, one) for n, other in enumerate(sets[:most]) if n not in found)


def test_of_many_only_those_are_looked_at_that_may_be_met() -> None:
    near = Near([constraints_from_dict({"id": f"a{n}"}) for n in range(1000)])
    assert list(near.of(tuple(constraints_from_dict({"id": ["a7", "a900", "b"]})), 1000)) == [7, 900]
    assert list(near.of(tuple(constraints_from_dict({"id": "startswith:a99"})), 995)) == [99, *range(990, 995)]
    near = Near([constraints_from_dict({"id": {"starts_with": f"/{n}/"}, "n": "<=5"}) for n in range(1000)])
    assert list(near.of(tuple(constraints_from_dict({"id": "/7/x"})), 1000)) == [7]
    assert list(near.of(tuple(constraints_from_dict({"n": 1})), 1000)) == list(range(1000))


@given(SETS)
def test_an_example_meets_the_constraints(one: Any) -> None:
    found = example(tuple(one))
    assert found is None or one.holds(found)


def test_most_constraints_have_an_example() -> None:
    for rule in (">=5", ["a", "b"], {"under": "/a"}, {"host_in": ["a.example"]}, [">1", "<5"], {"is_type": "array"}):
        assert example(tuple(constraints_from_dict({"x": rule}))) is not None
    assert example(tuple(constraints_from_dict({"x": [">5", "<1"]}))) is None
