"""Scripts as models write them, the errors that models read, and what a script is given."""

from __future__ import annotations

from pathlib import Path

import pytest
from any_tools import ALL, tool

from amla_sandbox import (
    Sandbox,
)

# --- how models write --------------------

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
    "nothing but a return": ("return", None),
    "a return at the very end": ("if (true) return", None),
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


# --- what a model reads of errors --------------------

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


# --- input --------------------


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
