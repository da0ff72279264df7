"""What may be typed next: found by looking, never by running anything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import pytest

from amla_sandbox import (
    Completion,
    ConstraintSet,
    MethodCapability,
    Param,
    Sandbox,
    SandboxBusyError,
    Session,
    ToolDefinition,
)

CHARGES: dict[str, Any] = {
    "type": "object",
    "properties": {
        "amount": {"type": "integer"},
        "source": {
            "type": "object",
            "properties": {"kind": {"enum": ["card", "bank"]}, "number": {"type": "string"}},
            "required": ["kind"],
        },
        "note": {"type": "string", "const": "it's"},
    },
    "required": ["amount"],
}

DEFINED = """
const obj = { alpha: 1, beta() {}, get gamma() { throw new Error('ran') }, nested: { list: [1] } };
let zeta = 1, text = 'abc'; function fn() {}
const trap = new Proxy({ a: 1 }, { get() { throw new Error('ran') }, ownKeys() { throw new Error('ran') } });
const child = Object.create(obj, { own: { value: 1 } });
class Foo { static make() {} greet() {} }
const odd = { 'a b': 1, 'a"c': 2, "it's": 3 }, own = { map() {} }; async function waits() {}
let ran = 0; Object.defineProperty(globalThis, 'lazy', { get() { ran++; return {} }, configurable: true });
"""


def transfer(to: str, amount: int, currency: Literal["USD", "EUR", "GBP"] = "USD", urgent: bool = False) -> str:
    """Send money.

    More about it.
    """
    return f"{to}{amount}{currency}{urgent}"


def sandbox_with_tools() -> Sandbox:
    charge = ToolDefinition("stripe/charges/create", "Charge a card.", CHARGES, handler=lambda _: 1)
    limited = ConstraintSet([Param("amount") <= 1000, Param("currency").is_in(["USD", "EUR"])])
    capabilities = [MethodCapability("transfer", limited), MethodCapability("stripe/**")]
    return Sandbox(tools=[transfer, charge], capabilities=capabilities)


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with sandbox_with_tools() as sandbox:
        session = Session(sandbox)
        session.run(DEFINED, "javascript")
        session.run("mkdir -p dir 'a b' .hidden; touch dir/f.txt 'sp ace' \"it's\" '$money'", "shell")
        session.run("myvar=5; readonly other=1; myfn() { :; }; alias ll='ls -l'", "shell")
        yield session


def complete(session: Session, line: str, language: str) -> Completion:
    """Completion where the line has a `‸`."""
    return session.complete(line.replace("‸", ""), line.index("‸"), language)


def texts(completion: Completion) -> list[str]:
    return [candidate.text for candidate in completion.candidates]


SCRIPTS: dict[str, list[str]] = {
    # bindings and globals
    "ob‸": ["obj"],
    "x = 5 / 2; zet‸": ["zeta"],
    "😀; zet‸": ["zeta"],
    "parseF‸": ["parseFloat"],
    "structuredC‸": ["structuredClone"],
    "awai‸": ["await"],
    "// ob‸": [],
    "/* ob‸": [],
    "12‸": [],
    # members
    "obj.al‸": ["alpha"],
    "obj?.al‸": ["alpha"],
    "f(`${obj.al‸": ["alpha"],
    "obj['nested'].li‸": ["list"],
    "obj.nested.list.fla‸": ["flat", "flatMap"],
    "obj.nested.list[0].toF‸": ["toFixed"],
    "child.o‸": ["own"],
    "child.al‸": ["alpha"],
    "'abc'.padS‸": ["padStart"],
    "text.padE‸": ["padEnd"],
    "[1, 2].findL‸": ["findLast", "findLastIndex"],
    "/a/.fla‸": ["flags"],
    "Foo.ma‸": ["make"],
    "Math.hyp‸": ["hypot"],
    "JSON.str‸": ["stringify"],
    "fs.readFileS‸": ["readFileSync"],
    "path.jo‸": ["join"],
    "console.tab‸": ["table"],
    "process.cw‸": ["cwd"],
    "this.zet‸": [],
    "globalThis.parseF‸": ["parseFloat"],
    "unknown.a‸": [],
    "fn().a‸": [],
    "process.env.HO‸": ["HOME"],
    "obj['ne‸": ["nested'"],
    'odd["a‸': ['a b"', 'a\\"c"'],
    "odd['it‸": ["it\\'s'"],
    # what calls return
    "obj.nested.list.map((n) => n).findL‸": ["findLast", "findLastIndex"],
    "text.trim().split(',').joi‸": ["join"],
    "text.trim().split(',').join().padS‸": ["padStart"],
    "Object.keys(obj).findLastI‸": ["findLastIndex"],
    "JSON.stringify({}).padS‸": ["padStart"],
    "(await x, text).padS‸": [],
    "waits().the‸": ["then"],
    "transfer({ to: 'x' }).fina‸": ["finally"],
    "stripe.charges.create({}).fina‸": ["finally"],
    "new Foo().gre‸": ["greet"],
    "new Foo(1).greet().a‸": [],
    "new Map([[1, 2]]).set(1, 2).entri‸": ["entries"],
    "new Date().toISOString().padS‸": ["padStart"],
    "[1, 2].map(f).fla‸": ["flat", "flatMap"],
    "own.map().a‸": [],
    "return (1).a‸": [],
    # never by running
    "obj.gamma.‸": [],
    "trap.‸": [],
    "lazy.‸": [],
    # modules and files
    "require('path/p‸": ["path/posix'"],
    'import x from "node:path/p‸': ['node:path/posix"'],
    "await import('./di‸": ["./dir/"],
    "fs.readFileSync('dir/‸": ["dir/f.txt'"],
    'await fs.promises.readFile("sp‸': ['sp ace"'],
    "console.log('di‸": [],
    # tools
    "transf‸": ["transfer"],
    "stripe.‸": ["charges"],
    "stripe.charges.‸": ["create"],
    "tools.call('str‸": ["stripe.charges.create'"],
    "await transfer({‸": ["to: ", "amount: ", "currency: ", "urgent: "],
    "await transfer({ to: 'x', ‸": ["amount: ", "currency: ", "urgent: "],
    "await transfer({ to: f({ a: 1 }), am‸": ["amount: "],
    "await transfer({ 'cur‸": ["'currency': "],
    "await transfer({ currency: 'U‸": ["'USD'"],
    'await transfer({ currency: "‸': ['"USD"', '"EUR"'],
    "await stripe.charges.create({ source: { ‸": ["kind: ", "number: "],
    "stripe.charges.create({ source: { kind: '‸": ["'card'", "'bank'"],
    "stripe.charges.create({ note: '‸": ["'it\\'s'"],
    "tools.call('transfer', { am‸": ["amount: "],
    "notATool({ am‸": [],
}

SHELLS: dict[str, list[str]] = {
    "unexp‸": ["unexpand"],
    "myf‸": ["myfn"],
    "ll‸": ["ll"],
    "mapf‸": ["mapfile"],
    "unti‸": ["until"],
    "true && myf‸": ["myfn"],
    "ls | unexp‸": ["unexpand"],
    "x=$(unexp‸": ["unexpand"],
    "if myf‸": ["myfn"],
    "A=1 myf‸": ["myfn"],
    "# myf‸": [],
    "type myf‸": ["myfn"],
    # files
    "cat d‸": ["dir/"],
    "cat dir/‸": ["dir/f.txt"],
    "./d‸": ["./dir/"],
    "cd ‸": ["a\\ b/", "dir/"],
    "cat sp‸": ["sp\\ ace"],
    "cat 'sp‸": ["'sp ace'"],
    'cat "sp‸': ['"sp ace"'],
    "cat it‸": ["it\\'s"],
    "cat 'it‸": ["'it'\\''s'"],
    "cat \\$m‸": ["\\$money"],
    'cat "a‸': ['"a b/'],
    "cat a\\ ‸": ["a\\ b/"],
    "cat .h‸": [".hidden/"],
    "echo > d‸": ["dir/"],
    "ls ~/d‸": ["~/dir/"],
    "X=d‸": ["dir/"],
    # variables
    "echo $myv‸": ["myvar"],
    "echo ${myv‸": ["myvar}"],
    'echo "$myv‸': ["myvar"],
    "echo '$myv‸": [],
    "unset myv‸": ["myvar"],
    # options
    "sort --rev‸": ["--reverse"],
    "grep --files-with‸": ["--files-without-match", "--files-with-matches"],
    "ls | sort --rev‸": ["--reverse"],
    "true; awk --re-int‸": ["--re-interval"],
    # tools
    "tool tr‸": ["transfer"],
    "tool stripe‸": ["stripe.charges.create"],
    "tool transfer --‸": ["--to", "--amount", "--currency", "--urgent"],
    "tool transfer --to x --am‸": ["--amount"],
    "tool transfer --currency ‸": ["USD", "EUR"],
    "tool transfer --currency=E‸": ["EUR"],
    "tool transfer --currency 'U‸": ["'USD'"],
    "tool stripe.charges.create --note ‸": ["'it'\"'\"'s'"],
    "tool nosuch --‸": [],
}


@pytest.mark.parametrize("line", SCRIPTS)
def test_javascript(session: Session, line: str) -> None:
    """Names, members, modules, files and arguments of tools."""
    assert texts(complete(session, line, "javascript")) == SCRIPTS[line]


@pytest.mark.parametrize("line", SHELLS)
def test_shell(session: Session, line: str) -> None:
    """Commands, files in the quotes that were begun, variables, options, tools."""
    assert texts(complete(session, line, "shell")) == SHELLS[line]


def test_the_start_is_where_the_word_begins(session: Session) -> None:
    """Candidates take the place of what stands between it and the cursor."""
    assert complete(session, "a + obj.al‸", "javascript").start == len("a + obj.")
    assert complete(session, "'😀' + zet‸", "javascript").start == len("'😀' + ")
    assert complete(session, "cat 'sp‸", "shell").start == len("cat ")
    assert complete(session, "echo ${myv‸", "shell").start == len("echo ${")
    assert complete(session, "fs.readFileSync('dir/‸", "javascript").start == len("fs.readFileSync('")


def test_kinds_and_details(session: Session) -> None:
    """Each candidate says what it is."""
    by_text = {c.text: c for c in complete(session, "obj.‸", "javascript").candidates}
    assert [by_text[name].kind for name in ("alpha", "beta", "gamma")] == ["property", "function", "property"]
    keys = {c.text: c.detail for c in complete(session, "transfer({‸", "javascript").candidates}
    assert keys["to: "] == "string; required"
    assert keys["amount: "] == "integer; required; <= 1000"
    (value, _) = complete(session, 'transfer({ currency: "‸', "javascript").candidates
    assert (value.kind, value.detail) == ("value", 'allowed: one of ["USD", "EUR"]')
    (reverse,) = complete(session, "sort --rev‸", "shell").candidates
    assert (reverse.kind, reverse.detail) == ("option", "reverse the order")
    (tool,) = complete(session, "tool tr‸", "shell").candidates
    assert (tool.kind, tool.detail) == ("tool", "Send money.")


def test_completion_runs_nothing(session: Session) -> None:
    """No getter, no trap, no command: all was looked at by the tests above, and nothing counts or printed."""
    for line in ("lazy.‸", "lazy.a.b‸", "laz‸"):
        complete(session, line, "javascript")
    assert session.run("ran", "javascript").shown == "0"
    complete(session, "x=$(touch /tmp/ran) ./‸", "shell")
    complete(session, "echo ${myvar:=changed} $‸", "shell")
    assert session.run("ls /tmp/ran 2>/dev/null; echo $myvar", "shell").stdout == "5\n"


def test_a_shadowed_tool_is_not_completed() -> None:
    """A variable of the session's own hides the tool of that name."""
    with sandbox_with_tools() as sandbox:
        session = Session(sandbox)
        session.run("let stripe = { mine: 1 }", "javascript")
        assert texts(complete(session, "stripe.mi‸", "javascript")) == ["mine"]
        found = complete(session, "stripe.charges.create({‸", "javascript")
        assert "parameter" not in [candidate.kind for candidate in found.candidates]


