"""The security rules that tools keep, one test or more for each, named after the rule."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amla_capabilities.manifest import load_manifest
from amla_capabilities.manifest._templates import parse_template
from amla_sandbox.tools import (
    ArgumentError,
    ToolDefinition,
    ToolDefinitionError,
    ToolFailedError,
    describe_failure,
    encode_result,
    from_manifest,
)
from amla_sandbox.tools._urls import UrlTemplate

Load = Callable[..., dict[str, ToolDefinition]]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    def make(text: str, **variables: str) -> dict[str, ToolDefinition]:
        (tmp_path / "tools.toml").write_text(text)
        environment = {"PATH": os.environ["PATH"], **variables}
        loaded = from_manifest(load_manifest(tmp_path / "tools.toml"), variables=environment)
        return {tool.path: tool for tool in loaded}

    return make


def run(definition: ToolDefinition, **arguments: Any) -> Any:
    assert definition.handler is not None
    return asyncio.run(definition.handler(definition.bind(json.dumps(arguments).encode())))


# R3


# R23

ECHO = """
[tools.t]
command = ["{python}", "-c", "import sys, json; print(json.dumps(sys.argv[1:]))", "{{a}}", "--", "{{b}}"{more}]
output = "json"
params.a = {{ default = "a" }}
params.b = {{ default = "b" }}
options_ok = {ok}
allow = true
"""


def echo(load: Load, ok: str = "[]", more: str = "") -> ToolDefinition:
    return load(ECHO.format(python=sys.executable, ok=ok, more=more))["t"]


@pytest.mark.parametrize("value", ["-x", "--output=f", "-", "--", "+x", "@file", -5])
def test_r23_values_that_could_be_options_are_refused(load: Load, value: Any) -> None:
    with pytest.raises(ArgumentError, match="a must not start with"):
        run(echo(load), a=value)
    assert run(echo(load, '["a"]'), a=value)[0] == str(value)


@pytest.mark.parametrize(("value", "passes"), [("-x", True), ("--", True), ("+x", False), ("@file", False)])
def test_r23_a_literal_double_dash_releases_the_minus_only(load: Load, value: str, passes: bool) -> None:
    if passes:
        assert run(echo(load), b=value) == ["a", "--", value]
    else:
        with pytest.raises(ArgumentError, match="b must not start with"):
            run(echo(load), b=value)


def test_r23_a_double_dash_from_a_value_releases_nothing(load: Load) -> None:
    text = '[tools.t]\ncommand = ["echo", "{a}", "{b}"]\nparams.a = {}\nparams.b = {}\noptions_ok = ["a"]\nallow = true'
    with pytest.raises(ArgumentError, match="b must not start with"):
        run(load(text)["t"], a="--", b="-n")


def test_r23_the_rendered_element_is_tested(load: Load) -> None:
    """An empty first value must not let the second start the element."""
    text = '[tools.t]\ncommand = ["echo", "{a}{b}"]\nparams.a = {}\nparams.b = {}\nallow = true'
    with pytest.raises(ArgumentError, match="must not start with '-'"):
        run(load(text)["t"], a="", b="-n")


def test_r23_refusals_come_before_the_call_is_charged(load: Load) -> None:
    with pytest.raises(ArgumentError):
        echo(load).bind(b'{"a": "-x"}')


def test_r23_programs_come_from_absolute_path_entries_only(
    load: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("", "bin"):
        planted = tmp_path / folder / "plant"
        planted.parent.mkdir(exist_ok=True)
        planted.write_text("#!/bin/sh\necho planted\n")
        planted.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    text = '[tools.t]\ncommand = ["plant"]\nallow = true'
    with pytest.raises(ToolDefinitionError, match="'plant' was not found"):
        load(text, PATH=f"bin{os.pathsep}.{os.pathsep}{os.pathsep}{os.environ['PATH']}")
    assert run(load(text, PATH=str(tmp_path / "bin"))["t"]) == "planted"


def test_r23_programs_are_resolved_once_at_load(load: Load, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
        (folder / "prog").write_text(f"#!/bin/sh\necho {folder.name}\n")
        (folder / "prog").chmod(0o755)
    (first / "prog").rename(first / "later")
    definition = load('[tools.t]\ncommand = ["prog"]\nallow = true', PATH=f"{first}{os.pathsep}{second}")["t"]
    (first / "later").rename(first / "prog")
    assert run(definition) == "second"
    assert definition.host_files[0] == str(second / "prog")


@pytest.mark.parametrize("name", ["run.bat", "run.CMD"])
def test_r23_batch_files_are_refused(tmp_path: Path, name: str) -> None:
    from amla_sandbox.tools.command import find_program

    (tmp_path / name).write_text("echo")
    with pytest.raises(ToolDefinitionError, match="batch file"):
        find_program(name, tmp_path, str(tmp_path), "t")


def test_r23_stdin_is_empty_unless_declared(load: Load) -> None:
    assert run(load('[tools.t]\ncommand = ["cat"]\nallow = true')["t"]) == ""


def test_r23_the_environment_holds_only_what_is_listed(load: Load) -> None:
    printed = run(
        load('[tools.t]\ncommand = ["env"]\nallow = true', SECRET="s", LD_PRELOAD="x.so", PYTHONPATH="p")["t"]
    )
    names = {line.partition("=")[0] for line in printed.split("\n")}
    assert names == {"PATH"}


# R24


def url(template: str, **values: Any) -> str:
    return UrlTemplate.checked("t", parse_template(template)).fill(values)


@pytest.mark.parametrize(
    "value",
    [
        "",
        ".",
        "..",
        "a/b",
        "a\\b",
        "\n",
        "a\tb",
        "\x7f",
        "%2e",
        "%2E%2e",
        "%252e%252e",
        "%2f",
        "a%252Fb",
        "%5c",
        "%00",
        "\0",
        "\ud800",
        "%25252525252525252525252e",
    ],
)
def test_r24_path_values_stay_within_their_segment(value: str) -> None:
    with pytest.raises(ArgumentError):
        url("http://h/a/{v}/b", v=value)


@given(st.text(max_size=12))
def test_r24_no_value_changes_the_path_around_it(value: str) -> None:
    from urllib.parse import unquote, urlsplit

    try:
        filled = url("http://h:1/a/{v}/b?q=1", v=value)
    except ArgumentError:
        return
    parts = urlsplit(filled)
    assert (parts.scheme, parts.netloc, parts.query, parts.fragment) == ("http", "h:1", "q=1", "")
    before, segment, after = parts.path.split("/")[1:]
    assert (before, unquote(segment), after) == ("a", value, "b")


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12))
def test_r24_no_value_adds_to_a_query(value: str) -> None:
    from urllib.parse import parse_qsl, urlsplit

    parts = urlsplit(url("http://h/a?q={v}&r=1", v=value))
    assert parse_qsl(parts.query, keep_blank_values=True) == [("q", value), ("r", "1")]
    assert parts.fragment == ""


@pytest.mark.parametrize(
    "template",
    ["{s}://h/", "http://{h}/", "http://h{x}/", "http://h:{p}/", "http://u@h/", "http://{h}", "ftp://h/", "//h/{x}"],
)
def test_r24_no_placeholder_in_scheme_host_or_port(template: str) -> None:
    with pytest.raises(ToolDefinitionError, match="the url must start with"):
        UrlTemplate.checked("t", parse_template(template))


# R25


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:4700::1111", True),
        ("127.0.0.1", False),
        ("10.0.0.1", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),  # where clouds keep credentials
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("::", False),
        ("fe80::1%eth0", False),
        ("fc00::1", False),
        ("ff02::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:93.184.216.34", True),
        ("64:ff9b::7f00:1", False),
        ("2002:7f00:1::", False),
    ],
)
def test_r25_which_addresses_are_public(address: str, public: bool) -> None:
    pytest.importorskip("httpcore")
    from amla_sandbox.tools._addresses import is_public

    assert is_public(address) is public


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "0x7f.1", "2130706433", "[::1]", "[::ffff:127.0.0.1]"])
def test_r25_private_addresses_are_refused_at_connect(load: Load, host: str) -> None:
    """However the host is spelled, what counts is the address that would be connected to."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.2)
        definition = load(f'[tools.t]\nhttp = {{ url = "http://{host}:{listener.getsockname()[1]}/" }}\nallow = true')[
            "t"
        ]
        with pytest.raises(ToolFailedError, match=r"private address|cannot be reached"):
            run(definition)
        with pytest.raises(TimeoutError):
            listener.accept()


