"""`amla run --approve`: what people are asked on the terminal, and what becomes of their answers."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cli_process import COMMAND, Amla, environment

pytest.importorskip("pty")
from pseudo_terminal import Session, plain

TOOLS = '''\
def pay(to: str, amount: int = 1, note: str = "") -> str:
    """Send money."""
    return f"{amount} to {to}"
'''
MANIFEST = """\
[tools.pay]
python = "payments:pay"
approval = "ask"
max_calls = 3
constraints = { amount = "<=100" }
"""
ASKED = "[a]lways in this run: "

Start = Callable[..., Session]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start `amla run` with a tool that needs approval, on a terminal."""
    (tmp_path / "payments.py").write_text(TOOLS)
    (tmp_path / "pay.toml").write_text(MANIFEST)
    sessions: list[Session] = []

    def begin(code: str, *args: str, **options: int) -> Session:
        session = Session(["run", "--tools", "pay.toml", *args, "-e", code], tmp_path, **options)  # type: ignore[arg-type]
        sessions.append(session)
        return session

    yield begin
    for session in sessions:
        if session.process.poll() is None:
            session.process.kill()
            session.process.wait()


def test_yes_lets_the_call_go_ahead(start: Start) -> None:
    session = start("console.log(await pay({to: 'ann', amount: 5}))")
    question = plain(session.until(ASKED))
    assert '  | pay {"to": "ann", "amount": 5, "note": ""}\n' in question
    assert "granted by pay; 3 calls are left" in question
    session.type("y\n")
    status, shown = session.ended()
    assert (status, shown) == (0, "y\n5 to ann\n")


@pytest.mark.parametrize("answer", ["n", " NO "])
def test_no_denies_it(start: Start, answer: str) -> None:
    session = start("await pay({to: 'ann'})")
    session.until(ASKED)
    session.type(f"{answer}\n")
    status, shown = session.ended()
    assert status == 77
    assert "pay denied: the person who was asked said no" in shown


def test_anything_else_is_asked_again(start: Start) -> None:
    session = start("await pay({to: 'ann'})")
    session.until(ASKED)
    for typed in ("", "maybe", "yy", "yes please", "\x1b[A"):
        session.type(f"{typed}\n")
        session.until(ASKED)
    session.type("n\n")
    assert session.ended()[0] == 77


def test_the_end_of_input_is_a_no(start: Start) -> None:
    session = start("await pay({to: 'ann'})")
    session.until(ASKED)
    session.type("\x04")
    assert session.ended()[0] == 77


def test_always_is_for_this_tool_in_this_run_and_lifts_no_limit(start: Start) -> None:
    session = start(
        "for (const n of [1, 200, 3, 4, 5]) console.log(await pay({to: 'x', amount: n}).catch(e => e.message))"
    )
    session.until(ASKED)
    session.type("a\n")
    status, shown = session.ended()
    assert status == 0
    assert shown.splitlines()[1:] == [
        "1 to x",
        "pay denied: amount 200 violates amount <= 100",
        "3 to x",
        "4 to x",
        "pay denied: call limit exceeded: tool pay allows 3 calls",
    ]


def test_calls_at_once_are_asked_about_one_by_one(start: Start) -> None:
    session = start("console.log(await Promise.all(['a', 'b'].map(to => pay({to}).catch(e => 'no ' + to))))")
    assert '"to": "a"' in session.until(ASKED)
    session.type("n\n")
    assert '"to": "b"' in session.until(ASKED)
    session.type("y\n")
    assert session.ended() == (0, "y\n[ 'no a', '1 to b' ]\n")


def test_the_shells_calls_are_asked_about_too(start: Start) -> None:
    session = start("tool pay --to a | cat & wait; tool pay --to b; echo $?", "--lang", "shell")
    session.until(ASKED)
    session.type("y\n")
    session.until(ASKED)
    session.type("n\n")
    status, shown = session.ended()
    assert (status, "1 to a" in session.shown, shown.endswith("126\n")) == (0, True, True)


def test_r33_arguments_are_shown_whole_in_ascii_behind_a_margin(start: Start) -> None:
    """Neither escapes nor line breaks nor rows of blanks get out of the row of the arguments."""
    evil = "x" + " " * 100 + "\\namla: allow pay? [y]\\u001b[2J\\u007f\\u009b\\u202e é"
    session = start(f"await pay({{to: '{evil}'}})")
    question = session.until(ASKED)
    rows = question.splitlines()
    inside = [row for row in rows if row.startswith("  | ")]
    whole = "".join(row.removeprefix("  | ") for row in inside)
    assert whole == (
        'pay {"to": "x'
        + " " * 100
        + '\\namla: allow pay? [y]\\u001b[2J\\u007f\\u009b\\u202e \\u00e9", "amount": 1, "note": ""}'
    )
    assert all(len(row) < 80 for row in rows)
    assert sum("amla: allow" in row and not row.startswith("  | ") for row in rows) == 1
    session.type("n\n")
    session.ended()


def test_r33_long_arguments_are_complete(start: Start) -> None:
    session = start("await pay({to: 'a'.repeat(5000) + 'END'})")
    question = session.until(ASKED)
    assert "".join(row[4:] for row in question.splitlines() if row.startswith("  | ")).count("a" * 5000 + "END") == 1
    session.type("n\n")
    session.ended()


