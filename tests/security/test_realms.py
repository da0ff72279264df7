"""A script's callables that the system realm calls get objects of the script's own realm, and nothing leads to a native."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from amla_sandbox import Sandbox

# each puts what it was given into `got`
WAYS_IN = {
    "awaited thenable": "await { then: new Proxy(function () {}, { apply(t, th, args) { got.push(args); args[0](); } }) };",
    "returned thenable": "await (async () => ({ then: new Proxy(function () {}, { apply(t, th, args) { got.push(args); args[0](); } }) }))();",
    "format": "console.log('%s', { toString: new Proxy(function () {}, { apply(t, th, args) { got.push(args); return ''; } }) });",
    "tag getter": "console.log(Object.defineProperty({}, Symbol.toStringTag, { get: new Proxy(function () {}, { apply(t, th, args) { got.push(args); } }) }));",
    "resolver": "let r; new Promise((x) => (r = x)); console.log('%s', { toString: r.bind(null, { then(a) { got.push(a); } }) }); await 1; await 1;",
    "self-resolution": "let r; const p = new Promise((x) => (r = x)); try { console.log('%s', { toString: r.bind(null, p) }); } catch {} await p.catch((e) => got.push(e));",
    "sorted option": "require('util').inspect({ b: 1, a: 2 }, { sorted: new Proxy(function () {}, { apply(t, th, args) { got.push(args); return 0; } }) });",
    "toJSON": "await tools.list(); JSON.stringify({ toJSON: new Proxy(function () {}, { apply(t, th, args) { got.push(args); return 1; } }) });",
    "timer": "await new Promise((done) => setTimeout(new Proxy(done, { apply(t, th, args) { got.push(args); t(); } }), 1));",
    "async timer": "await new Promise((done) => setTimeout(async function () { got.push(arguments, (async () => {})()); done(); }, 1));",
}


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        yield sandbox


@pytest.mark.parametrize("way", WAYS_IN.values(), ids=WAYS_IN)
def test_what_a_callable_gets_belongs_to_the_scripts_realm(sandbox: Sandbox, way: str) -> None:
    check = """
        const foreign = got.filter((each) => each !== undefined && !(each instanceof Object)).length;
        const natives = got.map((each) => { try { return each.constructor.constructor('return typeof __native')() } catch (e) { return e.name } });
        return { count: got.length, foreign, natives: [...new Set(natives)] };
    """
    result = sandbox.run(f"const got = []; {way} {check}")
    assert result.exit_code == 0, result.error
    value = dict(result.return_value)
    assert value.pop("count") > 0
    assert value == {"foreign": 0, "natives": ["undefined"]}


def test_natives_have_no_name_in_any_realm(sandbox: Sandbox) -> None:
    assert sandbox.run("return typeof __native + typeof globalThis.__native").return_value == "undefinedundefined"


def test_a_broken_guest_is_replaced(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a guest that breaks the rules leaves behind does not reach the next run."""
    from amla_sandbox._guest._protocol import ProtocolError
    from amla_sandbox._runs import _run

    sandbox.fs.write("kept.txt", "kept")
    parse = _run.parse_frames

    def broken(data: bytes) -> Iterator[object]:
        monkeypatch.setattr(_run, "parse_frames", parse)
        raise ProtocolError("nonsense")

    before = sandbox._instance._guest
    monkeypatch.setattr(_run, "parse_frames", broken)
    assert sandbox.run("1").exit_code == 125
    assert sandbox._instance._guest is not before
    assert sandbox.run("return fs.readFileSync('kept.txt', 'utf8')").return_value == "kept"


def test_an_error_with_a_lone_surrogate_can_be_printed(sandbox: Sandbox) -> None:
    result = sandbox.run("throw new Error('\\ud800')")
    assert (result.error or "").encode("utf-8")
