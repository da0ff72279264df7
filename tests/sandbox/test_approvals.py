"""Calls that need approval: who is asked, when, about what, and what an answer is worth."""

from __future__ import annotations

import asyncio
import contextvars
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from amla_sandbox import (
    ApprovalAnswer,
    ApprovalRequest,
    Limits,
    MethodCapability,
    Param,
    Policy,
    Sandbox,
    SandboxClosedError,
    ToolDefinition,
    create_sandbox_tool,
)

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}, "s": {"type": "string", "default": "x"}}}
Answer = bool | ApprovalAnswer


def pay(made: list[Any] | None = None, name: str = "pay", **more: Any) -> ToolDefinition:
    def handler(arguments: Any) -> Any:
        if made is not None:
            made.append(dict(arguments))
        return arguments.get("n")

    return ToolDefinition(name, "Pay.", SCHEMA, handler=handler, **more)


class Person:
    """Answers from a list, in order, and remembers what it was asked."""

    def __init__(self, *answers: Answer) -> None:
        self.asked: list[ApprovalRequest] = []
        self.answers = list(answers)
        self.busy = 0

    def __call__(self, request: ApprovalRequest) -> Answer:
        self.busy += 1
        assert self.busy == 1, "one question at a time"
        self.asked.append(request)
        time.sleep(0.005)
        self.busy -= 1
        return self.answers.pop(0) if self.answers else True

    @property
    def numbers(self) -> list[Any]:
        return [request.arguments.get("n") for request in self.asked]


def asking(*more: MethodCapability, **options: Any) -> list[MethodCapability]:
    return [*more, MethodCapability("pay", approval="ask", **options)]


def made(approve: Any, capabilities: list[MethodCapability] | None = None, **options: Any) -> Sandbox:
    options = {"tools": [pay()], **options}
    return Sandbox(capabilities=asking() if capabilities is None else capabilities, approve=approve, **options)


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


# --- every way to call ------------------------------------------------------------------------------------------------

SCRIPTS: dict[str, tuple[str, str]] = {
    "loop": ("javascript", "for (const n of [1, 2, 3]) await pay({n}).catch(() => {})"),
    "at once": ("javascript", "await Promise.allSettled([1, 2, 3].map(n => pay({n})))"),
    "by name": ("javascript", "for (const n of [1, 2, 3]) await tools.call('pay', {n}).catch(() => {})"),
    "timers": (
        "javascript",
        "await Promise.all([1, 2, 3].map(n => new Promise(r => setTimeout(() => pay({n}).then(r, r), n))))",
    ),
    "nobody waits": ("javascript", "for (const n of [1, 2, 3]) pay({n}).catch(() => {})"),
    "from the shell": ("javascript", "await $`tool pay --n 1; tool pay --n 2 | cat; tool pay --n 3 & wait`"),
    "shell": ("shell", "for n in 1 2 3; do tool pay --n $n; done"),
    "pipeline": ("shell", "seq 3 | xargs -I{} tool pay --n {} | cat"),
    "jobs": ("shell", "tool pay --n 1 & tool pay --n 2 & tool pay --n 3 & wait"),
    "substitution": ("shell", 'echo "$(tool pay --n 1)"; cat <(tool pay --n 2); (tool pay --n 3)'),
    "JavaScript in the shell": ("shell", "js -e 'for (const n of [1, 2, 3]) await pay({n}).catch(() => {})'"),
}


def run_it(sandbox: Sandbox, script: str, language: str) -> Any:
    return sandbox.run(script, language)


def run_async(sandbox: Sandbox, script: str, language: str) -> Any:
    return asyncio.run(sandbox.run_async(script, language))


def drive(sandbox: Sandbox, script: str, language: str) -> Any:
    sandbox.start(script, language)
    while sandbox.has_work():
        request = sandbox.step()
        assert request.decision.allowed
        sandbox.resume(request.tool.handler(request.arguments) if request.tool.handler else None)
    return sandbox.result()


@pytest.mark.parametrize("way", [run_it, run_async, drive])
@pytest.mark.parametrize(("language", "script"), SCRIPTS.values(), ids=SCRIPTS)
def test_every_way_to_call_passes_the_same_gate(way: Callable[..., Any], language: str, script: str) -> None:
    done: list[Any] = []
    person = Person(True, False, True)
    with made(person, tools=[pay(done)]) as sandbox:
        result = way(sandbox, script, language)
    assert sorted(person.numbers) == [1, 2, 3]
    allowed = [number for number, answer in zip(person.numbers, (True, False, True), strict=True) if answer]
    assert sorted(call["n"] for call in done) == sorted(allowed)
    assert sorted(call.approval for call in result.calls) == ["no", "yes", "yes"]


