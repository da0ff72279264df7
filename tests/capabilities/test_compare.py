"""R37: what `check-policy --against` calls a widened right, and what it does not."""

from __future__ import annotations

import time
from dataclasses import fields

import pytest

from amla_capabilities import Limits, MethodCapability, ToolLimits, parse_manifest
from amla_capabilities.compare import widened
from amla_capabilities.compare._rows import ROWS, Apart, Kept
from amla_capabilities.compare._schemas import KEYWORDS
from amla_capabilities.findings import FINDINGS
from amla_capabilities.manifest import (
    CommandTool,
    HttpTool,
    Manifest,
    McpServer,
    Mount,
    PolicyTest,
    PythonTool,
    Tool,
    _schemas,
)

COMPARED = (
    Manifest,
    Tool,
    PythonTool,
    CommandTool,
    HttpTool,
    McpServer,
    Mount,
    PolicyTest,
    ToolLimits,
    MethodCapability,
    Limits,
)

PAY = """
[tools."pay/card"]
command = ["pay", "{amount}", "{to}"]
params.amount = { type = "integer", minimum = 1, maximum = 100 }
params.to = { type = "string", default = "bank" }
[tools."pay/cash"]
command = ["cash", "{amount}"]
params.amount = { type = "integer" }
"""


def codes(old: str, new: str) -> list[str]:
    return [finding.code for finding in widened(parse_manifest(old), parse_manifest(new))]


def texts(old: str, new: str) -> list[str]:
    return [f"{finding.path}: {finding.message}" for finding in widened(parse_manifest(old), parse_manifest(new))]


def grants(*lines: str) -> str:
    """The two tools, and a capability for each text."""
    return PAY + "".join(f"\n[[capabilities]]\n{line}\n" for line in lines)


# The table


@pytest.mark.parametrize("kind", COMPARED)
def test_r37_every_field_of_a_manifest_is_in_the_table(kind: type) -> None:
    """A field that is new to a manifest has to be compared, or said to be free."""
    assert set(ROWS[kind]) == {field.name for field in fields(kind)}  # type: ignore[arg-type]


def test_the_table_covers_every_class() -> None:
    assert set(ROWS) == set(COMPARED)


def test_every_keyword_of_schemas_is_in_the_table() -> None:
    assert set(KEYWORDS) == set(_schemas._KEYWORDS)


def test_what_is_compared_apart_names_its_module() -> None:
    from importlib import import_module

    rows = [row for table in ROWS.values() for row in table.values()]
    modules = {word for row in rows if isinstance(row, Apart) for word in row.where.split() if word.startswith("_")}
    assert modules == {"_grants", "_budgets,", "_widened"}
    for module in modules:
        import_module(f"amla_capabilities.compare.{module.strip(',')}")


def test_codes_are_documented_and_cannot_be_suppressed() -> None:
    used = {row.code for table in ROWS.values() for row in table.values() if isinstance(row, Kept)}
    ours = {code for code in FINDINGS if code.startswith("AM5")}
    assert used <= ours
    assert not any(FINDINGS[code].can_suppress for code in ours)


# Grants


