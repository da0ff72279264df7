"""`lint` and `run_tests`: what is found in a sound manifest, and what is not."""

from __future__ import annotations

import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from amla_capabilities import Finding, constraints_from_dict, load_manifest, parse_manifest
from amla_capabilities._algebra._apart import plainly_apart
from amla_capabilities.lint import lint, run_tests, unsuppressed

NOW = datetime(2026, 6, 1, tzinfo=UTC)
PAY = '[tools.pay]\ncommand = ["pay", "{amount}", "{to}"]\nparams.amount = { type = "integer" }\nparams.to = { type = "string" }\n'
REFUND = PAY.replace("pay", "refund")
GIT = '[tools."git/log"]\ncommand = ["git", "log"]\n[tools."git/show"]\ncommand = ["git", "show"]\n'
PYTHON = '[tools.f]\npython = "m:f"\n'
GRANT = "[[capabilities]]\n"


def found(text: str, **options: Any) -> list[str]:
    """Codes and places, as in `AM201 1:1`."""
    return [f"{one.code} {one.line}:{one.column}" for one in lint(parse_manifest(text), now=NOW, **options)]


def codes(text: str) -> list[str]:
    return [one.code for one in lint(parse_manifest(text), now=NOW)]


def only(text: str, **options: Any) -> Finding:
    (finding,) = lint(parse_manifest(text), now=NOW, **options)
    return finding


def cap(method: str, *lines: str) -> str:
    return "\n".join([GRANT + f'method = "{method}"', *lines, ""])


# Grants


def test_a_tool_that_nothing_grants_says_the_line_to_add() -> None:
    finding = only(GIT + cap("git/log"))
    assert (finding.code, finding.line, finding.severity) == ("AM201", 3, "warning")
    assert finding.path == 'tools."git/show"'
    assert finding.hint == 'add to [tools."git/show"]: allow = true'
    mended = GIT + "allow = true\n" + cap("git/log")
    assert found(mended) == []
    assert found(GIT + "allow = false\n" + cap("git/log")) == []


def test_a_grant_that_no_call_of_a_tool_can_meet_is_none() -> None:
    """The pattern names git/log too, but its schema has no such parameter."""
    text = GIT + '[tools."git/blame"]\ncommand = ["git", "blame", "{file}"]\nparams.file = { type = "string" }\n'
    both = lint(parse_manifest(text + cap("git/*", 'constraints = { file = { under = "/w" } }')))
    assert [(one.code, one.path) for one in both] == [("AM201", 'tools."git/log"'), ("AM201", 'tools."git/show"')]
    assert "needs file, which git/log does not have" in both[0].message
    optional = cap("git/*", 'constraints = { file = { under = "/w", optional = true } }')
    assert found(text + optional) == []


def test_schemas_are_handed_in() -> None:
    text = PYTHON + '[tools.g]\npython = "m:g"\n' + cap("*", "constraints = { n = 1 }", 'approval = "ask"')
    g = {"type": "object", "properties": {"n": {"type": "integer"}}, "additionalProperties": False}
    assert found(text) == []
    assert found(text, schemas={"f": {**g, "properties": {}}, "g": g}) == ["AM201 1:8"]


@pytest.mark.parametrize("pattern", ["**", "*", "**/**", "**/*"])
def test_a_grant_of_everything(pattern: str) -> None:
    assert found('[tools.a]\ncommand = ["a"]\n' + cap(pattern, "max_calls = 5")) == ["AM203 4:10"]
    assert found('[tools.a]\ncommand = ["a"]\n' + cap(pattern, 'approval = "ask"')) == []


def test_r19_mcp_star_warns_once() -> None:
    server = '[mcp.gh]\ncommand = ["gh-mcp"]\n'
    for pattern in ("mcp:*", "mcp:**"):
        codes = [one.split()[0] for one in found('[tools.a]\ncommand = ["a"]\nallow = true\n' + server + cap(pattern))]
        assert codes == ["AM204"]


def test_patterns_under_a_server_are_unverified_which_is_a_note() -> None:
    finding = only('[mcp.gh]\ncommand = ["gh-mcp"]\n' + cap("gh/*", "max_calls = 5"))
    assert (finding.code, finding.severity) == ("AM212", "note")


@pytest.mark.parametrize(
    ("tool", "grant", "expected"),
    [
        ("", cap("pay"), ["AM205 5:1"]),
        ("allow = true\n", "", ["AM205 5:1"]),
        ("max_calls = 5\n", "", []),
        ('rate = "5/hour"\n', "", []),
        ('total = { amount = "<=5" }\n', "", []),
        ('approval = "ask"\n', "", []),
        ("", cap("pay", "max_calls = 5"), []),
        ("", cap("pay", 'rate = "5/day"'), []),
        ("", cap("pay", 'total = { amount = "<=5" }'), []),
        ("", cap("pay", 'approval = "ask"'), []),
        ("", cap("pay", 'constraints = { to = "bob" }', "max_calls = 5") + cap("pay", 'constraints = { to = "eve" }'), ["AM205 5:1"]),
        ("", cap("pay", "max_calls = 5") + cap("pay", "max_calls = 50"), ["AM202 10:10"]),
        ("allow = false\n", "", []),
    ],
)  # fmt: skip
def test_a_tool_that_writes_needs_a_budget(tool: str, grant: str, expected: list[str]) -> None:
    assert found(PAY + 'effect = "write"\n' + tool + grant) == expected


