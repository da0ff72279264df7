"""The manifest: what it gives, and what it refuses."""

from __future__ import annotations

import json
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from amla_capabilities import (
    FINDINGS,
    CommandTool,
    HttpTool,
    Manifest,
    ManifestError,
    PythonTool,
    ToolNameError,
    combine,
    load_manifest,
    manifest_schema,
    parse_manifest,
)

EXAMPLE = """
include = []
[sandbox]
timeout = "5s"
memory = "64MB"
max_calls = 10

[tools.get_weather]
python = "weather:get_weather"
allow = true

[tools."git/log"]
command = ["git", "log", "-n", "{count}", "--format=%h {{x}}", "--", "{path}"]
params.count = { type = "integer", minimum = 1, default = 10 }
params.path = { type = "string", default = "." }
constraints = { count = "<=50" }
max_calls = 5
secret = ["path"]
env = { LANG = "C", TOKEN = "${GIT_TOKEN}" }

[tools."stripe/charges/create"]
http = { method = "POST", url = "https://x.example/{version}", body = "form", headers = { Auth = "Bearer ${KEY}" } }
params.version = { type = "string", enum = ["a"] }
params.amount = { type = "integer" }
params.currency = { type = "string", enum = ["USD", "EUR"] }
returns = { type = "object" }
mock = { id = "ch_test" }
effect = "write"

[mcp.github]
command = ["github-mcp-server", "stdio"]
env = { GITHUB_TOKEN = "${GITHUB_TOKEN}" }

[env]
MODE = "test {plain}"

[[mounts]]
host = "data"
guest = "/workspace/data"

[[capabilities]]
method = "github/**"
max_calls = 100
[[capabilities]]
method = "stripe/charges/*"
constraints = { amount = "<=10000", currency = ["USD", "EUR"] }
approval = "ask"

[[tests]]
call = "stripe.charges.create"
args = { amount = 50000, currency = "USD" }
expect = "deny"
"""


def faults(text: str, **more: Any) -> list[str]:
    with pytest.raises(ManifestError) as caught:
        parse_manifest(text, "tools.toml", **more)
    assert all(fault.code in FINDINGS and fault.code.startswith("AM1") for fault in caught.value.faults)
    return [f"{fault.line}:{fault.column} {fault.path}: {fault.message}" for fault in caught.value.faults]


def test_the_example() -> None:
    manifest = parse_manifest(EXAMPLE)
    assert (manifest.limits.timeout, manifest.limits.memory, manifest.limits.max_calls) == (5, 64_000_000, 10)
    assert manifest.limits_set == {"timeout", "memory", "max_calls"}
    weather, log, charge = manifest.tools.values()
    assert isinstance(weather, PythonTool)
    assert (weather.module, weather.attribute, weather.schema) == ("weather", "get_weather", None)
    assert isinstance(log, CommandTool)
    assert [str(part) for part in log.argv][3:6] == ["{count}", "--format=%h {x}", "--"]
    assert log.argv[3].fill({"count": "7"}.__getitem__, str) == "7"
    assert list(log.env["TOKEN"].env()) == ["GIT_TOKEN"]
    assert log.secret == ("path",)
    assert isinstance(charge, HttpTool)
    assert charge.loose_params() == ("amount", "currency")
    assert (charge.mock, charge.has_mock, charge.effect) == ({"id": "ch_test"}, True, "write")
    assert charge.schema is not None
    assert charge.schema["required"] == ["version", "amount", "currency"]
    assert charge.schema["additionalProperties"] is False
    assert manifest.env == {"MODE": "test {plain}"}
    assert manifest.tests[0].call == "stripe/charges/create"
    assert [c.method_pattern for c in manifest.capabilities] == [
        "github/**",
        "stripe/charges/*",
        "get_weather",
        "git/log",
    ]


def test_its_policy() -> None:
    policy = parse_manifest(EXAMPLE).policy()
    assert policy.check("get_weather", {"city": "Oslo"}).allowed
    refused = policy.check("git/log", {"count": 60, "path": "."})
    assert refused.guest_message == "git/log denied: count 60 violates count <= 50"
    assert policy.check("stripe/charges/create", {"amount": 5, "currency": "USD"}).needs_approval
    assert policy.check("stripe/charges/create", {"amount": 50000, "currency": "USD"}).verdict == "denied"
    assert policy.check("github/search", {}).allowed
    assert not policy.check("gitlab/search", {}).allowed
    assert [policy.authorize("git/log", {"count": 1}).allowed for _ in range(6)] == [True] * 5 + [False]


