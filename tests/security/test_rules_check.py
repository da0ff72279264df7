"""R1 to R4: what `amla check-policy` reads may have been written by whoever wants to mislead it, or its reader."""

from __future__ import annotations

import http.server
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest

CANARY = "from pathlib import Path\nPath(__file__).with_name('touched').touch()\n"
MODULE = f'''\
{CANARY}

def greet(name: str, times: int = 1) -> str:
    """Say hello."""
    Path(__file__).with_name("touched").touch()
    return name


def _stamp(function):
    Path(__file__).with_name("touched").touch()
    return function


@_stamp
def stamped(name: str = str(Path(__file__).with_name("touched").touch())) -> str:
    return name
'''
MANIFEST = """\
[tools.greet]
python = "greeter:greet"
constraints = {{ times = "<=3" }}

[tools.stamped]
python = "greeter:stamped"
allow = true

[tools.program]
command = ["./program", "{{name}}"]
params.name = {{ type = "string" }}
env = {{ TOKEN = "${{NO_SUCH_SECRET}}" }}
allow = true

[tools.page]
http = {{ url = "http://127.0.0.1:{port}/x", allow_private = true }}
allow = true

[mcp.server]
command = ["./program", "serve"]

[mcp.remote]
url = "http://127.0.0.1:{port}/mcp"

[[capabilities]]
method = "server/*"

[[mounts]]
host = "data"
guest = "/workspace/data"

[[tests]]
call = "greet"
args = {{ name = "x" }}
expect = "allow"
"""
SCRIPT = """\
await greet({ name: 'x' });
await stamped({ name: 'x' });
await program({ name: 'x' });
await page({});
"""


@pytest.fixture
def port() -> Iterator[tuple[int, list[str]]]:
    """A server, and what was asked of it."""
    asked: list[str] = []

    class Canary(http.server.BaseHTTPRequestHandler):
        def handle(self) -> None:
            asked.append("connected")

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Canary)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port, asked
    server.shutdown()
    server.server_close()


@pytest.fixture
def repository(tmp_path: Path, port: tuple[int, list[str]]) -> Path:
    (tmp_path / "greeter.py").write_text(MODULE)
    (tmp_path / "program").write_text(f"#!/bin/sh\ntouch '{tmp_path}/touched'\n")
    (tmp_path / "program").chmod(0o755)
    (tmp_path / "sitecustomize.py").write_text(CANARY)
    (tmp_path / "json.py").write_text(CANARY)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "secret.txt").write_text("secret")
    (tmp_path / "tools.toml").write_text(MANIFEST.format(port=port[0]))
    (tmp_path / "job.js").write_text(SCRIPT)
    (tmp_path / "job.sh").write_text("tool greet --name x\ntool program --name x\ntool page\n")
    return tmp_path


def check(folder: Path, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("AMLA_TOOLS", "GIT_"))}
    return subprocess.run(
        [sys.executable, "-m", "amla_cli", "check-policy", "--tools", "tools.toml", *words],
        cwd=folder,
        env={**clean, **env},
        capture_output=True,
        text=True,
        timeout=60,
    )


class Check(Protocol):
    def __call__(self, *words: str) -> Ended: ...


@dataclass(frozen=True)
class Ended:
    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def quick(repository: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Check:
    """The same in this process."""
    from amla_cli import __main__ as cli

    monkeypatch.setattr(cli, "_catch_sigterm", lambda: None)
    monkeypatch.delenv("AMLA_TOOLS", raising=False)
    monkeypatch.chdir(repository)

    def run(*words: str) -> Ended:
        capfd.readouterr()
        monkeypatch.setattr(sys, "argv", ["amla", "check-policy", *words])
        status = cli.main()
        said = capfd.readouterr()
        return Ended(status, said.out, said.err)

    return run


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("job.js", "job.sh"),
        ("job.js", "job.sh", "--strict", "-v"),
        ("job.js", "job.sh", "--run"),
        ("--explain", 'greet {"name": "x"}'),
        ("--explain", 'program {"name": "x"}'),
        ("--against", "tools.toml"),
        ("--against", "HEAD:tools.toml"),
        (".", "--format", "sarif"),
    ],
    ids=["plain", "scripts", "strict", "run", "explain", "explain program", "against file", "against git", "folder"],
)
def test_r1_nothing_of_the_repository_is_run(
    repository: Path, port: tuple[int, list[str]], words: tuple[str, ...]
) -> None:
    """Neither imported, nor spawned, nor connected to, nor filled in from the environment."""
    if "HEAD:tools.toml" in words:
        config = ("-c", "user.name=t", "-c", "user.email=t@example.org")
        for command in (("init", "-q"), ("add", "tools.toml"), (*config, "commit", "-q", "-m", "c")):
            subprocess.run(["git", *command], cwd=repository, check=True, capture_output=True)
    ended = check(repository, *words, NO_SUCH_SECRET="the secret itself")
    assert ended.returncode in (0, 1), ended.stderr
    assert "Traceback" not in ended.stderr
    assert "the secret itself" not in ended.stdout + ended.stderr
    assert not (repository / "touched").exists()
    assert not (repository / "__pycache__").exists()
    assert port[1] == []