def test_reading_needs_no_budget_and_writing_no_approval() -> None:
    assert found(PAY + 'effect = "read"\nallow = true\n') == []
    assert found(PAY + "allow = true\n") == []
    assert found(PAY + 'effect = "write"\nmax_calls = 3\n') == []


def test_expired_grants_by_the_time_handed_in() -> None:
    text = PAY + cap("pay", "expires = 2026-06-01T00:00:00Z")
    assert found(text) == ["AM210 7:1"]
    assert [one.code for one in lint(parse_manifest(text), now=datetime(2026, 5, 31, 23, 59, tzinfo=UTC))] == []
    assert found(PAY + 'allow = true\nexpires = "2026-06-01T01:00:00+02:00"\n') == ["AM210 6:1"]


def test_grants_of_nothing() -> None:
    assert found(PAY + "allow = false\n" + cap("pay")) == ["AM214 7:10"]
    assert found(PAY + "allow = false\n" + REFUND + cap("**", 'approval = "ask"')) == []
    assert found(PAY + cap("pay", "max_calls = 0")) == ["AM219 7:1"]
    assert found(PAY + "max_calls = 0\n") == ["AM219 5:1"]


# Overlaps (R5)

ASK = 'approval = "ask"'


def amount(*bounds: str) -> str:
    return f"constraints = {{ amount = [{', '.join(map(repr, bounds))}] }}"


@pytest.mark.parametrize(
    ("first", "second", "says"),
    [
        # the later one lets pass what the earlier one refuses
        (cap("pay", amount("<=100"), ASK), cap("pay"), "need not meet amount <= 100 and approval of capabilities[0]"),
        (cap("pay", amount("<=100")), cap("pay", amount("<=1000")), "need not meet amount <= 100"),
        (cap("pay", amount("<=100"), "max_calls = 3"), cap("**", amount("<=1000"), ASK), "amount <= 100 and max_calls"),
        (cap("pay", amount("<=100")), cap("pay", 'constraints = { to = "bob" }'), "need not meet amount <= 100"),
        (cap("pay", 'constraints = { to = { matches = "b.*" } }'), cap("pay", 'constraints = { to = { matches = "c.*" } }'), "matches"),
        # the earlier one lets pass what the later one would ask about
        (cap("pay", amount("<=100")), cap("pay", amount("<=1000"), ASK), "without the approval of this"),
        # the earlier one takes every call of the later, stricter one
        (cap("pay"), cap("pay", ASK), "never applies, with its approval"),
        (cap("*"), cap("pay", amount("<=100")), "never applies, with its amount <= 100"),
        (cap("*", "max_calls = 9"), cap("pay", 'total = { amount = "<=5" }'), "never applies, with its total"),
        (cap("*", "max_calls = 9"), cap("pay", "max_calls = 8"), "never applies, with its max_calls"),
        (cap("*", "max_calls = 9"), cap("pay", 'rate = "8/minute"'), "never applies, with its rate"),
        (cap("*", 'rate = "9/minute"'), cap("pay", 'rate = "9/hour"'), "never applies, with its rate"),
        (cap("*", 'rate = "9/minute"'), cap("pay", "max_calls = 9"), "never applies, with its max_calls"),
        (cap("pay", 'total = { amount = "<=6" }'), cap("pay", 'total = { amount = "<6" }'), "never applies, with its total"),
        (cap("pay", "expires = 2999-01-02T00:00:00Z"), cap("pay", "expires = 2999-01-01T00:00:00Z"), "with its expires"),
        (cap("pay", amount("<=1000")), cap("pay", amount("<=100"), ASK), "never applies"),
        (cap("pay", amount("<=1000")), cap("pay", amount("<=100"), "expires = 2999-01-01T00:00:00Z"), "and expires"),
    ],
)  # fmt: skip
def test_r5_a_limit_that_another_grant_makes_avoidable_is_an_error(first: str, second: str, says: str) -> None:
    findings = [one for one in lint(parse_manifest(PAY + first + second), now=NOW) if one.code != "AM203"]
    assert [one.code for one in findings] == ["AM209"]
    assert says in findings[0].message, findings[0].message
    assert findings[0].severity == "error"
    assert findings[0].path == "capabilities[1].method"


@pytest.mark.parametrize(
    "grants",
    [
        # they exclude each other
        cap("pay", amount("<=100")) + cap("pay", amount(">100", "<=1000"), ASK),
        cap("pay", 'constraints = { to = "bob" }', "max_calls = 5") + cap("pay", 'constraints = { to = ["eve", "kim"] }', ASK),
        cap("pay", 'constraints = { to = { starts_with = "a" } }') + cap("pay", 'constraints = { to = { starts_with = "b" } }'),
        # the earlier one decides every call of the tools that it names: an exception
        cap("pay", "max_calls = 5") + cap("**", ASK),
        # they name different tools
        cap("pay", amount("<=100")) + cap("refund", ASK),
    ],
)  # fmt: skip
def test_r5_grants_that_are_kept_apart_are_none(grants: str) -> None:
    findings = lint(parse_manifest(PAY + REFUND.replace("refund", "refund") + "allow = true\n" + grants), now=NOW)
    assert [one.code for one in findings if one.severity != "note"] == []


