"""The rules about grants and their budgets, as an attacker would try them (R5-R7, R13, R15)."""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amla_capabilities import (
    ConstraintError,
    Ledger,
    MethodCapability,
    Param,
    Policy,
    Rate,
    ToolLimits,
    load_manifest,
)


class Clock:
    """A clock that tests set."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def codes(policy: Policy, calls: int, arguments: dict[str, Any] | None = None) -> list[str]:
    return [policy.authorize("a", arguments or {}).code for _ in range(calls)]


# R5


@pytest.mark.parametrize(
    ("limits", "code"),
    [
        (ToolLimits([Param("n") <= 5]), "CONSTRAINT_VIOLATED"),
        (ToolLimits(max_calls=0), "CALL_LIMIT"),
        (ToolLimits(total={"n": "<=8"}), "TOTAL_LIMIT"),
        (ToolLimits(expires="2001-01-01T00:00:00Z"), "EXPIRED"),
        (ToolLimits(approval="ask"), "NEEDS_APPROVAL"),
        (ToolLimits(allow=False), "FORBIDDEN"),
    ],
)
def test_r5_limits_of_a_tool_bind_whoever_grants(limits: ToolLimits, code: str) -> None:
    """However wide a capability is, the tool's own table is asked first."""
    for capability in (MethodCapability("a"), MethodCapability("**"), MethodCapability("*", max_calls=100)):
        assert Policy([capability], {"a": limits}).authorize("a", {"n": 9}).code == code


def test_r5_a_rate_of_a_tool_binds_all_who_grant_it() -> None:
    policy = Policy(
        [MethodCapability("a", [Param("n") == 1]), MethodCapability("**")], {"a": ToolLimits(rate="2/hour")}
    )
    assert [policy.authorize("a", {"n": n}).code for n in (1, 2, 1)] == ["ALLOWED", "ALLOWED", "RATE_LIMIT"]


@pytest.mark.parametrize(
    "limits", [{"max_calls": 1}, {"rate": "1/day"}, {"total": {"n": "<=1"}}, {"expires": "2001-01-01T00:00:00Z"}]
)
def test_r5_the_first_that_fits_decides_even_without_room(limits: dict[str, Any]) -> None:
    """No budget is avoided by another capability further down, and that one is never charged."""
    tight, wide = MethodCapability("a", **limits), MethodCapability("**")
    policy = Policy([tight, wide])
    decisions = [policy.authorize("a", {"n": 1}) for _ in range(2)]
    assert not decisions[1].allowed
    assert decisions[1].capability is tight
    assert policy.used(wide) == 0


# R6


def test_r6_policies_on_one_ledger_share_every_count() -> None:
    ledger, capability = Ledger(), MethodCapability("a", rate="3/day", total={"n": "<=10"})
    first, second = Policy([capability], ledger=ledger), Policy([capability], ledger=ledger)
    assert first.authorize("a", {"n": 8}).allowed
    assert second.authorize("a", {"n": 8}).code == "TOTAL_LIMIT"
    assert second.authorize("a", {"n": 1}).allowed
    assert first.authorize("a", {"n": 1}).allowed
    assert second.authorize("a", {"n": 0}).code == "RATE_LIMIT"


def _twice(ledger: Ledger, **limits: Any) -> list[Policy]:
    return [Policy([MethodCapability("a", **limits)], ledger=ledger) for _ in range(2)]


def test_r6_a_manifest_loaded_again_goes_on_where_it_was() -> None:
    """Equal capabilities that are other objects join the accounts of a shared ledger."""
    first, second = _twice(Ledger(), max_calls=3)
    assert codes(first, 2) == ["ALLOWED", "ALLOWED"]
    assert codes(second, 2) == ["ALLOWED", "CALL_LIMIT"]
    assert codes(first, 1) == ["CALL_LIMIT"]


def test_r6_equals_in_one_policy_stay_apart_also_after_restoring() -> None:
    def policy(ledger: Ledger | None = None) -> Policy:
        return Policy([MethodCapability("a", max_calls=1), MethodCapability("a", max_calls=2)], ledger=ledger)

    old = policy()
    assert codes(old, 2) == ["ALLOWED", "CALL_LIMIT"]
    ledger = Ledger()
    ledger.restore(old.ledger.export())
    new = policy(ledger)
    assert [new.used(capability) for capability in new.capabilities] == [1, 0]