# --- the script stands still ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", [run_it, run_async, drive])
def test_waiting_for_a_person_is_not_the_runs_time(way: Callable[..., Any]) -> None:
    def slow(_: ApprovalRequest) -> bool:
        time.sleep(0.5)
        return True

    with made(slow, limits=Limits(timeout=0.4)) as sandbox:
        result = way(sandbox, "await pay({n: 1}); await pay({n: 2}); return 3", "javascript")
        assert (result.return_value, result.error) == (3, None)
        assert result.usage.wall_seconds < 0.4
        result = way(sandbox, "await pay({n: 1}); for (;;) await new Promise(r => setTimeout(r, 1))", "javascript")
        assert result.exit_code == 124


def test_a_handler_that_hangs_after_an_approval_is_still_given_up() -> None:
    def hang(_: Any) -> None:
        threading.Event().wait(60)

    stuck = ToolDefinition("pay", "", SCHEMA, handler=hang)
    since = time.monotonic()
    with made(Person(True), tools=[stuck], limits=Limits(timeout=0.5)) as sandbox:
        assert sandbox.run("await pay({n: 1})").exit_code == 124
    assert time.monotonic() - since < 5


def test_tools_of_other_calls_work_on_while_a_question_is_open() -> None:
    began, release = threading.Event(), threading.Event()

    def work(_: Any) -> str:
        began.set()
        release.wait(10)
        return "worked"

    def approve(_: ApprovalRequest) -> bool:
        seen = began.wait(10)
        release.set()
        return seen

    other = ToolDefinition("other", "", SCHEMA, handler=work)
    with made(approve, asking(MethodCapability("other")), tools=[pay(), other]) as sandbox:
        result = sandbox.run("return await Promise.all([other({}), pay({n: 1})])")
    assert result.return_value == ["worked", 1]


def test_an_approved_call_is_made_while_the_next_question_is_open() -> None:
    began = threading.Event()

    def approve(asked: ApprovalRequest) -> bool:
        return asked.arguments["n"] == 1 or began.wait(10)

    def handler(arguments: Any) -> Any:
        began.set()
        return arguments["n"]

    with made(approve, tools=[ToolDefinition("pay", "", SCHEMA, handler=handler)]) as sandbox:
        assert sandbox.run("return await Promise.all([pay({n: 1}), pay({n: 2})])").return_value == [1, 2]


# --- asynchronous callbacks ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", [run_it, run_async, drive])
def test_a_coroutine_function_can_answer(way: Callable[..., Any]) -> None:
    async def approve(asked: ApprovalRequest) -> Answer:
        await asyncio.sleep(0.01)
        return ApprovalAnswer(True, {"n": asked.arguments["n"] + 1})

    with made(approve) as sandbox:
        assert way(sandbox, "return await pay({n: 1})", "javascript").return_value == 2


def test_it_runs_on_the_loop_of_the_run() -> None:
    loops: list[Any] = []

    async def approve(_: ApprovalRequest) -> bool:
        loops.append(asyncio.get_running_loop())
        return True

    async def main() -> Any:
        loops.append(asyncio.get_running_loop())
        with made(approve) as sandbox:
            return await sandbox.run_async("return await pay({n: 1})")

    assert asyncio.run(main()).return_value == 1
    assert loops[0] is loops[1]


def test_a_callback_that_blocks_does_not_block_the_loop() -> None:
    async def main() -> int:
        ticks = 0
        with made(lambda _: time.sleep(0.3) is None) as sandbox:
            run = asyncio.ensure_future(sandbox.run_async("return await pay({n: 1})"))
            while not run.done():
                await asyncio.sleep(0.01)
                ticks += 1
            assert (await run).return_value == 1
        return ticks

    assert asyncio.run(main()) > 5


def test_callbacks_see_the_context_of_the_code_that_started_the_run() -> None:
    user: contextvars.ContextVar[str] = contextvars.ContextVar("user")
    seen: list[str] = []

    async def later(_: ApprovalRequest) -> bool:
        seen.append(user.get("nobody"))
        return True

    def now(_: ApprovalRequest) -> bool:
        seen.append(user.get("nobody"))
        return True

    for approve in (later, now):
        with made(approve) as sandbox:
            user.set("ann")
            sandbox.run("await pay({n: 1})")
    assert seen == ["ann", "ann"]


