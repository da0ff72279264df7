"""Two languages on the same files: `js` in the shell, `` $`…` `` in JavaScript."""

from __future__ import annotations

import pytest

from amla_sandbox import create_sandbox_tool


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


IN_SHELL = {
    "code": ("js -e 'console.log(1 + 1)'", "2\n", 0),
    "a script": ("echo 'console.log(process.argv.slice(2))' > x.js; js x.js a b", "[ 'a', 'b' ]\n", 0),
    "a tool": ("js -e 'console.log(await add({ a: 1, b: 2 }))'", "3\n", 0),
    "a status": ("js -e 'process.exit(3)'; echo $?", "3\n", 0),
    "a thrown error": ("js -e 'throw new Error(1)' 2>/dev/null; echo $?", "1\n", 0),
    "a pipeline": ("seq 3 | js -e 'console.log(fs.readFileSync(0, \"utf8\").length)' | tr 6 s", "s\n", 0),
    "the same files": ('echo hi > f; js -e \'fs.appendFileSync("f", "there\\n")\'; cat f', "hi\nthere\n", 0),
    "no such file": ("js nowhere.js 2>/dev/null || echo no", "no\n", 0),
}


@pytest.mark.parametrize(("script", "out", "status"), IN_SHELL.values(), ids=IN_SHELL)
def test_javascript_in_the_shell(script: str, out: str, status: int) -> None:
    with create_sandbox_tool(tools=[add]) as sandbox:
        result = sandbox.shell(script)
    assert (result.stdout, result.exit_code) == (out, status), result.stderr


IN_JAVASCRIPT = {
    "text": ("return (await $`echo hi | tr a-z A-Z`).text()", "HI\n"),
    "lines": ("return (await $`seq 3`).lines()", '["1","2","3"]\n'),
    "JSON": ("return (await $`echo '[1]' | jq -c '. + [2]'`).json()", "[1,2]\n"),
    "as text": ("const n = await $`seq 3 | wc -l`; return `${n} lines`", "3 lines\n"),
    "values are one word each": ("const name = `a b; c $x`; return (await $`echo ${name}`).text()", "a b; c $x\n"),
    "status without throwing": ("return (await $`exit 3`.nothrow()).exitCode", "3\n"),
    "an error has it too": ("try { await $`exit 3` } catch (e) { return [e.name, e.exitCode] }", '["ShellError",3]\n'),
    "the same files": ("fs.writeFileSync('f', 'b\\na\\n'); return (await $`sort f`).text()", "a\nb\n"),
    "tools": ("return (await $`tool add --a 1 --b 2`).text()", "3\n"),
    "at once": ("return (await Promise.all([$`echo 1`, $`echo 2`])).map(String)", '["1","2"]\n'),
}


@pytest.mark.parametrize(("script", "out"), IN_JAVASCRIPT.values(), ids=IN_JAVASCRIPT)
def test_the_shell_in_javascript(script: str, out: str) -> None:
    with create_sandbox_tool(tools=[add]) as sandbox:
        result = sandbox.execute(script)
    assert (result.stdout, result.exit_code) == (out, 0), result.error
