"""Derivations as people read them: every rule with its result, within 80 columns, with and without colours."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from amla_capabilities import MethodCapability, Param, Policy, ToolLimits
from amla_cli._derivation import as_json, render

POLICY = Policy(
    [
        MethodCapability("other/*"),
        MethodCapability("pay/*", [Param("currency") == "USD"], note="dollars only"),
        MethodCapability(
            "pay/*",
            [(Param("amount") <= 1000) & ((Param("currency") == "EUR") | (Param("memo").starts_with("ok")))],
            max_calls=2,
            approval="ask",
            rate="5/minute",
            total={"amount": "<=1500"},
        ),
        MethodCapability("**"),
    ],
    {"pay/card": ToolLimits([Param("amount") >= 1], secret=["pin"]), "off": ToolLimits(allow=False)},
)


def shown(tool: str, arguments: dict[str, object], *, width: int = 80, color: bool = False) -> str:
    stream = io.StringIO()
    terminal = "standard" if color else None
    console = Console(file=stream, width=width, force_terminal=color, color_system=terminal)  # type: ignore[arg-type]
    console.print(render(POLICY.explain(tool, arguments)))
    return stream.getvalue()


def test_a_derivation_reads_as_lines() -> None:
    text = shown("pay/card", {"amount": 500, "currency": "EUR", "memo": "rent", "pin": 1234})
    assert [line.rstrip() for line in text.splitlines()] == [
        'pay/card {"amount": 500, "currency": "EUR", "memo": "rent", "pin": "(secret)"}',
        "needs-approval NEEDS_APPROVAL: a person has to approve this call",
        '               needed: approve it, or remove approval = "ask"',
        "",
        "what the tool's own table demands of every call of pay/card",
        "  true amount >= 1",
        "",
        "capabilities, in order; the first that fits decides",
        "  - 1. other/*",
        "    does not name the tool",
        "  false 2. pay/*",
        "        does not fit; dollars only",
        '      false currency == "USD"',
        '            currency "EUR" violates currency == "USD"',
        "  true 3. pay/*",
        "       decided",
        "      true all of these",
        "        true amount <= 1000",
        "        true one of these",
        '          true currency == "EUR"',
        '          false memo starts with "ok"',
        '                memo "rent" violates memo starts with "ok"',
        "      asks each call waits for a person",
        "      left 2 of 2 calls",
        "      left 5 calls at the rate of 5/minute",
        "      left 1500 of the total of amount (<=1500)",
        "  true 4. **",
        "       fits, but an earlier one decided",
    ]


@pytest.mark.parametrize("width", [80, 40])
def test_no_line_is_wider_than_the_console(width: int) -> None:
    text = shown("pay/card", {"amount": 5, "memo": "x" * 300, "currency": "EUR"}, width=width)
    assert max(map(len, text.splitlines())) <= width


def test_colours_say_nothing_that_words_do_not() -> None:
    import re

    arguments: dict[str, object] = {"amount": 5000, "currency": "EUR"}
    colored = shown("pay/card", arguments, color=True)
    assert "\x1b[" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == shown("pay/card", arguments)


def test_r3_what_a_script_wrote_moves_no_cursor() -> None:
    text = shown("pay/card", {"amount": 1, "currency": "\x1b[2J\u202e", "memo\x1b]0;x\x07": 1})
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_a_capability_that_fits_a_call_which_the_tools_own_table_refuses_says_so() -> None:
    lines = [line.strip() for line in shown("pay/card", {"amount": 0, "currency": "USD"}).splitlines()]
    assert "fits, but the tool's own table refuses the call; dollars only" in lines
    assert not any("earlier" in line or line == "decided" for line in lines)


def test_a_capability_that_does_not_fit_is_not_said_to_decide() -> None:
    policy = Policy([MethodCapability("pay", [Param("amount") <= 5])])
    stream = io.StringIO()
    Console(file=stream, width=80).print(render(policy.explain("pay", {"amount": 6})))
    assert "does not fit, nor does any other" in stream.getvalue()
    assert "decided" not in stream.getvalue()


def test_a_forbidden_tool_and_a_bad_name() -> None:
    assert "its table says allow = false" in shown("off", {})
    assert shown("a//b", {}).splitlines()[1].startswith("denied BAD_NAME")


def test_many_capabilities_that_do_not_name_the_tool_are_counted() -> None:
    policy = Policy([*(MethodCapability(f"t{n}") for n in range(30)), MethodCapability("x")])
    stream = io.StringIO()
    Console(file=stream, width=80).print(render(policy.explain("x", {})))
    assert "and 22 more that do not name the tool" in stream.getvalue()


def test_the_same_as_json() -> None:
    data = as_json(POLICY.explain("pay/card", {"amount": 500, "pin": 1234}))
    assert json.loads(json.dumps(data)) == data
    assert data["decision"]["verdict"] == "allowed"
    assert "1234" not in json.dumps(data)
    assert [grant["pattern"] for grant in data["grants"]] == ["other/*", "pay/*", "pay/*", "**"]