def test_r5_the_grant_of_a_tools_own_table_counts_and_its_limits_bind() -> None:
    """`allow = true` grants what a capability's constraints refuse; limits of the table are avoided by nobody."""
    careful = cap("pay", amount("<=100"), ASK)
    assert found(PAY + "allow = true\n" + careful) == ["AM209 1:8"]
    assert found(PAY + amount("<=100") + "\n" + ASK + "\n" + cap("pay", "max_calls = 5")) == []
    assert found(PAY + ASK + "\n" + cap("pay", amount("<=10")) + cap("pay", amount(">10"), ASK)) == []


def test_r5_a_schema_can_keep_grants_apart() -> None:
    """By its schema the mode is one of two, so that one capability for each leaves nothing to either."""
    text = '[tools.t]\ncommand = ["t", "{mode}"]\nparams.mode = { type = "string", enum = ["a", "b"] }\n'
    first = cap("t", 'constraints = { mode = ["a", "b"] }')
    assert found(text + first + cap("t")) == ["AM202 8:10"]
    assert found(text.replace(', enum = ["a", "b"]', "") + first + cap("t")) == ["AM209 8:10"]


def test_r5_tools_of_a_server_are_compared_by_pattern() -> None:
    server = '[mcp.gh]\ncommand = ["gh-mcp"]\n'

    def codes(*grants: str) -> list[str]:
        return [one.code for one in lint(parse_manifest(server + "".join(grants)), now=NOW) if one.code != "AM212"]

    assert codes(cap("gh/*"), cap("gh/merge", ASK)) == ["AM209"]
    assert codes(cap("gh/*", "max_calls = 5"), cap("gh/merge", "max_calls = 2")) == ["AM209"]
    assert codes(cap("gh/*", "max_calls = 5"), cap("gh/merge", "max_calls = 5")) == ["AM202"]
    assert codes(cap("gh/merge", 'constraints = { repo = "a" }', ASK), cap("gh/**", "max_calls = 100")) == ["AM209"]
    assert codes(cap("gh/get_*"), cap("gh/*", ASK)) == ["AM218"]
    assert codes(cap("gh/get_*"), cap("gh/list_*", ASK)) == []


def test_an_exception_from_an_approval_is_a_note() -> None:
    finding = only(GIT + cap("git/log") + cap("git/*", ASK))
    assert (finding.code, finding.severity, finding.path) == ("AM218", "note", "capabilities[0].method")
    assert "git/log" in finding.message


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("max_calls = 9", "max_calls = 9"),
        ("max_calls = 9", "max_calls = 10"),
        ("max_calls = 9", 'rate = "9/minute"'),
        ('rate = "9/hour"', 'rate = "9/minute"'),
        ("expires = 2999-01-01T00:00:00Z", "expires = 2999-01-02T00:00:00Z"),
        ("expires = 2999-01-01T00:00:00Z", ""),
        (ASK, ""),
    ],
)
def test_a_capability_that_is_never_reached(first: str, second: str) -> None:
    finding = only(GIT + cap("git/*", first) + cap("git/log", second))
    assert (finding.code, finding.line) == ("AM202", 9)
    assert "capabilities[0] (git/*)" in finding.message


# Secrets


@pytest.mark.parametrize(
    ("line", "secret"),
    [
        ('headers = { Authorization = "Bearer abcdef0123456789" }', "abcdef0123456789"),
        ('headers = { "X-Api-Key" = "hunter2x" }', "hunter2x"),
        ('query = { access_token = "q9w8e7r6" }', "q9w8e7r6"),
        ('headers = { Accept = "sk_live_abcdefgh12345678" }', "sk_live_abcdefgh12345678"),
        ('headers = { X = "ghp_abcdefghijklmnopqrstuvwxyz0123456789" }', "ghp_abcdefgh"),
        ('headers = { X = "xoxb-1234567890-abcdefghij" }', "xoxb-1234567890"),
        ('headers = { X = "AKIAABCDEFGHIJKLMNOP" }', "AKIAABCDEFGHIJKLMNOP"),
        ('headers = { X = "-----BEGIN RSA PRIVATE KEY-----MIIEabc" }', "MIIEabc"),
        ('headers = { X = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl" }', "eyJzdWIi"),
    ],
)  # fmt: skip
def test_r2_a_secret_in_the_file_is_found_and_never_shown(line: str, secret: str) -> None:
    text = f'[tools.t]\nhttp = {{ url = "https://x.example/", {line} }}\nallow = true\n'
    finding = only(text)
    assert (finding.code, finding.severity, finding.line) == ("AM206", "error", 2)
    assert finding.source
    assert secret not in str(finding)