def test_r6_restoring_takes_the_higher_and_forgets_nothing() -> None:
    clock = Clock()

    def policy() -> Policy:
        capability = MethodCapability("a", max_calls=10, rate="5/hour", total={"n": "<=100"})
        return Policy([capability], {"a": ToolLimits(max_calls=20)}, ledger=Ledger(clock=clock))

    ahead, behind = policy(), policy()
    for n in (1, 2, 3):
        clock.now += 1
        ahead.authorize("a", {"n": n})
    clock.now += 1
    behind.authorize("a", {"n": 50})
    saved = ahead.ledger.export()
    behind.ledger.restore(saved)
    behind.ledger.restore(saved)  # once more changes nothing: these are the same calls
    (state,) = behind.budgets(behind.capabilities[0])
    assert (state.calls, state.calls_left, state.rate_room, state.totals[0].used) == (3, 7, 1, 50)
    assert behind.used("a") == 3
    ahead.ledger.restore(saved)
    assert ahead.ledger.export() == saved


def test_r6_a_raised_limit_forgets_no_call() -> None:
    old = Policy([MethodCapability("a", max_calls=2, note="old")])
    codes(old, 2)
    ledger = Ledger()
    ledger.restore(old.ledger.export())
    assert codes(Policy([MethodCapability("a", max_calls=3, note="new")], ledger=ledger), 2) == [
        "ALLOWED",
        "CALL_LIMIT",
    ]


def test_r6_restoring_before_and_after_the_policy_is_made_is_the_same() -> None:
    old = Policy([MethodCapability("a", max_calls=2)])
    codes(old, 1)
    late = Policy([MethodCapability("a", max_calls=2)])
    late.ledger.restore(old.ledger.export())
    assert codes(late, 2) == ["ALLOWED", "CALL_LIMIT"]


_ACCOUNT = {"calls": 0, "times": [], "window": 0, "sums": {}}


@pytest.mark.parametrize(
    "account",
    [
        None, [], {}, {**_ACCOUNT, "calls": -1}, {**_ACCOUNT, "calls": True}, {**_ACCOUNT, "calls": "9"},
        {**_ACCOUNT, "times": [float("nan")]}, {**_ACCOUNT, "times": [-1]}, {**_ACCOUNT, "times": "x"},
        {**_ACCOUNT, "sums": {"n": "-5"}}, {**_ACCOUNT, "sums": {"n": 5}}, {**_ACCOUNT, "sums": {"n": "NaN"}},
        {**_ACCOUNT, "sums": {"n": "1e99999"}}, {**_ACCOUNT, "more": 1}, {**_ACCOUNT, "window": float("inf")},
    ],
)  # fmt: skip
def test_r6_counts_from_a_file_are_not_trusted(account: Any) -> None:
    """Nothing malformed is taken over, and then nothing at all."""
    ledger = Ledger()
    with pytest.raises(ValueError, match="saved counts"):
        ledger.restore({"version": 1, "accounts": {"good": {**_ACCOUNT, "calls": 4}, "bad": account}})
    with pytest.raises(ValueError, match="saved counts"):
        ledger.restore({"version": 2, "accounts": {}})
    assert ledger.export()["accounts"] == {}


# R7


def test_r7_a_charge_debits_all_ancestors_in_every_kind_of_budget() -> None:
    clock = Clock()
    root = MethodCapability("**", max_calls=100, rate="10/minute", total={"n": "<=30"})
    children = [root.attenuate(method_pattern=f"{name}").attenuate(max_calls=50) for name in "abcde"]
    policy = Policy(children, ledger=Ledger(clock=clock))

    def spend(n: int) -> list[str]:
        return [policy.authorize("abcde"[i % 5], {"n": n}).code for i in range(12)]

    assert spend(1).count("ALLOWED") == 10
    clock.now += 60
    assert spend(3).count("ALLOWED") == 6
    (state,) = policy.budgets(root)
    assert (state.calls, state.totals[0].used) == (16, 28)


def test_r7_what_one_of_them_refuses_none_is_charged_for() -> None:
    """The ancestor has no room for the sum: the child's own counts stay as they are."""
    root = MethodCapability("a", total={"n": "<=10"})
    child = root.attenuate(max_calls=5, rate="5/hour")
    policy = Policy([child], {"a": ToolLimits(max_calls=9, total={"m": "<=5"})})
    assert policy.authorize("a", {"n": 11, "m": 1}).code == "TOTAL_LIMIT"
    assert policy.authorize("a", {"n": 1, "m": 6}).code == "TOTAL_LIMIT"
    for account in (child, root, "a"):
        assert policy.used(account) == 0
    states = [*policy.budgets(child), *policy.budgets("a")]
    assert [state.rate_room for state in states] == [5, None, None]
    assert [total.used for state in states for total in state.totals] == [0, 0, 0]


