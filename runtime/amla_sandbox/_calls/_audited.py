"""Calls with an audit trail: what is about to be done is on the disk before it is done, what came of it follows."""

from __future__ import annotations

import hashlib
import json
import secrets
import warnings
from typing import TYPE_CHECKING, Any

from amla_sandbox._errors import AuditError, AuditWarning
from amla_sandbox._result import CallRecord
from amla_sandbox.audit._log import AuditSink

from ._asking_calls import AskingCalls, Held
from ._calls import Request

if TYPE_CHECKING:
    from amla_capabilities import Decision
    from amla_sandbox._result import ExecutionResult
    from amla_sandbox._script import Script
    from amla_sandbox.tools import Arguments

    from ._approval import ApprovalAnswer, ApprovalRequest

__all__ = ["AuditedCalls"]

_MOST = 4_096
"""Bytes of a call's arguments, as JSON, that a record holds; arbitrary. Of longer ones it holds the beginning."""

_BEGINNING = 1_000
_TEXT = 500
"""Characters of a message that a record holds; arbitrary."""


class AuditedCalls(AskingCalls):
    """The calls of a run, each written to a log. A call whose record cannot be written is not made."""

    def __init__(self, *args: Any, log: AuditSink, asks: bool) -> None:
        super().__init__(*args, asks=asks)
        self._log = log
        self._run = secrets.token_hex(8)

    def begin(self, script: Script) -> None:
        source = script.source.encode("utf-8", "surrogatepass")
        digest = hashlib.sha256(source).hexdigest()
        self._write("run", {"script": _cut(script.filename), "language": script.language, "source": digest})

    def finish(self, result: ExecutionResult) -> None:
        self._mention("end", {"exit_code": result.exit_code, "calls": self.meter.calls}, durable=True)

    # --- what happens to a call ------------------------------------------------------------------

    def _admit(self, request: Request) -> None:
        shown = self._shown(request.tool, request.arguments)
        entry = {"call": request.id, "tool": request.name, **_arguments(shown), **self._decision(request.decision)}
        if request.approval:
            entry["approval"] = request.approval
        try:
            self._write("call", entry, durable=True)
        except AuditError as error:
            self.pending[request.id] = request
            self.fail(request, error)
            return
        super()._admit(request)

    def _record(self, request: Request, outcome: str, message: str = "", size: int | None = None) -> bool:
        record = self._recorded(request, outcome, message, size)
        entry: dict[str, object] = {"call": record.number, "tool": record.tool, "outcome": outcome}
        entry |= {"seconds": round(record.seconds, 6), "bytes": size}
        try:
            self._write("result", entry | ({"message": _cut(message)} if message else {}))
        except AuditError as error:
            if outcome == "ok":
                self._failed(request, str(error), type="AuditError")
                return False
        self._keep(record)
        return True

    def _note(self, record: CallRecord) -> None:
        if not self._keep(record):
            return
        entry: dict[str, object] = {"call": record.number, "tool": _cut(record.tool), "outcome": record.outcome}
        entry |= _arguments(record.arguments) if record.arguments is not None else {"arguments": None}
        if record.decision is not None:
            entry |= self._decision(record.decision)
        entry["message"] = _cut(record.message)
        if record.approval:
            entry["approval"] = record.approval
        self._mention("refused", entry)

    def _asked(self, held: Held, asked: ApprovalRequest) -> None:
        shown = self._shown(held.tool, held.arguments)
        entry = {"call": held.call.id, "tool": held.tool.name, **_arguments(shown), "remaining": asked.remaining}
        self._mention("ask", entry | {"reason": _cut(asked.reason)} | self._granted(asked.capability))

    def _answered(self, held: Held, answer: ApprovalAnswer, word: str) -> None:
        entry: dict[str, object] = {"call": held.call.id, "tool": held.tool.name, "answer": word}
        self._mention("answer", entry | ({"reason": _cut(answer.reason)} if answer.reason else {}))

    # --- records -----------------------------------------------------------------------------------

    def _write(self, kind: str, entry: dict[str, object], *, durable: bool = False) -> None:
        self._log.write({"run": self._run, "type": kind, **entry}, durable=durable)

    def _mention(self, kind: str, entry: dict[str, object], *, durable: bool = False) -> None:
        """Record what lets nothing happen; that it is missing is said, and hinders nobody."""
        try:
            self._write(kind, entry, durable=durable)
        except AuditError as error:
            warnings.warn(f"a record of type {kind!r} is missing: {error}", AuditWarning, stacklevel=2)

    def _decision(self, decision: Decision) -> dict[str, object]:
        entry: dict[str, object] = {"verdict": decision.verdict, "code": decision.code}
        entry |= {"reason": _cut(decision.reason)} if decision.reason else {}
        entry |= {"needed": _cut(decision.needed)} if decision.needed else {}
        return entry | self._granted(decision.capability)

    def _granted(self, capability: object) -> dict[str, object]:
        """Which capability: its name, and its place among the policy's, since names may repeat."""
        if capability is None:
            return {"capability": None}
        every = self._policy().capabilities
        place = next((n for n, each in enumerate(every) if each is capability), None)
        return {"capability": capability.key(), "capability_index": place}  # type: ignore[attr-defined]


def _arguments(shown: Arguments) -> dict[str, object]:
    """Arguments for a record, with a SHA-256 of all of them as JSON with sorted keys, secrets masked."""
    text = json.dumps(shown, default=dict, sort_keys=True, separators=(",", ":"))
    digest = hashlib.sha256(text.encode("ascii")).hexdigest()
    if len(text) <= _MOST:
        return {"arguments": json.loads(text, parse_constant=str), "digest": digest}
    return {"arguments": None, "beginning": text[:_BEGINNING], "length": len(text), "digest": digest}


def _cut(text: str) -> str:
    return text if len(text) <= _TEXT else f"{text[:_TEXT]}… ({len(text) - _TEXT:,} more characters)"