@pytest.mark.parametrize(
    "text",
    [
        '[tools.t]\ncommand = ["psql", "postgres://app:s3cretpw@db.example/app"]\nallow = true\n',
        '[tools.t]\ncommand = ["curl", "--token=s3cretpw"]\nallow = true\n',
        '[tools.t]\nhttp = { url = "https://x.example/?api_key=s3cretpw" }\nallow = true\n',
        '[tools.t]\ncommand = ["x"]\nallow = true\nenv = { DB_PASSWORD = "s3cretpw" }\n',
        '[mcp.t]\ncommand = ["x"]\nenv = { GITHUB_TOKEN = "s3cretpw" }\n',
        '[env]\nAPI_SECRET = "s3cretpw"\n',
    ],
)
def test_r2_secrets_are_found_in_every_table(text: str) -> None:
    finding = only(text)
    assert finding.code == "AM206"
    assert "s3cretpw" not in str(finding)


@pytest.mark.parametrize(
    "text",
    [
        '[tools.t]\nhttp = { url = "https://x.example/", headers = { Authorization = "Bearer ${KEY}" } }\nallow = true\n',
        '[tools.t]\nhttp = { url = "https://x.example/", query = { token = "{cursor}" } }\nparams.cursor = { type = "string" }\nallow = true\n',
        '[tools.t]\ncommand = ["x", "--token={t}"]\nparams.t = { type = "string", description = "the pagination token" }\nsecret = ["t"]\nallow = true\n',
        '[env]\nTOKEN_URL = "https://x.example/token"\nPASSWORD_FILE = "/run/secrets/password"\nMAX_TOKENS = "4096"\n',
        '[env]\nAPI_KEY = "<your key>"\nTOKEN = "xxxxxxxx"\n',
        '[tools.t]\ncommand = ["git", "clone", "https://git@x.example/r.git"]\nallow = true\n',
    ],
)  # fmt: skip
def test_what_only_speaks_of_secrets_is_none(text: str) -> None:
    assert found(text) == []


def test_r2_a_faulty_line_shows_no_secret_either() -> None:
    from amla_capabilities import ManifestError

    for line in (
        'password = "hunter2"',
        'x = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"',
        'u = "https://a:hunter2@x.example"',
    ):
        with pytest.raises(ManifestError) as caught:
            parse_manifest(f"[env]\nA = {{ {line} }}\n")
        assert "hunter2" not in str(caught.value)
        assert "ghp_abc" not in str(caught.value)


def test_a_secret_over_plain_http() -> None:
    tool = '[tools.t]\nhttp = {{ url = "{}", headers = {{ Authorization = "Bearer ${{KEY}}" }} }}\nallow = true\n'
    assert found(tool.format("http://x.example/")) == ["AM217 2:16"]
    assert found('[mcp.t]\nurl = "http://x.example/"\nheaders = { A = "${KEY}" }\n') == ["AM217 2:7"]
    for url in ("https://x.example/", "http://localhost:8080/", "http://127.0.0.1/", "http://db:80/"):
        assert found(tool.format(url)) == []
    assert found('[tools.t]\nhttp = { url = "http://x.example/" }\nallow = true\n') == []


def test_r2_a_key_in_a_comment_is_found() -> None:
    finding = only('[tools.t]\ncommand = ["x"]\nallow = true\n  # was ghp_abcdefghijklmnopqrstuvwxyz0123456789\n')
    assert (finding.code, finding.line) == ("AM206", 4)
    assert "ghp_" not in str(finding)


# Values


@pytest.mark.parametrize("value", ["/api/*", "*.example.com", "^ab$", "a.*b", "v*"])
def test_a_text_that_looks_like_a_pattern(value: str) -> None:
    rule = PAY + f'constraints = {{ to = "{value}" }}\n'
    assert found(rule) == ["AM223 5:22"]
    assert found(PAY + f'constraints = {{ to = ["x", "{value}"] }}\n') == ["AM223 5:22"]
    assert found(PAY + f'constraints = {{ to = {{ not = {{ eq = "{value}" }} }} }}\n') == ["AM223 5:22"]


@pytest.mark.parametrize("value", ["*", "a * b", "^", "$5", "/api/", "startswith:*", "matches:a.*"])
def test_a_text_that_is_one(value: str) -> None:
    assert found(PAY + f'constraints = {{ to = "{value}" }}\n') == []


FETCH = '[tools.t]\ncommand = ["t", "{url}", "{note}"]\nparams = { url = { type = "string" }, note = { type = "string" } }\n'


@pytest.mark.parametrize(
    ("rule", "lookalike"),
    [
        ('"startswith:https://a.example"', "https://a.example.evil.example/"),
        ('"startswith:https://a.example:8443"', "@evil.example/"),
        ('{ starts_with = "s3://bucket" }', "s3://bucket.evil.example/"),
        ('{ starts_with = "/srv/data" }', "/srv/data-other/x"),
        ('{ starts_with = "https://a.example/api/v1" }', "https://a.example/api/v1-other/x"),
        ('{ ends_with = "a.example" }', "evil-a.example"),
        ('{ contains = "https://a.example/" }', "https://evil.example/?https://a.example/"),
        ('{ matches = "https://a\\\\.example.*" }', "https://a.example.evil.example/"),
        ('{ matches = "https?://api.a\\\\.example/.*" }', "https://apixa.example/"),
        ('["startswith:https://a.example", "contains:e"]', "https://a.example.evil.example/"),
    ],
)
def test_what_only_looks_like_what_was_meant(rule: str, lookalike: str) -> None:
    finding = only(f"{FETCH}constraints = {{ url = {rule} }}\n")
    assert (finding.code, finding.line, finding.column) == ("AM226", 4, 23)
    assert lookalike in finding.message