def _race(work: Callable[[], int], threads: int) -> int:
    counts: list[int] = []
    barrier = threading.Barrier(threads)

    def start() -> None:
        barrier.wait()
        counts.append(work())

    every = [threading.Thread(target=start) for _ in range(threads)]
    for thread in every:
        thread.start()
    for thread in every:
        thread.join()
    return sum(counts)


@pytest.mark.parametrize(
    ("limits", "allowed"),
    [({"max_calls": 120}, 120), ({"rate": "90/day"}, 90), ({"total": {"n": "<=100"}}, 100)],
)
def test_r7_check_and_charge_is_one_step_under_threads(limits: dict[str, Any], allowed: int) -> None:
    policy = Policy([MethodCapability("a", **limits)])
    assert _race(lambda: sum(policy.authorize("a", {"n": 1}).allowed for _ in range(50)), 8) == allowed
    assert policy.used("a") == allowed


def test_r7_check_and_charge_is_one_step_under_asyncio() -> None:
    policy = Policy([MethodCapability("a", max_calls=7, total={"n": "<=5"})])

    async def call() -> bool:
        await asyncio.sleep(0)
        return policy.authorize("a", {"n": 1}).allowed

    async def all_of_them() -> list[bool]:
        return await asyncio.gather(*(call() for _ in range(40)))

    assert sum(asyncio.run(all_of_them())) == 5


def test_r7_a_child_cannot_be_built_wider_than_its_parent() -> None:
    """Neither by `attenuate` nor by naming a parent by hand."""
    parent = MethodCapability(
        "a/**",
        [Param("n") <= 5],
        10,
        approval="ask",
        rate="10/minute",
        total={"n": "<=20"},
        expires="2030-01-01T00:00:00Z",
    )
    for wider in (
        {"method_pattern": "**"}, {"max_calls": 11}, {"rate": "11/minute"}, {"rate": "10/30s"}, {"total": {"n": "<=21"}},
        {"expires": "2030-01-02T00:00:00Z"},
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r"beyond|more than|not always within|not kept|later"):
            parent.attenuate(**wider)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="not all kept"):
        MethodCapability("a/b", parent=parent)
    child = parent.attenuate(rate="5/minute", total={"n": "<20", "m": "<=1"}, expires="2029-01-01T00:00:00+01:00")
    assert child.is_subset_of(parent)
    assert [str(total) for total in child.total] == ["total of n < 20", "total of m <= 1"]
    assert (child.approval, child.max_calls) == ("ask", 10)


# R13


@pytest.mark.parametrize(
    ("amount", "code"),
    [
        ({}, "PARAMETER_MISSING"), ({"n": None}, "TYPE_MISMATCH"), ({"n": "5"}, "TYPE_MISMATCH"),
        ({"n": True}, "TYPE_MISMATCH"), ({"n": [5]}, "TYPE_MISMATCH"), ({"n": -1}, "CONSTRAINT_VIOLATED"),
        ({"n": -1e-300}, "CONSTRAINT_VIOLATED"), ({"n": float("nan")}, "CONSTRAINT_VIOLATED"),
        ({"n": float("inf")}, "CONSTRAINT_VIOLATED"), ({"n": 10**400}, "CONSTRAINT_VIOLATED"),
        ({"n": 10}, "ALLOWED"), ({"n": 10.000000000000002}, "TOTAL_LIMIT"), ({"n": -0.0}, "ALLOWED"),
    ],
)  # fmt: skip
def test_r13_only_amounts_count_and_everything_else_denies(amount: dict[str, Any], code: str) -> None:
    for capability, limits in (({"total": {"n": "<=10"}}, {}), ({}, {"total": {"n": "<=10"}})):
        policy = Policy([MethodCapability("a", **capability), MethodCapability("**")], {"a": ToolLimits(**limits)})  # type: ignore[arg-type]
        assert policy.authorize("a", amount).code == code
        assert policy.used("a") == (code == "ALLOWED")


def test_r13_sums_are_exact() -> None:
    """Ten times a tenth is one; what would vanish in a float is kept."""
    tenths = Policy([MethodCapability("a", total={"n": "<=1"})])
    assert codes(tenths, 11, {"n": 0.1}) == ["ALLOWED"] * 10 + ["TOTAL_LIMIT"]
    below = Policy([MethodCapability("a", total={"n": "<1"})])
    assert codes(below, 10, {"n": 0.1})[-2:] == ["ALLOWED", "TOTAL_LIMIT"]
    large = Policy([MethodCapability("a", total={"n": f"<={10**399}"})])
    assert large.authorize("a", {"n": 10**399 - 1}).allowed
    assert large.authorize("a", {"n": 5e-324}).allowed
    assert large.authorize("a", {"n": 1}).code == "TOTAL_LIMIT"
    (state,) = large.budgets(large.capabilities[0])
    assert state.totals[0].used == Decimal(str(10**399 - 1) + "." + "0" * 323 + "5")