def test_before_the_first_line() -> None:
    """A session that has run nothing knows what every session knows."""
    with Sandbox() as sandbox:
        fresh = Session(sandbox)
        assert texts(complete(fresh, "Math.hyp‸", "javascript")) == ["hypot"]
        assert texts(complete(fresh, "unexp‸", "shell")) == ["unexpand"]
        assert texts(complete(fresh, "echo $HOM‸", "shell")) == ["HOME"]
        assert fresh.run("let later = 1; later", "javascript").shown == "1"


def test_any_text_is_completed_without_a_fault(session: Session) -> None:
    """Each prefix of odd lines, in both languages."""
    odd = 'a?.b[`x${{\'y\\"`}]}(/[/]/g).c({"k":[1,{\'l\': \\\n$(echo "${x:-`ls`}" <<E | tool t --a=\'b'
    for language in ("javascript", "shell"):
        for cursor in range(len(odd) + 1):
            assert 0 <= session.complete(odd, cursor, language).start <= cursor
            session.signature(odd, cursor, language)
            session.completeness(odd[:cursor], language)


TRANSFER = 'transfer({to: string, amount: integer, currency?: "USD"|"EUR"|"GBP", urgent?: boolean})'
SIGNATURES: dict[tuple[str, str], str | None] = {
    ("javascript", "await transfer({ to: ‸"): TRANSFER,
    ("javascript", "transf‸er"): None,
    ("javascript", "transfer‸"): TRANSFER,
    ("javascript", "f(transfer({ to: [1, ‸"): TRANSFER,
    ("javascript", "tools.call('transfer', {‸"): TRANSFER,
    ("javascript", "transfer({}); ‸"): None,
    ("javascript", "other({‸"): None,
    ("shell", "tool transfer --to x ‸"): TRANSFER,
    ("shell", "ls | tool transfer‸"): TRANSFER,
    ("shell", "tool transfer; ls ‸"): None,
    ("shell", "ls ‸"): None,
}


