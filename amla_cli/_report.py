"""What there is to say about a finished run: its problem, its figures, its data for programs."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ._excerpt import script_problem
from ._exit import Exit
from ._imports import import_hint
from ._outcome import Message, Problem, Settings

if TYPE_CHECKING:
    from amla_sandbox import CallRecord, ExecutionResult, ScriptFailure

    from ._scripts import Script

__all__ = ["Report", "run_data"]

_HINTS: Mapping[int, str] = {
    Exit.DENIED: "'amla tools --tools FILE' lists what is granted; a grant is a line in that manifest",
    Exit.TIMEOUT: "give it longer with --timeout and --cpu, or in the manifest's [sandbox]",
    Exit.BROKEN: "if it happens again, please report it with the script",
    Exit.OUT_OF_MEMORY: "give it more with --memory, or in the manifest's [sandbox]",
}
_CODES: Mapping[int, str] = {
    Exit.DENIED: "denied", Exit.TIMEOUT: "timeout", Exit.BROKEN: "sandbox", Exit.INTERRUPTED: "interrupted",
    Exit.OUT_OF_MEMORY: "memory",
}  # fmt: skip


class Report(NamedTuple):
    """A run's result in words."""

    script: Script
    result: ExecutionResult
    settings: Settings

    def problems(self) -> tuple[Problem, ...]:
        """Why the run failed; nothing when the script chose its own status."""
        failure, error = self.result.failure, self.result.error
        if error is None:
            return ()
        code, hint = (
            table.get(self.result.exit_code, fallback) for table, fallback in ((_CODES, "script"), (_HINTS, ""))
        )
        if failure is None:
            return (Problem(code, error, hint),)
        hint = hint or import_hint(failure.message, self.script) or _language_hint(failure, self.script)
        return (script_problem(failure, self.script, self.settings, hint)._replace(code=code),)

    def details(self) -> Iterator[Message]:
        """What -v shows: the calls, and what the run used."""
        for call in self.result.calls:
            yield Message("detail", _call_line(call))
        usage = self.result.usage
        used = f"{usage.wall_seconds:.3f} s, {usage.cpu_seconds:.3f} s of them computing"
        yield Message("detail", f"{used}; {usage.calls} tool calls; {usage.memory_bytes / 1e6:.1f} MB of memory")

    def trial(self) -> Iterator[Message]:
        """The calls that a script on trial would make."""
        from amla_sandbox._mocks._dry_run import would_be

        from ._approvals import json_text

        for call in self.result.calls:
            arguments = "(unreadable)" if call.arguments is None else json_text(call.arguments)
            why = f": {call.message}" if call.message else ""
            yield Message("call", f"{call.tool} {arguments}: {would_be(call)}{why}")

    def would_be_denied(self) -> bool:
        """Whether a call of a script on trial would not be made."""
        from amla_sandbox._mocks._dry_run import would_be

        return any(would_be(call) == "denied" for call in self.result.calls)


def _call_line(call: CallRecord) -> str:
    said = f": {call.message}" if call.message else ""
    return f"{call.tool} {call.outcome} after {call.seconds:.3f} s{said}"


def run_data(result: ExecutionResult) -> dict[str, Any]:
    """The run for programs. `*_base64` is None unless the stream is not UTF-8, and then holds its exact bytes."""
    usage = result.usage
    return {
        "stdout": result.stdout,
        "stdout_base64": _exact(result.stdout_bytes),
        "stderr": result.stderr,
        "stderr_base64": _exact(result.stderr_bytes),
        "value": result.return_value,
        "calls": [
            {
                "tool": call.tool,
                "arguments": call.arguments,
                "outcome": call.outcome,
                "message": call.message,
                "seconds": round(call.seconds, 6),
                "decision": _decision_data(call),
                "approval": call.approval or None,
                "size": call.size,
            }
            for call in result.calls
        ],
        "usage": {
            "wall_seconds": round(usage.wall_seconds, 6),
            "cpu_seconds": round(usage.cpu_seconds, 6),
            "memory_bytes": usage.memory_bytes,
            "output_bytes": usage.output_bytes,
            "output_dropped": usage.output_dropped,
            "calls": usage.calls,
        },
    }


def _decision_data(call: CallRecord) -> dict[str, Any] | None:
    """What the policy said, for the owner; None where it was not asked."""
    decision = call.decision
    if decision is None:
        return None
    return {
        "verdict": decision.verdict,
        "code": decision.code,
        "reason": decision.reason,
        "needed": decision.needed,
        "capability": None if decision.capability is None else decision.capability.method_pattern,
    }


def _exact(data: bytes) -> str | None:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return base64.b64encode(data).decode("ascii")
    return None


def _language_hint(failure: ScriptFailure, script: Script) -> str:
    """What nobody called JavaScript, and does not parse as such, may be a shell script."""
    unparsed = failure.name == "SyntaxError" and failure.stack == (
        f"at {failure.file}:{failure.line}:{failure.column}",
    )
    return "it was read as JavaScript; add --lang shell if it is a shell script" if unparsed and script.assumed else ""