@given(st.lists(st.one_of(st.integers(0, 10**20), st.floats(0, 1e9, allow_nan=False))))
def test_r13_a_sum_is_that_of_the_decimals(amounts: list[float]) -> None:
    from fractions import Fraction

    policy = Policy([MethodCapability("a", total={"n": f"<={10**30}"})])
    for amount in amounts:
        assert policy.authorize("a", {"n": amount}).allowed
    (state,) = policy.budgets(policy.capabilities[0])
    assert state.totals[0].used is not None
    assert Fraction(state.totals[0].used) == sum((Fraction(repr(amount)) for amount in amounts), Fraction(0))


def test_r13_elements_of_an_array_are_summed() -> None:
    policy = Policy([MethodCapability("a", total={"items[*].price": "<=10"})])
    assert policy.authorize("a", {"items": [{"price": 4}, {"price": 5.5}]}).allowed
    assert policy.authorize("a", {"items": [{"price": 0.25}, {}]}).code == "PARAMETER_MISSING"
    assert policy.authorize("a", {"items": [{"price": 0.25}, {"price": -0.25}]}).code == "CONSTRAINT_VIOLATED"
    assert policy.authorize("a", {"items": [{"price": 1}]}).code == "TOTAL_LIMIT"
    assert policy.authorize("a", {"items": []}).allowed


@pytest.mark.parametrize(
    "bound", ["10", "==10", ">=10", ">10", "!=10", "=<10", "<=x", "<=-1", "<0", "<=1e999", "", 10, None]
)
def test_r13_only_upper_bounds_parse(bound: Any) -> None:
    for build in (lambda: MethodCapability("a", total={"n": bound}), lambda: ToolLimits(total={"n": bound})):
        with pytest.raises(ConstraintError):
            build()


def test_r13_a_secret_amount_is_not_told() -> None:
    policy = Policy([MethodCapability("a", total={"pin": "<=5000"})], {"a": ToolLimits(secret=("pin",))})
    policy.authorize("a", {"pin": 4321})
    decision = policy.authorize("a", {"pin": 1234})
    shown = f"{decision.guest_message} {decision.needed} {policy.budgets(policy.capabilities[0])} "
    shown += str(policy.explain("a", {"pin": 1234}).to_dict())
    assert decision.code == "TOTAL_LIMIT"
    assert "4321" not in shown
    assert "1234" not in shown


# R15


@pytest.mark.parametrize("now", [math.nan, math.inf, -math.inf])
def test_r15_a_clock_that_gives_no_time_allows_nothing(now: float) -> None:
    capability = MethodCapability("a", rate="2/10s", expires="2030-01-01T00:00:00Z")
    policy = Policy([capability], ledger=Ledger(clock=lambda: now))
    with pytest.raises(ValueError, match="no time"):
        policy.authorize("a", {})
    assert policy.used(capability) == 0


def test_r15_at_most_n_calls_in_any_half_open_interval() -> None:
    clock = Clock()
    policy = Policy([MethodCapability("a", rate="2/10s")], ledger=Ledger(clock=clock))
    allowed = []
    for now, fits in (
        (1000, True),
        (1004, True),
        (1009.999, False),
        (1010, True),
        (1013, False),
        (1014, True),
        (1019, False),
    ):
        clock.now = now
        allowed.append((policy.authorize("a", {}).allowed, fits))
    assert all(got is fits for got, fits in allowed)


@given(st.lists(st.integers(0, 40), max_size=60), st.integers(1, 4), st.sampled_from([1, 5, 7]))
def test_r15_no_interval_holds_more_however_calls_fall(gaps: list[int], most: int, length: int) -> None:
    """As many as possible are allowed, and never more: compared with counting by hand."""
    clock = Clock()
    policy = Policy([MethodCapability("a", rate=Rate(most, length))], ledger=Ledger(clock=clock))
    made: list[float] = []
    for gap in gaps:
        clock.now += gap / 4
        room = sum(time > clock.now - length for time in made) < most
        assert policy.authorize("a", {}).allowed is room
        made += [clock.now] if room else []
    assert not any(later - earlier < length for earlier, later in zip(made, made[most:], strict=False))


