"""Scripts as models write them, values that cross, names of tools, and the life of a sandbox."""

from __future__ import annotations

import gc
import json
import math
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from amla_sandbox import (
    Limits,
    MethodCapability,
    Sandbox,
    SandboxClosedError,
    SandboxError,
    SandboxTool,
    ToolDefinition,
    ToolNameError,
    tool_from_function,
)

ANY = {"type": "object", "additionalProperties": True}
ALL = [MethodCapability("**")]


def nothing(arguments: Any) -> None:
    return None


def tool(name: str, handler: Callable[[Any], Any] = nothing) -> ToolDefinition:
    return ToolDefinition(name, parameters=ANY, handler=handler)


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


# --- how models write ---------------------------------------------------------------------------------

WRITTEN = {
    "fence": ("```js\nreturn 1\n```", 1),
    "fence without a language": ("```\nreturn 1\n```\n", 1),
    "fence of tildes": ("~~~typescript\nreturn 1 as number\n~~~", 1),
    "async arrow": ("async () => {\n  return await Promise.resolve(5);\n}", 5),
    "arrow": ("() => 7;", 7),
    "arrow in parentheses": ("(async () => 7)", 7),
    "arrow after a comment": ("// the answer\n/* here */ async () => { return 8 }\n;", 8),
    "typed arrow": ("async (): Promise<number> => { const n: number = 9; return n }", 9),
    "arrow in a fence": ("```js\nasync () => 10\n```", 10),
    "called at once": ("(async () => { await null; return 11 })()", 11),
    "main": ("async function main(): Promise<number> { return 12 }\nmain()", 12),
    "last expression": ("const a = [1, 2];\na.length", 2),
    "enum": ("enum Color { Red = 1, Green }\nreturn Color.Green", 2),
    "interface": ("interface A { x: number }\nconst a: A = { x: 3 }\nreturn a.x", 3),
    "import": ("import fs from 'node:fs/promises'\nimport { join } from 'path'\nreturn join('a', 'b')", "a/b"),
    "require": ("const fs = require('fs'); fs.existsSync('/workspace')", True),
    "long": ("let n = 0\n" + "n += 1\n" * 20_000 + "return n", 20_000),
}


@pytest.mark.parametrize(("script", "value"), WRITTEN.values(), ids=WRITTEN)
def test_what_models_write_runs(sandbox: Sandbox, script: str, value: object) -> None:
    result = sandbox.run(script)
    assert (result.return_value, result.error) == (value, None)


def test_a_function_that_needs_arguments_or_is_not_all_is_not_called(sandbox: Sandbox) -> None:
    for script in ("(x) => x.y", "const f = () => 1; f", "class A { constructor() { throw 1 } }"):
        result = sandbox.run(script)
        assert (result.stdout, result.return_value, result.error) == ("", None, None), script


def test_what_a_lone_function_returns_is_printed_and_what_it_throws_is_its_error(sandbox: Sandbox) -> None:
    assert sandbox.run("async () => ({ a: 1 })").stdout == '{"a":1}\n'
    result = sandbox.run("async () => {\n  missing()\n}")
    assert result.failure is not None and (result.failure.name, result.failure.line) == ("ReferenceError", 2)


# --- what a model reads of errors -----------------------------------------------------------------------

ADVICE = {
    "x = {}; x.foo()": "TypeError: x.foo is not a function",
    "const f = 1\nf()": "TypeError: f is not a function",
    "get_wether({})": "ReferenceError: get_wether is not defined; did you mean the tool get_weather?",
    "stripe.charges.creat({})": "TypeError: stripe.charges.creat is not a function; did you mean the tool stripe.charges.create?",
    "print(1)": "ReferenceError: print is not defined; use console.log",
    "unrelated": "ReferenceError: unrelated is not defined",
    "await tools.call('get_wether', {})": "UnknownToolError: there is no tool 'get_wether'; did you mean 'get_weather'?",
    "throw 5": "Uncaught 5",
}


@pytest.mark.parametrize(("script", "said"), ADVICE.items(), ids=ADVICE)
def test_errors_say_what_to_do_next_in_two_lines(script: str, said: str) -> None:
    with Sandbox(tools=[tool("get_weather"), tool("stripe/charges/create")], capabilities=ALL) as sandbox:
        error = sandbox.run(script).error
    assert error is not None
    lines = error.splitlines()
    assert lines[0] == said
    assert len(lines) <= 2


