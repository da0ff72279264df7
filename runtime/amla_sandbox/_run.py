"""One run of a script, driven from outside: each advance steps the guest once and says what it asks for.

Nothing here starts a tool. A call is parsed, checked against its schema, decided by the policy and charged before
anybody sees it as a `Request`; what is refused is answered at once.
"""

from __future__ import annotations

import json
import math
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from amla_capabilities import Decision, Limits, Policy, RunMeter

from ._guest import GuestTrapError
from ._instance import Instance
from ._protocol import (
    Call,
    Describe,
    Done,
    Fault,
    Output,
    ProtocolError,
    Wait,
    failure_frame,
    input_frame,
    parse_frames,
    result_frame,
    run_frame,
    stop_frame,
    wake_frame,
)
from ._result import CallRecord, ExecutionResult, ScriptFailure, Usage
from ._toolset import ToolSet
from .tools import ArgumentError, Arguments, Caps, ResultError, ToolDefinition, bind_arguments, describe_failure, encode_result

__all__ = ["OnOutput", "Request", "Run", "Script"]

OnOutput = Callable[[int, bytes], None]
"""Called with a stream (1 or 2) and its next bytes."""

TIMED_OUT, BROKEN, DENIED, OUT_OF_MEMORY = 124, 125, 77, 137


@dataclass(frozen=True, slots=True)
class Script:
    """What to run. `filename` is how errors name it."""

    source: str
    filename: str = "script.js"
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = ()  # type: ignore[assignment]
    cwd: str = "/workspace"
    stdin: bytes | None = b""
    """None: the input comes in pieces, through `Run.feed`."""


@dataclass(frozen=True, slots=True, eq=False)
class Request:
    """A call that was decided and charged, and waits for its result."""

    id: int
    tool: ToolDefinition
    arguments: Arguments
    decision: Decision
    started: float

    @property
    def name(self) -> str:
        """The tool's canonical path."""
        return self.tool.name


