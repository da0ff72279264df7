"""The life of a sandbox, and of the process around it."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from any_tools import ALL, tool

from amla_sandbox import (
    Sandbox,
    SandboxClosedError,
    SandboxError,
    SandboxTool,
    tool_from_function,
)
from amla_sandbox._guest import _pages

# --- life --------------------


def test_a_closed_sandbox_says_so() -> None:
    with Sandbox() as sandbox:
        pass
    sandbox.close()
    uses: list[Callable[[], object]] = [
        lambda: sandbox.run("1"),
        lambda: sandbox.execute("1"),
        lambda: sandbox.start("1"),
        sandbox.has_work,
        lambda: sandbox.fs.read("/workspace/x"),
        lambda: sandbox.fs.write("/workspace/x", "1"),
        lambda: SandboxTool(sandbox).run("1"),
    ]
    for use in uses:
        with pytest.raises(SandboxClosedError, match="this sandbox is closed"):
            use()


def test_a_forgotten_sandbox_warns_and_is_freed() -> None:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        sandbox = Sandbox(tools=[tool("a")], tool_handler=lambda name, arguments: None, capabilities=ALL)
        sandbox.run("1")
        guest = sandbox._instance
        del sandbox
        gc.collect()
    assert [str(each.message) for each in seen if each.category is ResourceWarning and "Sandbox" in str(each.message)]
    assert guest._closed


def test_a_sandbox_that_the_collector_finds_leaves_the_next_ones_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The collector closes what is underneath in any order: nothing of it may be used again."""
    faults: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda fault: faults.append(fault.exc_value))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(5):
            values = [_forgotten() for _ in range(3)]
            gc.collect()
            assert (values, faults) == ([1, 1, 1], [])


def _forgotten() -> object:
    """What a script returned in a sandbox that only the collector finds."""
    sandbox = Sandbox()
    vars(sandbox)["itself"] = sandbox
    return sandbox.run("return 1").return_value


def test_a_closed_sandbox_does_not_warn() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with Sandbox() as sandbox:
            sandbox.run("1")
        del sandbox
        gc.collect()


def resources() -> tuple[int, int, int]:
    """Threads, open files, and kilobytes of memory of this process."""
    status = Path("/proc/self/status").read_text()
    memory = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
    return threading.active_count(), len(os.listdir("/proc/self/fd")), memory  # noqa: PTH208


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's /proc")
def test_three_hundred_sandboxes_leave_nothing_behind() -> None:
    def use() -> None:
        with Sandbox(tools=[tool("a", lambda _: 1)], capabilities=ALL) as sandbox:
            assert sandbox.run("return await Promise.all([a({}), a({})])").return_value == [1, 1]

    for _ in range(30):
        use()
    gc.collect()
    threads, files, memory = resources()
    for _ in range(300):
        use()
    gc.collect()
    later = resources()
    assert later[0] <= threads + 2
    assert later[1] <= files
    assert later[2] < memory + 30_000, "a guest takes eight megabytes"


# --- from a manifest --------------------

MANIFEST = """
[tools.hello]
python = "hello_tool:hello"

[[capabilities]]
method = "hello"

[[mounts]]
host = "{host}"
guest = "/workspace/in"
mode = "{mode}"
"""


@pytest.mark.parametrize(("host", "mode", "more", "fits"), [
    (".", "rw", "", False),
    (".", "ro", "", True),
    (".", "rw", "unsafe_shared = true", True),
    ("data", "rw", "", True),
])  # fmt: skip
def test_what_decides_about_scripts_is_not_mounted_for_writing(
    tmp_path: Path, host: str, mode: str, more: str, fits: bool
) -> None:
    """R31."""
    (tmp_path / "data").mkdir()
    (tmp_path / "hello_tool.py").write_text("def hello() -> str:\n    return 'hi'\n")
    file = tmp_path / "tools.toml"
    file.write_text(MANIFEST.format(host=host, mode=mode) + more)
    if not fits:
        with pytest.raises(SandboxError, match=r"mounted for writing and holds .*must not change"):
            Sandbox.from_manifest(file)
        return
    with Sandbox.from_manifest(file) as sandbox:
        assert sandbox.run("return await hello({})").return_value == "hi"


def test_a_function_may_be_given_as_it_is() -> None:
    def double(n: int) -> int:
        return 2 * n

    with Sandbox(tools=[double, tool_from_function(double, name="twice")], capabilities=ALL) as sandbox:
        assert sandbox.run("return await double({n: 1}) + await twice({n: 2})").return_value == 6


# --- the process around it --------------------


def process(code: str, **options: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )


INTERRUPTED = """
import sys, threading, time
from amla_sandbox import MethodCapability, Sandbox, ToolDefinition
hang = ToolDefinition("hang", handler=lambda _: time.sleep(20))
sandbox = Sandbox(tools=[hang], capabilities=[MethodCapability("**")])
sandbox.run("1")
print("ready", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", flush=True)
print(sandbox.run("return 1 + 1").return_value)
sandbox.close()
"""

CALLS = {
    "computing": 'sandbox.run("for (;;);")',
    "in engine code": """sandbox.run("for (;;) new Array(1e7).join('abc')")""",
    "awaiting a handler": 'sandbox.run("await hang({})")',
    "awaiting handlers": 'sandbox.run("await Promise.all([hang({}), hang({})])")',
    "driven": 'sandbox.start("for (;;);")',
    "waiting for a driven timer": 'sandbox.start("await new Promise(r => setTimeout(r, 20000))"); sandbox.has_work()',
}


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_ctrl_c_ends_the_run_and_not_the_sandbox(call: str) -> None:
    child = process(INTERRUPTED.format(call=call))
    assert child.stdout is not None and child.stdout.readline() == "ready\n"
    time.sleep(0.3)
    started = time.monotonic()
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=10)
    assert (out, err) == ("interrupted\n2\n", "")
    assert time.monotonic() - started < 3


ENDINGS = {
    "a sandbox left open": "sandbox.run('1')",
    "a hanging handler": "sandbox.run('await hang({})')",
    "a hanging coroutine": "sandbox.run('await ahang({})')",
    "a run under way": "threading.Thread(target=sandbox.run, args=('for (;;);',), daemon=True).start(); time.sleep(0.1)",
    "a started script": "sandbox.start('await hang({})')",
    "an exception": "sandbox.run('1'); raise SystemExit(0)",
}


@pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS)
def test_the_interpreter_ends_promptly_and_quietly(ending: str) -> None:
    child = process(
        "import asyncio, threading, time\n"
        "from amla_sandbox import Limits, MethodCapability, Sandbox, ToolDefinition\n"
        "async def wait(_): await asyncio.sleep(20)\n"
        "tools = [ToolDefinition('hang', handler=lambda _: time.sleep(20)),"
        " ToolDefinition('ahang', handler=wait, is_async=True)]\n"
        "sandbox = Sandbox(tools=tools, capabilities=[MethodCapability('**')], limits=Limits(timeout=0.2))\n" + ending
    )
    out, err = child.communicate(timeout=5)
    assert (out, err, child.returncode) == ("", "", 0)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells which pages were written to")
def test_runs_of_javascript_leave_nothing_for_the_collector() -> None:
    with Sandbox() as sandbox:

        def pages_after(runs: int) -> int:
            for _ in range(runs):
                sandbox.run("console.log('hello')")
            memory = sandbox.powers().instance.memory_size
            guest = sandbox.powers().instance._guest
            assert guest is not None
            return len(_pages.written(guest._base, memory))

        few = pages_after(20)
        assert pages_after(200) - few < 20
