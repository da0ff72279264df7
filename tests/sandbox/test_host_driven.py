"""A script that the host drives: it takes decided calls one by one, and answers when it likes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from any_tools import ANY

from amla_sandbox import (
    Limits,
    MethodCapability,
    Sandbox,
    SandboxBusyError,
    SandboxClosedError,
    SandboxError,
    ToolDefinition,
)

THREE = "return await Promise.all([ask({n: 1}), ask({n: 2}), ask({n: 3})])"


def make(**options: Any) -> Sandbox:
    capabilities = [MethodCapability("ask", max_calls=10)]
    return Sandbox(tools=[ToolDefinition("ask", "Ask.", ANY)], capabilities=capabilities, **options)


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with make() as made:
        yield made


def test_the_loop_of_the_readme(sandbox: Sandbox) -> None:
    sandbox.start("const a = await ask({n: 1}); return a + await ask({n: 2})")
    asked = []
    while sandbox.has_work():
        request = sandbox.step()
        asked.append((request.name, dict(request.arguments)))
        sandbox.resume(request.arguments["n"] * 10)
    assert sandbox.result().return_value == 30
    assert asked == [("ask", {"n": 1}), ("ask", {"n": 2})]


def test_the_loop_serves_concurrent_calls_too(sandbox: Sandbox) -> None:
    sandbox.start(THREE)
    while sandbox.has_work():
        request = sandbox.step()
        sandbox.resume(request.arguments["n"])
    assert sandbox.result().return_value == [1, 2, 3]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_calls_are_answered_in_any_order(sandbox: Sandbox, order: tuple[int, ...]) -> None:
    sandbox.start(THREE)
    requests = [sandbox.step() for _ in range(3)]
    assert sandbox.pending() == tuple(requests)
    for index in order:
        assert sandbox.has_work()
        sandbox.resume(requests[index].arguments["n"], requests[index])
    assert not sandbox.has_work()
    assert sandbox.result().return_value == [1, 2, 3]


def test_calls_may_be_answered_without_being_taken(sandbox: Sandbox) -> None:
    sandbox.start(THREE)
    for request in sandbox.pending():
        sandbox.resume("x", request)
    assert sandbox.result().return_value == ["x", "x", "x"]


def test_arguments_are_the_hosts_and_frozen(sandbox: Sandbox) -> None:
    sandbox.start("return await ask({list: [1], map: {a: 1}})")
    request = sandbox.step()
    with pytest.raises(TypeError):
        request.arguments["list"] = 2  # type: ignore[index]
    with pytest.raises(TypeError):
        request.arguments["map"]["a"] = 2
    with pytest.raises((TypeError, AttributeError)):
        request.arguments["list"].append(2)


def test_a_request_is_charged_when_it_is_seen_and_denied_ones_are_not_seen(sandbox: Sandbox) -> None:
    sandbox.start("try { await other({}) } catch {} return await ask({})")
    assert sandbox.step().decision.allowed
    assert sandbox.get_remaining_calls("cap:tool-call:ask") == 9
    sandbox.resume(1)
    assert [call.outcome for call in sandbox.result().calls] == ["ok"]


@pytest.mark.parametrize("error", ["not today", ValueError("not today")])
def test_an_error_is_an_error_in_the_script(sandbox: Sandbox, error: Any) -> None:
    sandbox.start("try { await ask({}) } catch (error) { return [error.name, error.message, error.code] }")
    sandbox.resume(error=error)
    assert sandbox.result().return_value == ["ToolFailedError", "not today", "ERR_TOOL_FAILED"]


def test_a_value_that_cannot_cross_is_the_scripts_error(sandbox: Sandbox) -> None:
    sandbox.start("try { await ask({}) } catch (error) { return error.message }")
    sandbox.resume(object())
    assert "cannot cross" in sandbox.result().return_value


def test_timers_fire_while_the_host_thinks(sandbox: Sandbox) -> None:
    sandbox.start("return await Promise.race([ask({}), new Promise(r => setTimeout(r, 20, 'late'))])")
    request = sandbox.step()
    time.sleep(0.05)
    assert sandbox.has_work(), "the call still waits"
    sandbox.resume("answer", request)
    assert sandbox.result().return_value == "late"


def test_a_script_that_waits_for_timers_alone_is_waited_for(sandbox: Sandbox) -> None:
    sandbox.start("await new Promise(r => setTimeout(r, 30)); return await ask({})")
    assert sandbox.has_work()
    sandbox.step()
    sandbox.resume(5)
    assert not sandbox.has_work()
    assert sandbox.result().return_value == 5


def test_a_script_without_calls_is_over_at_once(sandbox: Sandbox) -> None:
    sandbox.start("return 5")
    assert not sandbox.has_work()
    assert sandbox.result().return_value == sandbox.result().return_value == 5


def test_the_deadline_holds() -> None:
    with make(limits=Limits(timeout=0.1)) as sandbox:
        sandbox.start("await ask({})")
        request = sandbox.step()
        time.sleep(0.15)
        assert not sandbox.has_work()
        with pytest.raises(SandboxError, match=r"the script is over .timed out"):
            sandbox.resume(1, request)
        result = sandbox.result()
        assert (result.exit_code, [call.outcome for call in result.calls]) == (124, ["abandoned"])
        assert sandbox.run("return 1").return_value == 1


def test_what_is_wrong_is_said(sandbox: Sandbox) -> None:
    with pytest.raises(SandboxError, match=r"call sandbox\.start"):
        sandbox.has_work()
    sandbox.start(THREE)
    with pytest.raises(SandboxError, match="3 calls wait: say which"):
        sandbox.resume(1)
    with pytest.raises(SandboxError, match="waits for 3 calls"):
        sandbox.result()
    with pytest.raises(SandboxBusyError):
        sandbox.run("1")
    with pytest.raises(SandboxBusyError):
        sandbox.start("1")
    first, *_ = [sandbox.step() for _ in range(3)]
    with pytest.raises(SandboxError, match="no call waits to be taken"):
        sandbox.step()
    sandbox.resume(1, first)
    with pytest.raises(ValueError, match="has an answer already"):
        sandbox.resume(1, first)
    with pytest.raises(TypeError):
        sandbox.start("1", nonsense=1)  # type: ignore[call-arg]


def test_a_request_of_another_sandbox_is_refused(sandbox: Sandbox) -> None:
    with make() as other:
        other.start("await ask({})")
        sandbox.start("await ask({})")
        with pytest.raises(ValueError, match="another run"):
            sandbox.resume(1, other.step())


def test_a_started_script_can_be_ended(sandbox: Sandbox) -> None:
    sandbox.start("console.log('a'); await ask({})")
    sandbox.stop()
    result = sandbox.result()
    assert (result.exit_code, result.stdout, result.error) == (130, "a\n", "interrupted")
    assert sandbox.run("return 1").return_value == 1


def test_the_next_script_can_be_started_without_asking_for_the_result(sandbox: Sandbox) -> None:
    for number in (1, 2):
        sandbox.start(f"return {number}")
        assert not sandbox.has_work()
    assert sandbox.result().return_value == 2


def test_an_output_callback_that_raises_ends_the_script(sandbox: Sandbox) -> None:
    def fail(fd: int, data: bytes) -> None:
        raise LookupError("full")

    with pytest.raises(LookupError, match="full"):
        sandbox.start("console.log(1); await ask({})", on_output=fail)
    assert sandbox.run("return 1").return_value == 1
    sandbox.start("await ask({}); console.log(1)", on_output=fail)
    with pytest.raises(LookupError, match="full"):
        sandbox.resume(1)
    assert sandbox.run("return 1").return_value == 1


def test_closing_ends_a_started_script(sandbox: Sandbox) -> None:
    sandbox.start("await ask({})")
    sandbox.close()
    with pytest.raises(SandboxClosedError):
        sandbox.resume(1)
    with pytest.raises(SandboxClosedError):
        sandbox.start("1")


def test_options_reach_the_script(sandbox: Sandbox) -> None:
    output: list[bytes] = []
    sandbox.start(
        "process.stdout.write(fs.readFileSync(0, 'utf8') + process.argv[2] + process.env.X)",
        stdin="in ",
        args=["arg "],
        env={"X": "env"},
        filename="job.js",
        on_output=lambda fd, data: output.append(data),
    )
    assert sandbox.result().stdout_bytes == b"".join(output) == b"in arg env"
