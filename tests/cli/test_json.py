"""`--json`: one object on stdout, whose keys are pinned here and described in docs/cli.md."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from cli_process import Amla, Ended

from amla_cli._outcome import Message, Outcome, Problem
from amla_cli._render import SCHEMA_VERSION, as_json

ENVELOPE = {"schema", "command", "success", "exit_code", "result", "errors", "messages"}
RUN = {"stdout", "stdout_base64", "stderr", "stderr_base64", "value", "calls", "usage", "audit"}
USAGE = {"wall_seconds", "cpu_seconds", "memory_bytes", "output_bytes", "output_dropped", "calls"}
CALL = {"tool", "arguments", "outcome", "message", "seconds", "decision", "approval", "size"}
ERROR = {"code", "message", "hint"}
SCRIPT_ERROR = ERROR | {"name", "script_code", "file", "line", "column", "source_line", "stack"}
TOOL = {
    "name", "javascript", "kind", "description", "parameters", "returns", "schema_known", "reason", "granted",
    "constraints", "remaining_calls", "grants",
}  # fmt: skip


def told(ended: Ended) -> dict[str, Any]:
    assert ended.out.count(b"\n") == 1
    data: dict[str, Any] = json.loads(ended.out)
    assert data.keys() == ENVELOPE
    assert (data["schema"], data["exit_code"]) == (SCHEMA_VERSION, ended.status)
    assert ended.err == ""
    return data


def test_run(amla: Amla, manifest: str) -> None:
    code = "console.log('a'); console.error('b'); return {n: await greet({name: 'x'})}"
    data = told(amla("run", "--json", "-e", code, "--tools", manifest))
    result = data["result"]
    assert result.keys() == RUN
    assert result["usage"].keys() == USAGE
    assert [call.keys() for call in result["calls"]] == [CALL]
    assert (result["stdout"], result["stderr"]) == ('a\n{"n":"hello x"}\n', "b\n")
    assert (data["success"], data["errors"], result["value"]) == (True, [], {"n": "hello x"})
    assert result["calls"][0]["arguments"] == {"name": "x", "times": 1}


def test_a_script_error(amla: Amla) -> None:
    data = told(amla("run", "--json", "-e", "\n  nope()"))
    (error,) = data["errors"]
    assert error.keys() == SCRIPT_ERROR
    assert (error["code"], error["name"], error["line"], error["column"]) == ("script", "ReferenceError", 2, 3)
    assert data["success"] is False


def test_a_status_of_the_script_is_no_error(amla: Amla) -> None:
    data = told(amla("run", "--json", "-e", "process.exit(7)"))
    assert (data["exit_code"], data["success"], data["errors"]) == (7, False, [])


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("run", "--json"), "usage"),
        (("run", "--json", "--nonsense"), "usage"),
        (("run", "x.js", "--json"), "script"),
        (("run", "--json", "-e", "1", "--tools", "x.toml"), "manifest"),
        (("run", "--json", "-e", "for (;;) {}", "--timeout", "200ms"), "timeout"),
        (("run", "--json", "--lang", "python", "-e", "1"), "usage"),
    ],
)
def test_errors_have_codes(amla: Amla, args: tuple[str, ...], code: str) -> None:
    """Also where the command line itself could not be read."""
    (error,) = told(amla(*args))["errors"]
    assert error.keys() == ERROR
    assert error["code"] == code


def test_bytes_that_are_no_text(amla: Amla) -> None:
    result = told(amla("run", "--json", "-e", "process.stdout.write(new Uint8Array([255, 0]))"))["result"]
    assert (result["stdout"], base64.b64decode(result["stdout_base64"])) == ("\ufffd\0", b"\xff\0")
    assert result["stderr_base64"] is None


def test_tools(amla: Amla, manifest: str) -> None:
    tools = told(amla("tools", "--json", "--tools", manifest))["result"]["tools"]
    assert [tool.keys() for tool in tools] == [TOOL, TOOL]
    assert [tool["granted"] for tool in tools] == [True, False]


def test_other_commands(amla: Amla) -> None:
    assert told(amla("init", "--json"))["result"].keys() == {"path"}


def test_values_that_json_lacks() -> None:
    """A number out of range, a lone surrogate, a read-only mapping: the object stays JSON."""
    from types import MappingProxyType

    outcome = Outcome({"nan": float("nan"), "half": "\ud800", "frozen": MappingProxyType({"a": (1,)})})
    assert json.loads(as_json("run", outcome))["result"] == {"nan": "NaN", "half": "\ud800", "frozen": {"a": [1]}}


def test_problems_and_messages() -> None:
    outcome = Outcome(messages=(Message("hint", "h"),), problems=(Problem("c", "m", "h", {"line": 3}),), exit_code=2)
    data = json.loads(as_json("run", outcome))
    assert data["errors"] == [{"code": "c", "message": "m", "hint": "h", "line": 3}]
    assert data["messages"] == [{"level": "hint", "text": "h"}]


def test_what_tools_print_is_not_in_the_object(amla: Amla, tmp_path: Path) -> None:
    (tmp_path / "noisy.py").write_text(
        'print("at import")\n\ndef noisy(x: int) -> int:\n    print("called")\n    return x\n'
    )
    (tmp_path / "noisy.toml").write_text('[tools.noisy]\npython = "noisy:noisy"\nallow = true\n')
    ended = amla("run", "--json", "--tools", str(tmp_path / "noisy.toml"), "-e", "return await noisy({ x: 1 })")
    assert json.loads(ended.out)["result"]["stdout"] == "1\n"
    assert ended.err == "at import\ncalled\n"


def test_secret_arguments_are_not_in_the_record_of_calls(amla: Amla, tmp_path: Path) -> None:
    (tmp_path / "pay.py").write_text("def pay(to: str, amount: int) -> int:\n    return amount\n")
    table = '[tools.pay]\npython = "pay:pay"\nallow = true\nsecret = ["to"]\nconstraints = { amount = "<=5" }\n'
    (tmp_path / "pay.toml").write_text(table)
    script = "await pay({ to: 'hidden', amount: 1 }); try { await pay({ to: 'hidden', amount: 9 }) } catch {}"
    ended = amla("run", "--json", "--tools", str(tmp_path / "pay.toml"), "-e", script)
    assert [call["arguments"]["to"] for call in told(ended)["result"]["calls"]] == ["[secret]", "[secret]"]
