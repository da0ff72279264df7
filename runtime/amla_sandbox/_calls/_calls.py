"""The tool calls of one run: parsed, checked against their schemas, decided and charged before anybody sees them as a
`Request`; what is refused is answered at once. Nothing here starts a tool."""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Callable, Collection
from functools import cached_property
from typing import TYPE_CHECKING, Any

from amla_capabilities import RunMeter
from amla_sandbox import tools as lazy
from amla_sandbox._guest._protocol import Call, Describe, ProtocolError, failure_frame, result_frame
from amla_sandbox._result import CallRecord

from ._toolset import ToolSet

if TYPE_CHECKING:
    from amla_capabilities import Decision, Limits, Policy
    from amla_sandbox._result import ExecutionResult
    from amla_sandbox._script import Script
    from amla_sandbox.tools import Arguments, Caps, ToolDefinition

    from ._approval import ApprovalAnswer, ApprovalRequest

__all__ = ["Calls", "Request"]

_ANY_SIZE = 2**31
"""Bytes of a result where no limit is set; what a frame can carry."""


_RECORDED = 16 << 20
"""Bytes of arguments, as JSON, that a run's records keep; arbitrary, far beyond what a run in earnest passes."""


_MOST_MASKED = 100
"""Texts of secret arguments that are looked for in a message; of a call with more of them no message is recorded."""


_REMEMBERED = 1_000
"""Tools whose secrets are remembered; arbitrary."""


class Request:
    """A call that was decided and charged, and waits for its result. Compares by identity."""

    __slots__ = ("approval", "arguments", "decision", "id", "started", "tool")

    def __init__(
        self, number: int, tool: ToolDefinition, arguments: Arguments, decision: Decision, approval: str = ""
    ) -> None:
        self.id = number
        self.tool = tool
        self.arguments = arguments
        self.decision = decision
        self.approval = approval
        """What a person answered; empty if nobody was asked."""
        self.started = time.monotonic()

    def __repr__(self) -> str:
        return f"Request(id={self.id}, name={self.name!r}, arguments={self.arguments!r})"

    @property
    def name(self) -> str:
        """The tool's canonical path."""
        return self.tool.name