def test_r25_a_name_that_changes_its_meaning_gains_nothing(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    """DNS rebinding: one lookup, and the address that was checked is the address that is connected to."""
    pytest.importorskip("httpcore")
    from amla_sandbox.tools._addresses import GuardedBackend

    lookups: list[str] = []

    async def getaddrinfo(host: str, port: int, **_: Any) -> list[Any]:
        lookups.append(host)
        address = "93.184.216.34" if len(lookups) == 1 else "127.0.0.1"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    connected: list[str] = []

    class Inner:
        async def connect_tcp(self, host: str, *_: Any) -> None:
            connected.append(host)

    async def connect() -> None:
        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", getaddrinfo)
        backend = GuardedBackend(allow_private=False)
        monkeypatch.setattr(backend, "_inner", Inner())
        await backend.connect_tcp("rebind.example", 80)

    asyncio.run(connect())
    assert (lookups, connected) == (["rebind.example"], ["93.184.216.34"])


class Redirecting:
    """A server that redirects once, and notes what it was asked."""

    def __init__(self, location: str, status: int = 302) -> None:
        self.asked: list[str] = []
        self.location, self.status = location, status

    async def __aenter__(self) -> Redirecting:
        self.server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self.server.close()
        await self.server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        self.asked.append(head.split("\r\n")[0])
        if len(self.asked) == 1:
            answer = f"HTTP/1.1 {self.status} X\r\nlocation: {self.location.replace('PORT', str(self.port))}\r\n"
        else:
            answer = "HTTP/1.1 200 OK\r\n"
        writer.write(f"{answer}connection: close\r\ncontent-length: 0\r\n\r\n".encode())
        await writer.drain()
        writer.close()


@pytest.mark.parametrize(
    ("method", "location", "followed"),
    [
        ("GET", "/next", True),
        ("HEAD", "http://127.0.0.1:PORT/next", True),
        ("GET", "http://localhost:PORT/next", False),
        ("GET", "http://127.0.0.1:1/next", False),
        ("GET", "https://127.0.0.1:PORT/next", False),
        ("GET", "//evil.example/next", False),
        ("POST", "/next", False),
        ("PUT", "/next", False),
    ],
)
def test_r25_redirects_stay_on_the_host_and_follow_reads_only(
    load: Load, method: str, location: str, followed: bool
) -> None:
    async def scenario() -> list[str]:
        async with Redirecting(location) as server:
            where = f'url = "http://127.0.0.1:{server.port}/a", allow_private = true'
            definition = load(f'[tools.t]\nhttp = {{ method = "{method}", {where} }}\nallow = true')["t"]
            assert definition.handler is not None
            if followed:
                await definition.handler(definition.bind(b"{}"))
            else:
                with pytest.raises(ToolFailedError, match="not followed"):
                    await definition.handler(definition.bind(b"{}"))
            return server.asked

    asked = asyncio.run(scenario())
    assert asked == [f"{method} /a HTTP/1.1", *([f"{method} /next HTTP/1.1"] if followed else [])]


# R26


def test_r26_a_folder_beside_the_manifest_takes_nobodys_place(load: Load, tmp_path: Path) -> None:
    """A ``json.py`` beside the manifest is what ``json:f`` names there, and is nobody else's ``json``."""
    (tmp_path / "colorsys.py").write_text("import json\ndef f() -> bool:\n    return hasattr(json, 'dumps')")
    (tmp_path / "json.py").write_text("def dumps(): raise SystemExit")
    before = list(sys.path)
    try:
        definition = load('[tools.t]\npython = "colorsys:f"\nallow = true')["t"]
        assert sys.path[: len(before)] == before
        assert definition.handler is not None
        assert definition.handler(definition.bind(b"{}")) is True
        assert sys.modules["json"] is json
    finally:
        sys.path[:] = before
        sys.modules.pop("colorsys", None)


# R27


@pytest.mark.parametrize("value", ["${KEY}", "{{KEY}}", "{KEY}", "$KEY"])
def test_r27_values_are_never_expanded(load: Load, value: str) -> None:
    text = '[tools.t]\ncommand = ["printf", "%s", "{a}"]\nparams.a = {}\nenv = { X = "${KEY}" }\nallow = true'
    assert run(load(text, KEY="s3cret")["t"], a=value) == value


def test_r27_a_secret_that_looks_like_a_template_stays_text(load: Load) -> None:
    text = '[tools.t]\ncommand = ["sh", "-c", "printf %s \\"$X\\""]\nenv = { X = "<${KEY}>" }\nallow = true'
    assert run(load(text, KEY="${OTHER}{a}", OTHER="no")["t"]) == "<${OTHER}{a}>"


@pytest.mark.parametrize("variables", [{}, {"KEY": ""}])
def test_r27_unset_or_empty_is_an_error(load: Load, variables: dict[str, str]) -> None:
    for text in (
        '[tools.t]\ncommand = ["true"]\nenv = { X = "${KEY}" }\nallow = true',
        '[tools.t]\nhttp = { url = "http://example.com/", headers = { X = "${KEY}" } }\nallow = true',
    ):
        with pytest.raises(ToolDefinitionError, match="KEY is not set"):
            load(text, **variables)


def test_r27_secrets_are_masked_in_results_and_failures(load: Load) -> None:
    command = 'command = ["sh", "-c", "echo $X; echo $X >&2; exit $1", "sh", "{status}"]'
    text = f'[tools.t]\n{command}\nparams.status = {{}}\nenv = {{ X = "${{KEY}}" }}\nallow = true'
    definition = load(text, KEY="s3cret")["t"]
    assert encode_result(run(definition, status=0), secrets=definition.secret_values) == b'"[secret]"'
    with pytest.raises(ToolFailedError) as caught:
        run(definition, status=1)
    assert describe_failure(caught.value, secrets=definition.secret_values).message.endswith(": [secret]")
    assert "s3cret" not in repr(definition)


def test_r27_half_a_secret_is_not_shown_where_a_text_is_cut(tmp_path: Path) -> None:
    """Whatever a script puts before or behind it: secrets are masked before texts are cut."""
    from amla_capabilities.manifest import parse_manifest
    from amla_sandbox import Sandbox
    from amla_sandbox.tools import from_manifest

    secret = "SUPERSECRET0123456789ABCDE"
    text = (
        '[tools.say]\nallow = true\ncommand = ["sh", "-c", "printf %s \\"$1$KEY$2\\"; printf %s \\"$1$KEY$2\\" >&2; exit $3", "sh", "{a}", "{b}", "{status}"]\n'
        'env = { KEY = "${KEY}" }\noutput = "json"\nparams.a = { type = "string" }\nparams.b = { type = "string" }\n'
        'params.status = { type = "string" }\n'
    )
    manifest = parse_manifest(text, tmp_path / "tools.toml")
    tools = from_manifest(manifest, variables={"KEY": secret, "PATH": "/usr/bin:/bin"})
    with Sandbox(tools=tools, policy=manifest.policy()) as sandbox:
        for before, behind, status in ((54, 0, "0"), (60, 10, "0"), (0, 1480, "1"), (0, 1490, "1"), (0, 1985, "1")):
            script = f"await say({{ a: 'z'.repeat({before}), b: 'y'.repeat({behind}), status: '{status}' }})"
            error = sandbox.run(script).error or ""
            assert not any(secret[i : i + 6] in error for i in range(len(secret) - 5)), error
