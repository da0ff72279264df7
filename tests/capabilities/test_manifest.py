"""The manifest: what it gives."""

from __future__ import annotations

import pytest
from manifest_texts import EXAMPLE, faults

from amla_capabilities import (
    CommandTool,
    HttpTool,
    Manifest,
    ManifestError,
    PythonTool,
    parse_manifest,
)


def test_the_example() -> None:
    manifest = parse_manifest(EXAMPLE)
    assert (manifest.limits.timeout, manifest.limits.memory, manifest.limits.max_calls) == (5, 64_000_000, 10)
    assert manifest.limits_set == {"timeout", "memory", "max_calls"}
    weather, log, charge = manifest.tools.values()
    assert isinstance(weather, PythonTool)
    assert (weather.module, weather.attribute, weather.schema) == ("weather", "get_weather", None)
    assert isinstance(log, CommandTool)
    assert [str(part) for part in log.argv][3:6] == ["{count}", "--format=%h {x}", "--"]
    assert log.argv[3].fill({"count": "7"}.__getitem__, str) == "7"
    assert list(log.env["TOKEN"].env()) == ["GIT_TOKEN"]
    assert log.secret == ("path",)
    assert isinstance(charge, HttpTool)
    assert charge.loose_params() == ("amount", "currency")
    assert (charge.mock, charge.has_mock, charge.effect) == ({"id": "ch_test"}, True, "write")
    assert charge.schema is not None
    assert charge.schema["required"] == ["version", "amount", "currency"]
    assert charge.schema["additionalProperties"] is False
    assert manifest.env == {"MODE": "test {plain}"}
    assert manifest.tests[0].call == "stripe/charges/create"
    assert [c.method_pattern for c in manifest.capabilities] == [
        "github/**",
        "stripe/charges/*",
        "get_weather",
        "git/log",
    ]


def test_its_policy() -> None:
    policy = parse_manifest(EXAMPLE).policy()
    assert policy.check("get_weather", {"city": "Oslo"}).allowed
    refused = policy.check("git/log", {"count": 60, "path": "."})
    assert refused.guest_message == "git/log denied: count 60 violates count <= 50"
    assert policy.check("stripe/charges/create", {"amount": 5, "currency": "USD"}).needs_approval
    assert policy.check("stripe/charges/create", {"amount": 50000, "currency": "USD"}).verdict == "denied"
    assert policy.check("github/search", {}).allowed
    assert not policy.check("gitlab/search", {}).allowed
    assert [policy.authorize("git/log", {"count": 1}).allowed for _ in range(6)] == [True] * 5 + [False]


def test_r5_an_explicit_capability_decides_before_a_tools_own_grant() -> None:
    text = '[tools.a]\npython = "a:a"\nmax_calls = 9\n[[capabilities]]\nmethod = "a"\napproval = "ask"\n'
    assert parse_manifest(text).policy().check("a", {}).needs_approval
    text = '[tools.a]\npython = "a:a"\nallow = false\n[[capabilities]]\nmethod = "**"\n[tools.b]\npython = "a:b"\n'
    policy = parse_manifest(text).policy()
    assert policy.check("a", {}).code == "FORBIDDEN"
    assert policy.check("b", {}).allowed


def test_r5_limits_of_a_table_grant_only_what_no_capability_names() -> None:
    """Otherwise a limit, meant to bind, would let pass what the capability's constraints refuse."""
    tool = '[tools.a]\ncommand = ["a", "{n}"]\nparams.n = { type = "integer" }\nmax_calls = 9\n'
    capability = '[[capabilities]]\nmethod = "a"\nconstraints = { n = "<=5" }\n'
    assert parse_manifest(tool).policy().check("a", {"n": 50}).allowed
    assert parse_manifest(tool + capability).policy().check("a", {"n": 5}).allowed
    assert not parse_manifest(tool + capability).policy().check("a", {"n": 50}).allowed
    assert parse_manifest(tool + "allow = true\n" + capability).policy().check("a", {"n": 50}).allowed


def test_a_tool_that_nothing_grants_is_refused() -> None:
    decision = parse_manifest('[tools.a]\npython = "a:a"\n').policy().check("a", {})
    assert decision.code == "NOT_GRANTED"


def test_all_faults_at_once_with_places() -> None:
    text = '[sandbox]\ntimeout = 30\nmemroy = "1MB"\n\n[tools.a]\npython = "a:a"\nmax_calls = true\nalow = true\n'
    assert faults(text) == [
        '2:11 sandbox.timeout: timeout is a duration such as "30s" (0 for none), not 30',
        "3:1 sandbox.memroy: unknown key 'memroy'; did you mean 'memory'?",
        "7:13 tools.a.max_calls: must be a whole number, not true, which is a boolean",
        "8:1 tools.a.alow: unknown key 'alow'; did you mean 'allow'?",
    ]
    with pytest.raises(ManifestError) as caught:
        parse_manifest(text, "tools.toml")
    assert "tools.toml:7:13: AM104 tools.a.max_calls: " in str(caught.value)
    assert "\n    max_calls = true\n                ^" in str(caught.value)


def test_known_tools_of_the_host_count_as_declared() -> None:
    text = '[[capabilities]]\nmethod = "host/tool"\nmax_calls = 1\n'
    assert parse_manifest(text, known_tools=["host/tool"]).policy().check("host/tool", {}).allowed
    assert len(faults(text)) == 1


def test_findings_can_be_placed_later() -> None:
    finding = parse_manifest(EXAMPLE, "tools.toml").finding(
        "AM130", ("tools", "git/log", "max_calls"), "too many", hint="fewer"
    )
    assert str(finding).startswith('tools.toml:17:13: AM130 tools."git/log".max_calls: too many\n    max_calls = 5')
    assert str(finding).endswith("^\n    fewer")


def test_an_empty_manifest_allows_nothing() -> None:
    manifest = parse_manifest("")
    assert isinstance(manifest, Manifest)
    assert manifest.policy().check("a", {}).code == "NOT_GRANTED"


def test_a_text_nested_without_end_is_a_fault() -> None:
    with pytest.raises(ManifestError, match="nested too deeply"):
        parse_manifest("x = " + "[" * 100_000)
