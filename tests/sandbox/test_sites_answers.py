"""Where sites are, why there are none, and that nothing is believed of what the guest says of them."""

from __future__ import annotations

import time
from typing import Any

import pytest

from amla_capabilities.check import OpenText
from amla_sandbox import SiteFinder, UnsupportedLanguageError, find_calls
from amla_sandbox._guest._protocol import ProtocolError
from amla_sandbox._sites._find import _Answer  # pyright: ignore[reportPrivateUsage]

TOOLS: dict[str, dict[str, Any] | None] = {"pay": {"type": "object", "additionalProperties": True}, "ping": None}

PLACES = [
    pytest.param("await pay({ a: 1 })", "x.js", (1, 7, 1, 20), "pay({ a: 1 })", id="a line"),
    pytest.param("// one\n  pay({\n    a: 1 });", "x.js", (2, 3, 3, 12), "pay({\n    a: 1 })", id="several lines"),
    pytest.param("'😀'; pay({})", "x.js", (1, 6, 1, 13), "pay({})", id="beyond the basic plane"),
    pytest.param("\ufeffpay({})", "x.js", (1, 2, 1, 9), "pay({})", id="a byte order mark"),
    pytest.param("1;\r\npay({})\r\n", "x.js", (2, 1, 2, 8), "pay({})", id="CRLF"),
    pytest.param("'\u2028'; pay({})", "x.js", (1, 6, 1, 13), "pay({})", id="a line separator in a string"),
    pytest.param("let x: number = 1; pay({ x: x as any })", "x.ts", (1, 20, 1, 40), "pay({ x: x as any })", id="types"),
    pytest.param(
        "interface A {\n  a: string;\n}\nconst f = <T,>(x: T): T => x; pay<A>({ a: f<string>('b') as string });",
        "x.ts",
        (4, 31, 4, 70),
        "pay<A>({ a: f<string>('b') as string })",
        id="more types",
    ),
    pytest.param(
        "namespace N { export const a = 1 } pay({ x: N.a })", "x.ts", (1, 36, 1, 51), "pay({ x: N.a })", id="namespaces"
    ),
    pytest.param(
        "namespace N {\n  const a = 1; export namespace M { export const b = pay({ a }) }\n}",
        "x.ts",
        (2, 54, 2, 64),
        "pay({ a })",
        id="within namespaces",
    ),
    pytest.param("```js\npay({})\n```", "x.js", (2, 1, 2, 8), "pay({})", id="a fence"),
    pytest.param("#!/usr/bin/env node\npay({})", "x.js", (2, 1, 2, 8), "pay({})", id="a shebang"),
    pytest.param(
        "echo a; timeout 5 tool pay  --a 1 >x", "x.sh", (1, 9, 1, 34), "timeout 5 tool pay  --a 1", id="shell"
    ),
    pytest.param("bash -c 'a; tool pay --a 1'", "x.sh", (1, 13, 1, 27), "tool pay --a 1", id="a script in quotes"),
    pytest.param("js <<'E'\n1\npay({})\nE\n", "x.sh", (3, 1, 3, 8), "pay({})", id="a script in a document"),
    pytest.param("$`echo ${1}; tool pay`", "x.js", (1, 14, 1, 22), "tool pay", id="a script in a template"),
]


@pytest.mark.parametrize(("source", "name", "place", "text"), PLACES)
def test_places_are_those_of_the_source(source: str, name: str, place: tuple[int, ...], text: str) -> None:
    language = "shell" if name.endswith(".sh") else "javascript"
    (site,) = find_calls(source, name, language, TOOLS).sites
    assert (site.line, site.column, site.end_line, site.end_column) == place
    assert site.text == text


ERRORS = [
    pytest.param("const x = ;", "javascript", "Unexpected token ';'", (1, 11), id="javascript"),
    pytest.param("pay({\n  a: 1 b })", "javascript", "Unexpected identifier 'b'", (2, 8), id="second line"),
    pytest.param("let x: = 1", "typescript", "Unexpected token", (1, 8), id="typescript"),
    pytest.param("@dec class A {}", "javascript", "decorators are not supported", (1, 1), id="decorators"),
    pytest.param("echo a\nif true; then", "shell", "unexpected end of file", (2, 14), id="shell"),
    pytest.param("echo )", "shell", "syntax error near unexpected token `)'", (1, 6), id="shell token"),
    pytest.param("a" + "+a" * 20_000, "javascript", "nested too deeply", (1, 1), id="depth"),
]


