"""Decisions and budgets."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from amla_capabilities import (
    CallLimitExceededError,
    CapabilityError,
    ConstraintSet,
    Ledger,
    MethodCapability,
    Param,
    Policy,
    RunMeter,
    Scope,
    ToolCallCap,
    ToolLimits,
    ViolationError,
)

CHARGE = "stripe/charges/create"


def charges(**more: Any) -> MethodCapability:
    limits = ConstraintSet([Param("amount") <= 10000, Param("currency").is_in(["USD", "EUR"])])
    return MethodCapability(method_pattern="stripe/charges/*", constraints=limits, **more)


def test_the_documented_example() -> None:
    policy = Policy([charges(max_calls=100)])
    assert policy.authorize(CHARGE, {"amount": 500, "currency": "USD"}).allowed
    refused = policy.authorize(CHARGE, {"amount": 50000, "currency": "USD"})
    assert refused.guest_message == "stripe/charges/create denied: amount 50000 violates amount <= 10000"
    assert refused.code == "CONSTRAINT_VIOLATED"
    assert refused.failure is not None
    assert (refused.failure.actual, refused.failure.constraint) == (50000, "amount <= 10000")
    with pytest.raises(CapabilityError) as caught:
        refused.raise_if_refused()
    assert isinstance(caught.value, PermissionError)
    assert isinstance(caught.value.__cause__, ViolationError)
    assert caught.value.decision is refused


def test_default_deny_and_an_empty_list_allows_nothing() -> None:
    for policy in (Policy(), Policy([]), Policy([MethodCapability("a/*")])):
        decision = policy.authorize("b/c", {})
        assert (decision.verdict, decision.code) == ("denied", "NOT_GRANTED")
        assert '[tools."b/c"]' in decision.needed
        assert "a/*" not in decision.guest_message


def test_malformed_names_are_denied_not_raised() -> None:
    for name in ("", "a//b", "a/../b", "a.b", "\u202e"):
        decision = Policy([MethodCapability("**")]).authorize(name, {})
        assert (decision.allowed, decision.code) == (False, "BAD_NAME")
    assert Policy([MethodCapability("**")]).authorize("mcp:search", {}).tool == "search"


def test_a_refused_call_never_charges_and_an_allowed_one_does() -> None:
    policy = Policy([charges(max_calls=2)], {CHARGE: ToolLimits(max_calls=5)})
    good, bad = {"amount": 1, "currency": "USD"}, {"amount": 10**6, "currency": "USD"}
    for _ in range(10):
        assert not policy.authorize(CHARGE, bad).allowed
        assert policy.check(CHARGE, good).allowed
    assert policy.remaining_calls(CHARGE) == 2
    assert policy.authorize(CHARGE, good).allowed
    assert policy.authorize(CHARGE, good).allowed
    decision = policy.authorize(CHARGE, good)
    assert decision.code == "CALL_LIMIT"
    assert policy.used(CHARGE) == 2
    assert policy.remaining(CHARGE) == 3
    assert policy.remaining_calls(CHARGE) == 0
    assert policy.call_counts() == {"cap:tool-call:stripe/charges/*": 2}
    with pytest.raises(CallLimitExceededError) as caught:
        decision.raise_if_refused()
    assert caught.value.max_calls == 2
    assert "exceeded" in str(caught.value)


def test_r5_the_tools_own_limits_bind_whoever_grants() -> None:
    limits = ToolLimits(ConstraintSet([Param("n") <= 5]), max_calls=1)
    policy = Policy([MethodCapability("a"), MethodCapability("**")], {"a": limits})
    assert policy.authorize("a", {"n": 6}).code == "CONSTRAINT_VIOLATED"
    assert policy.authorize("a", {"n": 5}).allowed
    assert policy.authorize("a", {"n": 5}).code == "CALL_LIMIT"
    assert Policy([MethodCapability("**")], {"a": ToolLimits(allow=False)}).authorize("a", {}).code == "FORBIDDEN"


def test_r5_the_first_fitting_capability_decides_and_alone_is_charged() -> None:
    first = MethodCapability("a/*", constraints=ConstraintSet([Param("n") <= 5]), max_calls=1)
    second = MethodCapability("a/*", max_calls=10)
    policy = Policy([first, second])
    assert policy.authorize("a/x", {"n": 9}).capability is second
    assert policy.authorize("a/x", {"n": 1}).capability is first
    assert (policy.used(first), policy.used(second)) == (1, 1)
    exhausted = policy.authorize("a/x", {"n": 1})
    assert (exhausted.code, exhausted.capability) == ("CALL_LIMIT", first)
    assert policy.remaining(second) == 9


def test_a_budget_belongs_to_the_object_not_to_its_pattern() -> None:
    one, two = charges(max_calls=1), charges(max_calls=1)
    policy = Policy([one, two])
    policy.authorize(CHARGE, {"amount": 1, "currency": "USD"})
    assert (policy.remaining(one), policy.remaining(two)) == (0, 1)
    assert one != two
    assert one.to_dict() == two.to_dict()


def test_r7_children_share_their_ancestors_budget() -> None:
    parent = MethodCapability("a/**", max_calls=10)
    children = [parent.attenuate(method_pattern=f"a/{n}", max_calls=5) for n in range(5)]
    policy = Policy(children)
    allowed = sum(policy.authorize(f"a/{n % 5}", {}).allowed for n in range(50))
    assert allowed == 10
    assert policy.remaining(parent) == 0


def test_r6_policies_that_share_a_ledger_share_counts() -> None:
    ledger, capability = Ledger(), MethodCapability("a", max_calls=3)
    policies = [Policy([capability], ledger=ledger) for _ in range(3)]
    assert sum(policy.authorize("a", {}).allowed for policy in policies * 4) == 3


def test_r9_attempts_count_refusals() -> None:
    meter = RunMeter(max_calls=2, max_attempts=5)
    policy = Policy([MethodCapability("a")])
    codes = [policy.authorize(name, {}, meter=meter).code for name in ("b", "a", "a", "a", "b", "a", "a")]
    assert codes == [
        "NOT_GRANTED",
        "ALLOWED",
        "ALLOWED",
        "RUN_CALL_LIMIT",
        "NOT_GRANTED",
        "ATTEMPT_LIMIT",
        "ATTEMPT_LIMIT",
    ]
    assert policy.used("a") == 2


def test_check_and_charge_is_one_step_under_threads() -> None:
    policy = Policy([MethodCapability("a", max_calls=500)], {"a": ToolLimits(max_calls=400)})
    counts: list[int] = []

    def work() -> None:
        counts.append(sum(policy.authorize("a", {}).allowed for _ in range(200)))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(counts) == policy.used("a") == 400


def test_r34_approval_charges_nothing_until_someone_agreed() -> None:
    policy = Policy([MethodCapability("a", approval="ask", max_calls=1)])
    decision = policy.authorize("a", {})
    assert (decision.verdict, decision.allowed, decision.needs_approval) == ("needs-approval", False, True)
    assert "needs approval" in decision.guest_message
    assert policy.used("a") == 0
    assert policy.authorize("a", {}, approved=True).allowed
    assert policy.authorize("a", {}).code == "CALL_LIMIT"
    assert policy.authorize("a", {}, approved=True).code == "CALL_LIMIT"


def test_r34_an_approval_is_of_one_capability() -> None:
    low = MethodCapability("a", [Param("n") <= 10], approval="ask")
    high = MethodCapability("a", approval="ask")
    policy = Policy([low, high])
    assert policy.authorize("a", {"n": 1}, approved=low).allowed
    assert policy.authorize("a", {"n": 1}, approved=high).needs_approval
    assert policy.authorize("a", {"n": 11}, approved=low).needs_approval
    assert (policy.used(low), policy.used(high)) == (1, 0)
    assert Policy([MethodCapability("a")]).authorize("a", {"n": 1}, approved=low).allowed  # nobody needs to be asked


def test_a_tools_own_table_can_ask_too_whoever_grants() -> None:
    policy = Policy([MethodCapability("**")], {"a": ToolLimits(approval="ask")})
    assert policy.authorize("a", {}).needs_approval
    assert policy.authorize("b", {}).allowed
    with pytest.raises(ValueError, match="approval"):
        ToolLimits(approval="yes")  # type: ignore[arg-type]


def test_constraints_may_be_a_list_or_a_mapping() -> None:
    as_set = MethodCapability("a", ConstraintSet([Param("n") <= 5]))
    for spelling in ([Param("n") <= 5], {"n": "<=5"}):
        assert MethodCapability("a", spelling).to_dict() == as_set.to_dict()  # type: ignore[arg-type]


def test_r2_a_scope_bounds_what_a_pattern_reaches() -> None:
    capability = MethodCapability("**", scope=Scope(frozenset({"a/b"}), frozenset({"github"})))
    policy = Policy([capability])
    assert [policy.check(path, {}).allowed for path in ("a/b", "a/c", "github/x", "github", "x")] == [
        True,
        False,
        True,
        False,
        False,
    ]
    assert not MethodCapability("**").is_subset_of(capability)
    assert MethodCapability.from_dict(capability.to_dict()).scope == capability.scope


def test_secrets_are_redacted_everywhere() -> None:
    rule = (Param("token") == "expected") | (Param("card.number").starts_with("4"))
    policy = Policy(
        [MethodCapability("a", constraints=ConstraintSet([rule]))], {"a": ToolLimits(secret=("token", "card"))}
    )
    decision = policy.authorize("a", {"token": "hunter2", "card": {"number": "5500"}})
    assert not decision.allowed
    shown = f"{decision.guest_message} {decision.reason} {decision.needed} {decision.failure}"
    for secret in ("hunter2", "5500", "expected"):
        assert secret not in shown
    assert "token violates its constraint" in decision.guest_message


def test_the_guest_learns_no_more_than_the_rule_that_refused() -> None:
    other = MethodCapability("stripe/**", ConstraintSet([Param("note") == "internal"]), max_calls=3)
    policy = Policy([charges(), MethodCapability("secret/admin/*", max_calls=7), other])
    message = policy.authorize(CHARGE, {"amount": 50000, "currency": "USD"}).guest_message
    assert message.startswith("stripe/charges/create denied: amount 50000 violates amount <= 10000")
    assert "1 other grant" in message
    assert "admin" not in message
    assert "internal" not in message


def test_holes_seen_elsewhere() -> None:
    """Each broke another product."""
    low = Policy([MethodCapability("a", constraints=ConstraintSet([Param("n") <= 1000]))])
    assert not low.authorize("a", {"n": True}).allowed
    roles = Policy([MethodCapability("a", constraints=ConstraintSet([Param("role").not_in(["admin"])]))])
    assert not roles.authorize("a", {"role": ["admin"]}).allowed
    paths = Policy([MethodCapability("a", constraints=ConstraintSet([Param("path").starts_with("/api/")]))])
    assert not paths.authorize("a", {"path": "/api/../x"}).allowed


def test_attenuation_cannot_widen() -> None:
    parent = charges(max_calls=10, approval="ask")
    child = parent.attenuate(constraints=[Param("amount") <= 100])
    assert child.is_subset_of(parent)
    assert (child.max_calls, child.approval) == (10, "ask")
    assert not child.constraints.holds({"amount": 1, "currency": "GBP"})
    with pytest.raises(ValueError, match="reaches beyond"):
        parent.attenuate(method_pattern="stripe/**")
    with pytest.raises(ValueError, match="more than"):
        parent.attenuate(max_calls=11)


def test_is_subset_of() -> None:
    parent = charges(max_calls=10)
    assert charges(max_calls=5).is_subset_of(parent)
    assert not charges().is_subset_of(parent)
    assert not charges(max_calls=11).is_subset_of(parent)
    assert not MethodCapability("stripe/charges/create", max_calls=1).is_subset_of(parent)  # drops the constraints
    assert not MethodCapability("stripe/**", parent.constraints, 5).is_subset_of(parent)
    tighter = ConstraintSet([Param("amount") <= 5, Param("currency") == "USD", Param("note").exists()])
    assert MethodCapability("stripe/charges/create", tighter, 5).is_subset_of(parent)
    looser = ConstraintSet([Param("amount") <= 20000, Param("currency") == "USD"])
    assert not MethodCapability("stripe/charges/create", looser, 5).is_subset_of(parent)
    assert charges(approval="ask").is_subset_of(charges())
    assert not charges().is_subset_of(charges(approval="ask"))


def test_capabilities_validate_serialise_and_have_an_alias() -> None:
    capability = charges(max_calls=100, note="why", input_schema={"type": "object"})
    assert MethodCapability.from_dict(capability.to_dict()).to_dict() == capability.to_dict()
    assert capability.key() == "cap:tool-call:stripe/charges/*"
    assert ToolCallCap is MethodCapability
    capability.validate_call(CHARGE, {"amount": 1, "currency": "USD"})
    with pytest.raises(CapabilityError):
        capability.validate_call("github/x", {})
    with pytest.raises(CapabilityError):
        capability.validate_call(CHARGE, {"amount": 1})
    with pytest.raises(ValueError, match="did you mean 'max_calls'"):
        MethodCapability.from_dict({"method_pattern": "a", "max_call": 1})
    for wrong in (True, 1.5, "5"):
        with pytest.raises(TypeError):
            MethodCapability("a", max_calls=wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="0 or more"):
        MethodCapability("a", max_calls=-1)
    assert Policy([MethodCapability("a", max_calls=0)]).authorize("a", {}).code == "CALL_LIMIT"