def test_r5_an_explicit_capability_decides_before_a_tools_own_grant() -> None:
    text = '[tools.a]\npython = "a:a"\nmax_calls = 9\n[[capabilities]]\nmethod = "a"\napproval = "ask"\n'
    assert parse_manifest(text).policy().check("a", {}).needs_approval
    text = '[tools.a]\npython = "a:a"\nallow = false\n[[capabilities]]\nmethod = "**"\n[tools.b]\npython = "a:b"\n'
    policy = parse_manifest(text).policy()
    assert policy.check("a", {}).code == "FORBIDDEN"
    assert policy.check("b", {}).allowed


def test_r5_limits_of_a_table_grant_only_what_no_capability_names() -> None:
    """Otherwise a limit, meant to bind, would let pass what the capability's constraints refuse."""
    tool = '[tools.a]\ncommand = ["a", "{n}"]\nparams.n = { type = "integer" }\nmax_calls = 9\n'
    capability = '[[capabilities]]\nmethod = "a"\nconstraints = { n = "<=5" }\n'
    assert parse_manifest(tool).policy().check("a", {"n": 50}).allowed
    assert parse_manifest(tool + capability).policy().check("a", {"n": 5}).allowed
    assert not parse_manifest(tool + capability).policy().check("a", {"n": 50}).allowed
    assert parse_manifest(tool + "allow = true\n" + capability).policy().check("a", {"n": 50}).allowed


def test_a_tool_that_nothing_grants_is_refused() -> None:
    decision = parse_manifest('[tools.a]\npython = "a:a"\n').policy().check("a", {})
    assert decision.code == "NOT_GRANTED"


def test_all_faults_at_once_with_places() -> None:
    text = '[sandbox]\ntimeout = 30\nmemroy = "1MB"\n\n[tools.a]\npython = "a:a"\nmax_calls = true\nalow = true\n'
    assert faults(text) == [
        '2:11 sandbox.timeout: timeout is a duration such as "30s" (0 for none), not 30',
        "3:1 sandbox.memroy: unknown key 'memroy'; did you mean 'memory'?",
        "7:13 tools.a.max_calls: must be a whole number, not true, which is a boolean",
        "8:1 tools.a.alow: unknown key 'alow'; did you mean 'allow'?",
    ]
    with pytest.raises(ManifestError) as caught:
        parse_manifest(text, "tools.toml")
    assert "tools.toml:7:13: AM104 tools.a.max_calls: " in str(caught.value)
    assert "\n    max_calls = true\n                ^" in str(caught.value)


TOOL = '[tools.t]\ncommand = ["x", "{p}"]\nparams.p = { type = "string" }\n'


def param(schema: str) -> str:
    return f'[tools.t]\ncommand = ["x", "{{p}}"]\nparams.p = {{ {schema} }}\n'


