"""`amla run --dry-run`: no tool is called, and each call is shown with its decision."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_process import Amla

MODULE = '''\
from pathlib import Path

Path(__file__).with_name("imported").touch()


def greet(name: str, times: int = 1) -> str:
    """Say hello."""
    Path(__file__).with_name("called").touch()
    return "really"
'''
MANIFEST = """\
[tools.greet]
python = "greeter:greet"
constraints = {{ times = "<=3" }}
max_calls = 2
mock = "hello from the mock"

[tools.touch]
command = ["touch", "{folder}/started"]
allow = true
returns = {{ type = "object", required = ["id"], properties = {{ id = {{ type = "integer", minimum = 3 }} }} }}

[tools.fetch]
http = {{ url = "http://127.0.0.1:{port}/x", headers = {{ Authorization = "Bearer ${{NO_SUCH_SECRET}}" }}, allow_private = true }}
allow = true

[tools.transfer]
command = ["true"]
approval = "ask"
"""


@pytest.fixture
def connections() -> Iterator[tuple[int, list[str]]]:
    """The port of a server, and the paths that were asked of it."""
    seen: list[str] = []

    class Canary(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.path)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Canary)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port, seen
    server.shutdown()
    server.server_close()


@pytest.fixture
def tools(tmp_path: Path, connections: tuple[int, list[str]]) -> str:
    (tmp_path / "greeter.py").write_text(MODULE)
    (tmp_path / "t.toml").write_text(MANIFEST.format(folder=tmp_path, port=connections[0]))
    return "t.toml"


def test_r1_nothing_is_imported_started_connected_to_or_filled_in(
    amla: Amla, tools: str, tmp_path: Path, connections: tuple[int, list[str]]
) -> None:
    code = "console.log(await greet({name: 'x'}), await touch({}), await fetch({}), await tools.call('fetch', {}))"
    code = code.replace("await fetch({}), ", "")
    ended = amla("run", "--dry-run", "--tools", tools, "-e", code)
    assert (ended.status, ended.out) == (0, b"hello from the mock { id: 3 } null\n")
    assert ended.err.splitlines() == [
        'amla: call: greet {"name": "x", "times": 1}: allowed',
        "amla: call: touch {}: allowed",
        "amla: call: fetch {}: allowed",
    ]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["greeter.py", "t.toml"]
    assert connections[1] == []


def test_a_denied_call_is_status_77_even_if_the_script_carries_on(amla: Amla, tools: str) -> None:
    code = (
        "await greet({name: 'x', times: 9}).catch(() => {}); await greet({name: 5}).catch(() => {}); console.log('on')"
    )
    ended = amla("run", "--dry-run", "--tools", tools, "-e", code)
    assert (ended.status, ended.out) == (77, b"on\n")
    assert "greet denied: times 9 violates times <= 3" in ended.err
    assert 'call: greet {"name": 5}: denied: greet: name must be a string' in ended.err


def test_budgets_are_counted(amla: Amla, tools: str) -> None:
    code = "for (const name of ['a', 'b', 'c']) await greet({name}).catch(() => {})"
    ended = amla("run", "--dry-run", "--tools", tools, "-e", code)
    assert ended.status == 77
    said = [line.partition("}: ")[2].partition(":")[0] for line in ended.err.splitlines()]
    assert said == ["allowed", "allowed", "denied"]


def test_calls_that_need_approval_are_named_and_asked_about_nobody(amla: Amla, tools: str) -> None:
    ended = amla("run", "--dry-run", "--tools", tools, "--approve", "none", "-e", "await transfer({})")
    assert (ended.status, ended.err) == (0, "amla: call: transfer {}: needs approval\n")


def test_json(amla: Amla, tools: str) -> None:
    told = json.loads(
        amla("run", "--dry-run", "--json", "--tools", tools, "-e", "await greet({name: 'x', times: 9})").out
    )
    (call,) = told["result"]["calls"]
    assert told["exit_code"] == 77
    assert call["decision"] == {
        "verdict": "denied", "code": "CONSTRAINT_VIOLATED", "capability": None,
        "reason": "times 9 violates times <= 3", "needed": "times must meet times <= 3",
    }  # fmt: skip
    assert [message["level"] for message in told["messages"]] == ["call"]


def test_nothing_is_written_to_the_host(amla: Amla, tools: str, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    args = (
        "--mount",
        "data:data:rw",
        "--out",
        "x:x",
        "-e",
        "fs.writeFileSync('data/new', '1'); fs.writeFileSync('x', '1')",
    )
    ended = amla("run", "--dry-run", "--tools", tools, *args)
    assert (ended.status, list((tmp_path / "data").iterdir()), (tmp_path / "x").exists()) == (0, [], False)
    assert "nothing was copied back: this was a dry run" in ended.err


def test_there_is_nothing_to_record(amla: Amla, tools: str) -> None:
    ended = amla("run", "--dry-run", "--audit", "a.log", "--tools", tools, "-e", "1")
    assert ended.status == 2
    assert "nothing for --audit to record" in ended.err


def test_arguments_cannot_act_on_a_terminal(amla: Amla, tools: str) -> None:
    ended = amla("run", "--dry-run", "--tools", tools, "-e", r"await greet({name: '\x1b[2J\n\u202e'})")
    assert '"name": "\\u001b[2J\\n\\u202e"' in ended.err


def test_without_a_manifest(amla: Amla) -> None:
    assert amla("run", "--dry-run", "-e", "console.log(1)").out == b"1\n"
