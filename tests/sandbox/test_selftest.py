"""The trials of `amla selftest` can fail: each kind of judge notices what it is there for."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from amla_sandbox import ExecutionResult, Sandbox
from amla_sandbox.selftest import Trial, _endless, _escapes, _exhausting, _unallowed, run_trials
from amla_sandbox.selftest._canary_host import canary_host


def test_the_host_notices_what_was_reached() -> None:
    with canary_host() as host:
        assert host.fault(ExecutionResult()) == ""
        assert "secret" in host.fault(ExecutionResult(stdout_bytes=host.secret.encode()))
        assert "secret" in host.fault(ExecutionResult(return_value=[host.secret]))
        with socket.create_connection(("127.0.0.1", host.port)):
            assert "server" in host.fault(ExecutionResult())
        (Path(host.file).parent / "new").mkdir()
        assert "folder" in host.fault(ExecutionResult())


@pytest.mark.parametrize(
    ("attempt", "fault"),
    [
        (lambda: _endless._attempt("return 1", "javascript"), "instead of at its deadline"),
        (lambda: _exhausting._attempt(_exhausting._Attempt("shell", "true", ("memory",))), "good end"),
        (lambda: _exhausting._attempt(_exhausting._Attempt("shell", "false", ("memory",))), "no limit was named"),
        (lambda: _unallowed._attempt("await pay({ amount: 1 })", "javascript", 0), "reached the tool"),
        (lambda: _unallowed._attempt("null", "javascript", 1), "should have"),
    ],
)
def test_the_judges_notice(attempt: object, fault: str) -> None:
    (verdict,) = run_trials((Trial("group", "name", attempt),))
    assert fault in verdict.fault
    assert not verdict.held


def test_a_trial_that_breaks_has_failed() -> None:
    (verdict,) = run_trials((Trial("group", "name", lambda: str(1 / 0)),))
    assert verdict.fault.startswith("ZeroDivisionError")


@pytest.mark.parametrize(("language", "rows"), [("javascript", _escapes._JAVASCRIPT), ("shell", _escapes._SHELL)])
def test_the_attempts_are_scripts_that_parse(language: str, rows: dict[str, str]) -> None:
    with Sandbox() as sandbox:
        for name, code in rows.items():
            result = sandbox.run(code, language)
            assert "SyntaxError" not in (result.error or ""), name
            assert "syntax error" not in result.stderr, name