NUMBER = '[tools.t]\ncommand = ["x", "{n}"]\nparams.n = { type = "integer", minimum = 1, maximum = 9 }\n'
HTTP = '[tools.t]\nparams.p = { type = "string" }\n'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("tools = 5", "1:9 tools: must be a table"),
        ("[tool.x]", "unknown key 'tool'; did you mean 'tools'?"),
        ("[tools.x]", "exactly one of python, command and http; this has none"),
        ('[tools.x]\npython = "a:b"\ncommand = ["x"]', "this has python and command"),
        ('[tools.x]\npython = "a.b"', "2:10 tools.x.python: 'a.b' is not module:function"),
        ('[tools.x]\npython = "a:b"\ncwd = "x"', "3:1 tools.x.cwd: 'cwd' belongs to tools of kind command"),
        ('[tools."a..b"]\npython = "a:b"', '1:8 tools."a..b": tool name'),
        ('[tools."a.b"]\npython = "a:b"', "write '/' between segments"),
        ('[tools.stripe.charges]\npython = "a:b"', "unknown key 'charges'"),
        ('[tools.a-b]\npython="a:b"\n[tools.a_b]\npython="a:b"', "3:8 tools.a_b: tools 'a-b' and 'a_b' would both"),
        ('[tools.a]\npython="a:b"\n[tools."mcp:a"]\npython="a:b"', "tool 'a' is declared twice"),
        (TOOL + "max_calls = -1", "4:13 tools.t.max_calls: must be 0 or more"),
        (TOOL + 'timeout = "5"', "'5' lacks a unit"),
        (TOOL + 'timeout = "5 parsecs"', "unknown unit"),
        (TOOL + 'effect = "writes"', "did you mean 'write'?"),
        (TOOL + 'rate = "10 per minute"', '4:8 tools.t.rate: "10 per minute" is not a rate'),
        (TOOL + "rate = 10", "tools.t.rate: a rate is a string"),
        (TOOL + 'rate = "0/minute"', "tools.t.rate: a rate allows 1 to"),
        (TOOL + "expires = 2030-01-01T00:00:00", "tools.t.expires: expires 2030-01-01T00:00:00 needs a time zone"),
        (TOOL + "expires = 2030-01-01", "tools.t.expires: expires is a date with time and zone"),
        (TOOL + 'expires = "soon"', "tools.t.expires"),
        (TOOL + "total = 5", "tools.t.total: must be a table"),
        (TOOL + "total = { p = 5 }", "4:15 tools.t.total.p: a total has an upper bound"),
        (TOOL + 'total = { p = ">=5" }', "tools.t.total.p: a total has an upper bound"),
        (TOOL + 'total = { p = "<=5" }', "tools.t.total.p: p is of type string by its schema"),
        (TOOL + 'total = { q = "<=5" }', "tools.t.total.q: the schema has no parameter 'q'"),
        (NUMBER + 'total = { n = "<=5" }\nconstraints = { n = ">5" }', "nothing can satisfy n > 5 & n <= 5"),
        (TOOL + 'secret = ["q"]', "'q' is not a parameter of this tool"),
        (TOOL + 'secret = ["p["]', "parameter path 'p['"),
        (TOOL + 'secret = [5]', "tools.t.secret[0]: must be a string"),
        (TOOL + 'options_ok = ["q"]', "'q' is not a parameter of this tool"),
        (TOOL + 'constraints = { p = "=<5" }', '4:21 tools.t.constraints.p: "=<5" starts like a comparison'),
        (TOOL + 'constraints = { p = "<= 1,000" }', "4:25 tools.t.constraints.p: write the number without separators"),
        (TOOL + 'constraints = { p = "<=5" }', "p is of type string by its schema, so p <= 5 can never hold"),
        (TOOL + 'constraints = { pp = "x" }', "the schema has no parameter 'pp'; did you mean 'p'?"),
        (TOOL + 'constraints = { "p.q" = "x" }', "the schema has no parameter 'p.q'"),
        (TOOL + "constraints = { p = [] }", "an empty list allows nothing"),
        (TOOL + 'constraints = { p = ["a", "<=5"] }', "constraints.p[1]: a list holds either"),
        (TOOL + 'constraints = { p = { start_with = "a" } }', "constraints.p.start_with: unknown operator"),
        (TOOL + 'constraints = { p = ["startswith:a", "startswith:b"] }', "nothing can satisfy"),
        (TOOL + "constraints = { p = nan }", "finite"),
        (TOOL + "constraints = { p = 2020-01-01 }", "is not one"),
        (TOOL + 'constraints = "p <= 5"', "must be a table from parameter to constraint"),
        (TOOL + "mock = { t = 2020-01-01 }", "tools.t.mock.t: JSON has no dates"),
        (TOOL + "returns = { typ = 'object' }", "unknown JSON Schema keyword 'typ'; did you mean 'type'?"),
        ('[tools.t]\ncommand = ["x", "{q}"]', "'{q}' is not a parameter of this tool; add params.q"),
        ('[tools.t]\ncommand = ["x", "{"]', "2:17 tools.t.command[1]: stray '{'"),
        ('[tools.t]\ncommand = []', "2:11 tools.t.command: must not be empty"),
        ('[tools.t]\ncommand = "ls -l"', "must be an array, not the string"),
        ('[tools.t]\ncommand = ["x"]\nparams.p = { type = "string" }', "3:8 tools.t.params.p: is never used"),
        ('[tools.t]\ncommand = ["x", "{p}"]\nparams.p = { type = "string", optional = true }', "'p' is optional"),
        ('[tools.t]\ncommand = ["x"]\nparams.p = "string"', "must be a table such as"),
        (param("minLength = 'x'"), "params.p.minLength: must be a whole number of 0 or more, not the string 'x'"),
        (param("maxItems = -1"), "must be a whole number of 0 or more"),
        (param("maximum = true"), "params.p.maximum: must be a number, not true"),
        (param("multipleOf = 0"), "must be a number above 0"),
        (param("enum = []"), "must be an array of at least one value"),
        (param("enum = 'a'"), "must be an array of at least one value"),
        (param("required = 'a'"), "must be an array of names"),
        (param("uniqueItems = 1"), "must be true or false"),
        (param("pattern = '('"), "params.p.pattern: '(' is no regular expression"),
        (param("pattern = '(?=a)b'"), "is no regular expression that takes linear time"),
        (param("patternProperties = { '(' = {} }"), "'(' is no regular expression"),
        (param("format = 'emial'"), "'emial' is not a format of JSON Schema; did you mean 'email'?"),
        (param("minimum = 9, maximum = 3"), "params.p.maximum: maximum 3 lies below minimum 9"),
        (param("type = 'string', minLength = 9, maxLength = 3"), "maxLength 3 lies below minLength 9"),
        (param("type = 'integer', maximum = 3, default = 5"), "params.p.default: the default lies above maximum 3"),
        (param("type = 'integer', default = 1.5"), "the default 1.5 is not a whole number"),
        (param("enum = ['a', 'b'], default = 'c'"), "the default 'c' is none of the values of enum"),
        (param("type = 'string', minLength = 1, default = ''"), "the default lies below minLength 1"),
        ('[tools.t]\ncommand = ["x", "{p}"]\nparams.p = { type = "strng" }', "did you mean 'string'?"),
        ('[tools.t]\ncommand = ["x", "{p}"]\nparams.p = { type = "integer", default = true }', "is of type boolean"),
        (HTTP + 'http = { method = "POST" }', "tools.t.http.url: is missing"),
        (HTTP + 'http = { url = "https://x.example/", method = "post" }', 'must be "GET" or'),
        (HTTP + 'http = { url = "https://x.example/", body = "json" }', "GET requests have no body"),
        (HTTP + 'http = { url = "https://x.example/#f" }', "fragment"),
        (HTTP + 'http = { url = "https://x.example/", headers = { "a b" = "x" } }', "not the name of an HTTP header"),
        ('[mcp.a]\ncommand = ["x"]\nurl = "https://x.example/"', "either a command or a url"),
        ('[mcp."a/b"]\ncommand = ["x"]', "must be one segment"),
        ('[mcp.a]\ncommand = ["x"]\n[tools."a/b"]\npython = "a:b"', "'a' is an MCP server"),
        ('[[capabilities]]\nmethd = "x"', "capabilities[0].methd: unknown key 'methd'; did you mean 'method'?"),
        ('[[capabilities]]\nmethod = "a**"', "2:10 capabilities[0].method: pattern 'a**'"),
        (TOOL + '[[capabilities]]\nmethod = "u"', "names no declared tool"),
        (TOOL + '[[capabilities]]\nmethod = "t"\nconstraints = { q = 1 }', "[0].constraints.q: the schema has no"),
        (TOOL + '[[capabilities]]\nmethod = "t"\nconstraints = { p = [">=5", "<=4"] }', "nothing can satisfy"),
        (TOOL + '[[capabilities]]\nmethod = "t"\napproval = true', 'must be "ask"'),
        ('[[mounts]]\nhost = "x"\nguest = "data"', "not a clean absolute path"),
        ('[[mounts]]\nhost = "x"\nguest = "/data"\ndelete = true', '4:1 mounts[0].delete: delete goes with mode = "rw"'),
        ('[tools.t]\npython = "t.py:f"', "'t.py:f' names a file: write its module, t:f"),
        (HTTP + 'http = { url = "https://x.example/", headers = { Host = "x" } }', "no tool sets it"),
        ('[[mounts]]\nhost = "x"\nguest = "/a/../b"', "not a clean absolute path"),
        ('[[mounts]]\nhost = "x"\nguest = "/a"\nmode = "rx"', 'must be "ro" or "rw"'),
        ('[env]\n"A B" = "x"', "not the name of an environment variable"),
        ("[env]\nA = 5", "must be a string"),
        (TOOL + '[[tests]]\ncall = "u"\nexpect = "deny"', "tests[0].call: 'u' is not a declared tool"),
        (TOOL + '[[tests]]\ncall = "t"\nexpect = "no"', "must be \"allow\" or \"deny\" or \"ask\""),
        ("[check]\nsuppress = []", "2:12 check.suppress: must be a table"),
        ("[check]\nsupress = {}", "did you mean 'suppress'?"),
        ("[check.suppress]\nAM220", "not valid TOML"),
        ("[check.suppress]\nAM20 = 'x'", "2:1 check.suppress.AM20: 'AM20' is no finding; did you mean"),
        ("[check.suppress]\nAM203 = ''", "check.suppress.AM203: must not be empty"),
        ("[check.suppress]\nAM203 = {}", "check.suppress.AM203.reason: is missing"),
        ("[check.suppress]\nAM203 = true", "must be a table"),
        ("[check.suppress]\nAM103 = 'x'", "AM103 is never suppressed"),
        ("[check.suppress]\nAM301 = 'x'", "AM301 is never suppressed"),
        ('include = ["x.toml"]', "cannot include"),
        ("a = 1\na = 2", "not valid TOML"),
        ("[sandbox]\ntimeout = \"1s\n", "not valid TOML"),
    ],
)  # fmt: skip
def test_faulty_manifests(text: str, says: str) -> None:
    found = faults(text)
    assert any(says in fault for fault in found), found