NARROWER = {
    "nothing": (grants('method = "pay/*"'), grants('method = "pay/*"')),
    "a bound": (
        grants('method = "pay/*"\nconstraints = { amount = "<=50" }'),
        grants('method = "pay/*"\nconstraints = { amount = "<=20" }'),
    ),
    "a pattern": (grants('method = "**"'), grants('method = "pay/card"')),
    "a list": (
        grants('method = "pay/card"\nconstraints = { to = ["a", "b"] }'),
        grants('method = "pay/card"\nconstraints = { to = "b" }'),
    ),
    "calls": (grants('method = "pay/*"\nmax_calls = 9'), grants('method = "pay/*"\nmax_calls = 3')),
    "a budget split": (
        grants('method = "pay/*"\nmax_calls = 9'),
        grants('method = "pay/card"\nmax_calls = 5', 'method = "pay/cash"\nmax_calls = 4'),
    ),
    "a budget that the tools' own limits bound": (
        grants('method = "pay/*"\nmax_calls = 9'),
        PAY.replace("[tools", "max_calls = 4\n[tools").replace("\nmax_calls = 4\n", "\n", 1)
        + 'max_calls = 5\n[[capabilities]]\nmethod = "pay/*"',
    ),
    "a rate from max_calls": (
        grants('method = "pay/*"\nrate = "5/minute"'),
        grants('method = "pay/*"\nmax_calls = 5'),
    ),
    "a slower rate": (
        grants('method = "pay/*"\nrate = "60/hour"'),
        grants('method = "pay/*"\nrate = "1/minute"'),
    ),
    "a total split": (
        grants('method = "pay/*"\ntotal = { amount = "<=90" }'),
        grants('method = "pay/card"\ntotal = { amount = "<=40" }', 'method = "pay/cash"\ntotal = { amount = "<=50" }'),
    ),
    "an approval more": (grants('method = "pay/*"'), grants('method = "pay/*"\napproval = "ask"')),
    "an earlier end": (
        grants('method = "pay/*"\nexpires = 2031-01-01T00:00:00Z'),
        grants('method = "pay/*"\nexpires = 2031-01-01T01:00:00+02:00'),
    ),
    "a grant taken away": (grants('method = "pay/card"', 'method = "pay/cash"'), grants('method = "pay/cash"')),
    "the stricter first": (
        grants('method = "pay/*"', 'method = "pay/card"\napproval = "ask"'),
        grants('method = "pay/card"\napproval = "ask"', 'method = "pay/*"'),
    ),
    "two that do not meet, the other way round": (
        grants('method = "pay/card"\nconstraints = { to = "a" }', 'method = "pay/card"\nconstraints = { to = "b" }'),
        grants('method = "pay/card"\nconstraints = { to = "b" }', 'method = "pay/card"\nconstraints = { to = "a" }'),
    ),
    "what an earlier one hides": (
        grants('method = "pay/*"\nmax_calls = 3'),
        grants('method = "pay/*"\nmax_calls = 3', 'method = "pay/card"\nmax_calls = 50'),
    ),
    "from the tool's table into a capability": (
        PAY + 'constraints = { amount = "<=5" }',
        PAY + 'constraints = { amount = "<=5" }\nallow = true\n[[capabilities]]\nmethod = "pay/cash"\nmax_calls = 2',
    ),
}

