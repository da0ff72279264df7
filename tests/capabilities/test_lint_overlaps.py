"""`lint`: grants that reach the same tools (R5)."""

from __future__ import annotations

import pytest
from lint_texts import ASK, GIT, NOW, PAY, REFUND, amount, cap, found, only

from amla_capabilities import parse_manifest
from amla_capabilities.lint import lint


@pytest.mark.parametrize(
    ("first", "second", "says"),
    [
        # the later one lets pass what the earlier one refuses
        (cap("pay", amount("<=100"), ASK), cap("pay"), "need not meet amount <= 100 and approval of capabilities[0]"),
        (cap("pay", amount("<=100")), cap("pay", amount("<=1000")), "need not meet amount <= 100"),
        (cap("pay", amount("<=100"), "max_calls = 3"), cap("**", amount("<=1000"), ASK), "amount <= 100 and max_calls"),
        (cap("pay", amount("<=100")), cap("pay", 'constraints = { to = "bob" }'), "need not meet amount <= 100"),
        (cap("pay", 'constraints = { to = { matches = "b.*" } }'), cap("pay", 'constraints = { to = { matches = "c.*" } }'), "matches"),
        # the earlier one lets pass what the later one would ask about
        (cap("pay", amount("<=100")), cap("pay", amount("<=1000"), ASK), "without the approval of this"),
        # the earlier one takes every call of the later, stricter one
        (cap("pay"), cap("pay", ASK), "never applies, with its approval"),
        (cap("*"), cap("pay", amount("<=100")), "never applies, with its amount <= 100"),
        (cap("*", "max_calls = 9"), cap("pay", 'total = { amount = "<=5" }'), "never applies, with its total"),
        (cap("*", "max_calls = 9"), cap("pay", "max_calls = 8"), "never applies, with its max_calls"),
        (cap("*", "max_calls = 9"), cap("pay", 'rate = "8/minute"'), "never applies, with its rate"),
        (cap("*", 'rate = "9/minute"'), cap("pay", 'rate = "9/hour"'), "never applies, with its rate"),
        (cap("*", 'rate = "9/minute"'), cap("pay", "max_calls = 9"), "never applies, with its max_calls"),
        (cap("pay", 'total = { amount = "<=6" }'), cap("pay", 'total = { amount = "<6" }'), "never applies, with its total"),
        (cap("pay", "expires = 2999-01-02T00:00:00Z"), cap("pay", "expires = 2999-01-01T00:00:00Z"), "with its expires"),
        (cap("pay", amount("<=1000")), cap("pay", amount("<=100"), ASK), "never applies"),
        (cap("pay", amount("<=1000")), cap("pay", amount("<=100"), "expires = 2999-01-01T00:00:00Z"), "and expires"),
    ],
)  # fmt: skip
def test_r5_a_limit_that_another_grant_makes_avoidable_is_an_error(first: str, second: str, says: str) -> None:
    findings = [one for one in lint(parse_manifest(PAY + first + second), now=NOW) if one.code != "AM203"]
    assert [one.code for one in findings] == ["AM209"]
    assert says in findings[0].message, findings[0].message
    assert findings[0].severity == "error"
    assert findings[0].path == "capabilities[1].method"


@pytest.mark.parametrize(
    "grants",
    [
        # they exclude each other
        cap("pay", amount("<=100")) + cap("pay", amount(">100", "<=1000"), ASK),
        cap("pay", 'constraints = { to = "bob" }', "max_calls = 5") + cap("pay", 'constraints = { to = ["eve", "kim"] }', ASK),
        cap("pay", 'constraints = { to = { starts_with = "a" } }') + cap("pay", 'constraints = { to = { starts_with = "b" } }'),
        # the earlier one decides every call of the tools that it names: an exception
        cap("pay", "max_calls = 5") + cap("**", ASK),
        # they name different tools
        cap("pay", amount("<=100")) + cap("refund", ASK),
    ],
)  # fmt: skip
def test_r5_grants_that_are_kept_apart_are_none(grants: str) -> None:
    findings = lint(parse_manifest(PAY + REFUND.replace("refund", "refund") + "allow = true\n" + grants), now=NOW)
    assert [one.code for one in findings if one.severity != "note"] == []


def test_r5_the_grant_of_a_tools_own_table_counts_and_its_limits_bind() -> None:
    """`allow = true` grants what a capability's constraints refuse; limits of the table are avoided by nobody."""
    careful = cap("pay", amount("<=100"), ASK)
    assert found(PAY + "allow = true\n" + careful) == ["AM209 1:8"]
    assert found(PAY + amount("<=100") + "\n" + ASK + "\n" + cap("pay", "max_calls = 5")) == []
    assert found(PAY + ASK + "\n" + cap("pay", amount("<=10")) + cap("pay", amount(">10"), ASK)) == []


def test_r5_a_schema_can_keep_grants_apart() -> None:
    """By its schema the mode is one of two, so that one capability for each leaves nothing to either."""
    text = '[tools.t]\ncommand = ["t", "{mode}"]\nparams.mode = { type = "string", enum = ["a", "b"] }\n'
    first = cap("t", 'constraints = { mode = ["a", "b"] }')
    assert found(text + first + cap("t")) == ["AM202 8:10"]
    assert found(text.replace(', enum = ["a", "b"]', "") + first + cap("t")) == ["AM209 8:10"]


def test_r5_tools_of_a_server_are_compared_by_pattern() -> None:
    server = '[mcp.gh]\ncommand = ["gh-mcp"]\n'

    def codes(*grants: str) -> list[str]:
        return [one.code for one in lint(parse_manifest(server + "".join(grants)), now=NOW) if one.code != "AM212"]

    assert codes(cap("gh/*"), cap("gh/merge", ASK)) == ["AM209"]
    assert codes(cap("gh/*", "max_calls = 5"), cap("gh/merge", "max_calls = 2")) == ["AM209"]
    assert codes(cap("gh/*", "max_calls = 5"), cap("gh/merge", "max_calls = 5")) == ["AM202"]
    assert codes(cap("gh/merge", 'constraints = { repo = "a" }', ASK), cap("gh/**", "max_calls = 100")) == ["AM209"]
    assert codes(cap("gh/get_*"), cap("gh/*", ASK)) == ["AM218"]
    assert codes(cap("gh/get_*"), cap("gh/list_*", ASK)) == []


def test_an_exception_from_an_approval_is_a_note() -> None:
    finding = only(GIT + cap("git/log") + cap("git/*", ASK))
    assert (finding.code, finding.severity, finding.path) == ("AM218", "note", "capabilities[0].method")
    assert "git/log" in finding.message


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("max_calls = 9", "max_calls = 9"),
        ("max_calls = 9", "max_calls = 10"),
        ("max_calls = 9", 'rate = "9/minute"'),
        ('rate = "9/hour"', 'rate = "9/minute"'),
        ("expires = 2999-01-01T00:00:00Z", "expires = 2999-01-02T00:00:00Z"),
        ("expires = 2999-01-01T00:00:00Z", ""),
        (ASK, ""),
    ],
)
def test_a_capability_that_is_never_reached(first: str, second: str) -> None:
    finding = only(GIT + cap("git/*", first) + cap("git/log", second))
    assert (finding.code, finding.line) == ("AM202", 9)
    assert "capabilities[0] (git/*)" in finding.message