def test_a_fault_of_a_table_is_shown_where_a_header_names_it() -> None:
    assert faults("[tool.x]") == ["1:2 tool: unknown key 'tool'; did you mean 'tools'?"]
    assert faults('[mcp."a b".x.y]\n[ tool . x ]')[-1].startswith("2:3 tool: unknown key")


def test_tools_that_merge_are_told_once_at_the_second() -> None:
    a, b = ('[tools."get-user"]\ncommand = ["a"]\n', '[tools.get_user]\ncommand = ["b"]\n')
    assert [fault.split(":")[0] for fault in faults(a + b)] == ["3"]


def test_r22_schemas_handed_in_are_checked_too() -> None:
    text = '[tools.t]\npython = "t:t"\nconstraints = { amout = "<=5", name = "<=5", ok = 1 }\n'
    manifest = parse_manifest(text, "tools.toml")
    schema = {"type": "object", "properties": {"amount": {}, "name": {"type": "string"}, "ok": {"$ref": "#/$defs/n"}},
              "$defs": {"n": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}}  # fmt: skip
    with pytest.raises(ManifestError) as caught:
        manifest.check_schemas({"t": schema})
    assert [(fault.line, fault.column) for fault in caught.value.faults] == [(3, 25), (3, 39)]
    assert "did you mean 'amount'?" in str(caught.value)
    manifest.check_schemas({"t": {"type": "object"}})


