"""Scripts on trial, from Python."""

from __future__ import annotations

from typing import Any

import pytest

from amla_capabilities import parse_manifest
from amla_sandbox import Limits, ToolDefinition, dry_run
from amla_sandbox._mocks._dry_run import would_be

MANIFEST = """
[tools.pay]
python = "no_such_module:pay"
params.amount = { type = "integer" }
constraints = { amount = "<=10" }
mock = { id = "m", list = [1, 2] }

[tools.open]
python = "no_such_module:open"
allow = true

[tools.made]
command = ["no-such-program"]
allow = true
returns = { type = "array", minItems = 2, items = { enum = ["a", "b"] } }

[tools.broken]
command = ["no-such-program"]
allow = true
returns = { not = {} }

[env]
REGION = "eu"
"""


@pytest.fixture
def manifest() -> Any:
    return parse_manifest(MANIFEST)


def test_mocks_answer(manifest: Any) -> None:
    done = dry_run(manifest, "return [await pay({amount: 1}), await made({}), await tools.call('open', {any: 1})]")
    assert done.result.return_value == [{"id": "m", "list": [1, 2]}, ["a", "a"], None]
    assert [would_be(call) for call in done.calls] == ["allowed"] * 3
    assert done.denied == ()


def test_a_mock_is_a_new_value_each_time(manifest: Any) -> None:
    done = dry_run(manifest, "(await pay({amount: 1})).list.push(9); return await pay({amount: 1})")
    assert done.result.return_value == {"id": "m", "list": [1, 2]}


def test_every_call_has_its_decision(manifest: Any) -> None:
    done = dry_run(manifest, "for (const amount of [1, 50, 'x']) await pay({amount}).catch(() => {})")
    codes = [None if call.decision is None else call.decision.code for call in done.calls]
    assert codes == ["ALLOWED", "CONSTRAINT_VIOLATED", None]
    assert [call.arguments for call in done.denied] == [{"amount": 50}, {"amount": "x"}]
    assert done.result.success


def test_a_result_that_no_schema_allows_is_said(manifest: Any) -> None:
    done = dry_run(manifest, "await broken({})")
    assert "give the tool a mock = …" in str(done.result.error)


def test_the_shell_limits_environment_and_input(manifest: Any) -> None:
    done = dry_run(
        manifest, 'tool pay --amount 1 | jq -r .id; echo "$REGION $(cat) $1"', "shell", stdin="in", args=["arg"]
    )
    assert done.result.stdout == "m\neu in arg\n"
    assert dry_run(manifest, "for (;;) {}", limits=Limits(cpu=0.1)).result.exit_code == 124


def test_tools_can_be_described_better_than_the_manifest_does(manifest: Any) -> None:
    called: list[Any] = []
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    known = ToolDefinition("open", "", schema, handler=called.append, mock=5)
    done = dry_run(
        manifest,
        "return [await tools.call('open', {n: 1}), await tools.call('open', {n: 'x'}).catch(e => e.code)]",
        tools=[known],
    )
    assert (done.result.return_value, called) == ([5, "ERR_TOOL_SCHEMA"], [])


def test_r1_what_a_program_or_a_request_would_refuse_is_refused_without_either() -> None:
    manifest = parse_manifest("""
[tools.log]
command = ["no-such-program", "{path}"]
params.path = { type = "string" }
env = { TOKEN = "${NO_SUCH_VARIABLE}" }
allow = true

[tools.get]
http = { url = "https://example.invalid/{name}", headers = { A = "${NO_SUCH_VARIABLE}" } }
params.name = { type = "string" }
allow = true
""")
    script = "for (const v of ['a', '--all', '../x']) { await log({path: v}).catch(() => 0); await get({name: v}).catch(() => 0) }"
    calls = dry_run(manifest, script).calls
    assert [(call.tool, call.outcome) for call in calls] == [
        ("log", "ok"), ("get", "ok"), ("log", "refused"), ("get", "ok"), ("log", "ok"), ("get", "refused"),
    ]  # fmt: skip
