"""The tool calls of one run: parsed, checked against their schemas, decided and charged before anybody sees them as a
`Request`; what is refused is answered at once. Nothing here starts a tool."""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from amla_capabilities import RunMeter

from . import tools as lazy
from ._protocol import Call, Describe, ProtocolError, failure_frame, result_frame
from ._result import CallRecord
from ._toolset import ToolSet

if TYPE_CHECKING:
    from amla_capabilities import Decision, Limits, Policy

    from .tools import Arguments, Caps, ToolDefinition

__all__ = ["Calls", "Request"]

_ANY_SIZE = 2**31
"""Bytes of a result where no limit is set; what a frame can carry."""


_RECORDED = 16 << 20
"""Bytes of arguments, as JSON, that a run's records keep; arbitrary, far beyond what a run in earnest passes."""


class Request:
    """A call that was decided and charged, and waits for its result. Compares by identity."""

    __slots__ = ("arguments", "decision", "id", "started", "tool")

    def __init__(self, number: int, tool: ToolDefinition, arguments: Arguments, decision: Decision) -> None:
        self.id = number
        self.tool = tool
        self.arguments = arguments
        self.decision = decision
        self.started = time.monotonic()

    def __repr__(self) -> str:
        return f"Request(id={self.id}, name={self.name!r}, arguments={self.arguments!r})"

    @property
    def name(self) -> str:
        """The tool's canonical path."""
        return self.tool.name


class Calls:
    """The calls of a run. `send` takes the frames that answer them, `policy` is made when the first is decided."""

    def __init__(
        self, tools: ToolSet, policy: Callable[[], Policy], limits: Limits, send: Callable[[bytes], None]
    ) -> None:
        self.ready: deque[Request] = deque()
        """Requests that nobody has taken yet."""
        self.pending: dict[int, Request] = {}
        """All requests without a result, taken or not."""
        self.records: list[CallRecord] = []
        self.meter = RunMeter(limits.max_calls, limits.max_attempts)
        self._tools, self._policy, self._send = tools, policy, send
        self._limits = limits
        self._largest = limits.results or _ANY_SIZE
        self._ids: set[int] = set()
        self._room = _RECORDED

    @cached_property
    def _caps(self) -> Caps:
        return lazy.Caps.of(self._limits)

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
            self._reject(call, "ERR_TOOL_SCHEMA", str(error))
            return
        self._decide(call, tool, arguments)

    def describe(self, question: Describe) -> None:
        """Answer a question about a tool."""
        tool = self._tools.find(question.name)
        if tool is None:
            self._send(failure_frame(question.id, "ERR_UNKNOWN_TOOL", self._tools.unknown(question.name)))
            return
        self._send(result_frame(question.id, json.dumps(self._tools.describe(tool, self._policy())).encode()))

    def _decide(self, call: Call, tool: ToolDefinition, arguments: Arguments) -> None:
        decision = self._policy().authorize(tool.name, arguments, meter=self.meter)
        if not decision.allowed:
            code = "ERR_TOOL_LIMIT" if decision.code.endswith("_LIMIT") else "ERR_TOOL_DENIED"
            shown = _shown(arguments, tool.secret)
            self._refuse(call, code, decision.guest_message, "denied", shown, reason=decision.code)
            return
        request = Request(call.id, tool, arguments, decision)
        self.pending[call.id] = request
        self.ready.append(request)

    def _reject(self, call: Call, code: str, message: str) -> None:
        """Refuse a call that no policy was asked about; it counts as an attempt all the same (R9)."""
        if not self.meter.attempt():
            most = self.meter.max_attempts
            code, message = "ERR_TOOL_LIMIT", f"the run has tried {most:,} calls, the most it may (max_attempts)"
        self._refuse(call, code, message, "refused")

    def _refuse(
        self, call: Call, code: str, message: str, outcome: str, arguments: Arguments | None = None, **more: object
    ) -> None:
        self._keep(CallRecord(call.name, arguments, outcome, message))
        self._send(failure_frame(call.id, code, message, **more))

    # --- what the host answers -----------------------------------------------------------------

    def succeed(self, request: Request, value: Any) -> None:
        """Answer a request with a value."""
        self._close(request)
        try:
            encoded = lazy.encode_result(value, limit=self._largest, secrets=request.tool.secret_values)
        except lazy.ResultError as error:
            self._failed(request, f"{request.name} returned what cannot cross: {error}")
            return
        self._record(request, "ok")
        self._send(result_frame(request.id, encoded))

    def fail(self, request: Request, error: BaseException) -> None:
        """Answer a request with an error."""
        self._close(request)
        failure = lazy.describe_failure(error, secrets=request.tool.secret_values)
        self._failed(request, failure.message, type=failure.name)

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

    def _failed(self, request: Request, message: str, **more: object) -> None:
        self._record(request, "failed", message)
        self._send(failure_frame(request.id, "ERR_TOOL_FAILED", message, tool=request.name, **more))

    def _record(self, request: Request, outcome: str, message: str = "") -> None:
        seconds = time.monotonic() - request.started
        arguments = _shown(request.arguments, request.tool.secret)
        self._keep(CallRecord(request.name, arguments, outcome, message, seconds))

    def _keep(self, record: CallRecord) -> None:
        """Record a call; a script that calls without end must not fill the host's memory."""
        if self.meter.max_attempts and len(self.records) > self.meter.max_attempts:
            return
        self.records.append(record if self._room >= 0 else record._replace(arguments=None))


def _shown(arguments: Arguments, secret: frozenset[str]) -> Arguments:
    """Arguments as records keep them: those that the owner marked as secret are not shown."""
    if secret.isdisjoint(arguments):
        return arguments
    return {name: "[secret]" if name in secret else value for name, value in arguments.items()}
