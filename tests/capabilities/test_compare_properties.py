"""R37, the law behind it: where nothing widened, OLD would have allowed every sequence of calls that NEW allows."""

from __future__ import annotations

import copy
from datetime import UTC, datetime, timedelta
from typing import Any

import tomli_w
from hypothesis import given, settings
from hypothesis import strategies as st

from amla_capabilities import Ledger, Manifest, Policy, parse_manifest
from amla_capabilities.compare import widened

_EPOCH = datetime(2030, 1, 1, tzinfo=UTC)
_TOOLS = ("a", "s/b", "s/c")
_PATTERNS = ("a", "s/b", "s/*", "*", "**", "s/c")
_CONSTRAINTS = st.dictionaries(
    st.sampled_from(["x", "y"]),
    st.sampled_from(
        ["<=1", "<=2", ">=1", ">0", 1, [0, 1], ["<3", ">=1"], {"le": 2, "optional": True}, {"exists": True}, "!=2"]
    ),
    max_size=2,
)
_BUDGET = st.fixed_dictionaries(
    {},
    optional={
        "max_calls": st.integers(0, 4),
        "rate": st.sampled_from(["1/2s", "2/3s", "1/3s", "3/6s"]),
        "total": st.sampled_from([{"x": "<=3"}, {"x": "<=2"}, {"x": "<4"}, {"x": "<=6"}]),
        "expires": st.sampled_from([_EPOCH + timedelta(seconds=n) for n in (2, 4)]),
        "approval": st.just("ask"),
        "constraints": _CONSTRAINTS,
    },
)
_TABLE = st.builds(lambda budget, allow: {**budget, **allow}, _BUDGET, st.sampled_from([{}, {}, {"allow": True}]))
_CAPABILITY = st.builds(lambda method, budget: {"method": method, **budget}, st.sampled_from(_PATTERNS), _BUDGET)
_SPEC = st.fixed_dictionaries(
    {
        "tools": st.fixed_dictionaries(dict.fromkeys(_TOOLS, _TABLE)),
        "capabilities": st.lists(_CAPABILITY, max_size=3),
    }
)
_CALL = st.tuples(
    st.sampled_from(_TOOLS),
    st.dictionaries(st.sampled_from(["x", "y"]), st.sampled_from([0, 1, 2, 3]), max_size=2),
    st.sampled_from([0, 0, 1, 2]),  # seconds before it
)
_CALLS = st.lists(_CALL, min_size=1, max_size=12)


def _drop(new: dict[str, Any], table: dict[str, Any], draw: st.DrawFn) -> None:
    if new["capabilities"]:
        new["capabilities"].pop(draw(st.integers(0, len(new["capabilities"]) - 1)))


def _swap(new: dict[str, Any], table: dict[str, Any], draw: st.DrawFn) -> None:
    new["capabilities"].reverse()