WIDER = {
    "a bound": (
        grants('method = "pay/*"\nconstraints = { amount = "<=50" }'),
        grants('method = "pay/*"\nconstraints = { amount = "<=51" }'),
        ["AM502"],
    ),
    "no bound": (grants('method = "pay/*"\nconstraints = { amount = "<=50" }'), grants('method = "pay/*"'), ["AM502"]),
    "a pattern": (grants('method = "pay/card"'), grants('method = "pay/*"'), ["AM502"]),
    "a grant more": (grants(), grants('method = "pay/card"'), ["AM502"]),
    "a bound that only optional arguments meet": (
        grants('method = "pay/card"\nconstraints = { to = "a" }'),
        grants('method = "pay/card"\nconstraints = { to = { eq = "a", optional = true } }'),
        ["AM502"],
    ),
    "the tool's own bound": (
        PAY + 'constraints = { amount = "<=5" }\n[[capabilities]]\nmethod = "pay/*"',
        PAY + '[[capabilities]]\nmethod = "pay/*"',
        ["AM502"],
    ),
    "allow = false": (
        PAY + 'allow = false\n[[capabilities]]\nmethod = "pay/*"',
        PAY + '[[capabilities]]\nmethod = "pay/*"',
        ["AM502"],
    ),
    "calls": (grants('method = "pay/*"\nmax_calls = 3'), grants('method = "pay/*"\nmax_calls = 4'), ["AM503"]),
    "no limit of calls": (grants('method = "pay/*"\nmax_calls = 3'), grants('method = "pay/*"'), ["AM503"]),
    "one budget made two": (
        grants('method = "pay/*"\nmax_calls = 9'),
        grants('method = "pay/card"\nmax_calls = 9', 'method = "pay/cash"\nmax_calls = 9'),
        ["AM503"],
    ),
    "one total made two": (
        grants('method = "pay/*"\ntotal = { amount = "<=90" }'),
        grants('method = "pay/card"\ntotal = { amount = "<=90" }', 'method = "pay/cash"\ntotal = { amount = "<=90" }'),
        ["AM503"],
    ),
    "a total that is reached": (
        grants('method = "pay/*"\ntotal = { amount = "<90" }'),
        grants('method = "pay/*"\ntotal = { amount = "<=90" }'),
        ["AM503"],
    ),
    "a rate in bursts": (
        grants('method = "pay/*"\nrate = "1/minute"'),
        grants('method = "pay/*"\nrate = "60/hour"'),
        ["AM503"],
    ),
    "a rate whose intervals do not fit into the old one's": (
        grants('method = "pay/*"\nrate = "3/4s"'),
        grants('method = "pay/*"\nrate = "2/3s"'),
        ["AM503"],
    ),
    "the tool's own calls": (
        PAY + 'max_calls = 2\n[[capabilities]]\nmethod = "pay/*"',
        PAY + '[[capabilities]]\nmethod = "pay/*"',
        ["AM503"],
    ),
    "a capability gone, for which the tool's own limits now grant": (
        PAY + 'max_calls = 2\n[[capabilities]]\nmethod = "pay/cash"\nconstraints = { amount = "<=5" }',
        PAY + "max_calls = 2\n",
        ["AM502"],
    ),
    "no approval": (grants('method = "pay/*"\napproval = "ask"'), grants('method = "pay/*"'), ["AM504"]),
    "the laxer first": (
        grants('method = "pay/card"\napproval = "ask"', 'method = "pay/*"'),
        grants('method = "pay/*"', 'method = "pay/card"\napproval = "ask"'),
        ["AM504"],
    ),
    "the laxer first, by a condition": (
        grants('method = "pay/card"\nconstraints = { amount = ">50" }\napproval = "ask"', 'method = "pay/card"'),
        grants('method = "pay/card"', 'method = "pay/card"\nconstraints = { amount = ">50" }\napproval = "ask"'),
        ["AM504"],
    ),
    "a later end": (
        grants('method = "pay/*"\nexpires = 2030-01-01T00:00:00Z'),
        grants('method = "pay/*"\nexpires = 2030-01-01T00:00:01Z'),
        ["AM505"],
    ),
    "no end": (grants('method = "pay/*"\nexpires = 2030-01-01T00:00:00Z'), grants('method = "pay/*"'), ["AM505"]),
}


@pytest.mark.parametrize("old_new", NARROWER.values(), ids=NARROWER)
def test_what_is_narrower_is_no_finding(old_new: tuple[str, str]) -> None:
    assert texts(*old_new) == []


@pytest.mark.parametrize("row", WIDER.values(), ids=WIDER)
def test_r37_what_is_wider_is_found(row: tuple[str, str, list[str]]) -> None:
    old, new, expected = row
    assert codes(old, new) == expected


def test_what_cannot_be_decided_is_a_finding_that_says_so() -> None:
    """What is true and not proved counts as wider, in words that say so."""
    old = grants('method = "pay/card"\nconstraints = { to = { matches = "[a-z]+" } }')
    new = grants('method = "pay/card"\nconstraints = { to = { matches = "[a-y]+" } }')
    (text,) = texts(old, new)
    assert "cannot be shown" in text


# Servers


MCP = '[mcp.git]\ncommand = ["git-mcp"]\n'


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('method = "git/*"', 'method = "git/log"', []),
        ('method = "git/*"', 'method = "git/l*"', []),
        ('method = "**"', 'method = "git/*"', []),
        ('method = "git/l*"', 'method = "git/*"', ["AM502"]),
        ('method = "git/log"', 'method = "git/l*"', ["AM502"]),
        ('method = "git/*"\nmax_calls = 3', 'method = "**"\nmax_calls = 3', []),
        ('method = "git/*"\nmax_calls = 3', 'method = "**"', ["AM503"]),
    ],
)
def test_tools_of_servers_are_compared_by_pattern(old: str, new: str, expected: list[str]) -> None:
    assert codes(f"{MCP}[[capabilities]]\n{old}", f"{MCP}[[capabilities]]\n{new}") == expected


def test_an_approval_for_one_tool_of_a_server_is_not_lost_in_a_pattern() -> None:
    old = f'{MCP}[[capabilities]]\nmethod = "git/push"\napproval = "ask"\n[[capabilities]]\nmethod = "git/*"'
    assert codes(old, f'{MCP}[[capabilities]]\nmethod = "git/*"') == ["AM504"]


