"""`lint`: what is granted at all."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from lint_texts import GIT, PAY, PYTHON, REFUND, cap, found, only

from amla_capabilities import parse_manifest
from amla_capabilities.lint import lint


def test_a_tool_that_nothing_grants_says_the_line_to_add() -> None:
    finding = only(GIT + cap("git/log"))
    assert (finding.code, finding.line, finding.severity) == ("AM201", 3, "warning")
    assert finding.path == 'tools."git/show"'
    assert finding.hint == 'add to [tools."git/show"]: allow = true'
    mended = GIT + "allow = true\n" + cap("git/log")
    assert found(mended) == []
    assert found(GIT + "allow = false\n" + cap("git/log")) == []


def test_a_grant_that_no_call_of_a_tool_can_meet_is_none() -> None:
    """The pattern names git/log too, but its schema has no such parameter."""
    text = GIT + '[tools."git/blame"]\ncommand = ["git", "blame", "{file}"]\nparams.file = { type = "string" }\n'
    both = lint(parse_manifest(text + cap("git/*", 'constraints = { file = { under = "/w" } }')))
    assert [(one.code, one.path) for one in both] == [("AM201", 'tools."git/log"'), ("AM201", 'tools."git/show"')]
    assert "needs file, which git/log does not have" in both[0].message
    optional = cap("git/*", 'constraints = { file = { under = "/w", optional = true } }')
    assert found(text + optional) == []


def test_schemas_are_handed_in() -> None:
    text = PYTHON + '[tools.g]\npython = "m:g"\n' + cap("*", "constraints = { n = 1 }", 'approval = "ask"')
    g = {"type": "object", "properties": {"n": {"type": "integer"}}, "additionalProperties": False}
    assert found(text) == []
    assert found(text, schemas={"f": {**g, "properties": {}}, "g": g}) == ["AM201 1:8"]


@pytest.mark.parametrize("pattern", ["**", "*", "**/**", "**/*"])
def test_a_grant_of_everything(pattern: str) -> None:
    assert found('[tools.a]\ncommand = ["a"]\n' + cap(pattern, "max_calls = 5")) == ["AM203 4:10"]
    assert found('[tools.a]\ncommand = ["a"]\n' + cap(pattern, 'approval = "ask"')) == []


def test_r19_mcp_star_warns_once() -> None:
    server = '[mcp.gh]\ncommand = ["gh-mcp"]\n'
    for pattern in ("mcp:*", "mcp:**"):
        codes = [one.split()[0] for one in found('[tools.a]\ncommand = ["a"]\nallow = true\n' + server + cap(pattern))]
        assert codes == ["AM204"]


def test_patterns_under_a_server_are_unverified_which_is_a_note() -> None:
    finding = only('[mcp.gh]\ncommand = ["gh-mcp"]\n' + cap("gh/*", "max_calls = 5"))
    assert (finding.code, finding.severity) == ("AM212", "note")


@pytest.mark.parametrize(
    ("tool", "grant", "expected"),
    [
        ("", cap("pay"), ["AM205 5:1"]),
        ("allow = true\n", "", ["AM205 5:1"]),
        ("max_calls = 5\n", "", []),
        ('rate = "5/hour"\n', "", []),
        ('total = { amount = "<=5" }\n', "", []),
        ('approval = "ask"\n', "", []),
        ("", cap("pay", "max_calls = 5"), []),
        ("", cap("pay", 'rate = "5/day"'), []),
        ("", cap("pay", 'total = { amount = "<=5" }'), []),
        ("", cap("pay", 'approval = "ask"'), []),
        ("", cap("pay", 'constraints = { to = "bob" }', "max_calls = 5") + cap("pay", 'constraints = { to = "eve" }'), ["AM205 5:1"]),
        ("", cap("pay", "max_calls = 5") + cap("pay", "max_calls = 50"), ["AM202 10:10"]),
        ("allow = false\n", "", []),
    ],
)  # fmt: skip
def test_a_tool_that_writes_needs_a_budget(tool: str, grant: str, expected: list[str]) -> None:
    assert found(PAY + 'effect = "write"\n' + tool + grant) == expected


def test_reading_needs_no_budget_and_writing_no_approval() -> None:
    assert found(PAY + 'effect = "read"\nallow = true\n') == []
    assert found(PAY + "allow = true\n") == []
    assert found(PAY + 'effect = "write"\nmax_calls = 3\n') == []


def test_expired_grants_by_the_time_handed_in() -> None:
    text = PAY + cap("pay", "expires = 2026-06-01T00:00:00Z")
    assert found(text) == ["AM210 7:1"]
    assert [one.code for one in lint(parse_manifest(text), now=datetime(2026, 5, 31, 23, 59, tzinfo=UTC))] == []
    assert found(PAY + 'allow = true\nexpires = "2026-06-01T01:00:00+02:00"\n') == ["AM210 6:1"]


def test_grants_of_nothing() -> None:
    assert found(PAY + "allow = false\n" + cap("pay")) == ["AM214 7:10"]
    assert found(PAY + "allow = false\n" + REFUND + cap("**", 'approval = "ask"')) == []
    assert found(PAY + cap("pay", "max_calls = 0")) == ["AM219 7:1"]
    assert found(PAY + "max_calls = 0\n") == ["AM219 5:1"]