@pytest.mark.parametrize(("language", "line"), SIGNATURES)
def test_the_signature_of_the_tool_at_the_cursor(session: Session, language: str, line: str) -> None:
    """As types, on one line."""
    assert session.signature(line.replace("‸", ""), line.index("‸"), language) == SIGNATURES[language, line]


def test_a_deep_signature(session: Session) -> None:
    """Objects within the argument are written out."""
    line = "tool stripe.charges.create "
    assert session.signature(line, len(line), "shell") == (
        'stripe.charges.create({amount: integer, source?: { kind: "card"|"bank"; number?: string }, note?: "it\'s"})'
    )


def test_nothing_is_asked_while_a_script_runs(session: Session) -> None:
    """The guest does one thing at a time."""
    with session._inside.idle(), pytest.raises(SandboxBusyError):
        session.complete("a", 1, "javascript")


def test_what_the_guest_says_is_checked() -> None:
    """Answers of any shape give a completion, if an empty one (the guest is hostile)."""
    from amla_sandbox._sessions._completion import completion_of, slot_of

    odd: list[Any] = [None, 1, "x", [], {}, {"start": True}, {"start": 2**40}, {"start": -1}, {"candidates": {}}]
    odd += [{"candidates": [1, [], ["a"], ["a", "b", 3], ["", "b", "c"]]}, {"slot": 1}, {"slot": {"tool": 1}}]
    for answer in odd:
        found = completion_of(answer, "text")
        assert 0 <= found.start <= 4
        assert found.candidates == ()
        assert slot_of(answer) is None
    assert completion_of({"start": 1, "candidates": [["\ud800a", "k", "d"]]}, "text").candidates[0].text == "?a"
    slot = slot_of({"slot": {"tool": "t", "path": [1, "p"], "key": 2, "used": {}, "prefix": [], "quote": "''"}})
    assert slot is not None
    assert (slot.path, slot.key, slot.used, slot.quote) == (("p",), None, frozenset(), "'")


def test_globals_that_tell_of_a_run() -> None:
    """They cannot be looked at before there was one, and can afterwards."""
    with Sandbox() as sandbox:
        fresh = Session(sandbox)
        for line in ("require.‸", "process.‸", "module.‸", "__dirname.‸"):
            assert complete(fresh, line, "javascript").candidates == ()
        fresh.run("1", "javascript")
        assert texts(complete(fresh, "require.res‸", "javascript")) == ["resolve"]
        assert texts(complete(fresh, "process.cw‸", "javascript")) == ["cwd"]