@pytest.mark.parametrize(("source", "language", "message", "place"), ERRORS)
def test_what_cannot_be_parsed_is_said_with_its_place(
    source: str, language: str, message: str, place: tuple[int, int]
) -> None:
    found = find_calls(source, "x", language, TOOLS)
    assert found.sites == ()
    assert found.error is not None
    assert message in found.error.message
    assert (found.error.line, found.error.column) == place


def test_a_language_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(UnsupportedLanguageError):
        find_calls("", "x", "cobol")


def test_time_is_limited_and_the_next_script_is_looked_at() -> None:
    finder = SiteFinder(TOOLS)
    begun = time.monotonic()
    slow = finder.find("x = [" + "[1,2,3]," * 200_000 + "]", "x.js", "javascript", timeout=0.2)
    assert time.monotonic() - begun < 5
    assert slow.error is not None
    assert "longer than 0.2 s" in slow.error.message
    assert [site.tool for site in finder.find("ping()", "x.js", "javascript").sites] == ["ping"]
    finder.close()


def test_tools_of_servers_are_not_known_by_name() -> None:
    sites = find_calls(
        "github.issues.list({ a: 1 }); gitlab.x({})", "x.js", "javascript", TOOLS, servers=["github"]
    ).sites
    assert [site.tool for site in sites] == ["github/issues/list", "gitlab/x"]


def test_without_a_schema_only_json_is_known_in_the_shell() -> None:
    sites = find_calls("tool ping --a 1; tool ping --json '{\"a\":1}'", "x.sh", "shell", TOOLS).sites
    assert [site.arguments for site in sites] == [None, {"a": 1}]


def test_arguments_cannot_be_changed() -> None:
    (site,) = find_calls("pay({ a: { b: [1] } })", "x.js", "javascript", TOOLS).sites
    assert site.complete
    assert site.arguments is not None
    with pytest.raises(TypeError):
        site.arguments["a"] = 1  # type: ignore[index]


GOOD: dict[str, Any] = {
    "start": 0,
    "end": 3,
    "tool": "pay",
    "arguments": "{}",
    "open": [["a", 0]],
    "texts": [[["a", 0], "x", "y"]],
    "shadowed": False,
    "fault": "",
    "note": "",
}


def answer(**changes: Any) -> Any:
    return _Answer("pay()", 0).read({"sites": [{**GOOD, **changes}], "error": None})


def test_a_good_answer_is_taken() -> None:
    (site,) = answer().sites
    assert (site.tool, site.arguments, site.open, site.text) == ("pay", {}, ("a[0]",), "pay")
    assert site.texts == (OpenText("a[0]", "x", "y"),)


@pytest.mark.parametrize(
    "changes",
    [
        {"start": -1},
        {"start": 4},
        {"end": 99},
        {"end": 2.5},
        {"end": True},
        {"end": None},
        {"tool": 5},
        {"arguments": {}},
        {"open": "x"},
        {"open": [["a", 1.5]]},
        {"open": [[True]]},
        {"open": [["a"] * 100]},
        {"open": [[]] * 200_000},
        {"texts": None},
        {"texts": [[["a"], "x"]]},
        {"texts": [[["a"], "x", None]]},
        {"texts": [[[1.5], "x", "y"]]},
        {"texts": [[["a"], "x", "y", "z"]]},
        {"texts": [["a", "x", "y"]]},
        {"texts": [[[], "", ""]] * 200_000},
        {"note": None},
        {"fault": []},
    ],
    ids=str,
)
def test_a_bad_answer_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ProtocolError):
        answer(**changes)


@pytest.mark.parametrize(
    "said", [{}, {"sites": {}}, {"sites": [1]}, {"error": 5}, {"error": {"message": 1, "offset": 0}}]
)
def test_an_answer_of_another_form_is_refused(said: dict[str, Any]) -> None:
    with pytest.raises(ProtocolError):
        _Answer("pay()", 0).read(said)


@pytest.mark.parametrize("text", ["[1]", "{", '{"a":1,"a":2}', "1", '{"a":' + "[" * 99 + "]" * 99 + "}"])
def test_arguments_that_no_call_could_have_are_not_known(text: str) -> None:
    (site,) = answer(arguments=text).sites
    assert (site.arguments, site.open, site.complete) == (None, ("",), False)


def test_texts_are_cut_and_can_be_encoded() -> None:
    (site,) = answer(note="x" * 10_000 + "\ud800", fault="\ud800").sites
    assert len(site.note) == 2_000
    assert site.fault == "?"
    (site,) = answer(texts=[[["a"], "é" * 3_000, "è" * 3_000], [["b"], "x\udcff\udcffy", "x\ud83d\udcffy"]]).sites
    assert site.texts == (OpenText("a", "é" * 2_000, "è" * 2_000), OpenText("b", "x", "y"))
