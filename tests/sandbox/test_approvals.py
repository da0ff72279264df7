"""Calls that need approval: who is asked, about what, and what an answer is worth."""

from __future__ import annotations

import time
from typing import Any

import pytest
from approval_people import Person, asking, made, pay

from amla_sandbox import (
    ApprovalAnswer,
    ApprovalRequest,
    Limits,
    MethodCapability,
    Param,
    Policy,
    Sandbox,
    create_sandbox_tool,
)

# --- the question ------------------------------------------------------------------------------------------------


def test_the_question_has_all_that_a_person_needs() -> None:
    person = Person()
    grants = asking(max_calls=3, note="the cashier")
    with made(person, grants, tools=[pay(secret=frozenset({"s"}))]) as sandbox:
        sandbox.execute("await pay({n: 5})")
    (asked,) = person.asked
    assert (asked.tool, dict(asked.arguments), asked.remaining) == ("pay", {"n": 5, "s": "x"}, 3)
    assert asked.capability is grants[0]
    assert asked.reason
    assert (asked.description, asked.secret) == ("Pay.", {"s"})
    with pytest.raises(TypeError):
        asked.arguments["n"] = 6  # type: ignore[index]


def test_without_anybody_to_ask_the_call_is_denied_and_the_way_out_said() -> None:
    with made(None) as sandbox:
        result = sandbox.run("await pay({n: 1})")
    assert result.exit_code == 77
    assert result.error is not None
    assert "pay needs approval: a person has to approve this call" in result.error
    assert "approve=" in result.error
    assert [(call.outcome, call.decision and call.decision.code) for call in result.calls] == [
        ("denied", "NEEDS_APPROVAL")
    ]


def test_calls_that_would_be_denied_anyway_are_not_asked_about() -> None:
    person = Person()
    with made(person, asking(constraints=[Param("n") <= 10], max_calls=1)) as sandbox:
        result = sandbox.run("for (const n of [11, 'x', 1, 2]) await pay({n}).catch(() => {})")
    assert person.numbers == [1]
    assert [call.outcome for call in result.calls] == ["denied", "refused", "ok", "denied"]


def test_a_tools_own_table_can_ask_too() -> None:
    from amla_capabilities import ToolLimits

    person = Person(False)
    policy = Policy([MethodCapability("pay")], {"pay": ToolLimits(approval="ask")})
    with Sandbox(tools=[pay()], policy=policy, approve=person) as sandbox:
        assert sandbox.run("await pay({n: 1})").exit_code == 77


# --- the answer ----------------------------------------------------------------------------------------------------


def test_yes_and_no() -> None:
    done: list[Any] = []
    with made(Person(True, False), tools=[pay(done)]) as sandbox:
        result = sandbox.run(
            "const a = await pay({n: 1}); return [a, await pay({n: 2}).catch(e => [e.name, e.message])]"
        )
    assert result.return_value == [1, ["ToolDeniedError", "pay denied: the person who was asked said no"]]
    assert [call["n"] for call in done] == [1]
    assert [(call.outcome, call.approval) for call in result.calls] == [("ok", "yes"), ("denied", "no")]


def test_the_reason_for_a_no_reaches_the_script() -> None:
    with made(Person(ApprovalAnswer(False, reason="too much"))) as sandbox:
        assert "pay denied: too much" in str(sandbox.run("await pay({n: 1})").error)


def test_changed_arguments_are_what_the_tool_gets() -> None:
    done: list[Any] = []
    with made(Person(ApprovalAnswer(True, {"n": 2})), tools=[pay(done)]) as sandbox:
        result = sandbox.run("return await pay({n: 1, s: 'mine'})")
    assert (result.return_value, done) == (2, [{"n": 2, "s": "x"}])
    assert (result.calls[0].arguments, result.calls[0].approval) == ({"n": 2, "s": "x"}, "changed")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [({"n": "two"}, "n must be an integer"), ({"m": 1}, "m"), ({"n": 99}, "n 99 violates n <= 10")],
)
def test_r34_changed_arguments_are_checked_and_decided_like_others(arguments: Any, said: str) -> None:
    done: list[Any] = []
    answer = ApprovalAnswer(True, arguments)
    with made(Person(answer), asking(constraints=[Param("n") <= 10]), tools=[pay(done)]) as sandbox:
        result = sandbox.run("await pay({n: 1})")
        assert sandbox.policy.remaining(sandbox.get_capabilities()[0]) is None
    assert not result.success
    assert said in str(result.error)
    assert done == []


TWO_GRANTS = [
    MethodCapability("pay", constraints=[Param("n") <= 10], approval="ask"),  # type: ignore[arg-type]
    MethodCapability("pay", approval="ask"),
]


@pytest.mark.parametrize("second", [True, False])
def test_r34_a_yes_is_to_one_capability(second: bool) -> None:
    """Arguments that another one decides, which asks as well, are a question of their own."""
    done: list[Any] = []
    person = Person(ApprovalAnswer(True, {"n": 50}), second)
    with made(person, TWO_GRANTS, tools=[pay(done)]) as sandbox:
        result = sandbox.run("await pay({n: 1})")
    assert [(asked.arguments["n"], asked.capability) for asked in person.asked] == [
        (1, TWO_GRANTS[0]),
        (50, TWO_GRANTS[1]),
    ]
    assert (result.success, done) == (second, [{"n": 50, "s": "x"}] if second else [])


