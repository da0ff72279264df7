"""Holes that broke other products: each has a test of its name here."""

from __future__ import annotations

from typing import Any

import pytest

from amla_capabilities import (
    CapabilityError,
    ConstraintError,
    ConstraintSet,
    Ledger,
    ManifestError,
    MethodCapability,
    Param,
    Policy,
    ToolLimits,
    constraints_from_dict,
    parse_manifest,
)

N = Param("n")


def decide(constraint: Any, arguments: dict[str, Any]) -> bool:
    return Policy([MethodCapability("a", [constraint])]).authorize("a", arguments).allowed


@pytest.mark.parametrize("constraint", [N <= 1000, N < 2, N >= 0, N == 1, N.is_in([0, 1]), ~(N > 1000)], ids=str)
@pytest.mark.parametrize("value", [True, False])
def test_true_does_not_pass_as_a_number(constraint: Any, value: bool) -> None:
    assert not decide(constraint, {"n": value})


@pytest.mark.parametrize("value", [["admin"], {"role": "admin"}, [["admin"]], None, 1, True])
def test_a_list_with_admin_does_not_pass_not_in(value: Any) -> None:
    """A value of a type that the list cannot judge is refused, also by the negation of "in" and by "!="."""
    role = Param("role")
    for constraint in (role.not_in(["admin"]), ~role.is_in(["admin"]), role != "admin", ~(role == "admin")):
        assert not decide(constraint, {"role": value})
        assert decide(constraint, {"role": "user"})


@pytest.mark.parametrize(
    "typo", ["=<1000", "=>1", "=1000", "< =1000", "<=", "<==5", "≤1000", "<=1_000", "<=ten", "~5", "! =5"]
)
def test_a_misspelt_comparison_is_never_ignored(typo: str) -> None:
    """Neither dropped nor taken for a text, in Python or in a manifest."""
    with pytest.raises(ConstraintError):
        constraints_from_dict({"n": typo})
    with pytest.raises(ManifestError):
        parse_manifest(f'[tools.a]\ncommand = ["a", "{{n}}"]\nparams.n = {{}}\nconstraints = {{ n = "{typo}" }}')


def test_two_capabilities_with_one_pattern_do_not_share_counters() -> None:
    one, two = MethodCapability("a", [N == 1], 1), MethodCapability("a", [N == 2], 1)
    policy = Policy([one, two])
    assert [policy.authorize("a", {"n": n}).allowed for n in (1, 2, 1, 2)] == [True, True, False, False]


def test_a_child_that_drops_its_parents_constraints_is_not_narrower() -> None:
    parent = MethodCapability("a/*", [N <= 5, Param("kind") == "x"], 5, total={"n": "<=9"})
    for child in (
        MethodCapability("a/b", max_calls=1, total={"n": "<=1"}),
        MethodCapability("a/b", [N <= 5], 1, total={"n": "<=1"}),
        MethodCapability("a/b", parent.constraints, 1),
    ):
        assert not child.is_subset_of(parent)
    with pytest.raises(ValueError, match="not all kept"):
        MethodCapability("a/b", [N <= 1], 1, total={"n": "<=1"}, parent=parent)


@pytest.mark.parametrize(
    "path", ["/api/../x", "/api/%2e%2e/x", "/api/..\\x", "/api/%252e%252e%252fx", "/api/x/../../y"]
)
def test_a_path_that_climbs_out_does_not_pass_starts_with(path: str) -> None:
    assert not decide(Param("path").starts_with("/api/"), {"path": path})
    assert not decide(~Param("path").starts_with("/api/"), {"path": path})


def test_budgets_are_not_reset_by_failure() -> None:
    """What a tool did before it failed is not known, so its charge stays; a refusal is no charge."""
    policy = Policy([MethodCapability("a", [N <= 5], max_calls=2)])

    def call(n: int) -> None:
        policy.authorize("a", {"n": n}).raise_if_refused()
        raise OSError("the tool failed")

    raised = []
    for n in (1, 9, 2, 3):
        with pytest.raises(OSError, match=r"failed|denied|call limit") as caught:
            call(n)
        raised.append(isinstance(caught.value, CapabilityError))
    assert raised == [False, True, False, True]


