"""Laws of the constraint language, on generated constraints and arguments."""

from __future__ import annotations

import unicodedata
from itertools import product
from types import MappingProxyType
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from amla_capabilities import (
    Constraint,
    ConstraintSet,
    Ledger,
    MethodCapability,
    Param,
    Policy,
    ToolLimits,
    UndecidableError,
    capabilities_from_toml,
    capabilities_to_toml,
    constraints_from_dict,
)
from amla_capabilities._constraints._quick import quick

NFC, NFD = "\u00e9", unicodedata.normalize("NFD", "\u00e9")
VALUES: list[Any] = [
    -1, 0, 1, 2, 1.5, 2.0, 0.5, 3, 10**400, float("nan"), float("inf"), True, False, None,
    "", "a", "ab", "b", "1", NFC, NFD, "/a/b", "/a/../b", "/a/.b", "https://h.example/x", "https://h.example@x/",
    [], [1], [0, 2], ["a"], [None], (1, 1.5), {}, {"y": 1}, {"y": "a"}, MappingProxyType({"y": 0}),
]  # fmt: skip
_NUMBERS = st.sampled_from([-1, 0, 1, 2, 1.5, 2.0])
_TEXTS = st.sampled_from(["a", "ab", "/a", "/a/", NFC])
_VALUES = st.sampled_from(VALUES)
_ARGUMENTS = st.dictionaries(st.sampled_from(["x", "y"]), _VALUES)
_PATHS = ["x", "y", "x.y", "x[*]", "x[0]", "x[*].y"]

# All arguments with x and y from the list above, or missing: what brute force looks at.
_GONE: Any = object()
UNIVERSE: list[Any] = [
    {name: value for name, value in (("x", x), ("y", y)) if value is not _GONE}
    for x, y in product([_GONE, *VALUES], [_GONE, 0, 1, 1.5, "a", None, [1], {}])
]

# Comparisons that a parameter, a number and a text make.
_MADE: list[Any] = [
    lambda p, n, t: p <= n,
    lambda p, n, t: p < n,
    lambda p, n, t: p >= n,
    lambda p, n, t: p > n,
    lambda p, n, t: p == n,
    lambda p, n, t: p == t,
    lambda p, n, t: p == None,  # noqa: E711
    lambda p, n, t: p == [n],
    lambda p, n, t: p != n,
    lambda p, n, t: p != t,
    lambda p, n, t: p.is_in([n, t]),
    lambda p, n, t: p.is_in([t, "b"]),
    lambda p, n, t: p.not_in([t]),
    lambda p, n, t: p.not_in([n, 1]),
    lambda p, n, t: p.is_type("integer"),
    lambda p, n, t: p.is_type("string"),
    lambda p, n, t: Param("x").exists(),
    lambda p, n, t: Param("y").not_exists(),
]
_COMPARISONS = len(_MADE)
_MADE += [
    lambda p, n, t: p.starts_with(t),
    lambda p, n, t: p.ends_with(t),
    lambda p, n, t: p.contains(n),
    lambda p, n, t: p.contains(t),
    lambda p, n, t: p.matches("[ab]+|/.*"),
    lambda p, n, t: p.under("/a"),
    lambda p, n, t: p.host_in(["h.example"]),
    lambda p, n, t: p.length >= max(n, 0),
    lambda p, n, t: p.length == n,
    lambda p, n, t: p.each(Param() <= n),
    lambda p, n, t: p.each(Param("y") == n),
]


def _leaf(param: Param, number: Any, text: str, which: int) -> Constraint:
    made: Constraint = _MADE[which](param, number, text)
    return made


def _leaves(paths: list[str], kinds: int, optional: Any) -> Any:
    params = st.builds(Param, st.sampled_from(paths), optional=optional)
    return st.builds(_leaf, params, _NUMBERS, _TEXTS, st.integers(0, kinds - 1))


def _combined(leaves: Any, most: int) -> Any:
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.builds(lambda a, b: a & b, inner, inner),
            st.builds(lambda a, b: a | b, inner, inner),
            st.builds(lambda a: ~a, inner),
            st.builds(lambda a, b: a.when(b), inner, inner),
        ),
        max_leaves=most,
    )


_CONSTRAINTS = _combined(_leaves(_PATHS, len(_MADE), st.booleans()), 4)
_STRICT = _leaves(["x", "y", "x[*]"], len(_MADE), st.just(False))
_DECIDABLE = _combined(_leaves(["x", "y"], _COMPARISONS, st.booleans()), 3)


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


@given(_CONSTRAINTS, _ARGUMENTS)
def test_a_quick_yes_is_a_yes(a: Constraint, arguments: Any) -> None:
    assert a.holds(arguments) or not quick(a)(arguments)
    assert ConstraintSet([a]).holds(arguments) is a.holds(arguments)


@given(st.lists(_CONSTRAINTS, max_size=3))
def test_what_is_spelled_is_read_back_equal(parts: list[Constraint]) -> None:
    constraints = ConstraintSet(parts)
    assert constraints_from_dict(constraints.to_mapping()) == constraints


_BOUNDS = st.sampled_from(["<=0", "<=1", "<2", "<=2", "<=3.5"])
_LIMITS = st.fixed_dictionaries(
    {},
    optional={
        "max_calls": st.integers(0, 3),
        "rate": st.sampled_from(["1/second", "1/2s", "2/2s", "2/3s", "3/4s"]),
        "total": st.dictionaries(st.sampled_from(["x", "y"]), _BOUNDS, min_size=1),
        "expires": st.sampled_from(["1970-01-01T00:00:03Z", "1970-01-01T01:00:05+01:00"]),
        "approval": st.just("ask"),
    },
)


