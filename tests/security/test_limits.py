"""Whatever a script does, the run ends at its deadline, the sandbox goes on, and its files are kept."""

from __future__ import annotations

import pytest

from amla_sandbox import Limits, Sandbox, SandboxError

SECONDS = 0.2

ENDLESS = {
    # synchronous code that looks at the interrupt flag
    "while": "while (true) {}",
    "for": "for (;;) {}",
    "do": "do {} while (true)",
    "function": "function f() { while (true) {} } f()",
    "arrow": "(() => { for (;;); })()",
    "getter": "({ get x() { for (;;); } }).x",
    "proxy": "new Proxy({}, { get() { for (;;); } }).x",
    "toString": "`${{ toString() { for (;;); } }}`",
    "sort": "[1, 2].sort(() => { for (;;); })",
    "replace": "'a'.replace(/a/, () => { for (;;); })",
    "json": "JSON.stringify({ toJSON() { for (;;); } })",
    "class": "class A { static { for (;;); } }",
    "generator": "function* g() { for (;;) yield 1; } for (const x of g());",
    "iterator": "for (const x of { [Symbol.iterator]() { return { next: () => ({ value: 1 }) } } });",
    "catch": "for (;;) { try { for (;;); } catch {} }",
    "finally": "try { for (;;); } finally { for (;;); }",
    "recursion": "function f() { try { f() } finally { f() } } f()",
    "eval": "eval('for (;;);')",
    "with": "new Function('for (;;);')()",
    "regex": "/^(a+)+$/.test('a'.repeat(40) + 'b')",
    "regex lookahead": "/^(?=(a+)+$)/.exec('a'.repeat(40) + 'b')",
    # promises, which can swallow an interrupt
    "microtasks": "(async () => { for (;;) await null })(); await new Promise(() => {})",
    "executor": "for (;;) { new Promise(() => { for (;;); }).catch(() => {}) }",
    "try": "for (;;) { Promise.try(() => { for (;;); }).catch(() => {}) }",
    "then": "const f = () => Promise.resolve().then(f); await f()",
    "all": "Promise.all({ [Symbol.iterator]() { return { next() { for (;;); } } } }).catch(() => {}); for (;;) await 1",
    "async generator": "async function* g() { for (;;) yield 1 } for await (const x of g());",
    "thenable": "await { then(resolve) { for (;;); } }",
    "prepareStackTrace": "Error.prepareStackTrace = () => { for (;;); }; for (;;) { try { null.x } catch {} }",
    "immediate": "const f = () => setImmediate(f); f()",
    "interval": "setInterval(() => {}, 0); await new Promise(() => {})",
    "timers": "setInterval(() => { for (;;); }, 0)",
    "tick": "const f = () => process.nextTick(f); f()",
    # engine code that looks at no flag
    "join": "new Array(1e8).join('abc')",
    "bigint": "let a = 3n ** 200000n; for (;;) a = (a * a) % (3n ** 400000n)",
    "fill": "for (;;) new Array(1e6).fill(0)",
    "indexOf": "const s = 'a'.repeat(1e6); for (;;) s.indexOf('a'.repeat(1000) + 'b')",
    "sort big": "for (;;) Array.from({ length: 1e6 }, (_, i) => -i).sort()",
    "stringify deep": "let a = []; for (let i = 0; i < 200000; i++) a = [a]; JSON.stringify(a)",
    "loader": "for (;;) await import('data:text/javascript,' + Math.random()).catch(() => {})",
}


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox(limits=Limits(timeout=SECONDS)) as sandbox:
        sandbox.fs.write("/workspace/kept.txt", "kept")
        yield sandbox


@pytest.mark.parametrize("script", ENDLESS.values(), ids=ENDLESS)
def test_an_endless_script_ends_and_the_sandbox_goes_on(sandbox: Sandbox, script: str) -> None:
    result = sandbox.run(script)

    assert result.exit_code == 124, result.error
    assert "timed out" in (result.error or "")
    assert result.usage.wall_seconds < SECONDS + 2, "far beyond the deadline, even on a busy machine"
    after = sandbox.run("fs.readFileSync('kept.txt', 'utf8')")
    assert (after.exit_code, after.return_value) == (0, "kept"), after.error


def test_a_hundred_hard_stops_in_a_row_do_no_harm() -> None:
    with Sandbox(limits=Limits(timeout=0.02, memory=512_000_000)) as sandbox:
        sandbox.fs.write("/workspace/kept.txt", "kept")
        for _ in range(100):
            assert sandbox.run("new Array(1e8).join('abc')").exit_code == 124
        assert sandbox.fs.read("/workspace/kept.txt") == b"kept"


