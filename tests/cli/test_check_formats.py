"""The formats of `amla check-policy`, each held against the rules of whoever reads it; hostile texts do no harm (R3)."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import pytest

from amla_capabilities.findings import FINDINGS, Finding
from amla_cli.check._findings import CheckedSite, CheckedTest, Report, Unchecked
from amla_cli.check.formats import FORMATS, formatter

EVIL = "a\x1b[2J\u202e\u2028\x00\x07b\n::error::x\r\n##[add-mask]y\n\t::set-output name=z::1,%0A"
"""Moves the cursor, turns text around, ends lines, and speaks to CI services."""


def finding(code: str, file: str = "tools.toml", line: int = 3, **more: Any) -> Finding:
    told = {"message": "it is wrong", "severity": FINDINGS[code].severity, "column": 5, **more}
    return Finding(code=code, file=file, line=line, **told)


REPORT = Report(
    files=("tools.toml", "a b.js", "/abs/c.sh", "broken.ts"),
    findings=(
        finding("AM401", "a b.js", 2, source="  await pay({});", caret=8, hint="pay less"),
        finding("AM404", "a b.js", 4),
        finding("AM201", path="tools.x", hint="add a line\nor two"),
    ),
    tests=(
        CheckedTest("tools.toml", 9, "pay", {"amount": 5}, "deny", "deny", "tools.pay: too much"),
        CheckedTest("tools.toml", 14, "pay", {}, "allow", "deny", "tools.pay: amount is missing"),
    ),
    sites=(
        CheckedSite("a b.js", 1, 7, "pay", "allowed", "", "pay is allowed", (), "pay({ amount: 1 })"),
        CheckedSite("a b.js", 2, 5, "pay", "denied", "AM401", "pay is denied: it is wrong", (), "pay({})"),
        CheckedSite("/abs/c.sh", 3, 1, "", "unknown call", "AM405", "the name is made", (), 'tool "$1"'),
        CheckedSite("a b.js", 1, 1, "pay", "denied on trial", "AM601", "pay denied: no", (), "{}"),
    ),
    unchecked=(Unchecked("broken.ts", 1, 9, "Unexpected token", "AM407", "let a = ;", 8), Unchecked("x", 1, 1, "gone")),
)
HOSTILE = Report(
    files=(EVIL,),
    findings=(
        finding("AM403", EVIL, message=EVIL, path=EVIL, source=EVIL, hint=EVIL),
        finding("AM401", "b.js", source="::error::y", message="::warning::z", hint="##[error]w"),
    ),
    tests=(CheckedTest(EVIL, 1, EVIL, {EVIL: EVIL}, "allow", "deny", EVIL),),
    sites=(CheckedSite(EVIL, 1, 1, EVIL, "allowed", "", EVIL, (EVIL,), EVIL),),
    unchecked=(Unchecked(EVIL, 1, 1, EVIL, "AM407", EVIL, 3), Unchecked("::error::n", 1, 1, "m")),
)


SUMMARY = (
    "4 files; 3 calls in scripts (1 allowed, 1 denied, 1 unknown call); 1 call made on trial (1 denied); "
    "2 tests, 1 failed; 1 error, 1 warning, 1 note, 2 not checked"
)


def rendered(name: str, report: Report = REPORT, **options: bool) -> str:
    return formatter(name)(report, options)


# Text


def test_text_has_findings_first_and_a_line_that_sums_up_last() -> None:
    assert rendered("text").splitlines() == [
        "a b.js:2:5: AM401 it is wrong",
        "      await pay({});",
        "            ^",
        "    pay less",
        "a b.js:4:5: AM404 it is wrong",
        "tools.toml:3:5: AM201 tools.x: it is wrong",
        "    add a line",
        "    or two",
        "broken.ts:1:9: AM407 not checked: Unexpected token",
        "    let a = ;",
        "            ^",
        "x:1:1: not checked: gone",
        SUMMARY,
    ]


def test_text_lists_every_site_and_test_when_asked_to_say_more() -> None:
    lines = rendered("text", verbose=True).splitlines()
    assert lines[-7:-1] == [
        "a b.js:1:7: pay: allowed",
        "a b.js:2:5: pay: denied: it is wrong",
        "/abs/c.sh:3:1: ?: unknown call: the name is made",
        "a b.js:1:1: pay: denied on trial: no",
        "tools.toml:9:1: test of pay passed: deny, by tools.pay: too much",
        "tools.toml:14:1: test of pay FAILED: deny, by tools.pay: amount is missing",
    ]


def test_text_says_nothing_of_what_is_right_when_asked_to_be_quiet() -> None:
    assert rendered("text", Report(files=("a.toml",)), quiet=True) == ""
    assert rendered("text", Report(files=("a.toml",))) == "1 file; nothing found"


def test_colours_say_nothing_that_words_do_not() -> None:
    colored = rendered("text", color=True)
    assert "\x1b[" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == rendered("text")


# JSON


def test_the_keys_of_json_are_those_that_are_documented() -> None:
    data = json.loads(rendered("json"))
    keys = {
        "findings": "code severity file line column path message hint source caret",
        "tests": "file line call arguments expected actual rule passed",
        "sites": "file line column tool verdict code reason open text",
        "unchecked": "file line column message code source caret",
    }
    assert list(data) == ["schema", "files", *keys]
    for part, names in keys.items():
        assert {tuple(row) for row in data[part]} == {tuple(names.split())}
    assert data["schema"] == 1
    assert data["tests"][0]["arguments"] == {"amount": 5}
    assert [test["passed"] for test in data["tests"]] == [True, False]


def test_lines_of_json_hold_the_same() -> None:
    rows = [json.loads(line) for line in rendered("jsonl").splitlines()]
    data = json.loads(rendered("json"))
    kinds = {"finding": "findings", "test": "tests", "site": "sites", "unchecked": "unchecked"}
    assert rows == [{"kind": kind, **row} for kind, part in kinds.items() for row in data[part]]


# GitHub: a command is a line `::NAME key=value,key=value::MESSAGE`. In messages %25, %0D and %0A stand for %, CR and LF,
# in properties also %3A and %2C for colon and comma.


def commands(text: str) -> list[tuple[str, dict[str, str], str]]:
    parsed: list[tuple[str, dict[str, str], str]] = []
    for line in text.splitlines():
        match = re.fullmatch(r"::(\w+) ([^:]*)::(.*)", line)
        assert match, line
        properties = dict(pair.split("=", 1) for pair in match[2].split(","))
        parsed.append((match[1], {k: unquote(v) for k, v in properties.items()}, unquote(match[3])))
    return parsed


def test_github_gets_a_command_for_each_finding() -> None:
    told = commands(rendered("github"))
    assert [(name, properties["file"], properties["title"]) for name, properties, _ in told] == [
        ("error", "a b.js", "AM401"),
        ("notice", "a b.js", "AM404"),
        ("warning", "tools.toml", "AM201"),
        ("error", "broken.ts", "AM407"),
        ("error", "x", "not checked"),
    ]
    assert told[0][1] == {"file": "a b.js", "line": "2", "col": "5", "title": "AM401"}
    assert told[2][2] == "tools.x: it is wrong\nadd a line\nor two"


def test_r3_no_text_begins_or_ends_a_command_of_github() -> None:
    told = commands(rendered("github", HOSTILE))
    assert [name for name, _, _ in told] == ["error"] * len(told)
    assert len(told) == len(HOSTILE.findings) + len(HOSTILE.unchecked)
    assert {tuple(properties) for _, properties, _ in told} == {("file", "line", "col", "title")}


# SARIF 2.1.0: what the standard requires of each object that is used (sections 3.13 to 3.58)


def check_sarif(log: Any) -> None:
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-2.1.0.json")
    for run in log["runs"]:
        driver = run["tool"]["driver"]
        assert driver["name"]  # 3.19.8: required
        ids = [rule["id"] for rule in driver["rules"]]
        assert len(set(ids)) == len(ids)  # 3.19.23: unique
        for rule in driver["rules"]:
            assert rule["shortDescription"]["text"].endswith(("", "."))
            assert rule["defaultConfiguration"]["level"] in ("none", "note", "warning", "error")  # 3.50.3
        for invocation in run["invocations"]:
            assert isinstance(invocation["executionSuccessful"], bool)  # 3.20.14: required
            for notification in invocation.get("toolExecutionNotifications", ()):
                assert notification["message"]["text"]  # 3.58.5: required
                check_locations(notification["locations"])
        for result in run["results"]:
            assert result["message"]["text"]  # 3.27.11: required
            assert ids[result["ruleIndex"]] == result["ruleId"]  # 3.27.5, 3.27.6: agree
            assert result["level"] in ("none", "note", "warning", "error")  # 3.27.10
            check_locations(result["locations"])
        assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")  # 3.14.17


def check_locations(locations: Any) -> None:
    for location in locations:
        physical = location["physicalLocation"]
        # RFC 3986: no blank, control character or backslash in a reference, and no colon in its first segment
        assert re.fullmatch(r"(file:///|(?![^/]*:))[!-\[\]-~]*", physical["artifactLocation"]["uri"])
        assert physical["region"]["startLine"] >= 1  # 3.30.5
        assert physical["region"]["startColumn"] >= 1  # 3.30.6


@pytest.mark.parametrize("report", [REPORT, HOSTILE, Report()], ids=["usual", "hostile", "empty"])
def test_sarif_is_as_the_standard_has_it(report: Report) -> None:
    check_sarif(json.loads(rendered("sarif", report)))


def test_sarif_holds_every_finding() -> None:
    run = json.loads(rendered("sarif"))["runs"][0]
    assert [(result["ruleId"], result["level"]) for result in run["results"]] == [
        ("AM401", "error"),
        ("AM404", "note"),
        ("AM201", "warning"),
    ]
    uris = [result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"]]
    assert uris == ["a%20b.js", "a%20b.js", "tools.toml"]
    assert run["invocations"][0]["executionSuccessful"] is False
    assert len(run["invocations"][0]["toolExecutionNotifications"]) == 2


# JUnit


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("report", [REPORT, HOSTILE, Report()], ids=["usual", "hostile", "empty"])
def test_junit_counts_what_it_has(report: Report, strict: bool) -> None:
    root = ET.fromstring(rendered("junit", report, strict=strict))
    assert root.tag == "testsuites"
    for suite in [*root.iter("testsuite"), root]:
        cases = list(suite.iter("testcase"))
        assert int(suite.get("tests", "")) == len(cases)
        assert int(suite.get("failures", "")) == sum(case.find("failure") is not None for case in cases)
        assert int(suite.get("errors", "")) == sum(case.find("error") is not None for case in cases)


def test_junit_fails_what_makes_the_check_fail() -> None:
    def failures(**options: bool) -> list[str | None]:
        return [each.get("type") for each in ET.fromstring(rendered("junit", **options)).iter("failure")]

    assert failures() == ["AM201", "AM401"]
    assert failures(strict=True) == ["AM201", "AM401", "AM404"]
    root = ET.fromstring(rendered("junit"))
    names = [(case.get("classname"), case.get("name")) for case in root.iter("testcase")]
    assert ("a b.js", "pay at line 1: allowed") in names
    assert ("a b.js", "pay at line 2: denied") not in names  # it is a failure, under its code
    assert ("tools.toml", "test of pay at line 9") in names
    assert len(list(root.iter("error"))) == 2


# All of them


@pytest.mark.parametrize("name", FORMATS)
def test_r3_no_format_passes_on_what_a_terminal_or_a_ci_service_obeys(name: str) -> None:
    for options in ({}, {"verbose": True}, {"strict": True}):
        text = rendered(name, HOSTILE, **options)
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]", text)
        if name != "github":
            assert not re.search(r"^\s*::", text, re.MULTILINE)  # blanks in front are overlooked by the runner
            assert "##[" not in text


@pytest.mark.parametrize("name", ["json", "jsonl", "sarif"])
def test_json_is_ascii_and_its_values_are_whole(name: str) -> None:
    report = Report(findings=(finding("AM401", message="é ##[x] 😀"),))
    text = rendered(name, report)
    assert text.isascii()
    assert "é" in str(json.loads(text))
    assert "😀" in str(json.loads(text))
