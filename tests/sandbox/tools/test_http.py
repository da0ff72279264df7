"""HTTP requests as tools, against a server on the loopback address."""

from __future__ import annotations

import asyncio
import gzip
import json
import shutil
import ssl
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from amla_capabilities import ManifestError
from amla_sandbox.tools import ArgumentError, ToolFailedError, describe_failure, encode_result

pytest.importorskip("httpx")

Load = Callable[..., Any]


@pytest.fixture
def http(load: Load, server: Any) -> Callable[..., Any]:
    """One tool ``t`` at the test server: ``http('method = "GET"', "/path", params)``."""

    def make(options: str, path: str = "/", params: str = "", **variables: str) -> Any:
        target = f'url = "{server.url}{path}", allow_private = true'
        joint = ", " if options else ""
        return load(f"[tools.t]\nhttp = {{ {options}{joint}{target} }}\n{params}\nallow = true", **variables)

    return make


def test_loose_arguments_go_into_the_query(http: Any, server: Any) -> None:
    tools = http(
        "", "/find?lang=en", "params.q = {}\nparams.n = { optional = true }\nparams.tags = { optional = true }"
    )
    tools.call("t", q="a b&c=d/é", n=True, tags=["x", 1])
    assert server.requests[0][:2] == ("GET", "/find?lang=en&q=a+b%26c%3Dd%2F%C3%A9&n=true&tags=x&tags=1")


def test_path_values_are_encoded_whole(http: Any, server: Any) -> None:
    tools = http("", "/users/{id}/posts", "params.id = {}")
    tools.call("t", id="a b?c#d%20é;=")
    assert server.requests[0][1] == "/users/a%20b%3Fc%23d%2520%C3%A9%3B%3D/posts"


def test_json_bodies_keep_types(http: Any, server: Any) -> None:
    tools = http(
        'method = "POST", body = "json", fields = { fixed = "f", copy = "{n}", text = "n={n}" }',
        "/x",
        "params.n = {}\nparams.list = {}\nparams.none = { optional = true }",
    )
    tools.call("t", n=5, list=[1, {"a": None}], none=None)
    _, _, headers, body = server.requests[0]
    assert headers["content-type"] == "application/json"
    assert json.loads(body) == {"fixed": "f", "text": "n=5", "copy": 5, "list": [1, {"a": None}], "none": None}


def test_form_bodies(http: Any, server: Any) -> None:
    http('method = "POST", body = "form"', "/x", "params.a = {}\nparams.b = {}").call("t", a="x y&", b=[1, 2])
    _, _, headers, body = server.requests[0]
    assert headers["content-type"] == "application/x-www-form-urlencoded"
    assert body == b"a=x+y%26&b=1&b=2"


def test_raw_bodies(http: Any, server: Any) -> None:
    http('method = "PUT", body = "raw", text = "<q>{q}</q>"', "/x", "params.q = {}").call("t", q="{b} ${HOME}")
    assert server.requests[0][0] == "PUT"
    assert server.requests[0][3] == b"<q>{b} ${HOME}</q>"


def test_headers_and_query_templates(http: Any, server: Any) -> None:
    options = 'headers = { X-Who = "me {who}", X-Opt = "{opt}" }, query = { key = "${KEY}", n = "{n}" }'
    tools = http(options, "/", "params.who = {}\nparams.opt = { optional = true }\nparams.n = {}", KEY="s/k")
    tools.call("t", who="ann", n=3)
    _, path, headers, _ = server.requests[0]
    assert path == "/?key=s%2Fk&n=3"
    assert headers["x-who"] == "me ann"
    assert "x-opt" not in headers  # its parameter was left out


@pytest.mark.parametrize("value", ["a\r\nX-Evil: 1", "a\nb", "a\0b", "\ud800"])
def test_no_value_breaks_out_of_a_header(http: Any, server: Any, value: str) -> None:
    tools = http('headers = { X = "{v}" }', "/", "params.v = {}")
    with pytest.raises(ArgumentError):
        tools.call("t", v=value)
    assert server.requests == []


@pytest.mark.parametrize(
    ("kind", "content", "options", "expected"),
    [
        ("application/json; charset=utf-8", b'{"a": [1]}', "", {"a": [1]}),
        ("application/problem+json", b"[]", "", []),
        ("text/plain", b"plain", "", "plain"),
        ("text/plain; charset=latin-1", b"\xe9", "", "é"),
        ("text/html", b'{"a": 1}', 'output = "json"', {"a": 1}),
        ("application/json", b'{"a": 1}', 'output = "text"', '{"a": 1}'),
        ("application/json", b"", "", None),
    ],
)
def test_responses_become_values(
    http: Any, server: Any, kind: str, content: bytes, options: str, expected: Any
) -> None:
    server.answers(content, kind)
    assert http(options).call("t") == expected


def test_head_gives_status_and_headers(http: Any, server: Any) -> None:
    server.answers(b"", x_a="1")
    result = http('method = "HEAD"').call("t")
    assert result["status"] == 200
    assert result["headers"]["x-a"] == "1"