@pytest.mark.parametrize(
    "rule",
    [
        'url = "startswith:https://a.example/"',
        'url = "startswith:https://"',
        'url = "startswith:INV-2024"',
        'url = { starts_with = "/srv/data/" }',
        'url = { starts_with = "/srv/data/report-" }',
        'url = ["startswith:https://a.example", "endswith:.png"]',
        'url = { starts_with = "https://a.example", host_in = ["a.example"] }',
        'url = { ends_with = ".a.example" }',
        'url = { ends_with = "@a.example" }',
        'note = { ends_with = "notes.txt" }',
        'url = { matches = "https://a\\\\.example/.*" }',
        'url = { matches = "https?://(?:www\\\\.)?a\\\\.example(?:/.*)?" }',
        'url = { contains = "/api/" }',
        'url = { not = { starts_with = "https://a.example" } }',
    ],
)
def test_what_looks_like_what_was_meant_is_it(rule: str) -> None:
    assert codes(f"{FETCH}constraints = {{ {rule} }}\n") == []


def test_a_default_that_the_constraints_refuse() -> None:
    tool = '[tools.t]\ncommand = ["t", "{n}"]\nparams.n = { type = "integer", default = 10 }\n'
    assert found(tool + 'constraints = { n = "<10" }\n') == ["AM225 4:1"]
    assert found(tool + 'constraints = { n = "<=10" }\n') == []
    python = '[tools.f]\npython = "m:f"\nconstraints = { n = "<10" }\n'
    schema = {"type": "object", "properties": {"n": {"type": "integer", "default": 10}}}
    assert found(python, schemas={"f": schema}) == ["AM225 3:1"]


def test_a_mock_is_what_returns_describes() -> None:
    tool = '[tools.t]\ncommand = ["t"]\nallow = true\nreturns = { type = "object", required = ["id"] }\n'
    assert found(tool + 'mock = { name = "x" }\n') == ["AM224 5:1"]
    assert found(tool + "mock = { id = 1 }\n") == []
    assert found(tool) == []


# Mounts


def mount(host: str, *more: str, guest: str = "/workspace/a") -> str:
    return "\n".join(["[[mounts]]", f'host = "{host}"', f'guest = "{guest}"', *more, ""])


@pytest.mark.parametrize(
    "host",
    [
        "/",
        "/root",
        "/home/me",
        "/home",
        "/Users/me",
        "/etc",
        "/home/me/../you",
        "~",
        "~/x",
        "C:/Users/me",
        "/srv/me/.ssh",
        ".aws",
    ],
)
def test_a_mount_of_a_home_or_root_folder(host: str) -> None:
    assert found(mount(host)) == ["AM207 2:8"]


def test_a_mount_of_the_home_folder_of_whoever_checks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "deep" / "home"))
    assert found(mount(str(tmp_path / "deep" / "home"))) == ["AM207 2:8"]
    assert found(mount(str(tmp_path / "deep"))) == ["AM207 2:8"]
    assert found(mount(str(tmp_path / "deep" / "home" / "project"))) == []


@pytest.mark.parametrize("host", ["data", "./data", "/srv/data", "/home/me/project", "/root/project"])
def test_a_mount_of_a_folder_is_none(host: str) -> None:
    assert found(mount(host)) == []


RW = 'mode = "rw"'


def test_r31_a_writable_mount_that_holds_what_decides(tmp_path: Path) -> None:
    def codes(text: str) -> list[str]:
        (tmp_path / "tools.toml").write_text(text)
        return [one.code for one in lint(load_manifest(tmp_path / "tools.toml"))]

    (tmp_path / "inner.toml").write_text("")
    for host in (".", "..", str(tmp_path), "sub/.."):
        assert codes(mount(host, RW)) == ["AM208"]
        assert codes(mount(host)) == []
        assert codes(mount(host, RW, "unsafe_shared = true")) == []
    inside = "[tools.t]\nallow = true\n"
    assert codes(inside + 'python = "lib.tools:f"\n' + mount("lib", RW)) == ["AM208"]
    assert codes(inside + 'command = ["bin/run"]\n' + mount("bin", RW)) == ["AM208"]
    assert codes(inside + 'command = ["run"]\ncwd = "work"\n' + mount("work", RW)) == ["AM208"]
    assert codes(inside + 'command = ["bin/run"]\ncwd = "work"\n' + mount("data", RW)) == []
    for host in (".git", "sub/.git/hooks", "sub/.GIT"):
        assert codes(mount(host, RW)) == ["AM208"]
        assert codes(mount(host)) == []