@pytest.mark.parametrize(
    ("script", "line"),
    [
        ("\n\nnull.x", 3),
        ("```js\nlet a\nnull.x\n```", 3),
        ("let a: number = 1\nnull.x", 2),
        ("import 'fs'\n\nnull.x", 3),
    ],
)
def test_errors_have_the_scripts_own_lines(sandbox: Sandbox, script: str, line: int) -> None:
    result = sandbox.run(script, filename="job.ts" if ": number" in script else "job.js")
    assert result.failure is not None
    assert (result.failure.line, result.failure.source_line) == (line, "null.x")
    assert result.failure.file in ("job.js", "job.ts")


def test_no_path_of_the_host_is_in_an_error(sandbox: Sandbox) -> None:
    for script in ("null.x", "require('./none')", "fs.readFileSync('none')", "await import('none')", "let a = ;"):
        result = sandbox.run(script)
        assert str(Path.cwd()) not in (result.error or "") and "amla" not in (result.error or ""), result.error


# --- input ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stdin", ["ü\n", "ü\n".encode(), "", b"", None])
def test_standard_input(sandbox: Sandbox, stdin: str | bytes | None) -> None:
    expected = stdin.decode() if isinstance(stdin, bytes) else stdin or ""
    assert sandbox.run("return fs.readFileSync(0, 'utf8')", stdin=stdin).return_value == expected
    streamed = "let all = ''; for await (const chunk of process.stdin) all += chunk; return all"
    assert sandbox.run(streamed, stdin=stdin).return_value == expected


def test_bytes_of_standard_input_are_kept(sandbox: Sandbox) -> None:
    data = bytes(range(256)) * 100
    script = "return Buffer.from(fs.readFileSync('/dev/stdin')).toString('hex')"
    assert sandbox.run(script, stdin=data).return_value == data.hex()


def test_arguments_and_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with Sandbox(env={"A": "1", "B": "1"}) as sandbox:
        script = "return [process.argv.slice(2), process.env.A, process.env.B, process.env.HOME, process.env.PATH !== undefined]"
        result = sandbox.run(script, args=["x y", "--z"], env={"B": "2"})
        assert result.return_value == [["x y", "--z"], "1", "2", "/workspace", True]
        assert sandbox.run("return process.env.B").return_value == "1"
        monkeypatch.setenv("OF_THE_HOST", "1")
        assert sandbox.run("return process.env.OF_THE_HOST ?? null").return_value is None


# --- values that cross -------------------------------------------------------------------------------------

GOT: list[Any] = []


def keep(arguments: Any) -> Any:
    GOT.append(arguments["x"])
    return arguments["x"]


@pytest.fixture
def echo() -> Iterator[Sandbox]:
    GOT.clear()
    with Sandbox(tools=[tool("echo", keep)], capabilities=ALL, limits=Limits(arguments=16_000_000)) as made:
        yield made


CROSS = {
    "key order": ("{b: 1, a: 2, 10: 3, 9: 4}", '{"9":4,"10":3,"b":1,"a":2}'),
    "empty key": ("{'': 1, ' ': 2}", '{"":1," ":2}'),
    "proto key": ("JSON.parse('{\"__proto__\": 1}')", '{"__proto__":1}'),
    "undefined member": ("{a: undefined, b: 1}", '{"b":1}'),
    "undefined element": ("[undefined, 1]", "[null,1]"),
    "minus zero": ("-0", "0"),
    "fractions": ("[0.1, 1e21, 5e-324, 1.5]", "[0.1,1e+21,5e-324,1.5]"),
    "largest safe integer": ("9007199254740991", "9007199254740991"),
    "empty": ("['', [], {}]", '["",[],{}]'),
    "astral": ("'😀\\u0000\\u2028'", '"😀\\u0000\u2028"'),
    "date": ("new Date(0)", '"1970-01-01T00:00:00.000Z"'),
    "toJSON": ("{toJSON() { return 1 }}", "1"),
    "nested": ("[[[[[[1]]]]]]", "[[[[[[1]]]]]]"),
}