class Run:
    """A run under way. All methods but `interrupt` belong to one thread at a time."""

    def __init__(
        self,
        instance: Instance,
        script: Script,
        tools: ToolSet,
        policy: Policy,
        limits: Limits,
        on_output: OnOutput | None = None,
    ) -> None:
        self.script = script
        self.limits = limits
        self.ready: deque[Request] = deque()
        """Requests that nobody has taken yet."""
        self.pending: dict[int, Request] = {}
        """All requests without a result, taken or not."""
        self.delay: float | None = None
        """Seconds until the script wants to go on by itself."""
        self.result: ExecutionResult | None = None
        self.deadline = time.monotonic() + limits.timeout if limits.timeout else math.inf
        self._instance, self._tools, self._policy = instance, tools, policy
        self._meter = RunMeter(limits.max_calls, limits.max_attempts)
        self._caps = Caps.of(limits)
        self._on_output = on_output
        self._frames: list[bytes] = []
        self._chunks: dict[int, list[bytes]] = {1: [], 2: []}
        self._output = self._dropped = 0
        self._cpu = 0.0
        self._began = time.monotonic()
        self._records: list[CallRecord] = []
        self._ids: set[int] = set()
        self._id = 0
        self.begun = False

    # --- driving -----------------------------------------------------------------------------

    def begin(self, number: int) -> None:
        """Start the script."""
        script = self.script
        self._id = number
        self.begun = True
        source = script.source.encode("utf-8", "surrogatepass")
        if self.limits.source and len(source) > self.limits.source:
            self._end(BROKEN, f"the script takes {len(source):,} bytes; the limit 'source' is {self.limits.source:,}")
            return
        header = {
            "filename": script.filename,
            "args": list(script.args),
            "env": dict(script.env),
            "cwd": script.cwd,
            "outputLimit": self.limits.max_output,
        }
        self._frames.append(run_frame(number, header, source))
        if script.stdin is not None:
            self.feed(script.stdin)
            if script.stdin:
                self.feed(b"")
        self.advance()

    def feed(self, data: bytes) -> None:
        """Standard input, delivered with the next advance; no bytes mean its end."""
        self._frames.append(input_frame(data))

    def succeed(self, request: Request, value: Any) -> None:
        """Answer a request with a value, delivered with the next advance."""
        if self.pending.pop(request.id, None) is None:
            raise ValueError(f"{request.name}: this request has an answer already, or belongs to another run")
        try:
            encoded = encode_result(value, limit=self.limits.results or 2**31, secrets=request.tool.secret_values)
        except ResultError as error:
            self._failed(request, "ERR_TOOL_FAILED", f"{request.name} returned what cannot cross: {error}", "failed")
            return
        self._record(request, "ok")
        self._frames.append(result_frame(request.id, encoded))

    def fail(self, request: Request, error: BaseException) -> None:
        """Answer a request with an error, delivered with the next advance."""
        if self.pending.pop(request.id, None) is None:
            raise ValueError(f"{request.name}: this request has an answer already, or belongs to another run")
        failure = describe_failure(error, secrets=request.tool.secret_values)
        self._failed(request, "ERR_TOOL_FAILED", failure.message, "failed", type=failure.name)

    def advance(self) -> None:
        """Deliver what waits and let the script go on until it needs something, or is over."""
        while self.result is None:
            frames = b"".join(self._frames) or wake_frame()
            self._frames.clear()
            self._step(frames)
            if not self._frames:
                return

    def stop(self, status: int, error: str) -> None:
        """End the run, from a moment when the guest is at rest."""
        if self.result is not None:
            return
        self._frames.clear()
        self._step(stop_frame(status))
        self._end(status, error)

    def expire(self) -> None:
        """End the run because its time is up."""
        self.stop(TIMED_OUT, self._timeout_message())

    def interrupt(self) -> None:
        """Make the step that runs now, if any, end soon; from any thread."""
        self._instance.interrupt()

    def abort(self) -> None:
        """End the run without another word, after an error outside the guest."""
        self._on_output = None
        self.stop(BROKEN, "the run was given up")

    def prepare_next(self) -> None:
        """Make the sandbox's next run start faster, now that nobody waits."""
        self._instance.prepare()

    # --- a step and what comes of it -----------------------------------------------------------

    def _step(self, frames: bytes) -> None:
        start = time.monotonic()
        cpu_left = self.limits.cpu - self._cpu if self.limits.cpu else math.inf
        deadline = min(self.deadline, start + max(cpu_left, 0.001))
        try:
            data = self._instance.step(frames, deadline)
        except GuestTrapError as error:
            self._spend(start)
            self._trapped(error)
            return
        except (ProtocolError, MemoryError) as error:
            self._spend(start)
            self._end(BROKEN, f"the sandbox broke and was replaced: {error}")
            return
        self._spend(start)
        self.delay = None
        try:
            for frame in parse_frames(data):
                self._take(frame)
        except ProtocolError as error:
            self._end(BROKEN, f"the sandbox sent a malformed message: {error}")

    def _spend(self, start: float) -> None:
        self._cpu += time.monotonic() - start

    def _take(self, frame: object) -> None:
        if isinstance(frame, Output):
            self._print(frame)
        elif isinstance(frame, Call):
            self._call(frame)
        elif isinstance(frame, Wait):
            self.delay = frame.delay
        elif isinstance(frame, Describe):
            self._describe(frame)
        elif isinstance(frame, Done) and frame.id == self._id:
            self._finish(frame)
        elif isinstance(frame, Fault):
            self._end(BROKEN, f"the sandbox's own code failed; please report this: {frame.text}")

    def _trapped(self, error: GuestTrapError) -> None:
        lost = " The sandbox's files were lost." if self._instance.files_lost else ""
        self._instance.files_lost = False
        if error.killed:
            self._end(TIMED_OUT, self._timeout_message() + lost)
        elif "stack" in str(error) or "call stack" in str(error):
            self._end(1, "RangeError: Maximum call stack size exceeded" + lost)
        else:
            self._end(BROKEN, f"the sandbox broke and was replaced ({error}).{lost}")

    def _timeout_message(self) -> str:
        limits = self.limits
        if limits.cpu and self._cpu >= limits.cpu * 0.999 and time.monotonic() < self.deadline:
            return f"timed out: the script computed for more than {limits.cpu:g} s (limit 'cpu')"
        return f"timed out after {limits.timeout:g} s (limit 'timeout')"

    def _print(self, frame: Output) -> None:
        room = self.limits.max_output - self._output if self.limits.max_output else len(frame.data)
        kept = frame.data if len(frame.data) <= room else frame.data[: max(room, 0)]
        self._output += len(kept)
        self._dropped += frame.dropped + len(frame.data) - len(kept)
        if kept:
            self._chunks[frame.fd].append(kept)
            if self._on_output is not None:
                self._on_output(frame.fd, kept)

    # --- calls -------------------------------------------------------------------------------

    def _call(self, call: Call) -> None:
        if call.id in self._ids:
            raise ProtocolError("an id was used twice")
        self._ids.add(call.id)
        tool = self._tools.find(call.name)
        if tool is None:
            self._reject(call, "ERR_UNKNOWN_TOOL", self._tools.unknown(call.name))
            return
        try:
            arguments = bind_arguments(tool, call.arguments, self._caps)
        except ArgumentError as error:
            self._reject(call, "ERR_TOOL_SCHEMA", str(error))
            return
        self._decide(call, tool, arguments)

    def _reject(self, call: Call, code: str, message: str) -> None:
        """Refuse a call that no policy was asked about; it counts as an attempt all the same (R9)."""
        if not self._meter.attempt():
            code, message = "ERR_TOOL_LIMIT", f"the run has tried {self._meter.max_attempts:,} calls, the most it may (max_attempts)"
        self._refuse(call, code, message, "refused")

    def _decide(self, call: Call, tool: ToolDefinition, arguments: Arguments) -> None:
        decision = self._policy.authorize(tool.name, arguments, meter=self._meter)
        if not decision.allowed:
            code = "ERR_TOOL_LIMIT" if decision.code.endswith("_LIMIT") else "ERR_TOOL_DENIED"
            self._refuse(call, code, decision.guest_message, "denied", arguments, reason=decision.code)
            return
        request = Request(call.id, tool, arguments, decision, time.monotonic())
        self.pending[call.id] = request
        self.ready.append(request)

    def _refuse(
        self, call: Call, code: str, message: str, outcome: str, arguments: Arguments | None = None, **more: object
    ) -> None:
        self._records.append(CallRecord(call.name, arguments, outcome, message))
        self._frames.append(failure_frame(call.id, code, message, **more))

    def _failed(self, request: Request, code: str, message: str, outcome: str, **more: object) -> None:
        self._record(request, outcome, message)
        self._frames.append(failure_frame(request.id, code, message, tool=request.name, **more))

    def _record(self, request: Request, outcome: str, message: str = "") -> None:
        seconds = time.monotonic() - request.started
        self._records.append(CallRecord(request.name, request.arguments, outcome, message, seconds))

    def _describe(self, question: Describe) -> None:
        tool = self._tools.find(question.name)
        if tool is None:
            self._frames.append(failure_frame(question.id, "ERR_UNKNOWN_TOOL", self._tools.unknown(question.name)))
            return
        description = self._tools.describe(tool, self._policy)
        self._frames.append(result_frame(question.id, json.dumps(description).encode()))

    # --- the end -----------------------------------------------------------------------------

    def _finish(self, done: Done) -> None:
        if done.exit == TIMED_OUT and done.failure is None and time.monotonic() >= min(self.deadline, self._began):
            self._end(TIMED_OUT, self._timeout_message())
            return
        failure = _failure(done.failure, self.script) if done.failure is not None else None
        status = done.exit
        if failure is not None:
            status = _STATUS.get(failure.code, status)
            if failure.name == "InternalError" and failure.message == "out of memory":
                status = OUT_OF_MEMORY
        self._end(status, failure.text if failure else None, failure=failure, value=done.value)

    def _end(
        self, status: int, error: str | None, *, failure: ScriptFailure | None = None, value: bytes | None = None
    ) -> None:
        if self.result is not None:
            return
        for request in self.pending.values():
            self._record(request, "abandoned")
        self.pending.clear()
        self.ready.clear()
        self._frames.clear()
        self._note_dropped()
        self.result = ExecutionResult(
            stdout_bytes=b"".join(self._chunks[1]),
            stderr_bytes=b"".join(self._chunks[2]),
            return_value=_value(value),
            error=error,
            exit_code=status,
            failure=failure,
            calls=tuple(self._records),
            usage=Usage(
                cpu_seconds=self._cpu,
                wall_seconds=time.monotonic() - self._began,
                memory_bytes=self._instance.memory_size,
                output_bytes=self._output,
                output_dropped=self._dropped,
                calls=self._meter.calls,
            ),
        )

    def _note_dropped(self) -> None:
        if not self._dropped:
            return
        note = f"\n[output cut: {self._dropped:,} more bytes were dropped at the limit of {self.limits.max_output:,} (max_output)]\n"
        self._chunks[2].append(note.encode())
        if self._on_output is not None:
            self._on_output(2, note.encode())


_STATUS = {"ERR_TOOL_DENIED": DENIED, "ERR_TOOL_LIMIT": DENIED}


def _value(data: bytes | None) -> Any:
    if data is None:
        return None
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _failure(said: Mapping[str, Any], script: Script) -> ScriptFailure:
    """What the guest says of an error, taken field by field; the source line is looked up here."""

    def text(key: str) -> str:
        value = said.get(key)
        return value[:10_000] if isinstance(value, str) else ""

    def number(key: str) -> int | None:
        value = said.get(key)
        return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 2**31 else None

    line, file = number("line"), text("file") or None
    stack = said.get("stack")
    frames = tuple(str(frame)[:1000] for frame in stack[:50]) if isinstance(stack, list) else ()
    source = _source_line(script, line) if file == script.filename else None
    name, message = text("name"), text("message")
    if text("text").startswith("Uncaught "):
        name, message = "", text("text")
    return ScriptFailure(name, message, text("code"), file, line, number("column"), source, frames)


def _source_line(script: Script, line: int | None) -> str | None:
    lines = script.source.split("\n")
    if line is None or line > len(lines):
        return None
    return lines[line - 1][:10_000]
