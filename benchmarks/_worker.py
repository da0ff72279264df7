"""Runs in a process of its own, under this package or the original, and measures the cases that it is asked for.

Started by `_sides.py` as a plain file, since the original's environment has nothing else of ours. Each line of input is
a case; each line of output is `{"value": …}`, in milliseconds unless the case says otherwise, or `{"problem": …}`.
"""

from __future__ import annotations

import asyncio
import json
import mmap
import re
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import amla_sandbox

OURS = hasattr(amla_sandbox, "Limits")
HELLO = "console.log('hello')"
MB = 1_000_000
PAUSE = 0.02
"""Seconds that a slow tool takes."""

Case = Callable[[], Callable[[], float | None]]
"""Prepares, and returns what is measured: it gives its own figure, or None to be timed."""


def limits(**given: Any) -> dict[str, Any]:
    """Keyword arguments that lift the limits which a benchmark would meet; the original has none."""
    free: dict[str, Any] = {
        "max_calls": 0,
        "max_attempts": 0,
        "arguments": 64 * MB,
        "results": 64 * MB,
        "timeout": 0,
        "cpu": 0,
    }
    return {"limits": amla_sandbox.Limits(**{**free, **given})} if OURS else {}


def only_ours() -> None:
    if not OURS:
        raise LookupError("-")


def create_and_hello() -> Callable[[], None]:
    def once() -> None:
        sandbox = amla_sandbox.Sandbox()
        assert sandbox.execute(HELLO).strip() == "hello"
        if OURS:
            sandbox.close()

    return once


def paused_run() -> Callable[[], float]:
    sandbox = amla_sandbox.Sandbox()
    sandbox.execute(HELLO)

    def once() -> float:
        time.sleep(0.002)
        start = time.perf_counter()
        sandbox.execute(HELLO)
        return (time.perf_counter() - start) * 1000

    return once


def next_run() -> Callable[[], float]:
    sandbox = amla_sandbox.Sandbox()
    sandbox.execute(HELLO)

    def once() -> float:
        start = time.perf_counter()
        for _ in range(20):
            sandbox.execute(HELLO)
        return (time.perf_counter() - start) * 1000 / 20

    return once


def sequential_calls() -> Callable[[], None]:
    def add(a: int, b: int) -> int:
        """Add two numbers."""
        return a + b

    tool = amla_sandbox.create_sandbox_tool([add], max_calls=10**9, **limits())

    def once() -> None:
        code = "let n = 0; for (let i = 0; i < 1000; i++) n = await add({a: n, b: i}); return n"
        check(tool.execute(code), "499500")

    return once


ALL_AT_ONCE = "const all = await Promise.all(Array.from({length: 100}, (_, i) => nap({i}))); return all.length"


def concurrent_calls() -> Callable[[], None]:
    def nap(i: int) -> int:
        """Sleep."""
        time.sleep(PAUSE)
        return i

    tool = amla_sandbox.create_sandbox_tool([nap], max_calls=10**9, **limits())
    return lambda: check(tool.execute(ALL_AT_ONCE), "100")


def concurrent_async_calls() -> Callable[[], None]:
    async def handler(_name: str, arguments: dict[str, Any]) -> int:
        await asyncio.sleep(PAUSE)
        return int(arguments["i"])

    parameters = {"type": "object", "properties": {"i": {"type": "integer"}}, "required": ["i"]}
    sandbox = amla_sandbox.Sandbox(
        tools=[amla_sandbox.ToolDefinition(name="nap", description="Sleep.", parameters=parameters)],
        capabilities=[amla_sandbox.ToolCallCap(method_pattern="**")],
        tool_handler=handler,
        **limits(),
    )

    def once() -> None:
        assert asyncio.run(sandbox.execute_async(ALL_AT_ONCE)).strip() == "100"

    return once


def large_call(measured: str) -> Case:
    """One call, 10 MB of arguments and of result: its time, or its most memory as a multiple of the data."""

    def prepare() -> Callable[[], float]:
        def echo(data: str) -> str:
            """Give back what comes."""
            return data

        tool = amla_sandbox.create_sandbox_tool([echo], max_calls=10**9, **limits())
        code = "const data = 'x'.repeat(10_000_000); return (await echo({data})).length"
        check(tool.execute("return (await echo({data: 'x'})).length"), "1")

        def once() -> float:
            if measured == "memory":
                return most_memory(lambda: check(tool.execute(code), "10000000")) / (10 * MB)
            start = time.perf_counter()
            check(tool.execute(code), "10000000")
            return (time.perf_counter() - start) * 1000

        return once

    return prepare


