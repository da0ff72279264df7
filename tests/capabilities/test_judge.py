"""Verdicts on call sites: what is said before a script runs agrees with what the policy would decide (R4)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amla_capabilities import Constraint, ConstraintSet, MethodCapability, Param, Policy, ToolLimits
from amla_capabilities._values import as_list, as_mapping
from amla_capabilities.check import CallSite, Judge, SiteVerdict, error_finding, site_finding
from amla_capabilities.check._chance import chance
from amla_capabilities.check._partial import partial_arguments

PAY: dict[str, Any] = {
    "type": "object",
    "properties": {
        "amount": {"type": "integer"},
        "currency": {"type": "string", "enum": ["USD", "EUR"], "default": "USD"},
        "to": {"type": "object"},
        "items": {"type": "array"},
    },
    "required": ["amount"],
    "additionalProperties": False,
}


def site(
    tool: str | None = "pay", arguments: Mapping[str, Any] | None = None, opened: tuple[str, ...] = (), **more: Any
) -> CallSite:
    return CallSite(tool, arguments, opened, 1, 1, 1, 9, "pay({…})", **more)


def judge(one: CallSite, *grants: MethodCapability, limits: ToolLimits | None = None, **more: Any) -> SiteVerdict:
    policy = Policy(grants or [MethodCapability("pay", [Param("amount") <= 100])], {"pay": limits or ToolLimits()})
    return Judge(policy, ["pay", "stripe/charges/create"], schemas={"pay": PAY}, **more).judge(one)


def status(one: CallSite, *grants: MethodCapability, **more: Any) -> tuple[str, str]:
    verdict = judge(one, *grants, **more)
    return verdict.status, verdict.code


def test_constants_that_the_policy_allows_are_allowed() -> None:
    verdict = judge(site(arguments={"amount": 5}))
    assert (verdict.status, verdict.code, verdict.tool) == ("allowed", "", "pay")


def test_constants_that_the_policy_denies_are_denied_for_the_same_reason() -> None:
    verdict = judge(site(arguments={"amount": 500}))
    assert (verdict.status, verdict.code) == ("denied", "AM401")
    assert "500 violates amount <= 100" in verdict.reason


@pytest.mark.parametrize(
    "grant",
    [
        MethodCapability("pay", max_calls=3),
        MethodCapability("pay", rate="10/minute"),
        MethodCapability("pay", total={"amount": "<=1000"}),
        MethodCapability("pay", expires="2999-01-01T00:00:00Z"),
        MethodCapability("pay", approval="ask"),
        MethodCapability("pay", max_calls=3).attenuate(constraints=[Param("amount") <= 100]),
    ],
    ids=["max_calls", "rate", "total", "expires", "approval", "parent"],
)
def test_budgets_time_and_people_decide_at_run_time(grant: MethodCapability) -> None:
    """R4: "allowed" is never said where anything but the call decides."""
    assert status(site(arguments={"amount": 5}), grant) == ("at run time", "AM404")


def test_limits_of_the_tool_itself_count_too() -> None:
    limits = ToolLimits(max_calls=2)
    assert status(site(arguments={"amount": 5}), limits=limits) == ("at run time", "AM404")


def test_a_budget_that_admits_no_such_call_denies_it() -> None:
    assert status(site(arguments={"amount": 5}), MethodCapability("pay", max_calls=0)) == ("denied", "AM401")
    total = MethodCapability("pay", total={"amount": "<=4"})
    assert status(site(arguments={"amount": 5}), total) == ("denied", "AM401")


def test_an_open_argument_names_the_open_constraint() -> None:
    verdict = judge(site(arguments={"currency": "EUR"}, opened=("amount",)))
    assert (verdict.status, verdict.code) == ("at run time", "AM404")
    assert verdict.open == ("amount <= 100",)
    assert "amount <= 100" in verdict.reason
    assert "'amount' is not a constant" in verdict.reason


def test_a_known_leaf_that_fails_denies_whatever_else_is_open() -> None:
    grant = MethodCapability("pay", [Param("amount") <= 100, Param("currency") == "EUR"])
    assert status(site(arguments={"currency": "USD"}, opened=("amount",)), grant) == ("denied", "AM401")
    assert status(site(arguments={"currency": "EUR"}, opened=("amount",)), grant) == ("at run time", "AM404")


def test_an_unknown_key_may_be_the_missing_one() -> None:
    """What is spread into the arguments may hold anything, also what is known to be absent otherwise."""
    assert status(site(arguments={}, opened=("",))) == ("at run time", "AM404")
    assert status(site(arguments=None, opened=("",))) == ("at run time", "AM404")
    assert status(site(arguments={})) == ("denied", "AM401")  # without a validator the policy says so


def test_a_default_is_what_the_policy_sees() -> None:
    grant = MethodCapability("pay", [Param("currency") == "USD"])
    assert status(site(arguments={}, opened=("amount",)), grant) == ("at run time", "AM404")
    grant = MethodCapability("pay", [Param("currency") == "EUR"])
    assert status(site(arguments={}, opened=("amount",)), grant) == ("denied", "AM401")


def test_another_grant_may_allow_what_the_first_does_not() -> None:
    grants = [MethodCapability("pay", [Param("amount") <= 10]), MethodCapability("pay", [Param("currency") == "EUR"])]
    call = site(arguments={"amount": 50}, opened=("currency",))
    assert status(call, *grants) == ("at run time", "AM404")
    assert status(call, grants[0]) == ("denied", "AM401")


def test_only_grants_that_may_decide_are_named() -> None:
    """Not those that cannot fit, nor those behind one that fits whatever is passed."""
    grants = [
        MethodCapability("pay", [Param("amount") > 1000], approval="ask"),
        MethodCapability("pay", [Param("amount") <= 1000], max_calls=7),
        MethodCapability("pay", rate="10/minute"),
    ]
    verdict = judge(site(arguments={"amount": 5}, opened=("to",)), *grants)
    assert (verdict.status, verdict.open) == ("at run time", ("max_calls = 7",))


def test_what_nothing_grants_is_denied() -> None:
    assert status(site(arguments={}, opened=("amount",)), MethodCapability("other")) == ("denied", "AM401")
    limits = ToolLimits(allow=False)
    assert status(site(arguments={}, opened=("amount",)), limits=limits) == ("denied", "AM401")


@pytest.mark.parametrize(
    ("arguments", "opened", "problem"),
    [
        ({"amuont": 5}, (), "amuont"),
        ({"amuont": 5}, ("amount",), "did you mean 'amount'"),
        ({"amount": "5"}, ("currency",), "amount must be integer"),
        ({"currency": "GBP"}, ("amount",), "currency must be one of"),
        ({"currency": "EUR"}, ("to",), "amount is missing"),
    ],
)
def test_what_cannot_fit_the_schema_is_denied(arguments: dict[str, Any], opened: tuple[str, ...], problem: str) -> None:
    def prepare(path: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
        raise ValueError(f"{path}: there is no parameter {next(iter(given))!r}")

    verdict = judge(site(arguments=arguments, opened=opened), prepare=prepare)
    assert (verdict.status, verdict.code) == ("denied", "AM402")
    assert problem in verdict.reason.replace('"', "'")


def test_without_a_schema_nothing_is_allowed_and_only_what_is_there_denied() -> None:
    policy = Policy([MethodCapability("**", [Param("amount") <= 100])])
    judged = Judge(policy, ["free"], servers=["github"]).judge
    assert judged(site("free", {"amount": 5})).status == "at run time"
    assert judged(site("free", {"amount": 500})).status == "denied"
    assert judged(site("free", {})).status == "at run time"  # a default may fill it in
    assert judged(site("github/issues", {"amount": 5})).status == "at run time"
    assert judged(site("gitlab/issues", {"amount": 5})).status == "unknown tool"


def test_an_unknown_tool_comes_with_the_nearest_name() -> None:
    verdict = judge(site("stripe/charges/creat", {}))
    assert (verdict.status, verdict.code) == ("unknown tool", "AM403")
    assert verdict.hint == "did you mean stripe.charges.create?"


def test_what_only_a_run_can_tell_is_said_to_be_so() -> None:
    assert status(site(None, note="the tool's name is not a constant")) == ("unknown call", "AM405")
    assert status(site(arguments={"amount": 5}, shadowed=True)) == ("at run time", "AM406")
    assert status(site(arguments={"amount": 500}, shadowed=True)) == ("at run time", "AM406")
    assert status(site(None, None, ("",), fault="one object")) == ("unknown call", "AM405")
    assert status(site("pay", None, ("",), fault="one object")) == ("denied", "AM402")


def test_secrets_are_not_shown() -> None:
    limits = ToolLimits(secret=["to"])
    grant = MethodCapability("pay", [Param("to.card") == "4242"])
    denied = judge(site(arguments={"to": {"card": "1111"}}, opened=("amount",)), grant, limits=limits)
    assert denied.status == "denied"
    assert "1111" not in denied.reason
    assert "4242" not in denied.reason
    opened = judge(site(arguments={"amount": 5}, opened=("to",)), grant, limits=limits)
    assert opened.open == ("a constraint on to.card",)


def test_findings_show_the_place_without_control_characters() -> None:
    verdict = judge(CallSite("pay", {"amount": 500}, (), 2, 3, 2, 20, "pay"))
    finding = site_finding(verdict, "a.js", "// one\n\u001b]pay({amount: 500})\n")
    assert finding is not None
    assert (finding.code, finding.line, finding.column, finding.caret) == ("AM401", 2, 3, 2)
    assert finding.source == "\ufffd]pay({amount: 500})"
    assert site_finding(judge(site(arguments={"amount": 5})), "a.js", "") is None


def test_a_long_line_is_shown_around_the_place() -> None:
    source = " " * 500 + "pay({amount: 500})" + " " * 500
    verdict = judge(CallSite("pay", {"amount": 500}, (), 1, 501, 1, 519, "pay"))
    finding = site_finding(verdict, "a.js", source)
    assert finding is not None
    assert finding.source[finding.caret :].startswith("pay(")
    assert len(finding.source) <= 100


def test_a_script_that_does_not_parse_is_an_error() -> None:
    from amla_capabilities.check import SiteError

    finding = error_finding(SiteError("Unexpected token ';'", 1, 11), "a.js", "const x = ;")
    assert (finding.code, finding.severity, finding.source, finding.caret) == ("AM407", "error", "const x = ;", 10)


# --- chances against brute force ------------------------------------------------------------

VALUES: list[Any] = [None, True, 0, 5, 50, "EUR", "USD", [], [5], [5, 50], {}, {"b": 5}, {"b": "EUR"}]
ABSENT = object()

leaves = st.sampled_from(
    [
        Param("a") <= 10,
        Param("a") == "EUR",
        Param("a").exists(),
        Param("a").not_exists(),
        Param("a").is_in([5, "EUR"]),
        Param("a.b") >= 5,
        Param("a[*]") <= 10,
        Param("a[0]") == 5,
        Param("a").length <= 1,
        Param("c") <= 10,
        Param("c", optional=True) <= 10,
        Param("a").each(Param("") <= 10),
    ]
)
constraints = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda two: two[0] & two[1]),
        st.tuples(inner, inner).map(lambda two: two[0] | two[1]),
        st.tuples(inner, inner).map(lambda two: two[0].when(two[1])),
        inner.map(lambda one: ~one),
    ),
    max_leaves=4,
)


@given(constraints, st.sampled_from([*VALUES, ABSENT]), st.sampled_from(["a", "c", "a.b", "a[0]", "a[1]"]))
def test_a_chance_is_never_less_than_what_some_value_gives(constraint: Constraint, known: Any, opened: str) -> None:
    """Whatever the open part turns out to be, the constraint does what its chance said that it may."""
    base: dict[str, Any] = {} if known is ABSENT else {"a": known}
    expected = chance(constraint, partial_arguments(_without(base, opened), (opened,)))
    for value in [*VALUES, ABSENT]:
        holds = constraint.holds(_with(base, opened, value))
        assert expected.true if holds else expected.untrue


def _without(base: dict[str, Any], opened: str) -> dict[str, Any]:
    """The known part, as a site has it: an open element has None in its place, an open key is absent."""
    return _with(base, opened, ABSENT, placeholder=None)


def _with(base: dict[str, Any], opened: str, value: Any, placeholder: Any = ABSENT) -> dict[str, Any]:
    if opened in ("a", "c"):
        rest = {key: each for key, each in base.items() if key != opened}
        return rest if value is ABSENT else {**rest, opened: value}
    table, items = as_mapping(base.get("a")), as_list(base.get("a"))
    if opened == "a.b" and table is not None:
        below = {key: each for key, each in table.items() if key != "b"}
        return {"a": below if value is ABSENT else {**below, "b": value}}
    index = {"a[0]": 0, "a[1]": 1}.get(opened)
    if index is not None and items is not None and index < len(items):
        items[index] = placeholder if placeholder is None else (None if value is ABSENT else value)
        return {"a": items}
    return base


def test_judging_a_set_agrees_with_the_policy_on_every_value() -> None:
    """Denied is said only where each value of the open argument is denied; for one argument, always then."""
    grant = MethodCapability("pay", ConstraintSet([Param("amount") <= 10, Param("currency") == "EUR"]))
    for amount, currency in product([5, 50, None], ["EUR", "USD", None]):
        arguments = {key: value for key, value in (("amount", amount), ("currency", currency)) if value is not None}
        opened = tuple(key for key in ("amount", "currency") if key not in arguments)
        verdict = judge(site(arguments=arguments, opened=opened), grant).status
        outcomes = {
            grant.constraints.holds({"amount": a, "currency": c})
            for a in ([amount] if amount is not None else [5, 50])
            for c in ([currency] if currency is not None else ["EUR", "USD"])
        }
        assert verdict == {frozenset({True}): "allowed", frozenset({False}): "denied"}.get(
            frozenset(outcomes), "at run time"
        )