def test_secrets_are_checked_against_schemas_handed_in() -> None:
    """One that is misspelt would hide nothing."""
    manifest = parse_manifest('[tools.t]\npython = "t:t"\nallow = true\nsecret = ["key", "tokn", "user.pin"]\n')
    user = {"type": "object", "properties": {"pin": {}}, "additionalProperties": False}
    schema = {"type": "object", "properties": {"key": {}, "token": {}, "user": user}, "additionalProperties": False}
    with pytest.raises(ManifestError) as caught:
        manifest.check_schemas({"t": schema})
    (fault,) = caught.value.faults
    assert (fault.code, fault.line, fault.column, fault.path) == ("AM120", 4, 18, "tools.t.secret[1]")
    assert "did you mean 'token'?" in fault.message


def test_a_pattern_is_no_fault_while_some_schema_is_unknown() -> None:
    """git/log has no such parameter, but the Python function may."""
    text = TOOL.replace("[tools.t]", '[tools."g/a"]') + '[tools."g/b"]\npython = "b:b"\n'
    text += '[[capabilities]]\nmethod = "g/*"\nconstraints = { q = "x" }\n'
    manifest = parse_manifest(text)
    manifest.check_schemas({"g/b": {"type": "object", "properties": {"q": {}}}})
    with pytest.raises(ManifestError, match="no parameter 'q'"):
        manifest.check_schemas({"g/b": {"type": "object", "properties": {}, "additionalProperties": False}})
    server = '[mcp.g]\ncommand = ["g"]\n' + TOOL + '[[capabilities]]\nmethod = "**"\nconstraints = { q = "x" }\n'
    assert parse_manifest(server)