# --- what goes wrong ------------------------------------------------------------------------------------------------------


class PagerError(Exception):
    pass


@pytest.mark.parametrize("way", [run_it, run_async, drive])
@pytest.mark.parametrize("kind", ["plain", "coroutine"])
def test_what_a_callback_raises_ends_the_run_and_is_raised(way: Callable[..., Any], kind: str) -> None:
    """Fail closed, and loudly: the script cannot catch it, and learns nothing of it."""
    done: list[Any] = []

    def plain(_: ApprovalRequest) -> bool:
        raise PagerError("the pager is broken")

    async def coroutine(_: ApprovalRequest) -> bool:
        raise PagerError("the pager is broken")

    with made(plain if kind == "plain" else coroutine, tools=[pay(done)]) as sandbox:
        with pytest.raises(PagerError, match="the pager is broken"):
            way(sandbox, "try { await pay({n: 1}) } catch { for (;;) {} }", "javascript")
        assert sandbox.run("return 1").return_value == 1
    assert done == []


@pytest.mark.parametrize("way", [run_it, run_async, drive])
def test_a_callback_that_hangs_is_given_up_and_the_call_denied(way: Callable[..., Any]) -> None:
    withdrawn = threading.Event()

    def hang(asked: ApprovalRequest) -> bool:
        while not asked.withdrawn:
            time.sleep(0.01)
        withdrawn.set()
        return True

    with made(hang, limits=Limits(approval_timeout=0.15)) as sandbox:
        result = way(sandbox, "await pay({n: 1})", "javascript")
        assert "pay denied: nobody answered within 0.15 s" in str(result.error)
        assert result.calls[0].approval == "unanswered"
        assert withdrawn.wait(5)


def test_a_coroutine_that_hangs_is_cancelled() -> None:
    cancelled = threading.Event()

    async def hang(_: ApprovalRequest) -> bool:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return True

    with made(hang, limits=Limits(approval_timeout=0.15)) as sandbox:
        assert sandbox.run("await pay({n: 1})").exit_code == 77
    assert cancelled.wait(5)


def test_cancelling_the_task_withdraws_the_question() -> None:
    asked: list[ApprovalRequest] = []
    done: list[Any] = []

    async def wait(request: ApprovalRequest) -> bool:
        asked.append(request)
        await asyncio.sleep(60)
        return True

    async def main() -> None:
        with made(wait, tools=[pay(done)]) as sandbox:
            run = asyncio.ensure_future(sandbox.run_async("await pay({n: 1})"))
            while not asked:
                await asyncio.sleep(0.01)
            run.cancel()
            with pytest.raises(asyncio.CancelledError):
                await run
            assert asked[0].withdrawn
            assert sandbox.last_stderr == ""
            assert (await sandbox.run_async("return 1")).return_value == 1

    asyncio.run(main())
    assert done == []


def test_closing_the_sandbox_withdraws_the_question() -> None:
    asked = threading.Event()
    requests: list[ApprovalRequest] = []

    def wait(request: ApprovalRequest) -> bool:
        requests.append(request)
        asked.set()
        threading.Event().wait(30)
        return True

    sandbox = made(wait)

    def close() -> None:
        asked.wait(10)
        sandbox.close()

    threading.Thread(target=close).start()
    with pytest.raises(SandboxClosedError):
        sandbox.run("await pay({n: 1})")
    assert requests[0].withdrawn


def test_a_late_answer_to_a_withdrawn_question_does_nothing() -> None:
    done: list[Any] = []
    release = threading.Event()

    def late(_: ApprovalRequest) -> bool:
        release.wait(10)
        return True

    with made(late, tools=[pay(done)], limits=Limits(approval_timeout=0.1)) as sandbox:
        assert sandbox.run("await pay({n: 1})").exit_code == 77
        release.set()
        time.sleep(0.1)
        assert sandbox.run("return 1").return_value == 1
    assert done == []


def test_stopping_a_driven_script_while_a_question_is_open() -> None:
    asked: list[ApprovalRequest] = []

    def stop(request: ApprovalRequest) -> bool:
        asked.append(request)
        sandbox.stop()
        return True

    with made(stop) as sandbox:
        sandbox.start("await Promise.all([1, 2].map(n => pay({n})))")
        assert not sandbox.has_work()
        result = sandbox.result()
        assert len(asked) == 1
        assert (result.exit_code, [call.outcome for call in result.calls]) == (130, ["abandoned", "abandoned"])
        assert [call.approval for call in result.calls] == ["unanswered", "unanswered"]


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
