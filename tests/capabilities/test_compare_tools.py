"""R37: everything else that a manifest says, field by field."""

from __future__ import annotations

from dataclasses import fields

import pytest
from compare_texts import COMPARED, RUN, TOOL, codes, texts

from amla_capabilities import parse_manifest
from amla_capabilities.compare import widened
from amla_capabilities.compare._rows import ROWS, Apart, Kept
from amla_capabilities.compare._schemas import KEYWORDS
from amla_capabilities.findings import FINDINGS
from amla_capabilities.manifest import (
    _schemas,
)


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
