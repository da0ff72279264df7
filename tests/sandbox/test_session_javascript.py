"""Lines in JavaScript show what Node's REPL shows, and later lines find what earlier ones left."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from amla_sandbox import LineResult, Sandbox, Session

sys.path.insert(0, str(Path(__file__).parent / "session"))
from lines_file import Row, load


@pytest.fixture
def session() -> Iterator[Session]:
    with Sandbox() as sandbox:
        yield Session(sandbox)


def printed(result: LineResult) -> str:
    """All that a REPL prints of a line."""
    said = (text for text in (result.shown, result.error) if text is not None)
    return result.stdout + result.stderr + "".join(f"{text}\n" for text in said)


@pytest.mark.parametrize("row", [pytest.param(row, id=row.name.replace(" ", "-")) for row in load()])
def test_lines_are_shown_as_node_shows_them(session: Session, row: Row) -> None:
    """Each row was recorded from Node's REPL (session/record.py), but where it says why ours differs."""
    assert [printed(session.run(line, "javascript")) for line in row.lines] == list(row.shown)


def test_width_and_colour_are_the_callers(session: Session) -> None:
    """`columns` breaks a value, `color` paints it as Node does."""
    session.run("const wide = { alpha: 'a'.repeat(20), beta: 'b'.repeat(20) }", "javascript")
    assert (
        session.run("wide", "javascript", columns=80).shown
        == "{ alpha: 'aaaaaaaaaaaaaaaaaaaa', beta: 'bbbbbbbbbbbbbbbbbbbb' }"
    )
    assert (
        session.run("wide", "javascript", columns=40).shown
        == "{\n  alpha: 'aaaaaaaaaaaaaaaaaaaa',\n  beta: 'bbbbbbbbbbbbbbbbbbbb'\n}"
    )
    assert session.run("[1, 'a']", "javascript", color=True).shown == "[ \x1b[33m1\x1b[39m, \x1b[32m'a'\x1b[39m ]"


def test_a_failure_names_its_place_in_the_line(session: Session) -> None:
    """Lines and columns are the line's own, also behind an import, a type and an object in front."""
    for line in ("let a = 1;\n  nope()", "import 'fs';\n  nope()", "const b: number = 1;\n  nope()"):
        failure = session.run(line, "javascript", filename="in[3]").failure
        assert failure is not None
        assert (failure.name, failure.file, failure.line, failure.column) == ("ReferenceError", "in[3]", 2, 3)


def test_work_that_nobody_awaits_is_over_before_the_line_is(session: Session) -> None:
    """The value is what it was when the line had run; then timers and promises are waited for."""
    result = session.run(
        "setTimeout(() => console.log('late'), 5); new Promise((r) => setTimeout(r, 10))", "javascript"
    )
    assert (result.shown, result.stdout) == ("Promise { <pending> }", "late\n")


def test_exit_is_for_the_caller_to_see(session: Session) -> None:
    """`process.exit` ends the line, says so, and costs nothing of the session."""
    result = session.run("const kept = 1; process.exit(3); kept", "javascript")
    assert (result.exit_code, result.is_last, result.shown) == (3, True, None)
    assert session.run("kept", "javascript").shown == "1"


def test_a_hostile_error_is_shown_as_far_as_it_goes(session: Session) -> None:
    """An error whose properties throw ends its line only."""
    for line in (
        "throw { get message() { throw 1 }, [Symbol.for('nodejs.util.inspect.custom')]() { throw 2 } }",
        "throw new Proxy(new Error('p'), { get() { throw 1 }, ownKeys() { throw 2 } })",
        "const e = new Error('frozen'); Object.defineProperty(e, 'stack', { get() { throw 1 } }); throw Object.freeze(e)",
        "Error.prepareStackTrace = () => { throw 1 }; null.x",
    ):
        assert session.run(line, "javascript").exit_code == 1
        assert session.run("1 + 1", "javascript").shown == "2"


def test_nothing_that_a_script_patches_breaks_the_session(session: Session) -> None:
    """The session's own code does not run on the script's prototypes."""
    session.run(
        "Array.prototype.map = String.prototype.split = Object.keys = Promise.prototype.then = () => { throw 1 }",
        "javascript",
    )
    session.run("RegExp.prototype.exec = Map.prototype.get = Reflect.defineProperty = () => { throw 1 }", "javascript")
    assert session.run("let z = { a: [1] }; z", "javascript").shown == "{ a: [ 1 ] }"
    assert session.run("throw new Error('x')", "javascript").error == "Uncaught Error: x"
    assert session.run("echo ok", "shell").stdout == "ok\n"


def test_lone_surrogates_reach_the_host_as_printable_text(session: Session) -> None:
    """What is shown can be encoded."""
    shown = session.run("'\\ud800' + String.fromCharCode(0xd801)", "javascript").shown
    assert shown is not None
    assert shown.encode()
