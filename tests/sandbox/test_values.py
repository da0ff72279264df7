"""Values that cross between scripts and tools, exactly or not at all."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import pytest
from any_tools import ALL, ANY, tool

from amla_sandbox import (
    Limits,
    Sandbox,
    ToolDefinition,
)

GOT: list[Any] = []


def keep(arguments: Any) -> Any:
    GOT.append(arguments["x"])
    return arguments["x"]


@pytest.fixture
def echo() -> Iterator[Sandbox]:
    GOT.clear()
    with Sandbox(tools=[tool("echo", keep)], capabilities=ALL, limits=Limits(arguments=16_000_000)) as made:
        yield made


CROSS = {
    "key order": ("{b: 1, a: 2, 10: 3, 9: 4}", '{"9":4,"10":3,"b":1,"a":2}'),
    "empty key": ("{'': 1, ' ': 2}", '{"":1," ":2}'),
    "proto key": ("JSON.parse('{\"__proto__\": 1}')", '{"__proto__":1}'),
    "undefined member": ("{a: undefined, b: 1}", '{"b":1}'),
    "undefined element": ("[undefined, 1]", "[null,1]"),
    "minus zero": ("-0", "0"),
    "fractions": ("[0.1, 1e21, 5e-324, 1.5]", "[0.1,1e+21,5e-324,1.5]"),
    "largest safe integer": ("9007199254740991", "9007199254740991"),
    "empty": ("['', [], {}]", '["",[],{}]'),
    "astral": ("'😀\\u0000\\u2028'", '"😀\\u0000\u2028"'),
    "date": ("new Date(0)", '"1970-01-01T00:00:00.000Z"'),
    "toJSON": ("{toJSON() { return 1 }}", "1"),
    "nested": ("[[[[[[1]]]]]]", "[[[[[[1]]]]]]"),
}


@pytest.mark.parametrize(("value", "expected"), CROSS.values(), ids=CROSS)
def test_values_cross_as_json_has_them(echo: Sandbox, value: str, expected: str) -> None:
    """Expected texts are JSON.stringify's of Node."""
    result = echo.run(f"return JSON.stringify(await echo({{x: {value}}}))")
    assert (result.return_value, result.error) == (expected, None)


REFUSED = {
    "NaN": ("NaN", "x"),
    "infinity": ("[1, Infinity]", "x[1]"),
    "bytes": ("new Uint8Array([1, 2])", "x"),
    "map": ("new Map([[1, 2]])", "x"),
    "function": ("{f() {}}", "x.f"),
    "symbol": ("Symbol('s')", "x"),
    "circular": ("(() => { const a = {}; a.a = a; return a })()", "x"),
    "deep": ("JSON.parse('['.repeat(500) + ']'.repeat(500))", ""),
}


@pytest.mark.parametrize(("value", "named"), REFUSED.values(), ids=REFUSED)
def test_what_json_cannot_carry_is_an_error_that_names_it(echo: Sandbox, value: str, named: str) -> None:
    result = echo.run(
        f"try {{ await echo({{x: {value}}}); return 'made' }} catch (error) {{ return [error.name, error.message] }}"
    )
    assert isinstance(result.return_value, list), (result.return_value, GOT, result.error)
    name, message = result.return_value
    assert name == "ToolArgumentError" and GOT == [], message
    assert named in message


def test_large_values_cross_as_small_ones_do(echo: Sandbox) -> None:
    text = 'a\u00e9\u20ac\U0001f600\\"\n\x00\x7f'
    result = echo.run(
        f"""
        const text = {json.dumps(text)}.repeat(20_000)
        const [one, two, small] = await Promise.all([echo({{x: text}}), echo({{x: [text, {{text}}, '\\ud800']}}), echo({{x: 1}})])
        return [one === text, two[0] === text, two[1].text === text, two[2] === '\\ud800', small]
        """
    )
    assert result.return_value == [True, True, True, True, 1], result.error
    assert text * 20_000 in GOT


def test_big_integers_and_lone_surrogates_reach_the_host_exactly(echo: Sandbox) -> None:
    echo.run("await echo({x: [2n ** 100n, -1n, '\\ud800']})")
    assert list(GOT[0]) == [2**100, -1, "\ud800"]


RESULTS = {
    "None": (None, "null"),
    "text": ("a\u2028b", '"a\u2028b"'),
    "nested": ({"b": [1, 2.5, True], "a": None}, '{"b":[1,2.5,true],"a":null}'),
    "big integer": (2**53 + 2, "9007199254740994"),
    "tuple": ((1, 2), "[1,2]"),
}


@pytest.mark.parametrize(("value", "expected"), RESULTS.values(), ids=RESULTS)
def test_results_cross(value: Any, expected: str) -> None:
    with Sandbox(tools=[tool("get", lambda _: value)], capabilities=ALL) as sandbox:
        assert sandbox.run("return JSON.stringify(await get({}))").return_value == expected


def test_a_result_that_is_no_number_of_json() -> None:
    with Sandbox(tools=[tool("get", lambda _: {"a": [math.nan]})], capabilities=ALL) as sandbox:
        said = sandbox.run("try { return await get({}) } catch (error) { return error.message }").return_value
    assert "a[0]" in said and "nan" in said.lower()


def test_ten_megabytes_cross_and_what_exceeds_the_limit_is_an_error(echo: Sandbox) -> None:
    assert echo.run("return (await echo({x: 'é'.repeat(5_000_000)})).length").return_value == 5_000_000
    assert len(GOT[0]) == 5_000_000
    result = echo.run("try { await echo({x: 'x'.repeat(16_000_000)}) } catch (error) { return error.message }")
    assert "arguments" in result.return_value
    huge = tool("huge", lambda _: "x" * 17_000_000)
    with Sandbox(tools=[huge], capabilities=ALL) as sandbox:
        assert (
            "at most 16,000,000"
            in sandbox.run("try { await huge({}) } catch (error) { return error.message }").return_value
        )


def test_secrets_are_masked_in_results_and_errors() -> None:
    def leak(arguments: Any) -> str:
        if arguments.get("fail"):
            raise ValueError("key s3cret-value is wrong")
        return "the key is s3cret-value"

    leaky = ToolDefinition("leak", parameters=ANY, handler=leak, secret_values=("s3cret-value",))
    with Sandbox(tools=[leaky], capabilities=ALL) as sandbox:
        result = sandbox.run("console.log(await leak({})); await leak({fail: 1})")
    assert "s3cret" not in result.stdout + (result.error or "") and "the key is" in result.stdout
