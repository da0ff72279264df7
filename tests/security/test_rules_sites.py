"""What is said of scripts before they run, as an attacker would try it (R3, R4)."""

from __future__ import annotations

from typing import Any

import pytest

from amla_capabilities import MethodCapability, Param, Policy, ToolLimits
from amla_capabilities.check import Judge, SiteVerdict, error_finding, site_finding
from amla_sandbox import Sandbox, ToolDefinition, find_calls

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"amount": {"type": "integer"}},
    "additionalProperties": False,
}


def verdicts(
    source: str, *grants: MethodCapability, language: str = "javascript", limits: ToolLimits | None = None
) -> list[SiteVerdict]:
    policy = Policy(grants or [MethodCapability("pay", [Param("amount") <= 100])], {"pay": limits or ToolLimits()})
    judge = Judge(policy, ["pay"], schemas={"pay": SCHEMA})
    return [judge.judge(site) for site in find_calls(source, "x", language, {"pay": SCHEMA}).sites]


def statuses(source: str, *grants: MethodCapability, **more: Any) -> list[str]:
    return [verdict.status for verdict in verdicts(source, *grants, **more)]


def test_r4_all_constants_are_allowed_or_denied() -> None:
    assert statuses("pay({ amount: 5 }); pay({ amount: 500 })") == ["allowed", "denied"]
    assert statuses("tool pay --amount 5; tool pay --amount 500", language="shell") == ["allowed", "denied"]


@pytest.mark.parametrize(
    "source",
    [
        "pay({ amount: n })",
        "pay({ amount: 5, ...more })",
        "let n = 5; n = 6; pay({ amount: n })",
        "const o = { amount: 5 }; f(o); pay(o)",
        "function f(pay) { pay({ amount: 5 }); }",
        "pay = (x) => x; pay({ amount: 5 })",
        "eval(code); pay({ amount: 5 })",
        "Object.prototype.toJSON = f; pay({ amount: 5 })",
        "with (o) pay({ amount: 5 })",
        "[5].map(pay)",
    ],
)
def test_r4_anything_open_or_hidden_is_never_allowed(source: str) -> None:
    found = statuses(source)
    assert found
    assert "allowed" not in found


@pytest.mark.parametrize(
    "more", [{"max_calls": 9}, {"rate": "9/minute"}, {"expires": "2999-01-01T00:00:00Z"}, {"approval": "ask"}]
)
def test_r4_budgets_times_and_people_are_never_allowed_beforehand(more: dict[str, Any]) -> None:
    assert statuses("pay({ amount: 5 })", MethodCapability("pay", **more)) == ["at run time"]
    assert statuses("pay({ amount: 5 })", MethodCapability("pay"), limits=ToolLimits(**more)) == ["at run time"]


def test_r4_a_script_that_does_not_parse_has_no_sites_and_an_error() -> None:
    found = find_calls("pay({ amount: 5 }); const x = ;", "x.js", "javascript", {"pay": SCHEMA})
    assert found.sites == ()
    assert found.error is not None


def test_r4_a_run_does_not_ask_the_verdict() -> None:
    """A call that was said to be allowed is decided again, by the policy of the run."""
    source = "await pay({ amount: 5 })"
    assert statuses(source) == ["allowed"]
    tool = ToolDefinition("pay", parameters=SCHEMA, handler=lambda _: None)
    with Sandbox(tools=[tool], capabilities=[MethodCapability("pay", [Param("amount") <= 1])]) as sandbox:
        assert "violates amount <= 1" in str(sandbox.run(source).error)


def test_r4_nothing_of_the_script_runs() -> None:
    """Not even what JavaScript would run while it loads; and there is nothing that it could reach."""
    source = "const never = (() => { for (;;); })(); pay({ amount: 5 });"
    assert statuses(source) == ["allowed"]


def test_r3_findings_of_scripts_hold_no_control_characters() -> None:
    source = "'\u001b[2J\u202e'; payy({ '\u001b]0;x\u0007': 1 })"
    (verdict,) = verdicts(source)
    finding = site_finding(verdict, "x.js", source)
    assert finding is not None
    assert finding.source.isprintable()
    assert finding.message.isprintable()
    broken = find_calls("const \u001b = 1", "x.js", "javascript").error
    assert broken is not None
    assert error_finding(broken, "x.js", "const \u001b = 1").message.isprintable()