def test_always_holds_for_one_tool_under_one_capability_in_one_run() -> None:
    always = ApprovalAnswer(True, always=True)
    person = Person(always, always, always, always, always)
    grants = [
        MethodCapability("pay", constraints=[Param("n") <= 10], approval="ask"),  # type: ignore[arg-type]
        MethodCapability("pay", approval="ask"),
        MethodCapability("other", approval="ask"),
    ]
    script = "for (const n of [1, 2, 20, 30]) await pay({n}); await other({n: 1}); await other({n: 2})"
    with made(person, grants, tools=[pay(), pay(name="other")]) as sandbox:
        result = sandbox.run(script)
        assert [(request.tool, request.arguments["n"]) for request in person.asked] == [
            ("pay", 1),
            ("pay", 20),
            ("other", 1),
        ]
        assert [call.approval for call in result.calls] == ["always"] * 6
        sandbox.run("await pay({n: 3})")
    assert len(person.asked) == 4


def test_r34_always_lifts_no_limit() -> None:
    person = Person(ApprovalAnswer(True, always=True))
    with made(person, asking(max_calls=2, constraints=[Param("n") <= 10])) as sandbox:
        result = sandbox.run(
            "const r = []; for (const n of [1, 11, 2, 3]) r.push(await pay({n}).catch(e => e.code)); return r"
        )
    assert result.return_value == [1, "ERR_TOOL_DENIED", 2, "ERR_TOOL_LIMIT"]
    assert len(person.asked) == 1


@pytest.mark.parametrize("answer", [None, 1, "yes", [], {}, object()])
def test_an_answer_that_is_none_is_an_error_of_the_callback(answer: Any) -> None:
    """Nothing that is merely truthy counts as a yes."""
    done: list[Any] = []
    with made(lambda _: answer, tools=[pay(done)]) as sandbox:
        with pytest.raises(TypeError, match="approve returned"):
            sandbox.run("await pay({n: 1})")
        assert sandbox.run("return 1").return_value == 1
    assert done == []


@pytest.mark.parametrize(
    "fields", [{"approved": 1}, {"approved": False, "always": True}, {"approved": False, "arguments": {}}]
)
def test_answers_that_contradict_themselves_cannot_be_made(fields: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        ApprovalAnswer(**fields)


# --- R34: all is judged anew -----------------------------------------------------------------------------------------


def test_r34_a_budget_that_was_used_up_while_the_question_was_open_denies() -> None:
    grants = asking(max_calls=1)
    done: list[Any] = []

    def spend(_: ApprovalRequest) -> bool:
        assert sandbox.policy.authorize("pay", {"n": 9}, approved=True).allowed
        return True

    with made(spend, grants, tools=[pay(done)]) as sandbox:
        result = sandbox.run("await pay({n: 1})")
    assert result.calls[0].decision is not None
    assert (result.calls[0].outcome, result.calls[0].decision.code) == ("denied", "CALL_LIMIT")
    assert done == []


def test_r34_a_grant_that_expired_while_the_question_was_open_denies() -> None:
    from datetime import UTC, datetime, timedelta

    grants = [MethodCapability("pay", approval="ask", expires=datetime.now(UTC) + timedelta(seconds=0.4))]

    def slow(_: ApprovalRequest) -> bool:
        time.sleep(0.6)
        return True

    with made(slow, grants) as sandbox:
        result = sandbox.run("await pay({n: 1})")
    assert result.calls[0].decision is not None
    assert (result.calls[0].outcome, result.calls[0].decision.code) == ("denied", "EXPIRED")


def test_r34_nothing_is_charged_before_the_answer_nor_for_a_no() -> None:
    left: list[int | None] = []

    def look(asked: ApprovalRequest) -> bool:
        left.append(sandbox.get_remaining_calls("cap:tool-call:pay"))
        return bool(asked.arguments["n"])

    with made(look, asking(max_calls=5)) as sandbox:
        sandbox.run("await pay({n: 0}).catch(() => {}); await pay({n: 1}); await pay({n: 2})")
        assert left == [5, 5, 4]
        assert sandbox.get_remaining_calls("cap:tool-call:pay") == 3


def test_r34_a_yes_is_bound_to_the_tool_and_the_arguments_that_were_shown() -> None:
    """A tool that is another one by the time of the answer is not called."""
    done: list[Any] = []

    def swap(asked: ApprovalRequest) -> bool:
        other = pay(done, effect="write")
        sandbox._tools._tools["pay"] = other
        return True

    with made(swap, tools=[pay(done)]) as sandbox:
        result = sandbox.run("await pay({n: 1})")
    assert "the tool changed while its call was asked about" in str(result.error)
    assert done == []


def test_r9_questions_count_as_attempts() -> None:
    person = Person()
    with made(person, limits=Limits(max_attempts=5)) as sandbox:
        sandbox.run("for (let n = 0; n < 9; n++) await pay({n}).catch(() => {})")
    assert len(person.asked) == 3


# --- where it can be given ---------------------------------------------------------------------------------------------


def test_from_a_manifest(tmp_path: Any) -> None:
    (tmp_path / "tools.toml").write_text(
        '[tools.say]\ncommand = ["echo", "{n}"]\nparams.n = {type = "string"}\napproval = "ask"\n'
    )
    person = Person(True, False)
    with Sandbox.from_manifest(tmp_path / "tools.toml", approve=person) as sandbox:
        result = sandbox.run("return [await say({n: 'a'}), await say({n: 'b'}).catch(e => e.code)]")
    assert result.return_value == ["a", "ERR_TOOL_DENIED"] or result.return_value == ["a\n", "ERR_TOOL_DENIED"]


def test_from_functions() -> None:
    def transfer(amount: int) -> int:
        """Send money."""
        return amount

    person = Person(True, False)
    with create_sandbox_tool([transfer], approval=["transfer"], approve=person) as tool:
        assert tool.run("return await transfer({amount: 1})") == "1"
        assert "denied" in tool.run("await transfer({amount: 2})")
    with pytest.raises(ValueError, match="did you mean 'transfer'"):
        create_sandbox_tool([transfer], approval=["transfr"])
