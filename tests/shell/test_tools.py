"""The `tool` command: listing, describing, arguments by the schema, statuses, and tools inside the shell's own forms."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from amla_sandbox import SandboxTool, create_sandbox_tool


def add(a: int, b: int = 2) -> int:
    """Add two numbers."""
    return a + b


def send(to: str, amount: float, tags: list[str] | None = None, urgent: bool = False) -> dict[str, object]:
    """Send dollars."""
    return {"to": to, "amount": amount, "tags": tags, "urgent": urgent}


def fail() -> None:
    raise RuntimeError("no luck")


@pytest.fixture
def shell() -> Iterator[SandboxTool]:
    tool = create_sandbox_tool(tools=[add, send, fail], constraints={"send": {"amount": "<=100"}})
    with tool:
        yield tool


CALLS = {
    "typed by the schema": ("tool add --a 1 --b 40", "41\n"),
    "a default": ("tool add --a 1", "3\n"),
    "an equals sign": ("tool add --a=1 --b=-1", "0\n"),
    "a list and a flag": (
        "tool send --to x --amount 5 --tags a --tags b --urgent",
        '{"to":"x","amount":5,"tags":["a","b"],"urgent":true}\n',
    ),
    "text that looks like a number": ("tool send --to 007 --amount 1 | jq -r .to", "007\n"),
    "--json": ("""tool send --json '{"to":"z","amount":7}' --urgent | jq -c '[.to,.urgent]'""", '["z",true]\n'),
    "JSON on stdin": ("""echo '{"to":"y","amount":3}' | tool send | jq -r .to""", "y\n"),
    "options over stdin": ("""echo '{"a":1,"b":1}' | tool add --b 5""", "6\n"),
    "substitution": ('x=$(tool add --a 1); echo "got $x"', "got 3\n"),
    "a loop": ("for i in 1 2 3; do tool add --a $i; done", "3\n4\n5\n"),
    "a pipeline": ("tool add --a 1 | sed 's/3/three/'", "three\n"),
    "a condition": ("if tool fail 2>/dev/null; then echo yes; else echo no; fi", "no\n"),
    "xargs": ("seq 3 | xargs -I{} tool add --a {} --b 0", "1\n2\n3\n"),
    "arithmetic": ("echo $(( $(tool add --a 20 --b 1) * 2 ))", "42\n"),
    "a function": ('plus() { tool add --a "$1" --b "$2"; }; plus 3 4', "7\n"),
}


@pytest.mark.parametrize(("script", "out"), CALLS.values(), ids=CALLS)
def test_calls(shell: SandboxTool, script: str, out: str) -> None:
    result = shell.shell(script)
    assert (result.stdout, result.stderr, result.exit_code) == (out, "", 0)


FAILURES = {
    "denied": ("tool send --to x --amount 500", 126, "tool: send denied: amount 500 violates amount <= 100\n"),
    "failed": ("tool fail", 1, "tool: fail: no luck\n"),
    "a wrong type": ("tool add --a x", 2, "tool: add: --a wants integer, not 'x'\n"),
    "no such parameter": ("tool add --aa 1", 2, "tool: add: no parameter --aa; did you mean --a?\n"),
    "a command of that name": (
        "add --a 1",
        127,
        "bash: line 1: add: command not found (a tool; call it with `tool add')\n",
    ),
    "JSON in place of options": (
        """tool add '{"a": 1}'""",
        2,
        """tool: add: unexpected argument '{"a": 1}': parameters are written --name value, or all as --json '{…}'\n""",
    ),
    "no such tool": ("tool ad --a 1", 2, "tool: there is no tool 'ad'; did you mean 'add'?\n"),
}


@pytest.mark.parametrize(("script", "status", "err"), FAILURES.values(), ids=FAILURES)
def test_failures_have_a_status_and_a_reason(shell: SandboxTool, script: str, status: int, err: str) -> None:
    result = shell.shell(script)
    assert (result.stdout, result.stderr, result.exit_code) == ("", err, status)


def test_a_missing_parameter_is_a_wrong_call(shell: SandboxTool) -> None:
    result = shell.shell("tool add")
    assert result.exit_code == 2
    assert "a" in result.stderr


def test_errexit_ends_the_script_at_a_failed_call(shell: SandboxTool) -> None:
    result = shell.shell("set -e\ntool fail\necho on")
    assert (result.stdout, result.exit_code) == ("", 1)


def test_tools_are_listed_and_described(shell: SandboxTool) -> None:
    assert shell.shell("tool").stdout == "add   Add two numbers.\nsend  Send dollars.\nfail\n"
    told = shell.shell("tool add --help").stdout
    assert told.startswith("Usage: tool add --a A [--b B]\nAdd two numbers.\n")
    assert "integer, required" in told and "default 2" in told


def test_calls_are_counted_and_recorded(shell: SandboxTool) -> None:
    result = shell.shell("tool add --a 1; tool send --to x --amount 500")
    assert [(call.tool, call.outcome) for call in result.calls] == [("add", "ok"), ("send", "denied")]


def test_background_jobs_call_at_the_same_time() -> None:
    """Each call waits for the other three: one after the other they would never end."""
    meeting = threading.Barrier(4)

    def meet(n: int) -> int:
        meeting.wait(timeout=20)
        return n

    with create_sandbox_tool(tools=[meet]) as sandbox:
        result = sandbox.shell("for i in 1 2 3 4; do tool meet --n $i & done; wait")
    assert (sorted(result.stdout.split()), result.exit_code) == (["1", "2", "3", "4"], 0), result.stderr


def test_a_budget_holds_in_a_loop() -> None:
    with create_sandbox_tool(tools=[add], max_calls=3) as sandbox:
        result = sandbox.shell("for i in 1 2 3 4 5; do tool add --a $i --b 0 2>/dev/null || echo $?; done")
    assert result.stdout == "1\n2\n3\n126\n126\n"
