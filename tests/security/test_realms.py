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


# what the system realm calls of a script, from deep within itself
STACKS_TAKEN_IN = {
    "custom inspect": "require('util').inspect({ [Symbol.for('nodejs.util.inspect.custom')]() { take(); return ''; } });",
    "format": "console.log('%s', { toString() { take(); return ''; } });",
    "getter of a tag": "console.log({ get [Symbol.toStringTag]() { take(); return 'x'; } });",
    "file name": "try { fs.readFileSync({ toString() { take(); return 'x'; } }); } catch { take(); }",
    "timer": "await new Promise((done) => setTimeout(() => { take(); done(); }, 1));",
    "tick": "await new Promise((done) => process.nextTick(() => { take(); done(); }));",
    "exit listener": "process.on('exit', () => { take(); report(); });",
    "thenable": "await { then(done) { take(); done(); } };",
    "tool": "await tools.call({ toString() { take(); return 'none'; } }, {}).catch(take);",
    "argument": "await tools.call('none', { get value() { take(); return 1; } }).catch(take);",
    "shell": "await $`echo ${{ toString() { take(); return 'x'; } }}`.catch(take);",
    "comparator": "[2, 1].sort(() => { take(); return 0; });",
}


@pytest.mark.parametrize("way", STACKS_TAKEN_IN.values(), ids=STACKS_TAKEN_IN)
def test_call_sites_lead_to_no_function_but_the_scripts(sandbox: Sandbox, way: str) -> None:
    """`Error.prepareStackTrace` gets frames; a function of the system realm among them would open that realm."""
    script = """
        const sites = [];
        Error.prepareStackTrace = (error, frames) => (sites.push(...frames), 'stack');
        const take = () => { const error = new Error('x'); return error.stack; };
        const report = () => {
            const own = (site) => { const f = site.getFunction(); return f === undefined || f instanceof Function; };
            const files = sites.map((site) => String(site.getFileName())).filter((file) => /^(amla|node):/.test(file));
            console.log(JSON.stringify([sites.length > 0, sites.filter((site) => !own(site)).length, files]));
        };
    """
    ending = "" if "report()" in way else "report();"
    result = sandbox.run(f"{script} {way} {ending}")
    assert (result.stdout.splitlines()[-1], result.error) == ("[true,0,[]]", None)