def test_two_mounts_at_one_place() -> None:
    assert found(mount("a") + mount("b")) == ["AM221 6:9"]
    assert found(mount("a") + mount("b", guest="/workspace/b")) == []


# Programs


@pytest.mark.parametrize(
    "argv",
    [
        '["sh", "-c", "ls {x}"]',
        '["bash", "-lc", "{x}"]',
        '["/usr/bin/python3.11", "-c", "print({x})"]',
        '["node", "-e", "{x}"]',
        '["perl", "-ne", "{x}"]',
        '["powershell.exe", "-Command", "{x}"]',
        '["docker", "exec", "c", "sh", "-c", "ls {x}"]',
        '["env", "-i", "{x}"]',
        '["sudo", "{x}"]',
        '["xargs", "-n1", "{x}"]',
        '["bash", "{x}"]',
        '["python3", "-c{x}"]',
        '["python3", "-m", "{x}"]',
        '["node", "--eval={x}"]',
        '["timeout", "5s", "nice", "-n", "5", "{x}"]',
        '["env", "A=1", "LC_ALL=C", "find", ".", "-exec", "sed", "{x}", "{{}}", ";"]',
        '["find", ".", "-name", "*.c", "-exec", "{x}", "{{}}", ";"]',
        '["git", "-C", "repo", "-c", "core.pager={x}", "log"]',
        '["awk", "-F", ",", "{x}", "sales.csv"]',
        '["sed", "-e", "s/a/{x}/", "notes.txt"]',
        '["ssh", "-p", "22", "host", "ls {x}"]',
        '["ssh", "host", "ls", "{x}"]',
        '["sqlite3", "-separator", "|", "sales.db", "{x}"]',
        '["psql", "sales", "-c", "{x}"]',
        '["tar", "xf", "a.tar", "--to-command={x}"]',
        '["tar", "cf", "a.tar", "--checkpoint-action=exec={x}", "."]',
        '["rsync", "-e", "{x}", "a", "b"]',
        '["make", "CFLAGS={x}"]',
    ],
)
def test_a_parameter_inside_code(argv: str) -> None:
    finding = only(f'[tools.t]\ncommand = {argv}\nparams.x = {{ type = "string" }}\nallow = true\n')
    assert finding.code == "AM216"
    assert finding.source[finding.caret :].startswith('"')
    assert "{x}" in finding.source[finding.caret :]


@pytest.mark.parametrize(
    "argv",
    [
        '["sh", "-c", "ls \\"$1\\"", "sh", "{x}"]',
        '["python3", "script.py", "-c", "{x}"]',
        '["grep", "-e", "{x}"]',
        '["tar", "-c", "{x}"]',
        '["env", "A=1", "ls", "{x}"]',
        '["git", "log", "-c", "{x}"]',
        '["python3", "-m", "pytest", "-m", "{x}"]',
        '["python3", "-c", "print(1)", "{x}"]',
        '["awk", "{{print $1}}", "{x}"]',
        '["awk", "-f", "sum.awk", "{x}"]',
        '["sed", "-n", "5p", "{x}"]',
        '["sed", "-n", "-e", "5p", "{x}"]',
        '["find", ".", "-name", "{x}", "-exec", "wc", "-l", "{{}}", "+"]',
        '["ssh", "{x}", "uptime"]',
        '["sqlite3", "{x}", "select 1"]',
        '["tar", "cf", "a.tar", "{x}"]',
        '["nice", "-n", "5", "ls", "{x}"]',
        '["ls", "make", "{x}"]',
        '["curl", "-s", "--", "{x}"]',
    ],
)
def test_a_parameter_beside_code_is_none(argv: str) -> None:
    assert codes(f'[tools.t]\ncommand = {argv}\nparams.x = {{ type = "string" }}\nallow = true\n') == []


@pytest.mark.parametrize(
    ("argv", "found"),
    [
        ('["sh"]', ["AM216"]),
        ('["python3", "-"]', ["AM216"]),
        ('["psql", "sales"]', ["AM216"]),
        ('["sqlite3", "sales.db"]', ["AM216"]),
        ('["sh", "job.sh"]', []),
        ('["python3", "-m", "job"]', []),
        ('["sqlite3", "sales.db", "select 1"]', []),
        ('["wc"]', []),
    ],
)
def test_a_parameter_that_is_read_as_code(argv: str, found: list[str]) -> None:
    text = f'[tools.t]\ncommand = {argv}\nstdin = "x"\nparams.x = {{ type = "string" }}\nallow = true\n'
    assert codes(text) == found


def test_what_holds_no_code_may_stand_in_code() -> None:
    """A number, one of the owner's words: in the schema, or in the tool's own constraints, which bind every call."""
    tool = '[tools.t]\ncommand = ["sh", "-c", "sleep {x}"]\n'
    for schema in (
        'type = "integer"',
        'type = ["number", "null"]',
        'type = "string", enum = ["1s", "2s"]',
        "const = 5",
    ):
        assert codes(f"{tool}params.x = {{ {schema} }}\nallow = true\n") == []
    text = f'{tool}params.x = {{ type = "string" }}\n'
    assert codes(f'{text}constraints = {{ x = ["1s", "2s"] }}\n') == []
    for constraint in ('x = { not_in = ["1s"] }', "x = { length = '<=5' }"):
        assert codes(f"{text}constraints = {{ {constraint} }}\n") == ["AM216"]
    assert codes(text + cap("t", "constraints = { x = ['1s'] }")) == ["AM216"]  # others may grant it, too


