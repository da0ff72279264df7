"""What one run does to its world is gone in the next: the realm is put back, not trusted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from amla_sandbox import Sandbox

# each: what a run does, and an expression that is true in a fresh world
TAMPERINGS = {
    "global": ("globalThis.left = 1", "typeof left === 'undefined'"),
    "implicit global": ("left = 1", "typeof left === 'undefined'"),
    "method replaced": ("Array.prototype.map = () => 'evil'", "[1].map(x => x + 1)[0] === 2"),
    "method deleted": ("delete Array.prototype.filter", "[1, 2].filter(x => x > 1).length === 1"),
    "method added": ("Object.prototype.extra = 1", "({}).extra === undefined"),
    "getter": ("Object.defineProperty(Object.prototype, 'x', { get: () => 'evil' })", "({}).x === undefined"),
    "index on a prototype": ("Array.prototype[3] = 'evil'", "[1, , 2].length === 3 && [,,,,][3] === undefined"),
    "prototype's prototype": ("Object.setPrototypeOf(Array.prototype, { evil: 1 })", "[].evil === undefined"),
    "global's prototype": (
        "Object.setPrototypeOf(globalThis, null)",
        "typeof Buffer === 'function' && typeof tools === 'object'",
    ),
    "frozen": (
        "Object.freeze(Array.prototype); Object.freeze(globalThis)",
        "(globalThis.y = 1, y === 1 && (Array.prototype.z = 2, [].z === 2))",
    ),
    "sealed": ("Object.preventExtensions(Object.prototype)", "(Object.prototype.z = 2, ({}).z === 2)"),
    "constructor": (
        "Array = Object = Map = Promise = undefined",
        "[Array, Object, Map, Promise].every(f => typeof f === 'function')",
    ),
    "console": ("console.log = () => {}; console.group()", "(console.log('seen'), true)"),
    "console deleted": (
        "delete globalThis.console; delete globalThis.fs",
        "typeof console.log === 'function' && typeof fs.readFile === 'function'",
    ),
    "counters": ("console.count(); console.time('t'); console.group('g')", "(console.count(), true)"),
    "module": (
        "require('fs').readFileSync = () => 'evil'",
        "(fs.writeFileSync('a', 'b'), require('fs').readFileSync('a', 'utf8') === 'b')",
    ),
    "module state": ("require('events').defaultMaxListeners = 99", "require('events').defaultMaxListeners === 10"),
    "class": (
        "Buffer.from = () => 'evil'; URL.prototype.toString = null",
        "Buffer.from('a').length === 1 && `${new URL('http://a/')}` === 'http://a/'",
    ),
    "environment": (
        "process.env.HOME = '/evil'; process.exitCode = 3",
        "process.env.HOME === '/workspace' && process.exitCode === undefined",
    ),
    "working directory": ("process.chdir('/tmp')", "process.cwd() === '/workspace'"),
    "listeners": ("process.on('exit', () => console.log('evil'))", "process.listenerCount('exit') === 0"),
    "stack hook": (
        "Error.prepareStackTrace = () => 'evil'; Error.stackTraceLimit = 0",
        "new Error('x').stack !== 'evil' && Error.stackTraceLimit === 10",
    ),
    "regexp": ("RegExp.prototype.exec = () => null", "/a/.test('a')"),
    "iterator": ("[][Symbol.iterator]().__proto__.next = () => ({ done: true })", "[...[1, 2]].length === 2"),
    "promise": ("Promise.prototype.then = undefined", "typeof Promise.prototype.then === 'function'"),
    "json": ("JSON.stringify = JSON.parse = () => 'evil'", "JSON.parse('[1]')[0] === 1"),
    "symbol": ("delete Symbol.prototype.description", "Symbol('a').description === 'a'"),
    "function": (
        "Function.prototype.call = Function.prototype.apply = () => 'evil'",
        "(function () { return this.a }).call({ a: 1 }) === 1",
    ),
    "require cache": ("require.cache['/x'] = 1", "Object.keys(require.cache).length === 0"),
    "constants": (
        "const fs = 1, tools = 2; let console2 = 3",
        "typeof fs === 'object' && typeof console2 === 'undefined'",
    ),
    "eval": (
        "(0, eval)('var left = 1; let also = 2; function f() {}')",
        "typeof left + typeof also + typeof f === 'undefinedundefinedundefined'",
    ),
    "pending": (
        "setInterval(() => { globalThis.evil = 1 }, 1); Promise.resolve().then(() => process.exit(0))",
        "typeof evil === 'undefined'",
    ),
    "import": (
        "fs.writeFileSync('/workspace/m.mjs', 'export let n = 1'); const m = await import('./m.mjs'); fs.writeFileSync('/workspace/m.mjs', 'export let n = 2')",
        "(await import('./m.mjs').catch(() => ({ n: 2 }))).n === 2",
    ),
    "uncaught": ("Object.prototype.extra = 1; throw new Error('x')", "({}).extra === undefined"),
    "exit": ("Object.prototype.extra = 1; process.exit(3)", "({}).extra === undefined"),
    "weak": (
        "const w = new WeakMap(); w.set(Array.prototype, 1); new FinalizationRegistry(() => {}).register({}, 1)",
        "true",
    ),
}


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        yield sandbox


@pytest.mark.parametrize(("tampering", "fresh"), TAMPERINGS.values(), ids=TAMPERINGS)
def test_the_next_run_finds_a_fresh_world(sandbox: Sandbox, tampering: str, fresh: str) -> None:
    for _ in range(3):
        before = sandbox.run(f"return {fresh}")
        assert before.return_value is True, before.error
        sandbox.run(tampering)
    after = sandbox.run(f"return {fresh}")
    assert after.return_value is True, after.error


def test_all_of_it_at_once_and_many_times(sandbox: Sandbox) -> None:
    for _ in range(20):
        for tampering, _fresh in TAMPERINGS.values():
            sandbox.run(tampering)
    for _tampering, fresh in TAMPERINGS.values():
        result = sandbox.run(f"return {fresh}")
        assert result.return_value is True, (fresh, result.error)


def test_an_interrupted_run_leaves_a_fresh_world() -> None:
    from amla_sandbox import Limits

    with Sandbox(limits=Limits(timeout=0.1)) as sandbox:
        for _ in range(3):
            assert sandbox.run("Array.prototype.map = 1; for (;;);").exit_code == 124
            assert sandbox.run("return [1].map(x => x)[0]").return_value == 1


def test_memory_stays_flat_over_many_runs(sandbox: Sandbox) -> None:
    sizes = []
    for _ in range(6):
        for _ in range(100):
            sandbox.run("const a = Array.from({ length: 1000 }, (_, i) => ({ i })); a.self = a; console.log(a.length)")
        sizes.append(sandbox._instance.memory_size)
    assert sizes[-1] == sizes[2], sizes