def test_what_a_schema_excludes_no_constraint_may_demand() -> None:
    def text(constraint: str) -> str:
        return NUMBER + f"constraints = {{ n = {constraint} }}\n"

    assert "nothing can satisfy n >= 10, since by the schema of 't' n >= 1 & n <= 9" in faults(text('">=10"'))[0]
    assert "nothing can satisfy n < 1" in faults(text('"<1"'))[0]
    assert parse_manifest(text('">=9"'))
    enum = '[tools.t]\ncommand = ["x", "{c}"]\nparams.c = { enum = ["a", "b"] }\n'
    assert "nothing can satisfy" in faults(enum + 'constraints = { c = "z" }')[0]
    assert parse_manifest(enum + 'constraints = { c = ["b", "z"] }')


def test_a_faulty_tool_is_still_declared() -> None:
    """A fault in a tool is not also reported as a pattern that names nothing."""
    assert (
        len(faults(TOOL + 'effect = "x"\n[[capabilities]]\nmethod = "t"\n[[tests]]\ncall = "t"\nexpect = "deny"')) == 1
    )


def test_r19_mcp_patterns_warn() -> None:
    text = (
        TOOL
        + '[mcp.gh]\ncommand = ["x"]\n[[capabilities]]\nmethod = "gh/search"\n[[capabilities]]\nmethod = "mcp:**"\n'
    )
    warnings = [warning.message for warning in parse_manifest(text).warnings]
    assert len(warnings) == 2
    assert warnings[0].startswith("unverified")
    assert "every tool there is" in warnings[1]


@pytest.mark.parametrize(
    "text",
    [
        '[tools.t]\ncommand = ["x", "${HOME}"]',
        '[tools.t]\ncommand = ["x"]\ncwd = "${HOME}"',
        '[tools.t]\nhttp = { url = "https://x.example/${KEY}" }',
        '[env]\nA = "${B}"',
        '[[mounts]]\nhost = "${HOME}"\nguest = "/a"',
        '[mcp.a]\ncommand = ["${X}"]',
        '[mcp.a]\nurl = "https://${X}/"',
    ],
)
def test_r27_environment_references_only_where_they_are_filled_in(text: str) -> None:
    assert any("is not filled in here" in fault for fault in faults(text))


@pytest.mark.parametrize(
    "url",
    ["https://{host}/", "{scheme}://x.example/", "https://x.example:{port}/", "https://{p}.example/", "https://u:p@x.example/",
     "https://u@x.example/", "ftp://x.example/", "//x.example/", "/path", "https:/x.example/"],
)  # fmt: skip
def test_r24_parameters_reach_only_path_and_query(url: str) -> None:
    text = f'[tools.t]\nparams.p = {{ type = "string" }}\nhttp = {{ url = "{url}" }}'
    assert any("must start with http" in fault for fault in faults(text))


def test_r23_the_program_is_fixed() -> None:
    text = '[tools.t]\ncommand = ["{p}", "x"]\nparams.p = { type = "string" }'
    assert any("no parameter may choose it" in fault for fault in faults(text))
    for key, value in (("cwd", '"{p}"'), ("env", '{ A = "{p}" }')):
        text = f'[tools.t]\ncommand = ["x", "{{p}}"]\nparams.p = {{ type = "string" }}\n{key} = {value}'
        if key == "env":
            assert any("parameters are not filled in here" in fault for fault in faults(text))
        else:
            assert parse_manifest(text).tools["t"].cwd == "{p}"  # type: ignore[attr-defined]  # taken as it stands
    assert any("batch files" in fault for fault in faults('[tools.t]\ncommand = ["run.BAT"]'))


