"""Calls that wait for a person: asked in the midst of a line, answered, withdrawn."""

from __future__ import annotations

from repl_terminal import Terminal

PAY = "await bank.pay({to: 'bob', amount: 5})"


def test_a_call_is_asked_about_and_made(js: Terminal) -> None:
    js.enter(PAY)
    js.wait("[y]es, [n]o")
    assert '| bank/pay {"to": "bob", "amount": 5}' in js.text
    js.enter("y")
    js.wait_prompt()
    assert js.body.endswith("\n'paid 5 to bob'\njs>")


def test_no_denies_it(js: Terminal) -> None:
    js.enter(PAY)
    js.wait("[y]es, [n]o")
    js.enter("n")
    js.wait_prompt()
    assert "ToolDeniedError" in js.body
    js.run("'the session goes on'")


def test_ctrl_c_withdraws_the_question(js: Terminal) -> None:
    js.enter(PAY)
    js.wait("[y]es, [n]o")
    js.press("c-c")
    js.wait_prompt()
    assert "not asked any more\ninterrupted\njs>" in js.body
    js.run("'the session goes on'")


def test_what_was_typed_before_is_no_answer(js: Terminal) -> None:
    """R33: only what is typed after the question counts."""
    js.type("await nap({seconds: 0.3}); " + PAY + "\ry\r")
    js.wait("[y]es, [n]o")
    js.enter("n")
    js.wait_prompt()
    assert "ToolDeniedError" in js.body


def test_output_waits_while_a_question_is_open(js: Terminal) -> None:
    """R33: what the script prints meanwhile comes after the answer."""
    js.enter("setTimeout(() => console.log('meanwhile'), 100); " + PAY)
    js.wait("[y]es, [n]o")
    js.enter("y")
    js.wait_prompt()
    assert js.body.index("session: y") < js.body.index("meanwhile\n")


def test_always_holds_for_the_session(js: Terminal) -> None:
    """The last of these tests: nothing is asked any more."""
    js.enter(PAY)
    js.wait("[a]lways in this session")
    js.enter("a")
    js.wait_prompt()
    js.run(PAY)
    assert js.body.endswith("\n'paid 5 to bob'\njs>")
