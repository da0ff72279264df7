"""Why a decision came out as it did, and what is left of budgets."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest

from amla_capabilities import Ledger, MethodCapability, Param, Policy, Scope, ToolLimits

N, KIND = Param("n"), Param("kind")


def test_every_rule_that_was_looked_at_is_told_in_order() -> None:
    policy = Policy(
        [
            MethodCapability("b"),
            MethodCapability("a/*", [(N <= 5) | (KIND == "vip"), N.is_type("integer")], note="small"),
            MethodCapability("a/**", max_calls=3, approval="ask"),
        ],
        {"a/x": ToolLimits([N >= 0], max_calls=9)},
    )
    derivation = policy.explain("mcp:a/x", {"n": 7})
    assert derivation.tool == "a/x"
    assert derivation.limits is not None
    assert [(rule.rule, rule.verdict) for rule in derivation.limits.rules] == [("n >= 0", "true")]
    first, second, third = derivation.grants
    assert (first.matches, first.rules, first.budgets) == (False, (), ())
    assert (second.holds, third.holds) == (False, True)
    either, kind = second.rules
    assert (either.operator, either.verdict, kind.verdict) == ("any", "fault", "true")
    assert [(part.path, part.verdict, part.actual) for part in either.parts] == [
        ("n", "false", 7),
        ("kind", "fault", None),
    ]
    assert either.parts[0].reason == "n 7 violates n <= 5"
    assert either.parts[1].reason == 'kind is missing; kind == "vip" needs it'
    assert (third.decides, third.asks, third.budgets[0].calls_left) == (True, True, 3)
    assert derivation.decision == policy.check("a/x", {"n": 7})
    assert derivation.decision.needs_approval


def test_asking_why_charges_nothing() -> None:
    policy = Policy([MethodCapability("a", max_calls=1)])
    for _ in range(3):
        assert policy.explain("a", {}).decision.allowed
    assert policy.used("a") == 0


def test_a_derivation_is_json() -> None:
    policy = Policy([MethodCapability("a", [~(N == 1), (N <= 5).when(KIND == "x"), Param("l").each(Param() <= 1)], rate="2/hour",
                                      total={"n": "<=9"}, expires="2999-01-01T00:00:00Z")])  # fmt: skip
    told = json.loads(json.dumps(policy.explain("a", {"n": 2, "kind": "x", "l": [1, 2]}).to_dict()))
    grant = told["grants"][0]
    assert [rule["operator"] for rule in grant["rules"]] == ["not", "when", "each"]
    assert [rule["verdict"] for rule in grant["rules"]] == ["true", "true", "false"]
    assert grant["rules"][2]["reason"] == "l[1] 2 violates it <= 1"
    assert grant["budgets"][0]["totals"] == {"n": {"bound": "<=9", "used": "0", "left": "9"}}
    assert told["decision"]["code"] == "CONSTRAINT_VIOLATED"


def test_names_that_are_malformed_or_not_granted() -> None:
    policy = Policy([MethodCapability("a")])
    assert policy.explain("a//b", {"n": 1}).limits is None
    derivation = policy.explain("b", {"n": 1})
    assert [grant.matches for grant in derivation.grants] == [False]
    assert derivation.decision.code == "NOT_GRANTED"


def test_secrets_are_nowhere_in_a_derivation() -> None:
    rules = [
        Param("token") == "expected-1",
        (Param("card.number").starts_with("expected-2")) | (N <= 5),
        Param("keys").each(Param("id") == "expected-3"),
        ~(Param("keys[*].id") == "expected-4"),
        N <= 100,
    ]
    policy = Policy([MethodCapability("a", rules)], {"a": ToolLimits(rules, secret=("token", "card", "keys[*].id"))})
    arguments = {
        "token": "actual-1",
        "card": {"number": "actual-2", "of": "actual-3"},
        "keys": [{"id": "actual-4", "n": 1}],
        "n": 7,
    }
    derivation = policy.explain("a", arguments)
    told = (
        json.dumps(derivation.to_dict())
        + repr(derivation.arguments)
        + repr(derivation.limits)
        + derivation.decision.guest_message
    )
    for number in range(1, 5):
        assert f"actual-{number}" not in told
        assert f"expected-{number}" not in told
    assert derivation.arguments == {
        "token": "(secret)",
        "card": "(secret)",
        "keys": [{"id": "(secret)", "n": 1}],
        "n": 7,
    }
    assert derivation.grants[0].rules[4].actual == 7


def test_what_is_left_is_told_for_tools_and_capabilities_and_their_ancestors() -> None:
    now = [100.0]
    parent = MethodCapability("**", max_calls=10, total={"n": "<=1"})
    child = parent.attenuate(method_pattern="a", rate="2/minute")
    policy = Policy([child], {"a": ToolLimits(max_calls=4)}, ledger=Ledger(clock=lambda: now[0]))
    assert policy.authorize("a", {"n": 0.25}).allowed
    now[0] += 12
    assert policy.authorize("a", {"n": 0.5}).allowed
    (tool,) = policy.budgets("a")
    assert (tool.name, tool.calls, tool.calls_left, tool.rate, tool.is_limited) == ("tool a", 2, 2, None, True)
    own, above = policy.budgets(child)
    assert (own.rate_room, own.rate_wait, own.calls_left) == (0, 48, 8)
    assert (above.name, above.calls_left, above.totals[0].used) == ("cap:tool-call:**", 8, Decimal("0.75"))
    assert above.totals[0].left == Decimal("0.25")
    assert not policy.budgets("unknown")[0].is_limited
    assert policy.remaining_calls("a") == 2


def test_disjoint_capabilities() -> None:
    small, large = MethodCapability("pay/*", [N <= 5]), MethodCapability("pay/**", [N > 5])
    assert small.is_disjoint(large)
    assert not small.is_disjoint(MethodCapability("**", [N >= 5]))
    assert small.is_disjoint(MethodCapability("mail/*"))
    here, there = (MethodCapability("**", scope=Scope(frozenset({name}))) for name in ("a", "b"))
    assert here.is_disjoint(there)
    assert not here.is_disjoint(MethodCapability("*"))


@pytest.mark.parametrize(
    ("child", "parent", "narrower"),
    [
        ({"max_calls": 3}, {"rate": "3/hour"}, True),
        ({"max_calls": 4}, {"rate": "3/hour"}, False),
        ({"rate": "1/hour"}, {"rate": "3/hour"}, True),
        ({"rate": "1/30m"}, {"rate": "2/hour"}, True),
        ({"rate": "1/29m"}, {"rate": "2/hour"}, False),
        ({}, {"expires": "2030-01-01T00:00:00Z"}, False),
        ({"expires": "2030-01-01T01:00:00+01:00"}, {"expires": "2030-01-01T00:00:00Z"}, True),
        ({"constraints": [N <= 10, N >= 0], "max_calls": 5}, {"total": {"n": "<=50"}}, True),
        ({"constraints": [N < 10, N >= 0], "max_calls": 5}, {"total": {"n": "<50"}}, True),
        ({"constraints": [N <= 10, N >= 0], "max_calls": 5}, {"total": {"n": "<50"}}, False),
        ({"constraints": [N <= 10], "max_calls": 5}, {"total": {"n": "<=50"}}, False),
        ({"constraints": [N <= 3.3, N >= 0], "max_calls": 3}, {"total": {"n": "<=10"}}, True),
        ({"constraints": [N <= 3.4, N >= 0], "max_calls": 3}, {"total": {"n": "<=10"}}, False),
        ({"constraints": [N == 0]}, {"total": {"n": "<=5"}}, True),
        ({"constraints": [N <= 10, N >= 0]}, {"total": {"n": "<=50"}}, False),
        ({"total": {"n": "<5"}}, {"total": {"n": "<=5"}}, True),
        ({"total": {"n": "<=5"}}, {"total": {"n": "<5"}}, False),
        ({"total": {"m": "<=5"}}, {"total": {"n": "<=5"}}, False),
        ({"max_calls": 0}, {"max_calls": 0, "approval": "ask", "constraints": [N <= 1]}, True),
    ],
)  # fmt: skip
def test_limits_that_are_narrower(child: dict[str, object], parent: dict[str, object], narrower: bool) -> None:
    assert MethodCapability("a", **child).is_subset_of(MethodCapability("*", **parent)) is narrower  # type: ignore[arg-type]