def test_r21_references_stay_within_the_document_and_keywords_are_known() -> None:
    for schema, says in (
        ('{ "$ref" = "https://x.example/s" }', "stays within the document"),
        ('{ "$ref" = "file.json" }', "stays within the document"),
        ('{ "$ref" = "#/$defs/n", "$defs" = { n = {} } }', "write '#/properties/PARAMETER/"),
        ('{ "$ref" = "#/properties/a/anyOf/2", anyOf = [{}, {}] }', "leads to no schema"),
        ('{ "$ref" = "#n" }', "leads to no schema"),
        ("{ items = { typo = 1 } }", "unknown JSON Schema keyword"),
        ('{ "$id" = "x" }', "unknown JSON Schema keyword"),
    ):
        text = f'[tools.t]\ncommand = ["x", "{{p}}"]\nparams.p = {schema}'
        assert any(says in fault for fault in faults(text)), schema


def test_r20_a_default_outside_plain_properties_is_a_fault() -> None:
    good = '{ type = "object", properties = { a = { type = "string", default = "x" } } }'
    bad = '{ type = "array", items = { type = "string", default = "x" } }'
    base = '[tools.t]\ncommand = ["x", "{p}"]\nparams.p = '
    assert parse_manifest(base + good).tools
    assert any("never filled in" in fault for fault in faults(base + bad))


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text)
    return folder / "top.toml"


def test_r2_an_include_grants_only_its_own_tools(tmp_path: Path) -> None:
    top = write(
        tmp_path,
        top='include = ["inner.toml"]\n[tools.danger]\npython = "d:d"\n',
        inner='[tools.safe]\npython = "s:s"\n[[capabilities]]\nmethod = "**"\n',
    )
    manifest = load_manifest(top)
    policy = manifest.policy()
    assert set(manifest.tools) == {"danger", "safe"}
    assert policy.check("safe", {}).allowed
    assert not policy.check("danger", {}).allowed
    assert len(manifest.files) == 2


def test_r2_the_top_file_reaches_its_includes(tmp_path: Path) -> None:
    top = write(
        tmp_path,
        top='include = ["inner.toml"]\n[[capabilities]]\nmethod = "safe"\n',
        inner='[tools.safe]\npython = "s:s"\n',
    )
    assert load_manifest(top).policy().check("safe", {}).allowed


def test_r2_includes_stay_inside_end_in_toml_and_do_not_cycle(tmp_path: Path) -> None:
    inside = tmp_path / "project"
    inside.mkdir()
    (tmp_path / "outside.toml").write_text("")
    (inside / "link.toml").symlink_to(tmp_path / "outside.toml")
    (inside / "data.txt").write_text("")
    for name, says in (
        ("../outside.toml", "outside"),
        ("link.toml", "outside"),
        ("data.txt", ".toml"),
        ("top.toml", "itself"),
        ("gone.toml", "No such file"),
        (str(tmp_path / "outside.toml"), "outside"),
    ):
        with pytest.raises(ManifestError, match=says):
            load_manifest(write(inside, top=f"include = ['{name}']\n"))
    with pytest.raises(ManifestError, match="itself"):
        load_manifest(write(inside, top="include = ['b.toml']\n", b="include = ['top.toml']\n"))


def test_r2_faults_of_all_files_are_told_and_limits_are_the_tops(tmp_path: Path) -> None:
    top = write(tmp_path, top='include = ["inner.toml"]\nfoo = 1\n', inner="[sandbox]\ntimeout = '1s'\n[tools.x]\n")
    with pytest.raises(ManifestError) as caught:
        load_manifest(top)
    assert [Path(fault.file).name for fault in caught.value.faults] == ["top.toml", "inner.toml", "inner.toml"]


def test_r2_several_manifests_do_not_grant_each_others_tools() -> None:
    one = parse_manifest('[tools.a]\npython = "a:a"\n[[capabilities]]\nmethod = "**"\n')
    other = parse_manifest('[tools.b]\npython = "b:b"\n')
    policy = combine([one, other])
    assert policy.check("a", {}).allowed
    assert not policy.check("b", {}).allowed
    with pytest.raises(ToolNameError):
        combine([one, one])


def test_r2_source_lines_that_look_secret_are_masked() -> None:
    text = '[tools.t]\nhttp = { url = "https://x.example/", headers = { Token = "Bearer sk_live_01234" }, bad = 1 }\n'
    with pytest.raises(ManifestError) as caught:
        parse_manifest(text)
    assert "sk_live" not in str(caught.value)
    assert "https://x.example/" in str(caught.value)