def test_options_of_what_runs_code_may_run_it() -> None:
    text = 'params.x = { type = "string" }\noptions_ok = ["x"]\nallow = true\n'
    assert codes(f'[tools.t]\ncommand = ["git", "log", "{{x}}"]\n{text}') == ["AM216"]
    assert codes(f'[tools.t]\ncommand = ["ls", "{{x}}"]\n{text}') == []


# Suppression

STARS = '[tools.a]\ncommand = ["a"]\n' + cap("**")


def test_a_suppressed_finding_is_gone() -> None:
    assert found(STARS + '[check.suppress]\nAM203 = "only reads"\n') == []
    assert found(STARS + '[check]\nsuppress = { AM203 = { reason = "only reads" } }\n') == []


def test_a_suppression_can_be_about_one_place() -> None:
    def accept(path: str) -> str:
        return STARS + f'[check.suppress]\nAM203 = {{ reason = "r", path = "{path}" }}\n'

    assert found(accept("capabilities[0]")) == []
    assert found(accept("capabilities[0].method")) == []
    for other in ("capabilities[1]", "capabilities[0].meth", "tools.a"):
        assert [one.split()[0] for one in found(accept(other))] == ["AM203", "AM213"]


def test_a_suppression_that_never_fires_is_found_itself() -> None:
    finding = only('[tools.a]\ncommand = ["a"]\nallow = true\n[check.suppress]\nAM203 = "only reads"\n')
    assert (finding.code, finding.line, finding.column) == ("AM213", 5, 1)


def test_suppressions_of_other_checks_are_left_to_them() -> None:
    """`lint` does not know whether a finding about scripts will come."""
    manifest = parse_manifest(STARS + '[check.suppress]\nAM203 = "only reads"\n')
    assert unsuppressed(manifest, [], judged="AM4") == []
    assert [one.code for one in unsuppressed(manifest, [], judged="AM2")] == ["AM213"]
    accepted = Finding("AM203", "m", "warning", "a.toml", 1, 1)
    assert unsuppressed(manifest, [accepted], judged="AM4") == []


# Policy tests


def case(call: str, args: str, expect: str) -> str:
    return f'[[tests]]\ncall = "{call}"\nargs = {{ {args} }}\nexpect = "{expect}"\n'


def test_policy_tests_are_judged_with_the_rule_that_decided() -> None:
    text = PAY + cap("pay", amount("<=100")) + cap("pay", amount(">100", "<=1000"), ASK) + REFUND + "allow = false\n"
    text += '[tools.idle]\ncommand = ["x"]\n'
    rows = [
        ("pay", "amount = 50", "allow", "capabilities[0] (pay)"),
        ("pay", "amount = 500", "ask", "capabilities[1] (pay): a person has to approve"),
        ("pay", "amount = 5000", "deny", "capabilities[0] (pay): amount 5000 violates amount <= 100"),
        ("pay", "", "deny", "capabilities[0] (pay): amount is missing"),
        ("refund", "amount = 1", "deny", "tools.refund: the owner forbids this tool"),
        ("idle", "", "deny", "no capability grants this tool"),
    ]
    outcomes = run_tests(parse_manifest(text + "".join(case(*row[:3]) for row in rows)))
    for outcome, (_, _, expect, rule) in zip(outcomes, rows, strict=True):
        assert outcome.passed
        assert outcome.finding is None
        assert (outcome.expected, outcome.actual) == (expect, expect)
        assert outcome.rule.startswith(rule), outcome.rule


@pytest.mark.parametrize(("args", "actual"), [("amount = 50", "allow"), ("amount = 500", "deny")])
@pytest.mark.parametrize("expect", ["allow", "deny", "ask"])
def test_a_policy_test_fails_where_the_policy_decides_otherwise(args: str, actual: str, expect: str) -> None:
    text = PAY + amount("<=100") + "\n" + case("pay", args, expect)
    (outcome,) = run_tests(parse_manifest(text, "tools.toml"))
    assert outcome.actual == actual
    assert outcome.passed is (actual == expect)
    if outcome.finding is not None:
        assert (outcome.finding.code, outcome.finding.line, outcome.finding.column) == ("AM301", 9, 10)
        assert f"expected {expect}, but the decision is {actual}" in outcome.finding.message
    assert (outcome.finding is None) is outcome.passed


def test_policy_tests_do_not_bear_on_each_other() -> None:
    text = PAY + "max_calls = 1\n" + case("pay", "amount = 1", "allow") + case("pay", "amount = 2", "allow")
    assert all(outcome.passed for outcome in run_tests(parse_manifest(text)))


