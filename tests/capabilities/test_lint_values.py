"""`lint`: secrets in a manifest, and what its values hardly mean."""

from __future__ import annotations

import pytest
from lint_texts import PAY, codes, found, only

from amla_capabilities import parse_manifest


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