def test_r1_import_is_what_opts_in(repository: Path) -> None:
    """The canary works: with `--import` the module is imported."""
    manifest = '[tools.greet]\npython = "greeter:greet"\nallow = true\n'
    (repository / "tools.toml").write_text(manifest)
    assert check(repository, "--import").returncode == 0
    assert (repository / "touched").exists()


def test_r1_a_schema_that_only_code_knows_is_said_to_be_unknown(repository: Path, quick: Check) -> None:
    findings = json.loads(quick("--tools", "tools.toml", "job.js", "--format", "json").stdout)["findings"]
    assert [(found["code"], found["path"]) for found in findings if found["code"] == "AM215"] == [
        ("AM215", "tools.stamped")
    ]


def test_r1_trials_get_no_files_of_the_manifest(repository: Path, quick: Check) -> None:
    """A script under review could tell what it reads, in an error that a public log shows."""
    (repository / "job.js").write_text(
        "throw new Error(require('fs').readFileSync('/workspace/data/secret.txt', 'utf8'));"
    )
    ended = quick("--tools", "tools.toml", "job.js", "--run")
    assert "AM602" in ended.stdout
    assert "ENOENT" in ended.stdout


def test_r1_trials_end_in_the_usual_time_whatever_the_manifest_says() -> None:
    from amla_capabilities import Limits, parse_manifest
    from amla_cli.check._trials import trial_limits

    generous = parse_manifest('[sandbox]\ntimeout = "0"\ncpu = "0"\nmemory = "64GB"\nmax_calls = 7\n')
    limits, usual = trial_limits([generous], {}), Limits()
    assert (limits.timeout, limits.cpu, limits.memory) == (usual.timeout, usual.cpu, usual.memory)
    assert limits.max_calls == 7
    assert trial_limits([generous], {"timeout": "90s"}).timeout == 90


def test_r2_an_include_from_outside_is_refused(repository: Path, quick: Check) -> None:
    (repository / "inner").mkdir()
    (repository / "inner" / "link.toml").symlink_to(repository / "tools.toml")
    (repository / "inner" / "tools.toml").write_text('include = ["link.toml", "../tools.toml"]\n')
    ended = quick("--tools", "tools.toml", "inner/tools.toml")
    assert ended.stdout.count(" AM121 ") == 2


def test_r2_secrets_are_masked_in_the_lines_that_findings_show(repository: Path, quick: Check) -> None:
    token = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
    (repository / "tools.toml").write_text(
        f'[tools.page]\nhttp = {{ url = "https://example.com/", headers = {{ Authorization = "token {token}" }} }}\n'
        "allow = true\n"
    )
    for form in ("text", "json", "github", "sarif", "junit"):
        said = quick("--tools", "tools.toml", "--format", form).stdout
        assert "AM206" in said
        assert token not in said


def test_r2_manifests_do_not_grant_each_others_tools(repository: Path, quick: Check) -> None:
    (repository / "tools.toml").write_text('[tools.deploy]\ncommand = ["true"]\n')
    (repository / "other.toml").write_text('[tools.now]\ncommand = ["date"]\n\n[[capabilities]]\nmethod = "*"\n')
    (repository / "job.js").write_text("await now({});\nawait deploy({});\n")
    ended = quick("--tools", "tools.toml", "--tools", "other.toml", "job.js")
    assert "AM201 tools.deploy: " in ended.stdout
    assert "job.js:2:7: AM401 deploy is denied" in ended.stdout
    assert "job.js:1:" not in ended.stdout