def test_r20_policy_tests_judge_the_arguments_as_a_run_would() -> None:
    """They are validated and completed by what is handed in; what does not fit is denied by the schema."""

    def prepare(tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        if "amout" in arguments:
            raise ValueError(f"{tool}: unknown parameter amout")
        return {"amount": 5, **arguments}

    text = PAY + amount("<=100") + "\n" + case("pay", "", "allow") + case("pay", "amout = 1", "deny")
    completed, refused = run_tests(parse_manifest(text), prepare=prepare)
    assert completed.passed
    assert refused.passed
    assert refused.rule == "the schema of pay: unknown parameter amout"
    assert not run_tests(parse_manifest(text))[0].passed


def test_a_test_that_is_there_twice() -> None:
    text = PAY + amount("<=100") + "\n" + case("pay", "amount = 1", "allow")
    assert found(text + case("pay", "amount = 2", "allow")) == []
    assert found(text + case("pay", "amount = true", "deny")) == []
    assert found(text + case("pay", "amonut = 1", "deny")) == ["AM222 12:10"]
    assert found(text + case("mcp:pay", "amount = 1", "allow")) == ["AM211 10:3"]
    assert "expects 'allow'" in only(text + case("pay", "amount = 1", "deny")).message


# As a whole


def test_findings_come_in_the_order_of_the_file() -> None:
    text = mount("/root") + GIT + cap("**") + mount("/etc", guest="/b")
    assert found(text) == ["AM207 2:8", "AM203 9:10", "AM207 11:8"]


def test_findings_of_includes_name_their_file(tmp_path: Path) -> None:
    (tmp_path / "tools.toml").write_text('include = ["inner.toml"]\n' + mount("data"))
    (tmp_path / "inner.toml").write_text("\n" + PAY)
    (finding,) = lint(load_manifest(tmp_path / "tools.toml"))
    assert (finding.code, finding.line, Path(finding.file).name) == ("AM201", 2, "inner.toml")


@pytest.mark.parametrize(
    "text",
    [
        "".join(f'[tools.x{n}]\ncommand = ["x"]\nallow = true\n' for n in range(1_000)),
        PAY + cap("pay", "max_calls = 1") * 1_000,
        PAY + "".join(cap("pay", amount(f"<={n}")) for n in range(500)),
        PAY + "".join(cap("pay", f'constraints = {{ to = "a{n}" }}') for n in range(8_000)),
        "".join(f'[tools.x{n}]\ncommand = ["x", "{{a}}"]\nparams.a = {{ type = "string" }}\n' for n in range(3_000))
        + "".join(cap(f"x{n % 3_000}", f'constraints = {{ a = "startswith:{n:04}" }}') for n in range(8_000)),
        '[mcp.m]\ncommand = ["m"]\n' + "".join(cap(f"m/a{n}*", ASK) for n in range(500)),
        PAY + "".join(cap("pay", f"constraints = {{ to = {{ matches = '(a|b)*{n}' }} }}") for n in range(300)),
    ],
)
def test_a_big_manifest_is_linted_in_bounded_time(text: str) -> None:
    manifest = parse_manifest(text)
    before = time.process_time()
    lint(manifest)
    assert time.process_time() - before < 15


def test_more_grants_of_one_tool_than_are_compared_are_told() -> None:
    grants = [cap("pay", amount(f">{n}", f"<{n + 2}")) for n in range(0, 1600, 2)]
    assert [one.code for one in lint(parse_manifest(PAY + "".join(grants)))] == ["AM220"]
    assert lint(parse_manifest(PAY + "".join(grants[:250]))) == []


@pytest.mark.parametrize("one", [">5", ">=5", "<5", "<=5", "==5", "!=5"])
@pytest.mark.parametrize("other", [">5", ">=5", "<5", "<=5", "==5", "!=5", ">6", ">=6", "<4", "<=4", "==6"])
def test_what_is_apart_at_a_glance_is_apart_for_every_number(one: str, other: str) -> None:
    """Against brute force; and of these pairs none that is apart is missed."""
    first, second = constraints_from_dict({"n": one}), constraints_from_dict({"n": other})
    met = [n / 2 for n in range(21) if first.holds({"n": n / 2}) and second.holds({"n": n / 2})]
    assert plainly_apart(first, second) is (not met)
    assert plainly_apart(second, first) is (not met)


def test_what_only_seems_apart_is_not() -> None:
    """Comparisons of something else, of a length, of every element, or that a call may do without."""
    for one, other in (
        ({"a": "<1"}, {"b": ">2"}),
        ({"a": {"length": "<1"}}, {"a": "x"}),
        ({"a[*]": "<1"}, {"a[*]": ">2"}),
        ({"a": {"lt": 1, "optional": True}}, {"a": {"gt": 2, "optional": True}}),
        ({"a": "startswith:ab"}, {"a": "startswith:a"}),
    ):
        assert not plainly_apart(constraints_from_dict(one), constraints_from_dict(other)), (one, other)
    assert plainly_apart(constraints_from_dict({"a": ["x", "y"]}), constraints_from_dict({"a": "startswith:z"}))
    assert plainly_apart(constraints_from_dict({"a.b": "startswith:x"}), constraints_from_dict({"a.b": "startswith:y"}))
