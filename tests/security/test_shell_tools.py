"""A tool called from the shell passes the same checks as from JavaScript, however it is reached."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from amla_sandbox import ConstraintSet, Limits, MethodCapability, Param, Sandbox

OTHER = "another-account"

WAYS = {
    "plain": "tool pay --amount {n}",
    "loop": "for n in {n}; do tool pay --amount $n; done",
    "while read": "echo {n} | while read n; do tool pay --amount $n; done",
    "substitution": "x=$(tool pay --amount {n}); s=$?; echo $x; exit $s",
    "backquotes": "x=`tool pay --amount {n}`",
    "pipeline": "set -o pipefail; tool pay --amount {n} | cat",
    "stdin": """echo '{{"amount":{n}}}' | tool pay""",
    "json": """tool pay --json '{{"amount":{n}}}'""",
    "background": "tool pay --amount {n} & wait $!",
    "function": "f() {{ tool pay --amount $1; }}; f {n}",
    "alias of name": "t=tool; $t pay --amount {n}",
    "command": "command tool pay --amount {n}",
    "path": "/usr/bin/tool pay --amount {n}",
    "env": "env tool pay --amount {n}",
    "bash -c": "bash -c 'tool pay --amount {n}'",
    "eval": "eval 'tool pay --amount {n}'",
    "trap": "trap 'tool pay --amount {n}; exit $?' EXIT",
    "timeout": "timeout 5 tool pay --amount {n}",
    "file": "echo 'tool pay --amount {n}' > s.sh; source ./s.sh",
    "script": "echo 'tool pay --amount {n}' > s.sh; chmod +x s.sh; ./s.sh",
    "js": """js -e 'await pay({{amount: {n}}})'""",
    "js and back": """js -e 'const r = await $`tool pay --amount {n}`; process.exit(r.exitCode ?? 0)'""",
}


def pay(amount: int) -> dict[str, int]:
    """Pay."""
    paid.append(amount)
    return {"paid": amount}


paid: list[int] = []


@pytest.fixture(autouse=True)
def nothing_paid() -> None:
    paid.clear()


def sandbox(max_calls: int | None = None, **limits: Any) -> Sandbox:
    granted = [
        MethodCapability("pay", ConstraintSet([Param("amount") <= 1000]), max_calls=max_calls),
        MethodCapability("refund", ConstraintSet([Param("account") == OTHER])),
    ]
    return Sandbox(tools=[pay], capabilities=granted, limits=Limits(timeout=10, **limits))


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_denied_call_is_denied_however_it_is_made(way: str) -> None:
    with sandbox() as box:
        allowed = box.run(way.format(n=7), language="shell")
        assert (allowed.exit_code, paid) == (0, [7]), allowed.stderr
        denied = box.run(way.format(n=9999), language="shell")
    assert paid == [7]
    assert [record.outcome for record in denied.calls] == ["denied"]
    assert denied.exit_code != 0
    said = f"{denied.stdout}{denied.stderr}{denied.error}"
    assert OTHER not in said, "a message tells of what the call violated, and of nothing else"
    assert "Traceback" not in said


def test_denied_is_126() -> None:
    with sandbox() as box:
        result = box.run("tool pay --amount 9999", language="shell")
    assert (result.exit_code, paid) == (126, [])
    assert result.stderr.count("\n") == 1


def test_a_budget_is_shared_by_all_ways_and_by_runs() -> None:
    with sandbox(max_calls=5) as box:
        box.run("for i in 1 2 3 4 5 6 7 8; do tool pay --amount $i & done; wait", language="shell")
        assert len(paid) == 5
        again = box.run(
            "tool pay --amount 1; echo $?; seq 3 | xargs -P0 -n1 tool pay --amount; js -e 'await pay({amount: 1})'"
        )
        assert again.exit_code != 0
        result = box.run(
            "tool pay --amount 1; echo $?; seq 3 | xargs -P0 -n1 tool pay --amount; echo $(tool pay --amount 2)",
            language="shell",
        )
    assert len(paid) == 5
    assert {record.outcome for record in result.calls} == {"denied"}


def test_attempts_of_a_loop_are_bounded() -> None:
    with sandbox(max_attempts=50, cpu=1) as box:
        result = box.run("while :; do tool pay --amount 9999; done 2>/dev/null", language="shell")
    assert result.exit_code != 0
    assert len(result.calls) <= 51


def test_records_of_calls_without_end_stay_small() -> None:
    script = "x=$(head -c 900000 /dev/zero | tr '\\0' a); for i in {1..20}; do tool say --text \"$x\"; done"

    def say(text: str) -> None:
        """Say."""

    with Sandbox(tools=[say], capabilities=[MethodCapability("other")]) as box:
        result = box.run(script, language="shell")
    assert [record.outcome for record in result.calls] == ["denied"] * 20
    kept = sum(len(record.arguments["text"]) for record in result.calls if record.arguments is not None)
    assert 0 < kept <= 16 << 20


def test_calls_at_once_are_bounded() -> None:
    running = most = 0

    async def slow(n: int) -> int:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.02)
        running -= 1
        return n

    with Sandbox(
        tools=[slow], capabilities=[MethodCapability("slow")], limits=Limits(timeout=10, concurrency=4)
    ) as box:
        result = box.run("for i in {1..20}; do tool slow --n $i & done; wait", language="shell")
    assert result.exit_code == 0
    assert (most, len(result.calls)) == (4, 20)


@pytest.mark.parametrize(
    "arguments",
    [
        "--amount 1e400",
        "--amount NaN",
        "--amount Infinity",
        "--amount 0x10",
        "--amount 99999999999999999999",
        """--json '{"amount":99999999999999999999}'""",
        """--json '{"amount":1e400}'""",
        """--json '{"amount":1,"__proto__":{"amount":2}}'""",
        """--json '{"__proto__":{"amount":2}}'""",
        """--json '{"amount":1,"constructor":1}'""",
        """--json '{"amount":[1]}'""",
        "--json '[1]'",
        "--json 1",
        '--json \'{"amount":"1"}\'',
        "--amount 1 --__proto__ 2",
        "--amount 1 --constructor.prototype.x 2",
        "--amount 1 --toString 2",
        "--amount 1 extra",
        "--amount",
        "--amount ''",
        "--amount $'\\xff'",
        "--amount $'1\\n2'",
        '--json "$(printf \'{"amount":%s1%s}\' "$(printf \'[%.0s\' {1..2000})" "$(printf \']%.0s\' {1..2000})")"',
    ],
)
def test_arguments_that_do_not_fit_reach_nobody(arguments: str) -> None:
    with sandbox() as box:
        result = box.run(f"tool pay {arguments}", language="shell")
        assert paid == []
        assert result.exit_code == 2, (result.exit_code, result.stderr, result.error)
        assert box.run("tool pay --amount 1", language="shell").exit_code == 0


def test_of_duplicates_one_is_judged_and_used() -> None:
    with sandbox() as box:
        result = box.run(
            """tool pay --json '{"amount":1,"amount":9999}'; tool pay --amount 1 --amount 9999""", language="shell"
        )
        assert (result.exit_code, paid) == (126, [])
        assert box.run("tool pay --json '{\"amount\":9999}' --amount 3", language="shell").exit_code == 0
    assert paid == [3]


def test_invalid_bytes_arrive_as_python_spells_them_and_large_arguments_are_refused() -> None:
    seen: list[str] = []

    def say(text: str) -> None:
        seen.append(text)

    with Sandbox(tools=[say], capabilities=[MethodCapability("say")], limits=Limits(timeout=10)) as box:
        box.run("tool say --text $'a\\xffb'", language="shell")
        large = box.run("x=$(head -c 10000000 /dev/zero | tr '\\0' a); tool say --text \"$x\"", language="shell")
        assert large.exit_code in (2, 126), (large.error, large.stderr)
        assert len(large.stderr) < 1000
        assert box.run("tool say --text ok", language="shell").exit_code == 0
    assert seen == ["a\udcffb", "ok"]


def test_a_tool_name_cannot_be_shadowed_into_another() -> None:
    with sandbox() as box:
        result = box.run(
            "tool '__proto__'; echo $?; tool 'constructor'; echo $?; tool ''; echo $?; tool $'pay\\0x'; tool ./pay",
            language="shell",
        )
    assert paid == []
    assert result.stdout.split() == ["2", "2", "2"]
    assert result.exit_code == 2
