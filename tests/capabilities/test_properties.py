"""Laws of the constraint language, on generated constraints and arguments."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from amla_capabilities import Constraint, ConstraintSet, MethodCapability, Param, UndecidableError

_NUMBERS = st.sampled_from([-1, 0, 1, 2, 1.5, 2.0])
_STRINGS = st.sampled_from(["", "a", "ab", "b", "/a/b", "/a/../b"])
_VALUES = st.one_of(
    _NUMBERS,
    _STRINGS,
    st.booleans(),
    st.none(),
    st.lists(_NUMBERS, max_size=2),
    st.just(float("nan")),
    st.just({"y": 1}),
)
_ARGUMENTS = st.dictionaries(st.sampled_from(["x", "y"]), _VALUES)
_PARAMS = st.builds(Param, st.sampled_from(["x", "y", "x.y", "x[*]", "x[0]"]), optional=st.booleans())


def _leaf(param: Param, number: Any, text: str, which: int) -> Constraint:
    table = [
        lambda: param <= number,
        lambda: param > number,
        lambda: param == number,
        lambda: param != text,
        lambda: param.is_in([number, text]),
        lambda: param.not_in([text]),
        lambda: param.starts_with(text or "/a/"),
        lambda: param.contains(number),
        lambda: param.length >= number,
        lambda: param.is_type("integer"),
        lambda: Param("x").exists(),
        lambda: Param("y").not_exists(),
        lambda: param.each(Param() <= number),
    ]
    return table[which % len(table)]()


_TEXTS = st.sampled_from(["a", "ab", "/a"])
_LEAVES = st.builds(_leaf, _PARAMS, _NUMBERS, _TEXTS, st.integers(0, 12))
_CONSTRAINTS = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.builds(lambda a, b: a & b, inner, inner),
        st.builds(lambda a, b: a | b, inner, inner),
        st.builds(lambda a: ~a, inner),
        st.builds(lambda a, b: a.when(b), inner, inner),
    ),
    max_leaves=4,
)
_STRICT = st.builds(_leaf, st.builds(Param, st.sampled_from(["x", "y", "x[*]"])), _NUMBERS, _TEXTS, st.integers(0, 12))


def _kleene_and(a: bool | None, b: bool | None) -> bool | None:
    return False if a is False or b is False else None if a is None or b is None else True


def _kleene_not(a: bool | None) -> bool | None:
    return None if a is None else not a


@given(_STRICT, _STRICT, _ARGUMENTS)
def test_r11_strong_kleene_tables(a: Constraint, b: Constraint, arguments: Any) -> None:
    """& | ~ and when follow strong Kleene logic (where no leaf is optional)."""
    va, vb = a.verdict(arguments), b.verdict(arguments)
    either = _kleene_not(_kleene_and(_kleene_not(va), _kleene_not(vb)))
    assert (a & b).verdict(arguments) is _kleene_and(va, vb)
    assert (a | b).verdict(arguments) is either
    assert (~a).verdict(arguments) is _kleene_not(va)
    assert b.when(a).verdict(arguments) is ((~a) | b).verdict(arguments)


@given(_CONSTRAINTS, _ARGUMENTS)
def test_double_negation_and_de_morgan(a: Constraint, arguments: Any) -> None:
    assert (~~a).holds(arguments) is a.holds(arguments)
    assert (~(a & ~a)).holds(arguments) is ((~a) | a).holds(arguments)


@given(_CONSTRAINTS, _ARGUMENTS)
def test_a_refusal_always_has_a_reason(a: Constraint, arguments: Any) -> None:
    failure = a.check(arguments)
    assert (failure is None) is a.holds(arguments)
    assert failure is None or failure.message


@given(_CONSTRAINTS, _ARGUMENTS)
def test_serialisation_keeps_meaning(a: Constraint, arguments: Any) -> None:
    again = Constraint.from_dict(a.to_dict())
    assert again == a
    assert again.verdict(arguments) is a.verdict(arguments)


@given(_CONSTRAINTS, _CONSTRAINTS, st.lists(_ARGUMENTS, max_size=8))
def test_subsumption_agrees_with_evaluation(a: Constraint, b: Constraint, samples: list[Any]) -> None:
    """Whatever `subsumes` proves, no arguments refute; whatever it cannot prove, it refuses or refutes."""
    narrow, wide = ConstraintSet([a]), ConstraintSet([b])
    try:
        proved = wide.subsumes(narrow)
    except UndecidableError:
        return
    if proved:
        assert not any(narrow.holds(arguments) and not wide.holds(arguments) for arguments in samples)


@given(_CONSTRAINTS, _CONSTRAINTS, st.lists(_ARGUMENTS, max_size=8))
def test_unsatisfiable_and_disjoint_agree_with_evaluation(a: Constraint, b: Constraint, samples: list[Any]) -> None:
    one, other = ConstraintSet([a]), ConstraintSet([b])
    try:
        if one.is_unsatisfiable():
            assert not any(one.holds(arguments) for arguments in samples)
        if one.is_disjoint(other):
            assert not any(one.holds(arguments) and other.holds(arguments) for arguments in samples)
    except UndecidableError:
        return


@given(_CONSTRAINTS, _CONSTRAINTS, _ARGUMENTS)
def test_attenuation_never_widens(a: Constraint, b: Constraint, arguments: Any) -> None:
    parent = MethodCapability("a/**", constraints=ConstraintSet([a]), max_calls=5)
    child = parent.attenuate(constraints=[b], max_calls=3, method_pattern="a/*")
    assert child.is_subset_of(parent)
    assert parent.constraints.holds(arguments) or not child.constraints.holds(arguments)