def test_r3_control_characters_are_escaped() -> None:
    with pytest.raises(ManifestError) as caught:
        parse_manifest('[tools."a\\u001b[31m"]\npython = "a:a"\nx = "\u202e"\n"\\u202e" = 1\n')
    text = str(caught.value)
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load_manifest(tmp_path / "gone.toml")
    (tmp_path / "bad.toml").write_bytes(b"a = 1\nb = '\xff'\n")
    with pytest.raises(ManifestError, match=r"bad\.toml:2:1: AM100 is not UTF-8"):
        load_manifest(tmp_path / "bad.toml")


def test_known_tools_of_the_host_count_as_declared() -> None:
    text = '[[capabilities]]\nmethod = "host/tool"\nmax_calls = 1\n'
    assert parse_manifest(text, known_tools=["host/tool"]).policy().check("host/tool", {}).allowed
    assert len(faults(text)) == 1


def test_findings_can_be_placed_later() -> None:
    finding = parse_manifest(EXAMPLE, "tools.toml").finding(
        "AM130", ("tools", "git/log", "max_calls"), "too many", hint="fewer"
    )
    assert str(finding).startswith('tools.toml:17:13: AM130 tools."git/log".max_calls: too many\n    max_calls = 5')
    assert str(finding).endswith("^\n    fewer")


SCHEMA = jsonschema_rs.validator_for(manifest_schema(), validate_formats=True)


def accepted(text: str) -> bool:
    """Whether an editor that knows the JSON Schema would find nothing to underline."""
    plain = json.dumps(tomllib.loads(text), default=lambda when: when.isoformat())
    return SCHEMA.is_valid(json.loads(plain))


CLEAN = sorted(Path(__file__).with_name("clean").glob("*.toml"))


@pytest.mark.parametrize("text", [EXAMPLE, *(file.read_text("utf-8") for file in CLEAN)])
def test_the_schema_of_manifests_accepts_what_is_read(text: str) -> None:
    assert accepted(text)


@pytest.mark.parametrize("code", ["AM103", "AM104", "AM106", "AM110", "AM128"])
def test_the_schema_of_manifests_refuses_what_is_no_manifest(code: str) -> None:
    kind = FINDINGS[code]
    assert not accepted(kind.example)
    assert not kind.mended or accepted(kind.mended)


def test_the_schema_that_ships_is_the_one_that_is_made() -> None:
    assert (
        json.loads(files("amla_capabilities.manifest").joinpath("schema.json").read_text("utf-8")) == manifest_schema()
    )


_WORDS = st.sampled_from(
    [
        "tools",
        "mcp",
        "capabilities",
        "sandbox",
        "mounts",
        "env",
        "tests",
        "check",
        "include",
        "python",
        "command",
        "http",
        "params",
        "constraints",
        "method",
        "call",
        "args",
        "expect",
        "url",
        "headers",
        "a",
        "b",
        "type",
        "optional",
        "default",
        "max_calls",
        "allow",
        "note",
        "timeout",
        "host",
        "guest",
        "secret",
        "query",
        "body",
    ]
)
_SCALARS = st.one_of(
    st.integers(), st.booleans(), st.floats(), st.sampled_from(["", "a", "a:b", "<=5", "{a}", "**", "GET"])
)
_TOML = st.recursive(
    _SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(_WORDS, inner, max_size=3)),
    max_leaves=12,
)


@given(st.dictionaries(_WORDS, _TOML, max_size=4))
def test_any_toml_is_read_or_refused_with_places(data: dict[str, Any]) -> None:
    text = tomli_w.dumps(data)
    try:
        parse_manifest(text, "tools.toml")
    except ManifestError as error:
        assert all(fault.line >= 1 and fault.column >= 1 and fault.message for fault in error.faults)  # noqa: PT017


def test_an_empty_manifest_allows_nothing() -> None:
    manifest = parse_manifest("")
    assert isinstance(manifest, Manifest)
    assert manifest.policy().check("a", {}).code == "NOT_GRANTED"


def test_a_text_nested_without_end_is_a_fault() -> None:
    with pytest.raises(ManifestError, match="nested too deeply"):
        parse_manifest("x = " + "[" * 100_000)