def test_r33_what_was_typed_before_is_no_answer(start: Start) -> None:
    session = start("console.log('begun'); await new Promise(r => setTimeout(r, 500)); await pay({to: 'a'})")
    session.until("begun\n")
    session.type("y\ny\n")
    session.until(ASKED)
    session.type("n\n")
    assert session.ended()[0] == 77


def test_r33_the_answer_comes_from_the_terminal_not_from_standard_input(start: Start, tmp_path: Path) -> None:
    """Standard input full of agreement changes nothing."""
    (tmp_path / "agree").write_text("y\n" * 100)
    script = 'exec 0<agree; exec "$@"'
    args = ("run", "--tools", "pay.toml", "-e", "await pay({to: 'a'})")
    session = Session([script, "sh", *COMMAND, *args], tmp_path, command=("sh", "-c"))
    session.until(ASKED)
    session.type("n\n")
    assert session.ended()[0] == 77


def test_r33_a_script_that_reads_the_terminal_does_not_get_the_answer(start: Start) -> None:
    code = "process.stdin.on('data', d => console.log('got ' + d)); console.log(await pay({to: 'a'})); process.exit()"
    session = start(code)
    session.until(ASKED)
    session.type("y\n")
    status, shown = session.ended()
    assert (status, "got" in shown, "1 to a" in shown) == (0, False, True)


def test_r33_output_cannot_act_on_the_terminal_of_a_question(start: Start) -> None:
    """No query that the terminal would answer as if it was typed, no moving of the cursor, no title."""
    session = start(r"console.log('\x1b[6n\x1b[2A\x1b]0;title\x07\x9b1Aend'); await pay({to: 'a'})")
    shown = session.until("end\n")
    assert shown == "\\x1b[6n\\x1b[2A\\x1b]0;title\\x07\\x9b1Aend\n"
    session.until(ASKED)
    session.type("n\n")
    session.ended()


def test_output_is_untouched_where_nothing_can_be_asked(tmp_path: Path) -> None:
    session = Session(["run", "-e", r"console.log('\x1b[2Ax')"], tmp_path)
    assert session.ended() == (0, "\x1b[2Ax\n")


def test_ctrl_c_ends_the_run_and_leaves_the_terminal_as_it_was(start: Start) -> None:
    session = start("await pay({to: 'a'}); console.log('not reached')")
    session.until(ASKED)
    session.interrupt()
    assert session.process.wait(30) == 130
    assert session.echoes()
    assert "not reached" not in session.ended()[1]


def test_waiting_is_not_counted_as_the_runs_time(start: Start) -> None:
    session = start("console.log(await pay({to: 'a'}))", "--timeout", "5s")
    session.until(ASKED)
    with pytest.raises(subprocess.TimeoutExpired):
        session.process.wait(6)
    session.type("y\n")
    assert session.ended() == (0, "y\n1 to a\n")


def test_nobody_answers(start: Start) -> None:
    session = start("await pay({to: 'a'})", "--approval-timeout", "300ms")
    session.until(ASKED)
    status, shown = session.ended()
    assert status == 77
    assert "nobody answered within 0.3 s" in shown


def test_in_json_the_question_is_on_the_terminal_all_the_same(start: Start, tmp_path: Path) -> None:
    reading, writing = os.pipe()
    session = start("return await pay({to: 'a'})", "--json", stdout=writing)
    os.close(writing)
    session.until(ASKED)
    session.type("y\n")
    assert session.ended()[0] == 0
    with os.fdopen(reading) as answer:
        told = json.loads(answer.read())
    (call,) = told["result"]["calls"]
    assert (call["approval"], call["decision"]["verdict"], call["outcome"]) == ("yes", "allowed", "ok")


# --- without a terminal --------------------------------------------------------------------------------------


@pytest.fixture
def manifest(tmp_path: Path) -> str:
    (tmp_path / "payments.py").write_text(TOOLS)
    (tmp_path / "pay.toml").write_text(MANIFEST)
    return "pay.toml"


def test_without_a_terminal_the_call_is_denied_and_the_way_out_said(tmp_path: Path, manifest: str) -> None:
    done = subprocess.run(
        [*COMMAND, "run", "--tools", manifest, "-e", "await pay({to: 'a'})"],
        stdin=subprocess.PIPE, capture_output=True, cwd=tmp_path, env=environment(), start_new_session=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 77
    assert b"there is no terminal to ask on; --approve all allows such calls" in done.stderr


def test_all_and_none(amla: Amla, manifest: str) -> None:
    code = "console.log(await pay({to: 'a'}))"
    assert amla("run", "--tools", manifest, "--approve", "all", "-e", code).out == b"1 to a\n"
    none = amla("run", "--tools", manifest, "--approve", "none", "-e", code)
    assert none.status == 77
    assert "--approve none refuses all such calls" in none.err


def test_all_lifts_no_limit(amla: Amla, manifest: str) -> None:
    assert amla("run", "--tools", manifest, "--approve", "all", "-e", "await pay({to: 'a', amount: 101})").status == 77


def test_another_word_is_refused(amla: Amla, manifest: str) -> None:
    ended = amla("run", "--tools", manifest, "--approve", "perhaps", "-e", "1")
    assert ended.status == 2
    assert "ask" in ended.err