def test_a_new_server_and_a_new_tool() -> None:
    assert codes("", MCP) == ["AM501"]
    assert codes("", '[tools.x]\ncommand = ["x"]') == ["AM501"]
    assert codes("", '[tools.x]\ncommand = ["x"]\nallow = true') == ["AM501"]
    assert codes(MCP, "") == []


# Everything else


TOOL = '[tools.x]\npython = "m:f"\n'
RUN = '[tools.x]\ncommand = ["x", "--", "{a}"]\nparams.a = { type = "string" }\n'
SEND = '[tools.x]\nhttp.url = "https://a.example/{a}"\nhttp.headers = { H = "${T}" }\nparams.a = { type = "string" }\n'
CHANGES = {
    "target": (TOOL, '[tools.x]\npython = "m:g"\n', ["AM506"]),
    "module": (TOOL, '[tools.x]\npython = "n:f"\n', ["AM506"]),
    "kind": (TOOL, '[tools.x]\ncommand = ["x"]\n', ["AM506"]),
    "signature": (TOOL, TOOL + 'params.a = { type = "string" }\n', ["AM507"]),
    "command": (RUN, RUN.replace('"--", ', ""), ["AM506"]),
    "cwd": (RUN, RUN + 'cwd = "a"', ["AM506"]),
    "env added": (RUN, RUN + 'env = { A = "1" }', ["AM506"]),
    "env removed": (RUN + 'env = { A = "1" }', RUN, ["AM506"]),
    "stdin": (RUN, RUN + 'stdin = "a"', ["AM506"]),
    "options": (RUN, RUN + 'options_ok = ["a"]', ["AM508"]),
    "no options": (RUN + 'options_ok = ["a"]', RUN, []),
    "exit statuses": (RUN, RUN + "exit_ok = [0, 1]", ["AM508"]),
    "secret": (RUN + 'secret = ["a"]', RUN, ["AM508"]),
    "now secret": (RUN, RUN + 'secret = ["a"]', []),
    "idempotent": (RUN, RUN + "idempotent = true", ["AM508"]),
    "effect": (RUN + 'effect = "write"', RUN + 'effect = "read"', ["AM508"]),
    "now writes": (RUN, RUN + 'effect = "write"', []),
    "timeout": (RUN + 'timeout = "5s"', RUN + 'timeout = "6s"', ["AM509"]),
    "no timeout": (RUN + 'timeout = "5s"', RUN, ["AM509"]),
    "a timeout": (RUN, RUN + 'timeout = "5s"', []),
    "a long timeout": (RUN, RUN + 'timeout = "2h"', ["AM509"]),
    "output": (RUN + 'max_output = "1kB"', RUN + 'max_output = "2kB"', ["AM509"]),
    "less output": (RUN, RUN + 'max_output = "1kB"', []),
    "description": (RUN, RUN + 'description = "d"\nnote = "n"\nmock = 1\nreturns = { type = "string" }', []),
    "url": (SEND, SEND.replace("a.example", "b.example"), ["AM506"]),
    "method": (SEND, SEND + 'http.method = "HEAD"', ["AM506"]),
    "headers": (SEND, SEND.replace("${T}", "${U}"), ["AM506"]),
    "query": (SEND, SEND + 'http.query = { q = "1" }', ["AM506"]),
    "private": (SEND, SEND + "http.allow_private = true", ["AM508"]),
    "response": (SEND, SEND + 'http.max_response = "1GB"', ["AM509"]),
    "server": (MCP, '[mcp.git]\ncommand = ["git-mcp", "--all"]\n', ["AM513"]),
    "server's address": ('[mcp.g]\nurl = "https://a.example"', '[mcp.g]\nurl = "https://b.example"', ["AM513"]),
    "server's env": (MCP, MCP + 'env = { A = "1" }', ["AM513"]),
    "server's note": (MCP, MCP + 'note = "n"', []),
    "limit": ('[sandbox]\ntimeout = "5s"', '[sandbox]\ntimeout = "6s"', ["AM509"]),
    "lower limit": ('[sandbox]\ntimeout = "5s"', '[sandbox]\ntimeout = "4s"', []),
    "limit off": ('[sandbox]\ntimeout = "5s"', "[sandbox]\ntimeout = 0", ["AM509"]),
    "limit on": ("[sandbox]\ntimeout = 0", '[sandbox]\ntimeout = "1h"', []),
    "limit not set": ('[sandbox]\ntimeout = "5s"', "", ["AM509"]),
    "default limit not set": ('[sandbox]\ntimeout = "30s"', "", ["AM509"]),
    "limit set": ("", '[sandbox]\ntimeout = "5s"', []),
    "variable": ("", '[env]\nA = "1"', ["AM511"]),
    "variable's value": ('[env]\nA = "1"', '[env]\nA = "2"', ["AM511"]),
    "variable gone": ('[env]\nA = "1"', "", []),
    "mount": ("", '[[mounts]]\nhost = "d"\nguest = "/d"', ["AM510"]),
    "mount gone": ('[[mounts]]\nhost = "d"\nguest = "/d"', "", []),
    "mount's host": ('[[mounts]]\nhost = "d"\nguest = "/d"', '[[mounts]]\nhost = "e"\nguest = "/d"', ["AM510"]),
    "mount rw": (
        '[[mounts]]\nhost = "d"\nguest = "/d"',
        '[[mounts]]\nhost = "d"\nguest = "/d"\nmode = "rw"',
        ["AM510"],
    ),
    "mount ro": ('[[mounts]]\nhost = "d"\nguest = "/d"\nmode = "rw"', '[[mounts]]\nhost = "d"\nguest = "/d"', []),
    "mount over another gone": (
        '[[mounts]]\nhost = "d"\nguest = "/d"\n[[mounts]]\nhost = "empty"\nguest = "/d/keys"',
        '[[mounts]]\nhost = "d"\nguest = "/d"',
        ["AM510"],
    ),
    "mounts the other way round": (
        '[[mounts]]\nhost = "d"\nguest = "/d"\n[[mounts]]\nhost = "empty"\nguest = "/d/keys"',
        '[[mounts]]\nhost = "empty"\nguest = "/d/keys"\n[[mounts]]\nhost = "d"\nguest = "/d"',
        ["AM510", "AM510"],
    ),
    "test gone": (RUN + '[[tests]]\ncall = "x"\nargs = { a = "1" }\nexpect = "deny"', RUN, ["AM512"]),
    "test turned": (
        RUN + '[[tests]]\ncall = "x"\nargs = { a = "1" }\nexpect = "deny"',
        RUN + '[[tests]]\ncall = "x"\nargs = { a = "1" }\nexpect = "allow"',
        ["AM512"],
    ),
    "test of other arguments": (
        RUN + '[[tests]]\ncall = "x"\nargs = { a = "1" }\nexpect = "deny"',
        RUN + '[[tests]]\ncall = "x"\nargs = { a = "2" }\nexpect = "deny"',
        ["AM512"],
    ),
    "test that asked, and denies": (
        RUN + '[[tests]]\ncall = "x"\nargs = { a = "1" }\nexpect = "ask"',
        RUN + '[[tests]]\ncall = "x"\nargs = { a = "1" }\nexpect = "deny"',
        [],
    ),
    "test that allowed gone": (RUN + '[[tests]]\ncall = "x"\nargs = { a = "1" }\nexpect = "allow"', RUN, []),
    "test gone with its tool": (RUN + '[[tests]]\ncall = "x"\nargs = { a = "1" }\nexpect = "deny"', "", []),
}