def test_budgets_are_not_reset_by_a_fork_or_by_resuming() -> None:
    ledger = Ledger()
    policies = [Policy([MethodCapability("a", max_calls=3)], ledger=ledger) for _ in range(5)]
    assert sum(policy.authorize("a", {}).allowed for policy in policies * 3) == 3
    saved, resumed = ledger.export(), Ledger()
    resumed.restore(saved)
    assert not Policy([MethodCapability("a", max_calls=3)], ledger=resumed).authorize("a", {}).allowed


@pytest.mark.parametrize(
    "script",
    [
        "return await a({n: 1})",
        "return await Promise.allSettled([a({n: 1}), a({n: 2}), tools.call('a', {n: 3})])",
        "for (let i = 0; i < 5; i++) { try { await a({n: i}) } catch {} }",
    ],
)
def test_approvals_are_not_skipped_for_calls_made_inside_a_program(script: str) -> None:
    from amla_sandbox import Sandbox

    executed: list[int] = []

    def a(n: int) -> int:
        executed.append(n)
        return n

    with Sandbox(tools=[a], capabilities=[MethodCapability("a", approval="ask")]) as sandbox:
        sandbox.run(script)
        assert executed == []
        sandbox.run(
            "tool a n:=1; for i in 1 2 3; do echo $i | xargs -I{} tool a n:={}; done; (tool a n:=4 &) ; wait",
            language="shell",
        )
    assert executed == []


def test_an_expired_grant_is_not_replaced_by_a_wider_one() -> None:
    old = MethodCapability("a", expires="2001-01-01T00:00:00Z")
    policy = Policy([old, MethodCapability("**")])
    decision = policy.authorize("a", {})
    assert (decision.code, decision.capability) == ("EXPIRED", old)
    assert not Policy([old]).authorize("a", {}).allowed


@pytest.mark.parametrize("capabilities", [(), [MethodCapability("b")], [MethodCapability("a", max_calls=0)]])
def test_nothing_granted_means_nothing_allowed(capabilities: Any) -> None:
    assert not Policy(capabilities).authorize("a", {}).allowed
    assert not Policy(capabilities, {"a": ToolLimits()}).authorize("a", {}).allowed


def test_the_guest_is_not_shown_the_policy() -> None:
    policy = Policy(
        [
            MethodCapability("pay/refund", [N <= 5], note="ask Ann"),
            MethodCapability("pay/**", [Param("internal") == "k-17"], max_calls=3),
            MethodCapability("admin/*", [Param("who").is_in(["root"])]),
        ]
    )
    for tool, arguments in (("pay/refund", {"n": 9}), ("other", {}), ("pay/refund", {})):
        message = policy.authorize(tool, arguments).guest_message
        for kept in ("admin", "root", "k-17", "Ann", "max_calls", "Traceback", __file__):
            assert kept not in message


def test_unknown_keys_are_never_dropped() -> None:
    """A misspelt limit is an error: it must not become "no limit"."""
    with pytest.raises(ValueError, match="did you mean 'max_calls'"):
        MethodCapability.from_dict({"method_pattern": "a", "maxcalls": 1})
    with pytest.raises(ValueError, match="did you mean 'expires'"):
        MethodCapability.from_table({"method": "a", "expire": "2001-01-01T00:00:00Z"})
    with pytest.raises(ConstraintError, match="did you mean 'start"):
        constraints_from_dict({"n": {"startwith": "x"}})


def test_an_empty_set_of_constraints_is_not_narrower_than_one_that_asks() -> None:
    assert not ConstraintSet([N <= 5]).subsumes(ConstraintSet())
