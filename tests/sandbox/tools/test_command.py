"""Programs as tools: exact arguments, a small environment, no way to outlive the call."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from amla_sandbox.tools import ArgumentError, ToolDefinitionError, ToolFailedError, describe_failure

Load = Callable[..., Any]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the programs used here are POSIX")

SHOW = """
[tools.show]
command = ["{python}", "-c", "import sys, json; print(json.dumps(sys.argv[1:]))", "{{a}}", "--x={{b}}", "--", "{{c}}"]
output = "json"
params.a = {{ default = "a" }}
params.b = {{ default = "b" }}
params.c = {{ default = "c" }}
allow = true
"""


@pytest.fixture
def show(load: Load) -> Any:
    return load(SHOW.format(python=sys.executable))


@pytest.mark.parametrize(
    ("value", "element"),
    [
        ("x y", "x y"),
        ("$(id) `id` ; | > & * ' \" \\ \n", "$(id) `id` ; | > & * ' \" \\ \n"),
        ("", ""),
        ("é", "é"),
        (5, "5"),
        (2.5, "2.5"),
        (True, "true"),
        ([1, "a"], '[1,"a"]'),
        ({"k": None}, '{"k":null}'),
    ],
)
def test_a_value_is_one_element_as_it_is(show: Any, value: Any, element: str) -> None:
    """No shell ever sees it, and nothing in it is special."""
    assert show.call("show", a=value) == [element, "--x=b", "--", "c"]


def test_a_literal_start_is_the_owners_choice(show: Any) -> None:
    assert show.call("show", b="-y") == ["a", "--x=-y", "--", "c"]


def test_stdin_is_a_parameter_or_empty(load: Load) -> None:
    tools = load(
        """
        [tools.count]
        command = ["wc", "-c"]
        stdin = "text"
        params.text = {}
        allow = true
        [tools.nothing]
        command = ["wc", "-c"]
        allow = true
        """
    )
    assert tools.call("count", text="é").strip() == "2"
    assert tools.call("count", text={"a": 1}).strip() == "7"
    assert tools.call("count", text="x" * 900_000).strip() == "900000"
    assert tools.call("nothing").strip() == "0"


def test_a_program_need_not_read_its_stdin(load: Load) -> None:
    tools = load('[tools.t]\ncommand = ["true"]\nstdin = "text"\nparams.text = {}\nallow = true')
    assert tools.call("t", text="x" * 900_000) == ""


def test_text_loses_one_final_newline(load: Load) -> None:
    tools = load('[tools.t]\ncommand = ["printf", "{s}"]\nparams.s = {}\nallow = true')
    assert tools.call("t", s="a\n\n") == "a\n"


def test_a_failure_carries_the_end_of_stderr(load: Load) -> None:
    tools = load('[tools.t]\ncommand = ["sh", "-c", "seq 1 5000 >&2; echo last words >&2; exit 3"]\nallow = true')
    with pytest.raises(ToolFailedError) as caught:
        tools.call("t")
    assert str(caught.value).startswith("sh exited with status 3: ")
    assert str(caught.value).endswith("last words")
    assert len(str(caught.value)) < 2_100


def test_accepted_statuses_are_no_failure(load: Load) -> None:
    assert load('[tools.t]\ncommand = ["sh", "-c", "exit 1"]\nexit_ok = [0, 1]\nallow = true').call("t") == ""


def test_a_signal_is_named(load: Load) -> None:
    with pytest.raises(ToolFailedError, match=f"was killed by signal {int(signal.SIGTERM)}"):
        load('[tools.t]\ncommand = ["sh", "-c", "kill -TERM $$"]\nallow = true').call("t")


def test_output_that_is_not_json_is_said_to_be_so(load: Load) -> None:
    with pytest.raises(ToolFailedError, match=r"printed no JSON .*; it began 'hello"):
        load('[tools.t]\ncommand = ["echo", "hello"]\noutput = "json"\nallow = true').call("t")


def test_output_is_capped(load: Load) -> None:
    tools = load('[tools.t]\ncommand = ["yes"]\nmax_output = "1MB"\nallow = true')
    started = time.monotonic()
    with pytest.raises(ToolFailedError, match="yes printed more than 1,000,000 bytes and was stopped"):
        tools.call("t")
    assert time.monotonic() - started < 5


def alive(pid: int) -> bool:
    """Whether a process runs; one that only waits to be reaped by init does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def gone(pids: list[int]) -> bool:
    deadline = time.monotonic() + 5
    while any(map(alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not any(map(alive, pids))


FAMILY = """
[tools.t]
command = ["sh", "-c", "sleep 600 & echo $$ $! > {pids}; wait"]
timeout = "{timeout}"
allow = true
"""


def read_pids(file: Path) -> list[int]:
    deadline = time.monotonic() + 5
    while not (file.exists() and file.read_text().endswith("\n")) and time.monotonic() < deadline:
        time.sleep(0.01)
    return [int(pid) for pid in file.read_text().split()]


def test_a_timeout_ends_the_whole_process_group(load: Load, tmp_path: Path) -> None:
    tools = load(FAMILY.format(pids=tmp_path / "pids", timeout="300ms"))
    with pytest.raises(ToolFailedError, match=r"sh did not finish within 0\.3 seconds and was stopped"):
        tools.call("t")
    assert gone(read_pids(tmp_path / "pids"))


def test_cancelling_the_call_ends_the_whole_process_group(load: Load, tmp_path: Path) -> None:
    tool = load(FAMILY.format(pids=tmp_path / "pids", timeout="1m"))["t"]

    async def cancelled() -> None:
        task = asyncio.ensure_future(tool.handler(tool.bind(b"{}")))
        await asyncio.to_thread(read_pids, tmp_path / "pids")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    assert gone(read_pids(tmp_path / "pids"))


@pytest.mark.parametrize("turns", range(8))
def test_a_call_can_be_cancelled_while_its_program_starts(load: Load, tmp_path: Path, turns: int) -> None:
    """After so many turns of the loop, when the program may be further than the loop knows: nothing waits or goes on."""
    tool = load(FAMILY.format(pids=tmp_path / "pids", timeout="1m"))["t"]
    before = children()

    async def cancelled() -> None:
        task = asyncio.ensure_future(tool.handler(tool.bind(b"{}")))
        for _ in range(turns):
            await asyncio.sleep(0)
        if children() - before:
            read_pids(tmp_path / "pids")  # in the loop, which stands still meanwhile
        task.cancel()
        async with asyncio.timeout(20):
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(cancelled())
    assert not children() - before
    assert not (tmp_path / "pids").exists() or gone(read_pids(tmp_path / "pids"))


def children() -> set[str]:
    return {pid for file in Path("/proc/self/task").glob("*/children") for pid in file.read_text().split()}


def test_a_child_that_keeps_the_pipe_does_not_delay_the_result(load: Load, tmp_path: Path) -> None:
    tools = load(f'[tools.t]\ncommand = ["sh", "-c", "sleep 600 & echo $! > {tmp_path}/pids; echo done"]\nallow = true')
    started = time.monotonic()
    assert tools.call("t") == "done"
    assert time.monotonic() - started < 5
    assert gone(read_pids(tmp_path / "pids"))


def test_a_hundred_calls_run_at_once(load: Load) -> None:
    tool = load('[tools.t]\ncommand = ["sleep", "0.5"]\nallow = true')["t"]

    async def many() -> float:
        started = time.monotonic()
        await asyncio.gather(*(tool.handler(tool.bind(b"{}")) for _ in range(100)))
        return time.monotonic() - started

    assert asyncio.run(many()) < 10  # one after the other would take 50


def test_the_environment_is_an_allow_list(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEAK", "x")
    tools = load(
        '[tools.t]\ncommand = ["env"]\nenv = { API = "${KEY}", FIXED = "f" }\nallow = true',
        KEY="k1",
        OTHER="o",
        HOME="/h",
    )
    printed = set(tools.call("t").split("\n"))
    assert {"API=k1", "FIXED=f", "HOME=/h"} <= printed
    assert not [line for line in printed if line.startswith(("LEAK", "OTHER", "KEY"))]
    assert tools["t"].secret_values == ("k1",)


def test_the_folder_is_the_manifests_own_or_beside_it(load: Load, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    pwd = 'command = ["pwd", "-P"]\nallow = true'
    tools = load(f'[tools.a]\n{pwd}\n[tools.b]\n{pwd}\ncwd = "sub"')
    assert tools.call("a") == str(tmp_path.resolve())
    assert tools.call("b") == str(tmp_path.resolve() / "sub")
    assert str(tmp_path.resolve() / "sub") in tools["b"].host_files


def test_values_that_no_program_can_get_are_refused(show: Any) -> None:
    for value in ("a\0b", "\ud800"):
        with pytest.raises(ArgumentError, match="holds a NUL or an unpaired surrogate"):
            show["show"].bind(json.dumps({"a": value}).encode())


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('command = ["no-such-program-anywhere"]', "the program 'no-such-program-anywhere' was not found"),
        ('command = ["./gone"]', "the program './gone' was not found"),
        ('command = ["true"]\ncwd = "gone"', "the folder 'gone' .* does not exist"),
        ('command = ["true"]\nenv = { A = "${UNSET}" }', "the environment variable UNSET is not set"),
        ('command = ["true"]\nenv = { A = "${EMPTY}" }', "the environment variable EMPTY is not set"),
    ],
)
def test_what_cannot_run_is_refused_at_load(load: Load, lines: str, message: str) -> None:
    with pytest.raises(ToolDefinitionError, match=message):
        load(f"[tools.t]\n{lines}\nallow = true", EMPTY="")


def test_a_program_that_vanished_is_a_failure_of_the_call(load: Load, tmp_path: Path) -> None:
    program = tmp_path / "prog"
    program.write_text("#!/bin/sh\necho ok\n")
    program.chmod(0o755)
    tools = load('[tools.t]\ncommand = ["./prog"]\nallow = true')
    assert tools.call("t") == "ok"
    program.unlink()
    with pytest.raises(ToolFailedError, match="prog cannot be started: No such file"):
        tools.call("t")


def test_messages_hide_where_programs_are(load: Load) -> None:
    tools = load('[tools.t]\ncommand = ["ls", "{p}"]\nparams.p = {}\nallow = true')
    with pytest.raises(ToolFailedError) as caught:
        tools.call("t", p="nothing-here")
    assert "/bin/" not in describe_failure(caught.value).message