@pytest.mark.parametrize("row", CHANGES.values(), ids=CHANGES)
def test_changes_beside_grants(row: tuple[str, str, list[str]]) -> None:
    old, new, expected = row
    assert codes(old, new) == expected


def test_r37_new_cannot_suppress_what_widened() -> None:
    """R37: the manifest under review does not decide what its reviewer sees."""
    suppressed = '[[check.suppress]]\ncode = "AM501"\nreason = "trust me"\n'
    try:
        new = parse_manifest(suppressed + RUN)
    except ValueError:
        return  # refusing it is as good
    assert [finding.code for finding in widened(parse_manifest(""), new)] == ["AM501"]


def test_findings_point_into_new_and_removals_into_old() -> None:
    old = parse_manifest(RUN + '[[tests]]\ncall = "x"\nargs = { a = "1" }\nexpect = "deny"', "old.toml")
    new = parse_manifest('[env]\nA = "1"\n' + RUN, "new.toml")
    found = [(finding.file, finding.line, finding.code) for finding in widened(old, new)]
    assert found == [("new.toml", 2, "AM511"), ("old.toml", 4, "AM512")]


def test_values_that_may_be_secret_are_not_shown() -> None:
    """R2: a finding about a header names the header."""
    old = SEND.replace("${T}", "Bearer one-long-secret")
    new = SEND.replace("${T}", "Bearer another-secret")
    (text,) = texts(old, new)
    assert text == "tools.x.http.headers: changed H"
    (text,) = texts(RUN, RUN.replace('"--"', '"--token=12345678"'))
    assert "12345678" not in text