def test_the_hard_stop_is_what_ends_a_script_that_looks_at_no_flag(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the second step the script would go on: the test above is worth something."""
    from amla_sandbox._guest import _pages

    revoked: list[int] = []
    revoke = _pages.revoke
    monkeypatch.setattr(_pages, "revoke", lambda address, length: (revoked.append(length), revoke(address, length))[1])
    with Sandbox(limits=Limits(timeout=0.02, memory=512_000_000)) as sandbox:
        sandbox.run("new Array(1e8).join('abc')")
    assert revoked


def test_what_a_gently_stopped_run_wrote_is_kept_and_what_a_killed_one_wrote_is_not() -> None:
    with Sandbox(limits=Limits(timeout=0.1, memory=512_000_000)) as sandbox:
        sandbox.run("fs.writeFileSync('gentle.txt', 'x'); for (;;);")
        sandbox.run("fs.writeFileSync('hard.txt', 'x'); new Array(1e8).join('abc')")
        assert [info.name for info in sandbox.fs.list()] == ["gentle.txt"]


DEEP = {
    "calls": "function f() { f() } f()",
    "methods": "const o = { get x() { return this.x } }; o.x",
    "arrays": "JSON.parse('['.repeat(200000))",
    "flat": "let a = []; for (let i = 0; i < 200000; i++) a = [a]; a.flat(Infinity)",
    "parser": "eval('['.repeat(200000))",
    "not": "eval('!'.repeat(200000) + '1')",
    "templates": "eval('`${'.repeat(100000))",
    "proxies": "let p = {}; for (let i = 0; i < 200000; i++) p = new Proxy(p, {}); p.x",
    "toString": "const a = []; a[0] = a; const o = { toString: () => `${o}` }; `${o}`",
    "regex": "new RegExp('('.repeat(200000))",
    "replace": "const f = () => 'a'.replace(/a/, f); f()",
    "sort": "const f = () => [2, 1].sort(f); f()",
    "generators": "function* g() { yield* g() } [...g()]",
    "constructor": "class A { constructor() { new A() } } new A()",
}


@pytest.mark.parametrize("script", DEEP.values(), ids=DEEP)
def test_deep_recursion_is_an_error_that_a_script_can_catch(script: str) -> None:
    with Sandbox(limits=Limits(timeout=10)) as sandbox:
        result = sandbox.run(f"let caught; try {{ {script} }} catch (error) {{ caught = error.name }} caught")
        assert result.exit_code == 0, result.error
        assert result.return_value in ("RangeError", "SyntaxError", "InternalError"), result.return_value


@pytest.mark.parametrize(
    "script",
    ["const a = []; for (;;) a.push(new Array(1000).fill({}))", "let s = 'x'; for (;;) s += s", "new Uint8Array(1e9)"],
)
def test_running_out_of_memory_is_an_error_that_a_script_can_catch(script: str) -> None:
    with Sandbox(limits=Limits(memory=64_000_000)) as sandbox:
        result = sandbox.run(
            f"let caught; try {{ {script} }} catch (error) {{ caught = error instanceof Error }} caught"
        )
        assert (result.exit_code, result.return_value) == (0, True), result.error
        assert sandbox.run("1 + 1").return_value == 2


def test_uncaught_out_of_memory_names_the_limit() -> None:
    with Sandbox(limits=Limits(memory=64_000_000)) as sandbox:
        result = sandbox.run("const a = []; for (;;) a.push(new Array(1000).fill({}))")
        assert result.exit_code == 137
        assert "memory" in (result.error or "")


def test_output_beyond_the_limit_is_cut_and_counted_and_the_run_goes_on() -> None:
    with Sandbox(limits=Limits(max_output=1000)) as sandbox:
        result = sandbox.run("for (let i = 0; i < 1000; i++) console.log('0123456789'); 'end'")
        assert result.return_value == "end"
        assert len(result.stdout_bytes) == 1000
        assert result.usage.output_dropped == 10_000
        assert "10,000 more bytes" in result.stderr


def test_one_runs_deadline_does_not_reach_into_the_next() -> None:
    with Sandbox(limits=Limits(timeout=0.15)) as sandbox:
        for _ in range(3):
            assert sandbox.run("await new Promise(done => setTimeout(done, 100)); 1").return_value == 1


def test_a_timer_left_by_one_run_never_fires_in_the_next() -> None:
    with Sandbox(limits=Limits(timeout=0.1)) as sandbox:
        assert sandbox.run("setInterval(() => console.log('leak'), 5)").exit_code == 124
        assert sandbox.run("await new Promise(done => setTimeout(done, 50)); console.log('clean')").stdout == "clean\n"


def test_a_memory_limit_below_the_guests_own_size_is_an_error_that_names_it() -> None:
    with Sandbox(limits=Limits(memory=1_000_000)) as sandbox, pytest.raises(SandboxError, match="limit 'memory'"):
        sandbox.run("1")


@pytest.mark.parametrize("way", ["return b", "b"])
def test_a_value_that_unfolds_on_the_host_is_not_kept(way: str) -> None:
    """Of arrays that hold one another many times the guest needs two thousand places, and JSON a million."""
    with Sandbox(limits=Limits(results=100_000)) as sandbox:
        result = sandbox.run(f"const a = Array(1000).fill([]), b = Array(1000).fill(a); {way}")
        assert (result.return_value, result.error) == (None, None)
        assert sandbox.run("return Array(1000).fill([])").return_value == [[]] * 1000