EVIL_NAME = "a\x1b[2J\n::error file=x::y.js"
EVIL_SCRIPT = "\u202eawait payy({});\n  ;gone({ a: '##[add-mask]x' }); // \x1b]0;title\x07\n"


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "github", "sarif", "junit"])
def test_r3_names_and_sources_of_a_repository_command_nothing(repository: Path, quick: Check, form: str) -> None:
    (repository / EVIL_NAME).write_text(EVIL_SCRIPT.lstrip("\u202e"))
    (repository / "tools.toml").write_text(
        '[tools."x\\u001b[2J"]\ncommand = ["true"]\n[tools.y]\ncommand = ["true"]\n'
        'constraints = { "\\n::error::z" = "=<\\u202e1" }\n'
    )
    (repository / "sound.toml").write_text('[tools.now]\ncommand = ["date"]\nallow = true\n')
    faulty = quick("--tools", "tools.toml", "--format", form, "-v").stdout
    found = quick("--tools", "sound.toml", "--format", form, "--", EVIL_NAME)
    assert found.returncode == 1
    for said in (faulty, found.stdout, found.stderr):
        assert not set(said) & set("\x1b\x07\u202e\u2028")
        begun = [line for line in said.splitlines() if line.lstrip().startswith("::")]
        if form == "github":
            assert all(line.startswith(("::error ", "::warning ", "::notice ")) for line in begun)
        else:
            assert begun == []
            assert "##[" not in said


def test_r4_allowed_is_said_only_of_what_nothing_can_change(repository: Path, quick: Check) -> None:
    (repository / "tools.toml").write_text(
        """\
[tools.free]
command = ["true", "{x}"]
params.x = { type = "integer" }
constraints = { x = "<=5" }
[tools.counted]
command = ["true"]
max_calls = 3
[tools.asked]
command = ["true"]
approval = "ask"
[tools.rated]
command = ["true"]
rate = "1/minute"
[tools.expiring]
command = ["true"]
expires = 2999-01-01T00:00:00Z
"""
    )
    sites = {
        "free({ x: 5 })": "allowed",
        "free({ x: 2 + 3 })": "allowed",
        "free({ x: Number('5') })": "at run time",
        "free({ x: process.argv.length })": "at run time",
        "free({ x: 6 })": "denied",
        "counted({})": "at run time",
        "asked({})": "at run time",
        "rated({})": "at run time",
        "expiring({})": "at run time",
    }
    (repository / "job.js").write_text("".join(f"await {call};\n" for call in sites))
    (repository / "own.js").write_text("const free = console.log;\nfree({ x: 5 });\n")
    (repository / "patched.js").write_text(
        "Object.assign(globalThis, { free: 1 });\neval('free = 2');\nawait free({ x: 5 });\n"
    )
    judged = json.loads(quick("--tools", "tools.toml", "job.js", "own.js", "patched.js", "--format", "json").stdout)[
        "sites"
    ]
    assert [site["verdict"] for site in judged if site["file"] == "job.js"] == list(sites.values())
    assert not [site for site in judged if site["file"] != "job.js" and site["verdict"] == "allowed"]


@pytest.mark.parametrize(
    ("name", "text"),
    [("a.js", "await x({;"), ("a.ts", "enum {"), ("a.sh", "if true; then"), ("a.js", "x" + "(" * 5000)],
)
def test_r4_what_does_not_parse_is_not_checked(repository: Path, quick: Check, name: str, text: str) -> None:
    (repository / name).write_text(text)
    (repository / "tools.toml").write_text("")
    ended = quick("--tools", "tools.toml", name)
    assert ended.returncode == 2
    assert "AM407 not checked" in ended.stdout


def test_r4_a_run_does_not_use_the_verdicts() -> None:
    """Nothing that runs scripts imports what judges them beforehand."""
    import amla_sandbox

    root = Path(amla_sandbox.__file__).parent
    sources = {file.relative_to(root).as_posix(): file.read_text() for file in root.rglob("*.py")}
    assert [name for name, text in sources.items() if "amla_capabilities.check" in text] == ["_sites/_find.py"]
    assert {name for name, text in sources.items() if "find_calls" in text} <= {"__init__.py", "_sites/_find.py"}