def test_r2_a_file_that_moves_moves_what_is_beside_it(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A Python tool is looked for beside its file, so the same words in another folder are another function."""
    from amla_capabilities import load_manifest

    old, new = tmp_path_factory.mktemp("old"), tmp_path_factory.mktemp("new")
    for root, name in ((old, "inc.toml"), (new, "sub/inc.toml")):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(TOOL)
        (root / "tools.toml").write_text(f'include = ["{name}"]\n')
    found = widened(load_manifest(old / "tools.toml"), load_manifest(new / "tools.toml"))
    assert [finding.code for finding in found] == ["AM506"]
    assert widened(load_manifest(old / "tools.toml"), load_manifest(old / "tools.toml")) == []


# Schemas


SCHEMAS = {
    "maximum": ('type = "integer", maximum = 10', 'type = "integer", maximum = 11', True),
    "lower maximum": ('type = "integer", maximum = 10', 'type = "integer", maximum = 9', False),
    "no maximum": ('type = "integer", maximum = 10', 'type = "integer"', True),
    "minimum": ('type = "integer", minimum = 1', 'type = "integer", minimum = 0', True),
    "integers": ('type = "number"', 'type = "integer"', False),
    "numbers": ('type = "integer"', 'type = "number"', True),
    "types": ('type = ["string", "null"]', 'type = "string"', False),
    "null": ('type = "string"', 'type = ["string", "null"]', True),
    "enum": ('enum = ["a", "b"]', 'enum = ["a"]', False),
    "const": ('enum = ["a", "b"]', 'const = "b"', False),
    "enum more": ('enum = ["a"]', 'enum = ["a", "b"]', True),
    "true is not 1": ("enum = [1]", "enum = [true]", True),
    "no enum": ('type = "string", enum = ["a"]', 'type = "string"', True),
    "an enum in place of a type": ('type = "string"', 'enum = ["a"]', False),
    "pattern": ('type = "string", pattern = "^a"', 'type = "string", pattern = "a"', True),
    "a pattern": ('type = "string"', 'type = "string", pattern = "a"', False),
    "default": ('type = "string", default = "a"', 'type = "string", default = "b"', True),
    "a default": ('type = "string"', 'type = "string", default = "b"', True),
    "optional": ('type = "string"', 'type = "string", optional = true', True),
    "required": ('type = "string", optional = true', 'type = "string"', False),
    "title": ('type = "string"', 'type = "string", title = "t", description = "d"', False),
    "items": (
        'type = "array", items = { type = "integer" }',
        'type = "array", items = { type = ["integer", "string"] }',
        True,
    ),
    "fewer items": (
        'type = "array", items = { type = ["integer", "string"] }',
        'type = "array", items = { type = "string" }, maxItems = 3',
        False,
    ),
    "a property": (
        'type = "object", properties = { a = { type = "string" } }, additionalProperties = false',
        'type = "object", properties = { a = { type = "string" }, b = {} }, additionalProperties = false',
        True,
    ),
    "a property that could have been any": (
        'type = "object"',
        'type = "object", properties = { b = { type = "string" } }',
        False,
    ),
    "a property called title": (
        'type = "object", properties = { title = { type = "string" } }, additionalProperties = false',
        'type = "object", properties = { title = { type = "integer" } }, additionalProperties = false',
        True,
    ),
    "any other property": (
        'type = "object", additionalProperties = false',
        'type = "object"',
        True,
    ),
    "minContains weakens contains": (
        'type = "array", contains = { const = 1 }',
        'type = "array", contains = { const = 1 }, minContains = 0',
        True,
    ),
    "patternProperties open what was closed": (
        'type = "object", additionalProperties = false',
        'type = "object", additionalProperties = false, patternProperties = { "^x" = {} }',
        True,
    ),
    "anyOf": ('anyOf = [{ type = "string" }]', 'anyOf = [{ type = "string" }, { type = "integer" }]', True),
    "a reference": (
        'type = "array", items = { "$ref" = "#/properties/b" }',
        'type = "array", items = { "$ref" = "#/properties/a" }',
        True,
    ),
    "a constant that is no schema": ("const = { title = 1 }", "const = { title = 2 }", True),
}


@pytest.mark.parametrize("row", SCHEMAS.values(), ids=SCHEMAS)
def test_schemas(row: tuple[str, str, bool]) -> None:
    old, new, is_wider = row
    text = '[tools.x]\npython = "m:f"\nparams.b = {{ type = "string" }}\nparams.a = {{ {} }}\n'
    assert bool(codes(text.format(old), text.format(new))) is is_wider


def test_a_parameter_more_and_one_less() -> None:
    more = RUN.replace('"{a}"', '"{a}", "{b}"') + 'params.b = { type = "string" }\n'
    assert set(codes(RUN, more)) == {"AM506", "AM507"}
    one = TOOL + 'params.a = { type = "string" }\n'
    assert codes(one + 'params.b = { type = "string", optional = true }\n', one) == []
    assert codes(one + 'params.b = { type = "string" }\n', one) == ["AM507"]  # which had to be given
    assert codes(one + 'params.b = { type = "string", default = "b" }\n', one) == ["AM507"]
    assert codes(one, one + 'params.b = { type = "string" }\n') == ["AM507"]


def test_a_great_many_grants_are_not_compared_for_hours() -> None:
    """Beyond what is worth comparing everything counts as wider."""
    tools = "".join(f'[tools.t{n}]\ncommand = ["x"]\n' for n in range(500))
    new = parse_manifest(tools + '[[capabilities]]\nmethod = "**"\nmax_calls = 1\n' * 250)
    assert "too many" in widened(parse_manifest(tools), new)[0].message


ONE = '[tools.x]\ncommand = ["x", "{a}"]\nparams.a = { type = "string" }\n'


def repeated(text: str, count: int, *, backwards: bool = False) -> str:
    return "".join(text.replace("#", str(n)) for n in (reversed(range(count)) if backwards else range(count)))


GRANT = '[[capabilities]]\nmethod = "x"\nmax_calls = 1\nconstraints = { a = '
STARRED = '[[capabilities]]\nmethod = "x*"\nmax_calls = #\nconstraints = { a = "#" }\n'
LOOSE = STARRED.replace('"#" }', '{ not = "#" } }')
TOOLS = repeated(ONE.replace("tools.x", "tools.x#"), 300)
HOSTILE = {
    "grants of one tool that overlap": (ONE + repeated(GRANT + "{ not = 'v#' } }\n", 1_000), ONE),
    "the same in another order": (
        ONE + repeated(GRANT + "{ not = 'v#' } }\n", 1_000),
        ONE + repeated(GRANT + "{ not = 'v#' } }\n", 1_000, backwards=True),
    ),
    "expressions": (
        ONE + repeated(GRANT + "{ matches = 'a{0,#}c' } }\n", 900),
        ONE + repeated(GRANT + "{ matches = 'b{0,#}c' } }\n", 900),
    ),
    "grants of many tools": (TOOLS + repeated(LOOSE, 300), TOOLS + repeated(LOOSE, 300, backwards=True)),
    "a long list": (
        ONE + "constraints = { a = [" + repeated('"v#",', 100_000) + "] }\n",
        ONE + "constraints = { a = [" + repeated('"w#",', 100_000) + "] }\n",
    ),
    "alternatives": (
        ONE + 'constraints = { "" = [' + repeated('{ any_of = [{ a = "startswith:a#" }, { a = "b#" }] },', 60) + "] }\n",
        ONE + 'constraints = { "" = [' + repeated('{ any_of = [{ a = "startswith:b#" }, { a = "c#" }] },', 60) + "] }\n",
    ),
    "patterns within a server": (
        '[mcp.m]\nurl = "https://a.example/"\n' + repeated('[[capabilities]]\nmethod = "m/a#*b*c*d*"\n', 500),
        '[mcp.m]\nurl = "https://a.example/"\n' + repeated('[[capabilities]]\nmethod = "m/*a*b#*c*d"\n', 500),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_manifests_are_compared_in_bounded_time(name: str) -> None:
    """What takes too long is not proved, and so it counts as wider."""
    new, old = map(parse_manifest, HOSTILE[name])
    before = time.process_time()
    assert widened(old, new)
    assert time.process_time() - before < 30


def test_what_did_not_change_takes_no_proof() -> None:
    """However many grants a tool has: those before a change are what they were; and the change is told by its place."""
    many = ONE + repeated(GRANT + "'v#' }\n", 2_000)
    assert widened(parse_manifest(many), parse_manifest(many)) == []
    before, at, after = many.rpartition("max_calls = 1")
    raised = f"{before}max_calls = 2{after}"
    assert at
    (finding,) = widened(parse_manifest(many), parse_manifest(raised))
    assert (finding.code, finding.path) in {
        ("AM502", "capabilities[1999].method"),
        ("AM503", "capabilities[1999].max_calls"),
    }


def test_grants_that_exclude_each_other_are_compared_with_what_they_were() -> None:
    """Also behind a change, and in another order: only those count that may take calls from one."""
    many = repeated(GRANT + "'v#' }\n", 2_000)
    old = parse_manifest(ONE + many)
    assert widened(old, parse_manifest(ONE + repeated(GRANT + "'v#' }\n", 2_000, backwards=True))) == []
    (finding,) = widened(old, parse_manifest(ONE + many.replace("'v1000'", "'w'")))
    assert (finding.code, finding.path) == ("AM502", "capabilities[1000].method")
    tools = parse_manifest(TOOLS + repeated(STARRED, 300))
    assert widened(tools, parse_manifest(TOOLS + repeated(STARRED, 300, backwards=True))) == []


def test_a_grant_before_others_that_takes_calls_from_them_counts() -> None:
    asks = '[[capabilities]]\nmethod = "x"\nconstraints = { a = "startswith:v" }\napproval = "ask"\n'
    many = "".join(f'[[capabilities]]\nmethod = "x"\nconstraints = {{ a = "v{n}" }}\n' for n in range(50))
    assert codes(ONE + asks + many, ONE + many) == ["AM504"] * 50
    assert codes(ONE + asks + many, ONE + many + asks) == ["AM504"] * 50
    assert codes(ONE + many, ONE + asks + many) == ["AM502"]  # what is none of the values, which nothing granted


def test_what_is_granted_of_many_tools_is_compared_in_proportion() -> None:
    each = ONE.replace("tools.x", "tools.x#") + 'max_calls = 2\n[[capabilities]]\nmethod = "x#"\n'
    manifest = parse_manifest(repeated(each, 2_000))
    before = time.process_time()
    assert widened(manifest, manifest) == []
    assert time.process_time() - before < 10


def test_many_tools_that_did_not_change_are_compared_with_themselves() -> None:
    tools = "".join(f'[tools."a/t{n}"]\ncommand = ["x"]\nmax_calls = {n + 1}\n' for n in range(300))
    grants = '[[capabilities]]\nmethod = "a/*"\nmax_calls = 9\n[[capabilities]]\nmethod = "**"\n'
    assert codes(tools + grants, tools + grants) == []
    assert codes(tools + grants, tools.replace("max_calls = 5\n", "max_calls = 6\n") + grants) == ["AM503"]
    assert codes(tools + grants, tools + grants.replace("= 9", "= 10")) == ["AM503"]


def test_tools_that_the_host_declares_are_compared() -> None:
    """A pattern over tools that no manifest declares."""
    text = '[[capabilities]]\nmethod = "a/*"\nconstraints = {{ x = "<={}" }}\n'
    old = parse_manifest(text.format(1), known_tools=["a/b"])
    assert [f.code for f in widened(old, parse_manifest(text.format(2), known_tools=["a/b"]))] == ["AM502"]
    assert widened(old, parse_manifest(text.format(1), known_tools=["a/b"])) == []
    assert [f.code for f in widened(old, parse_manifest(text.format(1), known_tools=["a/b", "a/c"]))] == ["AM502"]
