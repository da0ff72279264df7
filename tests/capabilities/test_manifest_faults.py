"""Manifests that are refused: what is said, and where."""

from __future__ import annotations

import pytest
from manifest_texts import TOOL, faults

from amla_capabilities import (
    ManifestError,
    parse_manifest,
)


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