@given(st.lists(_CONSTRAINTS, max_size=2), _LIMITS)
def test_capabilities_are_read_back_equal(parts: list[Constraint], limits: dict[str, Any]) -> None:
    """As JSON and as TOML, all budgets included."""
    capability = MethodCapability("a/**", parts, note="why", **limits)
    assert MethodCapability.from_dict(capability.to_dict()).to_dict() == capability.to_dict()
    (again,) = capabilities_from_toml(capabilities_to_toml([capability]))
    told, meant = again.to_dict(), capability.to_dict()
    assert again.constraints == capability.constraints  # TOML puts tables last
    assert told | {"constraints": 0} == meant | {"constraints": 0}
    assert again.identity() == capability.identity()


@given(_CONSTRAINTS, _CONSTRAINTS)
def test_subsumption_agrees_with_brute_force(a: Constraint, b: Constraint) -> None:
    narrow, wide = ConstraintSet([a]), ConstraintSet([b])
    try:
        proved = wide.subsumes(narrow)
    except UndecidableError:
        return
    escapes = any(narrow.holds(arguments) and not wide.holds(arguments) for arguments in UNIVERSE)
    assert not (proved and escapes)
    assert proved or a != b


@given(_CONSTRAINTS, _CONSTRAINTS)
def test_unsatisfiable_and_disjoint_agree_with_brute_force(a: Constraint, b: Constraint) -> None:
    one, other = ConstraintSet([a]), ConstraintSet([b])
    try:
        if one.is_unsatisfiable():
            assert not any(map(one.holds, UNIVERSE))
        if one.is_disjoint(other):
            assert not any(one.holds(arguments) and other.holds(arguments) for arguments in UNIVERSE)
    except UndecidableError:
        return


@given(_DECIDABLE, _DECIDABLE)
def test_comparisons_with_constants_are_always_decided_and_right(a: Constraint, b: Constraint) -> None:
    """Both ways: here brute force sees every kind of argument there is, so it knows the answer."""
    one, other = ConstraintSet([a]), ConstraintSet([b])
    first, second = ([c.holds(arguments) for arguments in CELLS] for c in (one, other))
    assert other.subsumes(one) is not any(p and not q for p, q in zip(first, second, strict=True))
    assert one.is_unsatisfiable() is not any(first)
    assert one.is_disjoint(other) is not any(p and q for p, q in zip(first, second, strict=True))


# One of each kind that comparisons with the numbers and texts above can tell apart.
_EACH: list[Any] = [
    _GONE, None, True, False, -5.5, -5, -1, -0.5, 0, 0.5, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, float("nan"),
    "a", "ab", "b", "/a", "/a/", NFC, "other", [-1], [0], [1], [1.5], [2], [7], {},
]  # fmt: skip
CELLS: list[Any] = [
    {name: value for name, value in (("x", x), ("y", y)) if value is not _GONE} for x, y in product(_EACH, _EACH)
]


@given(_CONSTRAINTS, _CONSTRAINTS, _LIMITS)
def test_attenuation_never_widens(a: Constraint, b: Constraint, limits: dict[str, Any]) -> None:
    parent = MethodCapability("a/**", [a], **limits)
    child = parent.attenuate(constraints=[b], max_calls=min(1, limits.get("max_calls", 9)), method_pattern="a/*")
    assert child.is_subset_of(parent)
    assert not any(child.constraints.holds(u) and not parent.constraints.holds(u) for u in UNIVERSE)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


_CALLS = st.lists(st.tuples(st.integers(0, 6), st.sampled_from([{}, {"x": 0}, {"x": 1}, {"x": 2, "y": 1}, {"y": -1}])))
_RULES = st.lists(
    st.sampled_from([Param("x") <= 1, Param("x") == 0, Param("x") >= 0, Param("y").not_exists()]), max_size=2
)


@given(_RULES, _LIMITS, _RULES, _LIMITS, st.lists(_CALLS, min_size=1, max_size=5))
def test_a_narrower_capability_allows_no_history_that_the_wider_does_not(
    rules: list[Constraint],
    limits: dict[str, Any],
    wide_rules: list[Constraint],
    wide_limits: dict[str, Any],
    runs: Any,
) -> None:
    """Of what `is_subset_of` calls narrower, every call of every history passes the wider one as well."""
    child, parent = MethodCapability("a", rules, **limits), MethodCapability("*", wide_rules, **wide_limits)
    try:
        if not child.is_subset_of(parent):
            return
    except UndecidableError:
        return
    for calls in runs:
        clock = Clock()
        narrow, wide = (Policy([c], ledger=Ledger(clock=clock)) for c in (child, parent))
        for wait, arguments in calls:
            clock.now += wait / 2
            if narrow.authorize("a", arguments, approved=True).allowed:
                assert wide.authorize("a", arguments, approved=True).allowed


@given(st.lists(_CONSTRAINTS, max_size=2), _LIMITS, _LIMITS, _ARGUMENTS)
def test_a_derivation_tells_what_was_decided(
    parts: list[Constraint], limits: dict[str, Any], own: dict[str, Any], arguments: Any
) -> None:
    policy = Policy(
        [MethodCapability("b"), MethodCapability("a", parts, **limits), MethodCapability("**")],
        {"a": ToolLimits(parts[:1], **own)},
    )
    derivation = policy.explain("a", arguments)
    assert derivation.decision == policy.check("a", arguments)
    assert [grant.matches for grant in derivation.grants] == [False, True, True]
    assert derivation.grants[1].holds is all(part.holds(arguments) for part in parts)
    assert [rule.verdict for rule in derivation.grants[1].rules] == [
        {True: "true", False: "false", None: "fault"}[part.verdict(arguments)] for part in parts
    ]