@pytest.mark.parametrize(("value", "expected"), CROSS.values(), ids=CROSS)
def test_values_cross_as_json_has_them(echo: Sandbox, value: str, expected: str) -> None:
    """Expected texts are JSON.stringify's of Node."""
    result = echo.run(f"return JSON.stringify(await echo({{x: {value}}}))")
    assert (result.return_value, result.error) == (expected, None)


REFUSED = {
    "NaN": ("NaN", "x"),
    "infinity": ("[1, Infinity]", "x[1]"),
    "bytes": ("new Uint8Array([1, 2])", "x"),
    "map": ("new Map([[1, 2]])", "x"),
    "function": ("{f() {}}", "x.f"),
    "symbol": ("Symbol('s')", "x"),
    "circular": ("(() => { const a = {}; a.a = a; return a })()", "x"),
    "deep": ("JSON.parse('['.repeat(500) + ']'.repeat(500))", ""),
}


@pytest.mark.parametrize(("value", "named"), REFUSED.values(), ids=REFUSED)
def test_what_json_cannot_carry_is_an_error_that_names_it(echo: Sandbox, value: str, named: str) -> None:
    result = echo.run(
        f"try {{ await echo({{x: {value}}}); return 'made' }} catch (error) {{ return [error.name, error.message] }}"
    )
    assert isinstance(result.return_value, list), (result.return_value, GOT, result.error)
    name, message = result.return_value
    assert name == "ToolArgumentError" and GOT == [], message
    assert named in message


def test_big_integers_and_lone_surrogates_reach_the_host_exactly(echo: Sandbox) -> None:
    echo.run("await echo({x: [2n ** 100n, -1n, '\\ud800']})")
    assert list(GOT[0]) == [2**100, -1, "\ud800"]


RESULTS = {
    "None": (None, "null"),
    "text": ("a\u2028b", '"a\u2028b"'),
    "nested": ({"b": [1, 2.5, True], "a": None}, '{"b":[1,2.5,true],"a":null}'),
    "big integer": (2**53 + 2, "9007199254740994"),
    "tuple": ((1, 2), "[1,2]"),
}


@pytest.mark.parametrize(("value", "expected"), RESULTS.values(), ids=RESULTS)
def test_results_cross(value: Any, expected: str) -> None:
    with Sandbox(tools=[tool("get", lambda _: value)], capabilities=ALL) as sandbox:
        assert sandbox.run("return JSON.stringify(await get({}))").return_value == expected


def test_a_result_that_is_no_number_of_json() -> None:
    with Sandbox(tools=[tool("get", lambda _: {"a": [math.nan]})], capabilities=ALL) as sandbox:
        said = sandbox.run("try { return await get({}) } catch (error) { return error.message }").return_value
    assert "a[0]" in said and "nan" in said.lower()


def test_ten_megabytes_cross_and_what_exceeds_the_limit_is_an_error(echo: Sandbox) -> None:
    assert echo.run("return (await echo({x: 'é'.repeat(5_000_000)})).length").return_value == 5_000_000
    assert len(GOT[0]) == 5_000_000
    result = echo.run("try { await echo({x: 'x'.repeat(16_000_000)}) } catch (error) { return error.message }")
    assert "arguments" in result.return_value
    huge = tool("huge", lambda _: "x" * 17_000_000)
    with Sandbox(tools=[huge], capabilities=ALL) as sandbox:
        assert (
            "at most 16,000,000"
            in sandbox.run("try { await huge({}) } catch (error) { return error.message }").return_value
        )


def test_secrets_are_masked_in_results_and_errors() -> None:
    def leak(arguments: Any) -> str:
        if arguments.get("fail"):
            raise ValueError("key s3cret-value is wrong")
        return "the key is s3cret-value"

    leaky = ToolDefinition("leak", parameters=ANY, handler=leak, secret_values=("s3cret-value",))
    with Sandbox(tools=[leaky], capabilities=ALL) as sandbox:
        result = sandbox.run("console.log(await leak({})); await leak({fail: 1})")
    assert "s3cret" not in result.stdout + (result.error or "") and "the key is" in result.stdout


# --- names ------------------------------------------------------------------------------------------------------

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


# --- life ----------------------------------------------------------------------------------------------------------


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


# --- from a manifest ---------------------------------------------------------------------------------------------------

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


# --- the process around it ----------------------------------------------------------------------------------------------


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