def endless_loop() -> Callable[[], float]:
    """Milliseconds past the deadline; the sandbox must be usable and its files kept."""
    deadline = 0.1
    sandbox = amla_sandbox.Sandbox(**limits(timeout=deadline))
    sandbox.execute("await fs.writeFile('/workspace/kept.txt', 'kept')")

    def once() -> float:
        start = time.perf_counter()
        try:
            sandbox.execute("while (true) {}")
        except Exception:
            taken = time.perf_counter() - start
        else:
            raise RuntimeError("an endless loop ended well")
        text = sandbox.execute("console.log(await fs.readFile('/workspace/kept.txt', 'utf8'))")
        assert text.strip() == "kept"
        return (taken - deadline) * 1000

    return once


def memory() -> Callable[[], float]:
    """Private megabytes per further sandbox."""

    def once() -> float:
        kept = [used_sandbox() for _ in range(3)]
        before = private()
        kept += [used_sandbox() for _ in range(100)]
        grown = private() - before
        for sandbox in kept:
            if OURS:
                sandbox.close()
        return grown / 100 / MB

    return once


def used_sandbox() -> Any:
    sandbox = amla_sandbox.Sandbox()
    sandbox.execute(HELLO)
    return sandbox


def files(direction: str) -> Case:
    def prepare() -> Callable[[], None]:
        only_ours()
        sandbox = amla_sandbox.Sandbox()
        data = bytes(range(256)) * (20 * MB // 256)
        sandbox.fs.write("/workspace/large.bin", data)

        def once() -> None:
            if direction == "write":
                sandbox.fs.write("/workspace/large.bin", data)
            else:
                assert len(sandbox.fs.read("/workspace/large.bin")) == len(data)

        return once

    return prepare


def script(name: str) -> Case:
    def prepare() -> Callable[[], None]:
        sandbox = amla_sandbox.Sandbox(**limits())
        source = (Path(__file__).parent / "scripts" / f"{name}.js").read_text("utf-8")
        return lambda: None if sandbox.execute(source).strip() == "ok" else fail(f"{name}.js came to something else")

    return prepare


def module(what: str) -> Case:
    """Of loading the guest: `deserialise` its machine code, `instantiate` it, or all that the cache does."""

    def prepare() -> Callable[[], float | None]:
        only_ours()
        import wasmtime

        from amla_sandbox._cache import load_module
        from amla_sandbox._guest._engine import CONFIGURATION, GUEST, engine, make_engine

        made, ready = make_engine(), engine()
        file = Path(tempfile.mkdtemp()) / "module"
        file.write_bytes(ready.module.serialize())

        def instantiate() -> float:
            store = wasmtime.Store(ready.wasmtime_engine)
            start = time.perf_counter()
            wasmtime.Instance(store, ready.module, [])
            return (time.perf_counter() - start) * 1000

        def nothing(_: object) -> None:
            return None

        return {
            "deserialise": lambda: nothing(wasmtime.Module.deserialize_file(made, str(file))),
            "cache": lambda: nothing(load_module(made, GUEST, CONFIGURATION)),
            "instantiate": instantiate,
        }[what]

    return prepare


CASES: dict[str, Case] = {
    "create": create_and_hello,
    "next": next_run,
    "next-paused": paused_run,
    "calls": sequential_calls,
    "concurrent": concurrent_calls,
    "concurrent-async": concurrent_async_calls,
    "large-call": large_call("time"),
    "large-call-memory": large_call("memory"),
    "endless": endless_loop,
    "memory": memory,
    "read": files("read"),
    "write": files("write"),
    "deserialise": module("deserialise"),
    "instantiate": module("instantiate"),
    "cache": module("cache"),
    **{name: script(name) for name in ("compute", "json", "regex", "sort")},
}

# --- how they are measured -------------------------------------------------------------------


def check(result: Any, stdout: str) -> None:
    if result.stdout.strip() != stdout:
        raise RuntimeError("wrong result")


def fail(problem: str) -> None:
    raise RuntimeError(problem)


def private() -> int:
    """Bytes of memory that are this process's alone."""
    rollup = Path("/proc/self/smaps_rollup").read_text("ascii")
    return sum(int(size) * 1024 for size in re.findall(r"^Private_(?:Clean|Dirty): +(\d+)", rollup, re.MULTILINE))


def resident() -> int:
    """Bytes of this process in memory."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * mmap.PAGESIZE


def most_memory(work: Callable[[], None]) -> int:
    """How far the process grew at most while `work` ran, if it never was larger before: only true in a fresh one."""
    before = resident()
    work()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before


def measured(once: Callable[[], float | None]) -> float:
    start = time.perf_counter()
    given = once()
    return (time.perf_counter() - start) * 1000 if given is None else given


def main() -> None:
    prepared: dict[str, Callable[[], float | None]] = {}
    for line in sys.stdin:
        case = json.loads(line)
        try:
            if case not in prepared:
                prepared[case] = CASES[case]()
            answer: dict[str, object] = {"value": measured(prepared[case])}
        except Exception as error:
            answer = {"problem": str(error)[:60] or type(error).__name__}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