class Calls:
    """The calls of a run. `answers` gets the frames that answer them, `policy` is made when the first is decided."""

    def __init__(self, tools: ToolSet, policy: Callable[[], Policy], limits: Limits, answers: list[bytes]) -> None:
        self.ready: deque[Request] = deque()
        """Requests that nobody has taken yet."""
        self.pending: dict[int, Request] = {}
        """All requests without a result, taken or not."""
        self.held: Collection[object] = ()
        """The calls that wait for a person."""
        self.records: list[CallRecord] = []
        self.meter = RunMeter(limits.max_calls, limits.max_attempts)
        self._tools, self._policy, self._answers = tools, policy, answers
        self._limits = limits
        self._largest = limits.results or _ANY_SIZE
        self._ids: set[int] = set()
        self._secrets: dict[str, frozenset[str]] = {}
        self._room = _RECORDED

    @cached_property
    def _caps(self) -> Caps:
        return lazy.Caps.of(self._limits)

    def question(self) -> ApprovalRequest | None:
        """What to ask a person now; nothing where nobody can be asked."""
        return None

    def answer(self, asked: ApprovalRequest, answer: ApprovalAnswer, word: str = "") -> None:
        """Settle the call that a person was asked about; `word` is the answer as records have it."""

    def begin(self, script: Script) -> None:
        """The run begins."""

    def finish(self, result: ExecutionResult) -> None:
        """The run is over."""

    # --- what the guest asks -------------------------------------------------------------------

    def take(self, call: Call) -> None:
        """Decide a call. Raises ProtocolError for an id that was used before (R10)."""
        if call.id in self._ids:
            raise ProtocolError("an id was used twice")
        self._ids.add(call.id)
        self._room -= len(call.arguments)
        tool = self._tools.find(call.name)
        if tool is None:
            self._reject(call, "ERR_UNKNOWN_TOOL", self._tools.unknown(call.name))
            return
        try:
            arguments = lazy.bind_arguments(tool, call.arguments, self._caps)
        except lazy.ArgumentError as error:
            self._reject(call, "ERR_TOOL_SCHEMA", str(error), self._readable(call, tool))
            return
        self._decide(call, tool, arguments)

    def describe(self, question: Describe) -> None:
        """Answer a question about a tool."""
        tool = self._tools.find(question.name)
        if tool is None:
            self._answers.append(failure_frame(question.id, "ERR_UNKNOWN_TOOL", self._tools.unknown(question.name)))
            return
        self._answers += result_frame(question.id, json.dumps(self._tools.describe(tool, self._policy())).encode())

    def _decide(self, call: Call, tool: ToolDefinition, arguments: Arguments) -> None:
        decision = self._policy().authorize(tool.name, arguments, meter=self.meter)
        if decision.allowed:
            self._admit(Request(call.id, tool, arguments, decision))
        elif decision.needs_approval:
            self._hold(call, tool, arguments, decision)
        else:
            self._deny(call, tool, arguments, decision)

    def _hold(self, call: Call, tool: ToolDefinition, arguments: Arguments, decision: Decision) -> None:
        """Take a call that needs approval, which nobody can give."""
        self._deny(call, tool, arguments, decision)

    def _admit(self, request: Request) -> None:
        self.pending[request.id] = request
        self.ready.append(request)

    def _deny(
        self, call: Call, tool: ToolDefinition, arguments: Arguments, decision: Decision, approval: str = ""
    ) -> None:
        code = "ERR_TOOL_LIMIT" if decision.code.endswith("_LIMIT") else "ERR_TOOL_DENIED"
        message = decision.guest_message
        if decision.needs_approval:
            message += ", and nobody can be asked here; the owner may pass approve= to the Sandbox"
        record = CallRecord(
            tool.name, self._shown(tool, arguments), "denied", message, 0.0, decision, approval, None, call.id
        )
        self._refuse(call, code, record, reason=decision.code)

    def _reject(self, call: Call, code: str, message: str, arguments: Arguments | None = None) -> None:
        """Refuse a call that no policy was asked about; it counts as an attempt all the same (R9)."""
        if not self.meter.attempt():
            most = self.meter.max_attempts
            code, message = "ERR_TOOL_LIMIT", f"the run has tried {most:,} calls, the most it may (max_attempts)"
        self._refuse(call, code, CallRecord(call.name, arguments, "refused", message, number=call.id))

    def _refuse(self, call: Call, code: str, record: CallRecord, **more: object) -> None:
        self._note(record)
        self._answers.append(failure_frame(call.id, code, record.message, **more))

    def _readable(self, call: Call, tool: ToolDefinition) -> Arguments | None:
        """For records, the arguments of a call that was refused, if they can be read at all.

        Where some are secret, one that has a name which the schema does not know may be such a one, misspelt.
        """
        from amla_sandbox.tools._json import is_fresh_object, parse_json

        from ._shown import known

        try:
            value = parse_json(call.arguments, self._caps)
        except lazy.ArgumentError:
            return None
        if not is_fresh_object(value):
            return None
        return self._shown(tool, known(value, tool.schema) if self._secret(tool) else value)

    def _note(self, record: CallRecord) -> None:
        """Record a call that nobody makes."""
        self._keep(record)

    # --- what the host answers -----------------------------------------------------------------

    def succeed(self, request: Request, value: Any) -> None:
        """Answer a request with a value."""
        self._close(request)
        try:
            encoded = lazy.encode_result(value, limit=self._largest, secrets=request.tool.secret_values)
        except lazy.ResultError as error:
            self._failed(request, f"{request.name} returned what cannot cross: {error}")
            return
        if self._record(request, "ok", size=len(encoded)):
            self._answers += result_frame(request.id, encoded)

    def fail(self, request: Request, error: BaseException) -> None:
        """Answer a request with an error."""
        self._close(request)
        failure = lazy.describe_failure(error, secrets=request.tool.secret_values)
        self._failed(request, failure.message, self._noted(request, error), type=failure.name)

    def abandon(self) -> None:
        """Give up all that wait: the run is over."""
        for request in self.pending.values():
            self._record(request, "abandoned")
        self.pending.clear()
        self.ready.clear()

    def _close(self, request: Request) -> None:
        if self.pending.get(request.id) is not request:
            raise ValueError(f"{request.name}: this request has an answer already, or belongs to another run")
        del self.pending[request.id]

    def _failed(self, request: Request, message: str, noted: str | None = None, **more: object) -> None:
        """Answer with a message, and record it, or what is `noted` instead."""
        self._record(request, "failed", message if noted is None else noted)
        self._answers.append(failure_frame(request.id, "ERR_TOOL_FAILED", message, tool=request.name, **more))

    def _record(self, request: Request, outcome: str, message: str = "", size: int | None = None) -> bool:
        """Record what a call came to. False if that was not possible, and the call has failed instead."""
        self._keep(self._recorded(request, outcome, message, size))
        return True

    def _recorded(self, request: Request, outcome: str, message: str, size: int | None) -> CallRecord:
        tool, seconds = request.tool, time.monotonic() - request.started
        shown = self._shown(tool, request.arguments)
        return CallRecord(
            tool.name, shown, outcome, message, seconds, request.decision, request.approval, size, request.id
        )

    def _keep(self, record: CallRecord) -> bool:
        """Keep a record; false if there are too many, since a script that calls without end must not fill memory."""
        if self.meter.max_attempts and len(self.records) > self.meter.max_attempts:
            return False
        self.records.append(record if self._room >= 0 else record._replace(arguments=None))
        return True

    def _secret(self, tool: ToolDefinition) -> frozenset[str]:
        """Where in a tool's arguments there are secrets."""
        found = self._secrets.get(tool.name)
        if found is None:
            if len(self._secrets) >= _REMEMBERED:  # names that a handler for any tool gets are the script's to choose
                self._secrets.clear()
            limits = self._policy().tools.get(tool.name)
            found = self._secrets[tool.name] = tool.secret.union(limits.secret if limits is not None else ())
        return found

    def _noted(self, request: Request, error: BaseException) -> str | None:
        """For records, what went wrong without the secret arguments; None where there are none."""
        secret = self._secret(request.tool)
        if not secret:
            return None
        from ._shown import MASK, hidden

        texts = hidden(request.arguments, secret)
        if len(texts) > _MOST_MASKED:
            return MASK
        return lazy.describe_failure(error, secrets=(*request.tool.secret_values, *texts)).message

    def _shown(self, tool: ToolDefinition, arguments: Arguments) -> Arguments:
        """Arguments as records keep them: what the owner marked as secret, or what is one of the tool's, is masked."""
        secret = self._secret(tool)
        if not secret and not tool.secret_values:
            return arguments
        from ._shown import shown

        return shown(arguments, secret, tool.secret_values)