def test_r15_a_clock_that_steps_back_frees_nothing() -> None:
    clock = Clock()
    policy = Policy([MethodCapability("a", rate="2/minute")], ledger=Ledger(clock=clock))
    assert codes(policy, 2) == ["ALLOWED", "ALLOWED"]
    for now in (400, 0, 999, 1000, 1059.9):
        clock.now = now
        assert codes(policy, 1) == ["RATE_LIMIT"]
    clock.now = 1060
    assert codes(policy, 3) == ["ALLOWED", "ALLOWED", "RATE_LIMIT"]


def test_r15_the_script_is_told_when_the_next_call_fits() -> None:
    clock = Clock()
    policy = Policy([MethodCapability("a", rate="2/minute")], ledger=Ledger(clock=clock))
    codes(policy, 1)
    clock.now += 15
    codes(policy, 1)
    clock.now += 5
    assert "the next call fits in 40s" in policy.authorize("a", {}).guest_message
    (state,) = policy.budgets(policy.capabilities[0])
    assert (state.rate_room, state.rate_wait) == (0, 40)


def test_r15_a_refused_call_takes_no_place() -> None:
    policy = Policy([MethodCapability("a", [Param("n") <= 5], rate="1/day")])
    for _ in range(5):
        assert policy.authorize("a", {"n": 9}).code == "CONSTRAINT_VIOLATED"
        assert policy.check("a", {"n": 1}).allowed
    assert policy.authorize("a", {"n": 1}).allowed


@pytest.mark.parametrize("when", ["2030-01-01", "2030-01-01T00:00:00", "tomorrow", "", 1893456000, True])
def test_r15_expires_needs_a_time_zone(when: Any) -> None:
    for build in (lambda: MethodCapability("a", expires=when), lambda: ToolLimits(expires=when)):
        with pytest.raises(ConstraintError, match="expires"):
            build()


def test_r15_a_right_ends_at_its_moment_also_an_ancestors() -> None:
    clock = Clock()
    ledger = Ledger(clock=clock)
    root = MethodCapability("a", expires="1970-01-01T01:20:00+01:00")  # 1200 s after the epoch
    policy = Policy([root.attenuate(max_calls=9)], ledger=ledger)
    for now, code in ((1199.999, "ALLOWED"), (1200, "EXPIRED"), (5000, "EXPIRED"), (1100, "ALLOWED")):
        clock.now = now
        assert policy.authorize("a", {}).code == code
    clock.now = 1200
    assert policy.remaining_calls("a") == 0
    assert policy.budgets(policy.capabilities[0])[1].expired


@pytest.mark.parametrize("rate", ["", "10", "x/minute", "10/minut", "0/minute", "1/0s", "-1/minute", "1.5/minute", "1/1e3s",
                                  "10/minute/second", "10 per minute", "٣/minute", "1000000/day", 10, True])  # fmt: skip
def test_r15_what_is_no_rate_is_refused(rate: Any) -> None:
    for build in (lambda: MethodCapability("a", rate=rate), lambda: ToolLimits(rate=rate)):
        with pytest.raises(ConstraintError):
            build()


@given(st.integers(1, 4), st.integers(1, 5), st.integers(1, 6), st.integers(1, 5))
def test_r15_one_rate_is_within_another_exactly_when_no_calls_tell_them_apart(n: int, s: int, m: int, t: int) -> None:
    """Bursts as dense as the first rate allows are the worst case for the second."""
    bursts = [k * s for k in range(60) for _ in range(n)]
    worst = max(sum(start <= time < start + t for time in bursts) for start in range(30))
    assert Rate(n, s).within(Rate(m, t)) is (worst <= m)


def test_r15_rates_are_written_as_they_are_read() -> None:
    for text in ("10/minute", "1/second", "5/day", "100/hour", "7/30s", "1/0.25s"):
        assert str(Rate.parse(text)) == text
    assert Rate.parse("3 / 2m") == Rate(3, 120)


def test_r5_limits_of_a_manifest_bind_too(tmp_path: Any) -> None:
    """The whole way: from the file to the decision."""
    (tmp_path / "tools.toml").write_text(
        '[tools.pay]\ncommand = ["echo", "{n}"]\nparams.n = { type = "integer" }\nrate = "3/hour"\n'
        '[[capabilities]]\nmethod = "pay"\ntotal = { n = "<=10" }\nexpires = 2999-01-01T00:00:00Z\n'
    )
    policy = load_manifest(tmp_path / "tools.toml").policy()
    found = [policy.authorize("pay", {"n": n}).code for n in (6, 6, 4, 0, 0)]
    assert found == ["ALLOWED", "TOTAL_LIMIT", "ALLOWED", "ALLOWED", "RATE_LIMIT"]
