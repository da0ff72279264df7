"""What people are asked, and what is written down, cannot be talked around by a script."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from amla_sandbox import ApprovalAnswer, ApprovalRequest, MethodCapability, Sandbox, ToolDefinition
from amla_sandbox.audit import verify

ANY: dict[str, Any] = {"type": "object", "additionalProperties": True}
ASKING = [MethodCapability("pay", approval="ask", max_calls=5)]


def pay(done: list[Any]) -> ToolDefinition:
    return ToolDefinition("pay", "", ANY, handler=lambda arguments: done.append(dict(arguments)))


def lines(log: Path) -> list[bytes]:
    return log.read_bytes().splitlines(keepends=True)


def test_r3_a_log_holds_no_control_characters(tmp_path: Path) -> None:
    """Names, arguments, messages and the script's own name arrive as ASCII, so that no viewer obeys them."""
    evil = "\x1b]0;x\x07\r\n\x9b2J\u202e\u2028"

    def fail(_: Any) -> None:
        raise ValueError(evil)

    log = tmp_path / "a.log"
    tool = ToolDefinition("pay", evil, ANY, handler=fail)
    with Sandbox(tools=[tool], capabilities=[MethodCapability("pay")], audit=log) as sandbox:
        sandbox.run(f"await pay({{{json.dumps(evil)}: {json.dumps(evil)}}})", filename="\x1b[2J.js")
    assert all(byte == 10 or 32 <= byte < 127 for byte in log.read_bytes())
    assert len(lines(log)) == 4


KILLED = """
import os, signal, sys
from amla_sandbox import MethodCapability, Sandbox, ToolDefinition
tool = ToolDefinition('pay', '', {'type': 'object'}, handler=lambda _: os.kill(os.getpid(), signal.SIGKILL))
with Sandbox(tools=[tool], capabilities=[MethodCapability('pay')], audit=sys.argv[1]) as sandbox:
    sandbox.run('await pay({})')
"""


def test_r8_that_a_call_was_started_is_known_even_if_the_process_is_killed_in_it(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    assert subprocess.run([sys.executable, "-c", KILLED, log]).returncode == -signal.SIGKILL
    assert [json.loads(line)["type"] for line in lines(log)] == ["run", "call"]
    assert "what came of this call is not recorded" in verify(lines(log)).notes[0].text


def test_r10_a_host_that_drives_gets_approved_calls_decided_charged_and_frozen() -> None:
    with Sandbox(tools=[pay([])], capabilities=ASKING, approve=lambda _: True) as sandbox:
        sandbox.start("await pay({list: [1]})")
        assert sandbox.pending() == ()
        request = sandbox.step()
        assert (request.decision.verdict, request.approval) == ("allowed", "yes")
        assert sandbox.get_remaining_calls("cap:tool-call:pay") == 4
        with pytest.raises(TypeError):
            request.arguments["list"][0] = 2
        sandbox.stop()


def test_r34_what_was_approved_is_what_is_done() -> None:
    """A callback that holds on to the question cannot change it, nor can the script after it has asked."""
    done: list[Any] = []

    def approve(asked: ApprovalRequest) -> bool:
        with pytest.raises(TypeError):
            asked.arguments["to"] = "eve"  # type: ignore[index]
        return True

    script = (
        "const call = {to: 'ann', list: [1]}; const paid = pay(call); call.to = 'eve'; call.list.push(2); await paid"
    )
    with Sandbox(tools=[pay(done)], capabilities=ASKING, approve=approve) as sandbox:
        sandbox.run(script)
    assert done == [{"to": "ann", "list": (1,)}] or done == [{"to": "ann", "list": [1]}]


def test_r34_a_question_is_about_one_call() -> None:
    """A yes to one call opens nothing for another that looks like it."""
    digests: set[str] = set()

    def approve(asked: ApprovalRequest) -> bool:
        digests.add(asked.digest)
        return len(digests) == 1

    done: list[Any] = []
    calls = [{"to": "ann"}, {"to": "Ann"}, {"to": "ann", "n": None}, {"to": ["ann"]}]
    with Sandbox(tools=[pay(done)], capabilities=ASKING, approve=approve) as sandbox:
        sandbox.run(f"for (const call of {json.dumps(calls)}) await pay(call).catch(() => {{}})")
    assert (len(digests), done) == (4, [{"to": "ann"}])


def test_r34_always_does_not_reach_another_capability_nor_the_next_run() -> None:
    asked: list[Any] = []

    def approve(request: ApprovalRequest) -> ApprovalAnswer:
        asked.append(request.tool)
        return ApprovalAnswer(True, always=True)

    other = ToolDefinition("pay/all", "", ANY, handler=lambda _: None)
    grants = [*ASKING, MethodCapability("pay/*", approval="ask")]
    with Sandbox(tools=[pay([]), other], capabilities=grants, approve=approve) as sandbox:
        for _ in range(2):
            sandbox.run("await tools.call('pay', {}); await tools.call('pay', {}); await tools.call('pay/all', {})")
    assert asked == ["pay", "pay/all"] * 2


def test_r36_a_script_cannot_write_lines_of_its_own(tmp_path: Path) -> None:
    """What looks like a record inside an argument stays inside it."""
    log = tmp_path / "a.log"
    forged = '"}\n{"v":1,"type":"call","tool":"x","prev":"' + "0" * 64 + '","sha256":"' + "0" * 64 + '"}\n'
    with Sandbox(tools=[pay([])], capabilities=[MethodCapability("pay")], audit=log) as sandbox:
        sandbox.run(f"await pay({{text: {json.dumps(forged)}}})")
    assert len(lines(log)) == 4
    assert json.loads(lines(log)[1])["arguments"] == {"text": forged}
    assert verify(lines(log)).intact


def test_r36_a_flood_of_refused_calls_does_not_fill_the_disk(tmp_path: Path) -> None:
    from amla_sandbox import Limits

    log = tmp_path / "a.log"
    with Sandbox(tools=[pay([])], audit=log, limits=Limits(max_attempts=20)) as sandbox:
        sandbox.run("for (let n = 0; n < 500; n++) await pay({n}).catch(() => {})")
    assert len(lines(log)) == 1 + 21 + 1


@pytest.mark.skipif(os.name == "nt", reason="no such permissions")
def test_r36_nobody_else_can_read_a_new_log(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with Sandbox(audit=tmp_path / "a.log") as sandbox:
            sandbox.run("1")
    finally:
        os.umask(before)
    assert (tmp_path / "a.log").stat().st_mode & 0o777 == 0o600
