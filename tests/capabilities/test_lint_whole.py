"""`lint` as a whole: what is accepted, order, size; and `run_tests`."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from lint_texts import ASK, GIT, PAY, REFUND, amount, cap, found, mount, only

from amla_capabilities import Finding, constraints_from_dict, load_manifest, parse_manifest
from amla_capabilities._algebra._apart import plainly_apart
from amla_capabilities.lint import lint, run_tests, unsuppressed

STARS = '[tools.a]\ncommand = ["a"]\n' + cap("**")


def test_a_suppressed_finding_is_gone() -> None:
    assert found(STARS + '[check.suppress]\nAM203 = "only reads"\n') == []
    assert found(STARS + '[check]\nsuppress = { AM203 = { reason = "only reads" } }\n') == []


def test_a_suppression_can_be_about_one_place() -> None:
    def accept(path: str) -> str:
        return STARS + f'[check.suppress]\nAM203 = {{ reason = "r", path = "{path}" }}\n'

    assert found(accept("capabilities[0]")) == []
    assert found(accept("capabilities[0].method")) == []
    for other in ("capabilities[1]", "capabilities[0].meth", "tools.a"):
        assert [one.split()[0] for one in found(accept(other))] == ["AM203", "AM213"]


def test_a_suppression_that_never_fires_is_found_itself() -> None:
    finding = only('[tools.a]\ncommand = ["a"]\nallow = true\n[check.suppress]\nAM203 = "only reads"\n')
    assert (finding.code, finding.line, finding.column) == ("AM213", 5, 1)


def test_suppressions_of_other_checks_are_left_to_them() -> None:
    """`lint` does not know whether a finding about scripts will come."""
    manifest = parse_manifest(STARS + '[check.suppress]\nAM203 = "only reads"\n')
    assert unsuppressed(manifest, [], judged="AM4") == []
    assert [one.code for one in unsuppressed(manifest, [], judged="AM2")] == ["AM213"]
    accepted = Finding("AM203", "m", "warning", "a.toml", 1, 1)
    assert unsuppressed(manifest, [accepted], judged="AM4") == []


def case(call: str, args: str, expect: str) -> str:
    return f'[[tests]]\ncall = "{call}"\nargs = {{ {args} }}\nexpect = "{expect}"\n'


def test_policy_tests_are_judged_with_the_rule_that_decided() -> None:
    text = PAY + cap("pay", amount("<=100")) + cap("pay", amount(">100", "<=1000"), ASK) + REFUND + "allow = false\n"
    text += '[tools.idle]\ncommand = ["x"]\n'
    rows = [
        ("pay", "amount = 50", "allow", "capabilities[0] (pay)"),
        ("pay", "amount = 500", "ask", "capabilities[1] (pay): a person has to approve"),
        ("pay", "amount = 5000", "deny", "capabilities[0] (pay): amount 5000 violates amount <= 100"),
        ("pay", "", "deny", "capabilities[0] (pay): amount is missing"),
        ("refund", "amount = 1", "deny", "tools.refund: the owner forbids this tool"),
        ("idle", "", "deny", "no capability grants this tool"),
    ]
    outcomes = run_tests(parse_manifest(text + "".join(case(*row[:3]) for row in rows)))
    for outcome, (_, _, expect, rule) in zip(outcomes, rows, strict=True):
        assert outcome.passed
        assert outcome.finding is None
        assert (outcome.expected, outcome.actual) == (expect, expect)
        assert outcome.rule.startswith(rule), outcome.rule


@pytest.mark.parametrize(("args", "actual"), [("amount = 50", "allow"), ("amount = 500", "deny")])
@pytest.mark.parametrize("expect", ["allow", "deny", "ask"])
def test_a_policy_test_fails_where_the_policy_decides_otherwise(args: str, actual: str, expect: str) -> None:
    text = PAY + amount("<=100") + "\n" + case("pay", args, expect)
    (outcome,) = run_tests(parse_manifest(text, "tools.toml"))
    assert outcome.actual == actual
    assert outcome.passed is (actual == expect)
    if outcome.finding is not None:
        assert (outcome.finding.code, outcome.finding.line, outcome.finding.column) == ("AM301", 9, 10)
        assert f"expected {expect}, but the decision is {actual}" in outcome.finding.message
    assert (outcome.finding is None) is outcome.passed


def test_policy_tests_do_not_bear_on_each_other() -> None:
    text = PAY + "max_calls = 1\n" + case("pay", "amount = 1", "allow") + case("pay", "amount = 2", "allow")
    assert all(outcome.passed for outcome in run_tests(parse_manifest(text)))


def test_r20_policy_tests_judge_the_arguments_as_a_run_would() -> None:
    """They are validated and completed by what is handed in; what does not fit is denied by the schema."""

    def prepare(tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        if "amout" in arguments:
            raise ValueError(f"{tool}: unknown parameter amout")
        return {"amount": 5, **arguments}

    text = PAY + amount("<=100") + "\n" + case("pay", "", "allow") + case("pay", "amout = 1", "deny")
    completed, refused = run_tests(parse_manifest(text), prepare=prepare)
    assert completed.passed
    assert refused.passed
    assert refused.rule == "the schema of pay: unknown parameter amout"
    assert not run_tests(parse_manifest(text))[0].passed


def test_a_test_that_is_there_twice() -> None:
    text = PAY + amount("<=100") + "\n" + case("pay", "amount = 1", "allow")
    assert found(text + case("pay", "amount = 2", "allow")) == []
    assert found(text + case("pay", "amount = true", "deny")) == []
    assert found(text + case("pay", "amonut = 1", "deny")) == ["AM222 12:10"]
    assert found(text + case("mcp:pay", "amount = 1", "allow")) == ["AM211 10:3"]
    assert "expects 'allow'" in only(text + case("pay", "amount = 1", "deny")).message


def test_findings_come_in_the_order_of_the_file() -> None:
    text = mount("/root") + GIT + cap("**") + mount("/etc", guest="/b")
    assert found(text) == ["AM207 2:8", "AM203 9:10", "AM207 11:8"]


def test_findings_of_includes_name_their_file(tmp_path: Path) -> None:
    (tmp_path / "tools.toml").write_text('include = ["inner.toml"]\n' + mount("data"))
    (tmp_path / "inner.toml").write_text("\n" + PAY)
    (finding,) = lint(load_manifest(tmp_path / "tools.toml"))
    assert (finding.code, finding.line, Path(finding.file).name) == ("AM201", 2, "inner.toml")


@pytest.mark.parametrize(
    "text",
    [
        "".join(f'[tools.x{n}]\ncommand = ["x"]\nallow = true\n' for n in range(1_000)),
        PAY + cap("pay", "max_calls = 1") * 1_000,
        PAY + "".join(cap("pay", amount(f"<={n}")) for n in range(500)),
        PAY + "".join(cap("pay", f'constraints = {{ to = "a{n}" }}') for n in range(8_000)),
        "".join(f'[tools.x{n}]\ncommand = ["x", "{{a}}"]\nparams.a = {{ type = "string" }}\n' for n in range(3_000))
        + "".join(cap(f"x{n % 3_000}", f'constraints = {{ a = "startswith:{n:04}" }}') for n in range(8_000)),
        '[mcp.m]\ncommand = ["m"]\n' + "".join(cap(f"m/a{n}*", ASK) for n in range(500)),
        PAY + "".join(cap("pay", f"constraints = {{ to = {{ matches = '(a|b)*{n}' }} }}") for n in range(300)),
    ],
)
def test_a_big_manifest_is_linted_in_bounded_time(text: str) -> None:
    manifest = parse_manifest(text)
    before = time.process_time()
    lint(manifest)
    assert time.process_time() - before < 15


def test_more_grants_of_one_tool_than_are_compared_are_told() -> None:
    grants = [cap("pay", amount(f">{n}", f"<{n + 2}")) for n in range(0, 1600, 2)]
    assert [one.code for one in lint(parse_manifest(PAY + "".join(grants)))] == ["AM220"]
    assert lint(parse_manifest(PAY + "".join(grants[:250]))) == []


@pytest.mark.parametrize("one", [">5", ">=5", "<5", "<=5", "==5", "!=5"])
@pytest.mark.parametrize("other", [">5", ">=5", "<5", "<=5", "==5", "!=5", ">6", ">=6", "<4", "<=4", "==6"])
def test_what_is_apart_at_a_glance_is_apart_for_every_number(one: str, other: str) -> None:
    """Against brute force; and of these pairs none that is apart is missed."""
    first, second = constraints_from_dict({"n": one}), constraints_from_dict({"n": other})
    met = [n / 2 for n in range(21) if first.holds({"n": n / 2}) and second.holds({"n": n / 2})]
    assert plainly_apart(first, second) is (not met)
    assert plainly_apart(second, first) is (not met)


def test_what_only_seems_apart_is_not() -> None:
    """Comparisons of something else, of a length, of every element, or that a call may do without."""
    for one, other in (
        ({"a": "<1"}, {"b": ">2"}),
        ({"a": {"length": "<1"}}, {"a": "x"}),
        ({"a[*]": "<1"}, {"a[*]": ">2"}),
        ({"a": {"lt": 1, "optional": True}}, {"a": {"gt": 2, "optional": True}}),
        ({"a": "startswith:ab"}, {"a": "startswith:a"}),
    ):
        assert not plainly_apart(constraints_from_dict(one), constraints_from_dict(other)), (one, other)
    assert plainly_apart(constraints_from_dict({"a": ["x", "y"]}), constraints_from_dict({"a": "startswith:z"}))
    assert plainly_apart(constraints_from_dict({"a.b": "startswith:x"}), constraints_from_dict({"a.b": "startswith:y"}))
