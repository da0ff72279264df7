"""A line that is interrupted ends soon, whatever it does, and the session keeps what it has."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from amla_sandbox import Limits, MethodCapability, Sandbox, SandboxBusyError, Session

SOON = 2.0
"""Seconds; an idle machine needs less than a tenth of one."""

GENTLE = [
    ("javascript", "for (;;) {}"),
    ("javascript", "await never({})"),
    ("javascript", "await new Promise(() => { setInterval(() => {}, 1000) })"),
    ("javascript", "for (;;) console.log('x')"),
    ("javascript", "/(a+)+$/.test('a'.repeat(40) + 'b')"),
    ("javascript", "for (;;) new Promise(() => { for (;;) {} }).catch(() => {})"),
    ("javascript", "({ [Symbol.for('nodejs.util.inspect.custom')]() { for (;;) {} } })"),
    ("shell", "while :; do :; done"),
    ("shell", "sleep 100"),
    ("shell", "yes"),
    ("shell", "yes | tail"),
    ("shell", "while :; do echo; done | sort"),
    ("shell", "f"),
    ("shell", "{ f; } > /tmp/redirected"),
    ("shell", "tool never"),
    ("shell", "(sleep 100; echo hi) | cat"),
    ("shell", "cat <(sleep 100)"),
    ("shell", "sleep 100 & wait"),
    ("shell", "js -e 'for (;;) {}'"),
    ("shell", "awk 'BEGIN { for (;;) {} }'"),
]
HARD = [
    ("javascript", "kept.k = 2; n = 2; new Array(1e8).join('ab')"),
    ("javascript", "kept.k = 2; n = 2; (3n ** 600000n).toString().length"),
]


def never() -> None:
    """Does not come back."""
    time.sleep(60)


@pytest.fixture
def session() -> Iterator[Session]:
    limits = Limits(timeout=30)
    with Sandbox(tools=[never], capabilities=[MethodCapability("never")], limits=limits) as sandbox:
        session = Session(sandbox)
        session.run("const kept = { k: 1 }; let n = 1; function g() { return kept.k + n }", "javascript")
        session.run("v=1; f() { local v=2; sleep 100; echo no; }; echo text > file; cd /tmp", "shell")
        yield session


def interrupted(session: Session, language: str, line: str) -> float:
    """Run a line and interrupt it; seconds from the interrupt to the line's end."""
    since = [0.0]

    def interrupt() -> None:
        since[0] = time.monotonic()
        session.interrupt()

    timer = threading.Timer(0.1, interrupt)
    timer.start()
    result = session.run(line, language)
    seconds = time.monotonic() - since[0]
    timer.join()
    assert (result.exit_code, result.error) == (130, "interrupted")
    return seconds


def assert_all_is_kept(session: Session) -> None:
    assert session.run("[g(), process.cwd()]", "javascript").shown == "[ 2, '/tmp' ]"
    result = session.run("echo $v; type -t f; cat /workspace/file; pwd; echo ${#FUNCNAME[@]}", "shell")
    assert result.stdout == "1\nfunction\ntext\n/tmp\n0\n"


@pytest.mark.parametrize(("language", "line"), GENTLE)
def test_a_line_ends_when_it_is_interrupted(session: Session, language: str, line: str) -> None:
    """Loops, waits, endless output and hanging tools; variables of both languages, functions and files stay."""
    assert interrupted(session, language, line) < SOON
    assert_all_is_kept(session)


@pytest.mark.parametrize(("language", "line"), HARD)
def test_a_line_that_does_not_listen_is_undone(session: Session, language: str, line: str) -> None:
    """What cannot be asked to stop is stopped, and the session is as it was before the line."""
    since = time.monotonic()
    timer = threading.Timer(0.1, session.interrupt)
    timer.start()
    result = session.run(line, language)
    timer.join()
    assert time.monotonic() - since < SOON
    assert result.exit_code == 130
    assert "undone" in result.note
    assert_all_is_kept(session)
    assert session.run("1", "javascript").note == ""


def test_files_written_from_outside_survive_a_line_that_is_undone(session: Session) -> None:
    """The state that is gone back to is that of the line's beginning, not of the last line's end."""
    session._inside.instance.files("write", "/workspace/outside", b"from the host")
    timer = threading.Timer(0.1, session.interrupt)
    timer.start()
    session.run("new Array(1e8).join('ab')", "javascript")
    timer.join()
    assert session.run("cat /workspace/outside", "shell").stdout == "from the host"


def test_what_a_line_did_before_it_was_interrupted_is_kept(session: Session) -> None:
    """As in bash and Node: only what was still to come is lost."""
    interrupted(session, "shell", "v=changed; echo more >> /workspace/file; sleep 100; v=late")
    assert session.run("echo $v $?; cat /workspace/file", "shell").stdout == "changed 130\ntext\nmore\n"
    interrupted(session, "javascript", "n = 5; await new Promise((r) => setTimeout(r, 1e5)); n = 6")
    assert session.run("n", "javascript").shown == "5"


def test_a_redirection_ends_with_its_line(session: Session) -> None:
    """Output of the next line goes where it should."""
    interrupted(session, "shell", "exec 5>&1; { sleep 100; } > /tmp/out 2>&1")
    assert session.run("echo seen", "shell").stdout == "seen\n"


def test_a_line_without_memory_is_undone(session: Session) -> None:
    """The limit on memory ends a line, not the session."""
    result = session.run("const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1))", "javascript")
    assert result.exit_code in (1, 137)
    assert_all_is_kept(session)


def test_time_is_limited_for_each_line() -> None:
    """A line that is too slow is ended, and the next has all its time."""
    with Sandbox(limits=Limits(timeout=0.5)) as sandbox:
        session = Session(sandbox)
        assert session.run("let a = 1; await new Promise((r) => setTimeout(r, 5000))", "javascript").exit_code == 124
        assert session.run("await new Promise((r) => setTimeout(r, 50)); a", "javascript").shown == "1"
        assert session.run("x=1; sleep 5", "shell").exit_code == 124
        assert session.run("echo $x", "shell").stdout == "1\n"


def test_two_lines_at_once_are_refused(session: Session) -> None:
    """Nor is anything asked of a session while a line runs."""
    began = threading.Event()
    thread = threading.Thread(
        target=lambda: session.run("console.log(1); for (;;) {}", "javascript", on_output=lambda *_: began.set())
    )
    thread.start()
    assert began.wait(10)
    with pytest.raises(SandboxBusyError):
        session.run("1", "javascript")
    with pytest.raises(SandboxBusyError):
        session.completeness("1", "javascript")
    session.interrupt()
    thread.join(10)
    assert not thread.is_alive()


def test_interrupting_a_session_at_rest_does_nothing(session: Session) -> None:
    """Ctrl-C at the prompt."""
    session.interrupt()
    assert session.run("g()", "javascript").shown == "2"