def _halve(new: dict[str, Any], table: dict[str, Any], draw: st.DrawFn) -> None:
    for first in new["capabilities"][:1]:
        half = {**first, "max_calls": first["max_calls"] // 2} if "max_calls" in first else first
        new["capabilities"][:1] = [half, copy.deepcopy(half)]


def _spread(new: dict[str, Any], table: dict[str, Any], draw: st.DrawFn) -> None:
    for first in new["capabilities"][:1]:
        if first["method"] in ("**", "s/*"):
            new["capabilities"][:1] = [{**first, "method": method} for method in ("s/b", "s/c")]


def _limit(new: dict[str, Any], table: dict[str, Any], draw: st.DrawFn) -> None:
    table["max_calls"] = min(table.get("max_calls", 9), draw(st.integers(0, 2)))


def _forget(new: dict[str, Any], table: dict[str, Any], draw: st.DrawFn) -> None:
    table.pop(draw(st.sampled_from(["max_calls", "rate", "total", "expires", "approval", "constraints"])), None)


def _bound(new: dict[str, Any], table: dict[str, Any], draw: st.DrawFn) -> None:
    table.setdefault("constraints", {}).setdefault("x", "<=1")


def _narrow(new: dict[str, Any], table: dict[str, Any], draw: st.DrawFn) -> None:
    for first in new["capabilities"][:1]:
        first["method"] = draw(st.sampled_from(["a", "s/b"]))


def _replace(new: dict[str, Any], table: dict[str, Any], draw: st.DrawFn) -> None:
    table.update(draw(_BUDGET))


_EDITS = (_drop, _swap, _halve, _spread, _limit, _forget, _bound, _narrow, _replace)


@st.composite
def _edited(draw: st.DrawFn, spec: dict[str, Any]) -> dict[str, Any]:
    """A manifest with a few small changes, most of them to be narrower."""
    new = copy.deepcopy(spec)
    for _ in range(draw(st.integers(1, 3))):
        table = draw(st.sampled_from([*new["tools"].values(), *new["capabilities"]]))
        draw(st.sampled_from(_EDITS))(new, table, draw)
    return new


def _manifest(spec: dict[str, Any]) -> Manifest | None:
    params = {name: {"type": "integer", "optional": True} for name in ("x", "y")}
    tools = {name: {"python": "m:f", "params": params, **table} for name, table in spec["tools"].items()}
    try:
        return parse_manifest(tomli_w.dumps({**spec, "tools": tools}))
    except ValueError:
        return None  # constraints that nothing can meet


class _Clock:
    now = _EPOCH.timestamp()

    def __call__(self) -> float:
        return self.now


def _allowed_calls(new: Policy, clock: _Clock, calls: list[Any], *, approved: bool) -> list[Any]:
    """Those of the calls that a policy allows, with the time of each."""
    found: list[Any] = []
    for tool, arguments, wait in calls:
        clock.now += wait
        if new.authorize(tool, arguments, approved=approved).allowed:
            found.append((tool, arguments, clock.now))
    return found


def _check(old: Manifest | None, new: Manifest | None, calls: list[Any]) -> None:
    if old is None or new is None or widened(old, new):
        return
    for approved in (False, True):
        clock = _Clock()
        made = _allowed_calls(new.policy(ledger=Ledger(clock=clock)), clock, calls, approved=approved)
        again = _Clock()
        before = old.policy(ledger=Ledger(clock=again))
        for tool, arguments, again.now in made:
            decision = before.authorize(tool, arguments, approved=approved)
            assert decision.allowed, f"{tool} {arguments}: {decision.reason}"


@given(st.data(), _SPEC, _CALLS)
def test_r37_edits_without_findings_allow_nothing_new(data: st.DataObject, spec: dict[str, Any], calls: Any) -> None:
    edited = data.draw(_edited(spec))
    _check(_manifest(spec), _manifest(edited), calls)


@given(_SPEC, _SPEC, _CALLS)
def test_r37_manifests_without_findings_allow_nothing_new(one: Any, other: Any, calls: Any) -> None:
    _check(_manifest(one), _manifest(other), calls)


_SHARES = st.lists(
    st.builds(
        lambda method, budget: {"method": method, **budget},
        st.sampled_from(["s/b", "s/c", "s/*"]),
        st.fixed_dictionaries(
            {},
            optional={
                "max_calls": st.integers(0, 4),
                "rate": st.sampled_from(["1/2s", "2/3s", "1/3s"]),
                "total": st.sampled_from([{"x": "<=3"}, {"x": "<=2"}, {"x": "<4"}]),
                "constraints": st.sampled_from([{"x": "<=1"}, {"x": ">1"}]),
            },
        ),
    ),
    min_size=1,
    max_size=3,
)
_SHARED_CALLS = st.lists(
    st.tuples(
        st.sampled_from(["s/b", "s/c"]), st.fixed_dictionaries({"x": st.integers(0, 3)}), st.sampled_from([0, 1, 2])
    ),
    min_size=4,
    max_size=12,
)
_WHOLE = st.sampled_from(
    [{"max_calls": 3}, {"max_calls": 5}, {"rate": "3/4s"}, {"rate": "2/2s"}, {"total": {"x": "<=5"}}]
)


@given(_WHOLE, _SHARES, st.dictionaries(st.sampled_from(["s/b", "s/c"]), st.integers(1, 3)), _SHARED_CALLS)
def test_r37_shares_of_one_budget_are_never_more_than_it(whole: Any, shares: Any, own: Any, calls: Any) -> None:
    tools: dict[str, Any] = {name: {} for name in _TOOLS}
    limited = {name: {"max_calls": own[name]} if name in own else {} for name in _TOOLS}
    old = _manifest({"tools": tools, "capabilities": [{"method": "s/*", **whole}]})
    _check(old, _manifest({"tools": limited, "capabilities": shares}), calls)


@given(_SPEC)
@settings(max_examples=50)
def test_a_manifest_widens_nothing_against_itself(spec: dict[str, Any]) -> None:
    manifest, again = _manifest(spec), _manifest(spec)
    if manifest is not None and again is not None:
        assert widened(manifest, again) == []


@given(st.data(), _SPEC, _CALLS)
def test_a_widening_that_calls_can_show_is_found(data: st.DataObject, spec: dict[str, Any], calls: Any) -> None:
    """The other way round: calls that only NEW allows are proof that there must be a finding."""
    old, new = _manifest(spec), _manifest(data.draw(_edited(spec)))
    if old is None or new is None:
        return
    clock, again = _Clock(), _Clock()
    made = _allowed_calls(new.policy(ledger=Ledger(clock=clock)), clock, calls, approved=False)
    before = old.policy(ledger=Ledger(clock=again))
    for tool, arguments, again.now in made:
        if not before.authorize(tool, arguments).allowed:
            assert widened(old, new)
            return