def test_an_error_status_fails_with_the_servers_words(http: Any, server: Any) -> None:
    server.answers(b'{"error":\n "no such city"}', "application/json", status=422)
    with pytest.raises(ToolFailedError, match=r'^GET 127\.0\.0\.1:\d+ answered 422 .*: \{"error": "no such city"\}$'):
        http("").call("t")


def test_broken_json_is_said_to_be_so(http: Any, server: Any) -> None:
    server.answers(b"{", "application/json")
    with pytest.raises(ToolFailedError, match="the response is not JSON"):
        http("").call("t")


def test_responses_are_capped_on_each_side(http: Any, server: Any) -> None:
    server.answers(b"x" * 1_000_000)
    assert len(http('max_response = "1MB"').call("t")) == 1_000_000
    server.answers(b"x" * 1_000_001)
    with pytest.raises(ToolFailedError, match="the response is larger than 1,000,000 bytes"):
        http('max_response = "1MB"').call("t")


def test_compression_is_undone_within_the_cap(http: Any, server: Any) -> None:
    """A server that compresses unasked is read; one that sends a bomb is cut off before it unfolds."""
    server.answers(gzip.compress(b"hello"), content_encoding="gzip")
    assert http("").call("t") == "hello"
    server.answers(gzip.compress(b"\0" * 200_000_000, 9), content_encoding="gzip")
    started = time.monotonic()
    with pytest.raises(ToolFailedError, match="larger than 1,000,000 bytes"):
        http('max_response = "1MB"').call("t")
    assert time.monotonic() - started < 5  # compressing it took the test longer
    server.answers(b"x", content_encoding="br")
    with pytest.raises(ToolFailedError, match="encoded as 'br'"):
        http("").call("t")


def test_a_slow_server_is_given_up(http: Any, server: Any) -> None:
    server.answers(b"", delay=2)
    tools = http("", "/", 'timeout = "300ms"')
    with pytest.raises(ToolFailedError, match=r"127\.0\.0\.1 did not answer within 0\.3 seconds"):
        tools.call("t")


def test_an_unreachable_server_is_named(load: Load) -> None:
    tools = load('[tools.t]\nhttp = { url = "http://127.0.0.1:9/", allow_private = true }\nallow = true')
    with pytest.raises(ToolFailedError, match=r"127\.0\.0\.1 cannot be reached"):
        tools.call("t")


def test_a_hundred_requests_run_at_once(http: Any, server: Any) -> None:
    server.answers(b"ok", delay=0.1)
    tool = http("")["t"]

    async def many() -> list[Any]:
        return await asyncio.gather(*(tool.handler(tool.bind(b"{}")) for _ in range(100)))

    started = time.monotonic()
    assert asyncio.run(many()) == ["ok"] * 100
    assert time.monotonic() - started < 8  # one after the other would take 10


def test_secrets_stay_out_of_results_and_failures(http: Any, server: Any) -> None:
    def echo(_request: Any, _body: bytes) -> tuple[int, dict[str, str], bytes]:
        return 401, {}, f"bad token {server.requests[-1][2]['authorization']}".encode()

    server.respond = echo
    tool = http('headers = { Authorization = "Bearer ${KEY}" }', KEY="sk_live_1")["t"]
    assert "sk_live_1" not in repr(tool)
    with pytest.raises(ToolFailedError) as caught:
        asyncio.run(tool.handler(tool.bind(b"{}")))
    assert describe_failure(caught.value, secrets=tool.secret_values).message.endswith("bad token Bearer [secret]")
    assert encode_result({"t": "sk_live_1"}, secrets=tool.secret_values) == b'{"t":"[secret]"}'


def test_the_environment_sets_no_proxy(http: Any, server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    assert http("").call("t") is None


@pytest.mark.parametrize("header", ["Host", "Content-Length", "transfer-encoding"])
def test_headers_that_frame_the_request_are_not_the_tools(load: Load, header: str) -> None:
    with pytest.raises(ManifestError, match=f"'{header}' says where a request goes or ends: no tool sets it"):
        load(f'[tools.t]\nhttp = {{ url = "http://example.com/", headers = {{ {header} = "1" }} }}\nallow = true')


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes a certificate with openssl")
def test_certificates_are_verified(load: Load, server: Any, tmp_path: Path) -> None:
    pair = [str(tmp_path / "key.pem"), str(tmp_path / "cert.pem")]
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    subprocess.run([*make, "-keyout", pair[0], "-out", pair[1]], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pair[1], pair[0])
    server.http.socket = context.wrap_socket(server.http.socket, server_side=True)
    url = server.url.replace("http:", "https:")
    tools = load(f'[tools.t]\nhttp = {{ url = "{url}/", allow_private = true }}\nallow = true')
    with pytest.raises(ToolFailedError, match=r"cannot be reached: .*certificate verify failed"):
        tools.call("t")
    assert server.requests == []


def test_calls_from_different_threads_do_not_meet(http: Any, server: Any) -> None:
    """Each run may have an event loop of its own."""
    tools = http("", "/{n}", "params.n = {}")
    results: list[Any] = []
    threads = [threading.Thread(target=lambda: results.append(tools.call("t", n=1))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [None] * 8
    assert [request[1] for request in server.requests] == ["/1"] * 8
