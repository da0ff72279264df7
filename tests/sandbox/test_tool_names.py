"""Names of tools: usable, or refused when they are declared."""

from __future__ import annotations

import json
import time

import pytest
from any_tools import ALL, tool

from amla_sandbox import (
    Sandbox,
    ToolNameError,
)

USABLE = {
    "get-weather": "get_weather",
    "a b": "a_b",
    "it's": "it_s",
    'q"q': "q_q",
    "wéather": "wéather",
    "日本": "日本",
    "1st": "_1st",
    "__proto__": "__proto__",
    "constructor": "constructor",
    "toString": "toString",
    "then": "then",
    "fetch": "fetch",
    "stripe/then": "stripe.then",
    "stripe/__proto__": "stripe.__proto__",
    "stripe/delete": "stripe.delete",
    "length/name": "length.name",
}


@pytest.mark.parametrize(("name", "spelling"), USABLE.items(), ids=USABLE)
def test_odd_names_are_usable(name: str, spelling: str) -> None:
    with Sandbox(tools=[tool(name, lambda _: "ok")], capabilities=ALL) as sandbox:
        script = f"return [await {spelling}({{}}), await tools.call({json.dumps(name)}, {{}}), tools.list()[0].name]"
        assert sandbox.run(script).return_value == ["ok", "ok", name]


@pytest.mark.parametrize("name", ["a.b", "a//b", "/a", "", "a*", "a:b", "a\nb", "a\u202eb", "a" * 600, "../a"])
def test_malformed_names_are_refused_by_name(name: str) -> None:
    with pytest.raises(ToolNameError):
        tool(name)


@pytest.mark.parametrize("name", ["console", "fs", "tools", "Promise", "delete", "await", "console/log", "undefined"])
def test_names_that_javascript_needs_are_refused_by_name(name: str) -> None:
    with pytest.raises(ToolNameError, match=f"cannot be called '{name}'"):
        Sandbox(tools=[tool(name)])


def test_all_that_scripts_find_as_a_global_is_refused(sandbox: Sandbox) -> None:
    """The host's table of names, against the guest that it stands for."""
    names = sandbox.run("return Object.getOwnPropertyNames(globalThis)").return_value
    for name in names:
        with pytest.raises(ToolNameError):
            Sandbox(tools=[tool(name)])


@pytest.mark.parametrize("names", [("a-b", "a_b"), ("a b", "a-b"), ("x", "x"), ("mcp:x", "x")])
def test_names_that_would_merge_are_refused(names: tuple[str, str]) -> None:
    with pytest.raises(ToolNameError):
        Sandbox(tools=[tool(name) for name in names])


def test_three_thousand_tools() -> None:
    many = [tool(f"group{n % 50}/tool-{n}", lambda _, n=n: n) for n in range(3000)]  # type: ignore[misc]
    started = time.monotonic()
    with Sandbox(tools=many, capabilities=ALL) as sandbox:
        script = "return [tools.list().length, await group7.tool_7({}), await tools.call('group49/tool-2999', {})]"
        assert sandbox.run(script).return_value == [3000, 7, 2999]
    assert time.monotonic() - started < 5
