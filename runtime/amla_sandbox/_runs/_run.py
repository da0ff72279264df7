"""One run of a script, driven from outside: each advance steps the guest once and says what it asks for."""

from __future__ import annotations

import json
import math
import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import copy_context
from typing import TYPE_CHECKING, Any

from amla_sandbox._calls._calls import Calls, Request
from amla_sandbox._calls._toolset import ToolSet
from amla_sandbox._errors import SandboxClosedError
from amla_sandbox._guest._guest import GuestTrapError
from amla_sandbox._guest._instance import Instance
from amla_sandbox._guest._protocol import (
    Call,
    Describe,
    Done,
    Fault,
    Output,
    ProtocolError,
    RunHeader,
    Wait,
    input_frame,
    parse_frames,
    parse_output,
    run_frame,
    stop_frame,
    wake_frame,
)
from amla_sandbox._result import ExecutionResult, ScriptFailure, Usage
from amla_sandbox._script import Script, failure_of

from ._input import Source
from ._midstep import MidStep
from ._printed import OnOutput, Printed

if TYPE_CHECKING:
    from amla_capabilities import Limits, Policy
    from amla_sandbox._calls._approval import Approve

__all__ = ["INTERRUPTED", "OnOutput", "Request", "Run", "Script"]

TIMED_OUT, BROKEN, DENIED, INTERRUPTED, OUT_OF_MEMORY = 124, 125, 77, 130, 137
_STATUS = {"ERR_TOOL_DENIED": DENIED, "ERR_TOOL_LIMIT": DENIED}


_SLACK = 0.5
"""Seconds past the deadline after which frames of the last step are no longer taken."""

_FLOOD = 64
"""Frames of a step between two looks at the clock: many of them take the host's time."""


class Run:
    """A run under way. All methods but `interrupt` belong to one thread at a time."""

    def __init__(
        self,
        instance: Instance,
        script: Script,
        tools: ToolSet,
        policy: Callable[[], Policy],
        limits: Limits,
        on_output: OnOutput | None = None,
        approve: Approve | None = None,
        calls: Callable[..., Calls] = Calls,
    ) -> None:
        """`approve` asks a person about calls that need it. `calls` makes what decides about calls."""
        self.script = script
        self.limits = limits
        self.approve = approve
        self.context = copy_context() if approve is not None else None
        """The context variables of the code that started the run, for `approve`."""
        self.wake_at: float | None = None
        """When the script wants to go on by itself, on `time.monotonic`'s clock."""
        self.wants_input = False
        """Whether the script waits for more of its standard input."""
        self.result: ExecutionResult | None = None
        self.told: Mapping[str, Any] = {}
        """What the guest says of a line of a session, unchecked."""
        self.said = ""
        """The message of the script's failure as the guest worded it, before the host's advice."""
        self.deadline = time.monotonic() + limits.timeout if limits.timeout else math.inf
        self.begun = self.interrupted = False
        self.still = False
        """Whether the script stands still because a person is asked."""
        self._instance, self.tools = instance, tools
        self._frames: list[bytes] = []
        self.is_plain = on_output is None and script.pieces is None and calls is Calls
        """Whether its steps call nothing of the user's, who might keep them long."""
        self.calls = calls(tools, policy, limits, self._frames)
        """What the script asks of tools; answers are delivered with the next advance."""
        self._printed = Printed(limits.max_output, on_output)
        self.input = None if script.pieces is None else Source(script.pieces)
        """Where standard input comes from piece by piece."""
        self._mid_step: MidStep | None = None
        if on_output is not None or self.input is not None:
            self._mid_step = MidStep(instance, self._printed.take if on_output else None, self.input)
        self._cpu = 0.0
        self._step_deadline = math.inf
        self._began = time.monotonic()
        self._id = 0
        self._stopping = self._stepping = False
        self._entry = threading.Lock()
        """Held while a step is begun or interrupted, so that no interrupt meets the step of a later run."""
        self._shown = 0
        """How many frames of output of the present step were taken before it ended."""

    # --- driving -----------------------------------------------------------------------------

    def begin(self, number: int) -> None:
        """Start the script. `number` tells the runs of a sandbox apart."""
        script = self.script
        self._id = number
        self.calls.begin(script)
        self.begun = True
        source = script.source.encode("utf-8", "surrogatepass")
        if self.limits.source and len(source) > self.limits.source:
            self._end(BROKEN, f"the script takes {len(source):,} bytes; the limit 'source' is {self.limits.source:,}")
            return
        self._instance.prepare_first(self._frames)
        env = tuple(script.env.items())
        header = RunHeader(script.language, script.filename, script.args, env, script.cwd, self.limits.max_output)
        self._frames.append(run_frame(number, header, source, script.session))
        if script.pieces is None:
            self.feed(script.stdin)
            if script.stdin:
                self.feed(b"")
        self.advance()

    def feed(self, data: bytes) -> None:
        """Standard input, delivered with the next advance; no bytes mean its end."""
        self._frames.append(input_frame(data))

    def take_input(self) -> None:
        """Feed what has come, and see to it that more comes if the script waits for it.

        Raises what reading it raised.
        """
        if self.input is None:
            return
        while (piece := self.input.take()) is not None:
            self.feed(piece)
            self.wants_input = False
        if self.wants_input:
            self.input.want()

    def shows_here(self) -> bool:
        """Whether the current thread is showing output of a step that is under way."""
        return self._mid_step is not None and self._mid_step.speaks_here

    @contextmanager
    def standing_still(self) -> Generator[None]:
        """While a person is asked the script does not go on, and its time does not run."""
        since, deadline = time.monotonic(), self.deadline
        self.deadline, self.still = math.inf, True
        try:
            yield
        finally:
            waited = time.monotonic() - since
            self.deadline, self.still = deadline + waited, False
            self._began += waited

    def advance(self) -> None:
        """Deliver what waits and let the script go on until it needs something, or is over."""
        while self.result is None:
            if self.interrupted:
                self.stop(INTERRUPTED, "interrupted")
                return
            self._step(self._frames or [wake_frame()])
            if not self._frames:
                return

    def stop(self, status: int, error: str) -> None:
        """End the run, from a moment when the guest is at rest."""
        if self.result is not None:
            return
        self._stopping = True
        if self.begun:
            self._step([stop_frame(status)])
        self._end(status, error)

    def expire(self) -> None:
        """End the run because its time is up."""
        self.stop(TIMED_OUT, self._timeout_message())

    def interrupt(self) -> None:
        """Make the run end soon; from any thread. To be repeated until it has: a step may start just now."""
        self.interrupted = True
        with self._entry:
            if self._stepping and not self._stopping:
                self._instance.interrupt()

    def abort(self) -> None:
        """End the run without another word, after an error outside the guest."""
        self._printed.listener = None
        try:
            self.stop(BROKEN, "the run was given up")
        except SandboxClosedError as error:
            self._end(BROKEN, str(error))

    @property
    def instance(self) -> Instance:
        """Where it runs, one run at a time."""
        return self._instance

    # --- a step and what comes of it -----------------------------------------------------------

    def _step(self, frames: list[bytes]) -> None:
        data = self._stepped(frames)
        self.wake_at, self.wants_input = None, False
        if data is None:
            return
        try:
            for count, frame in enumerate(parse_frames(data), 1):
                if self.result is not None:
                    break
                if self._shown and isinstance(frame, Output):
                    self._shown -= 1
                    continue
                self._take(frame)
                if count % _FLOOD == 0 and time.monotonic() >= self.deadline + _SLACK:
                    self._end(TIMED_OUT, self._timeout_message())
                    self._instance.condemn()
        except ProtocolError as error:
            self._end(BROKEN, f"the sandbox sent a malformed message and was replaced: {error}")
            self._instance.condemn()

    def _stepped(self, frames: list[bytes]) -> bytes | None:
        """The guest's frames; None for a guest that broke, which ends the run."""
        start = time.monotonic()
        cpu_left = self.limits.cpu - self._cpu if self.limits.cpu else math.inf
        self._step_deadline = min(self.deadline, start + max(cpu_left, 0.001))
        with self._entry:
            self._stepping = True
        try:
            if self._mid_step is None:
                data = self._instance.step(frames, self._step_deadline)
            else:
                data = self._attended(self._mid_step, frames, start)
        except GuestTrapError as error:
            self._spend(start)
            for frame in parse_output(error.frames)[0][self._shown :]:
                self._printed.take(frame)
            self._trapped(error)
            return None
        except (ProtocolError, MemoryError) as error:
            self._spend(start)
            self._end(BROKEN, f"the sandbox broke and was replaced: {error}")
            return None
        finally:
            with self._entry:
                self._stepping = False
        self._spend(start)
        return data

    def _attended(self, mid_step: MidStep, frames: list[bytes], start: float) -> bytes:
        """A step during which output is shown, and input handed in."""
        mid_step.begin(start)
        try:
            return self._instance.step(frames, self._step_deadline)
        finally:
            self._shown = mid_step.end()

    def _spend(self, start: float) -> None:
        self._cpu += time.monotonic() - start

    def _take(self, frame: object) -> None:
        if isinstance(frame, Call):
            self.calls.take(frame)
        elif isinstance(frame, Output):
            self._printed.take(frame)
        elif isinstance(frame, Wait):
            self.wake_at = None if frame.delay is None else time.monotonic() + frame.delay
            self.wants_input = frame.input
        elif isinstance(frame, Describe):
            self.calls.describe(frame)
        elif isinstance(frame, Done) and frame.id == self._id:
            self._finish(frame)
        elif isinstance(frame, Fault):
            self._end(BROKEN, f"the sandbox's own code failed, and it was replaced; please report this: {frame.text}")
            self._instance.condemn()

    # --- the end -----------------------------------------------------------------------------

    def _trapped(self, error: GuestTrapError) -> None:
        lost = " The sandbox's files were lost." if self._instance.files_lost else ""
        self._instance.files_lost = False
        if error.killed:
            self._end(*self._cut_short(lost))
        elif "stack" in str(error):
            self._end(1, "RangeError: Maximum call stack size exceeded" + lost)
        else:
            self._end(BROKEN, f"the sandbox broke and was replaced ({error}).{lost}")

    def _cut_short(self, note: str = "") -> tuple[int, str]:
        """Status and text of a run that the host ended."""
        if self.interrupted:
            return INTERRUPTED, "interrupted" + note
        return TIMED_OUT, self._timeout_message() + note

    def _timeout_message(self) -> str:
        limits = self.limits
        if limits.cpu and self._cpu >= limits.cpu * 0.999 and time.monotonic() < self.deadline:
            return f"timed out: the script computed for more than {limits.cpu:g} s (limit 'cpu')"
        waiting = "; the script waits for standard input" if self.wants_input else ""
        return f"timed out after {limits.timeout:g} s (limit 'timeout'){waiting}"

    def _finish(self, done: Done) -> None:
        self.told = done.line or {}
        if self._stopping:
            return
        if done.exit == TIMED_OUT and done.failure is None and self._was_cut_short():
            self._end(*self._cut_short())
            return
        failure = self._failure(done.failure) if done.failure is not None else None
        status = done.exit
        if failure is not None:
            status = _STATUS.get(failure.code, status)
            if failure.name == "InternalError" and failure.message.startswith("out of memory"):
                status = OUT_OF_MEMORY
        self._end(status, failure.text if failure else None, failure=failure, value=done.value)

    def _failure(self, said: Mapping[str, Any]) -> ScriptFailure:
        from ._advice import advise

        failure = failure_of(said, self.script)
        self.said = failure.message
        return advise(failure, self.tools.nearest)

    def _was_cut_short(self) -> bool:
        """Whether the host ended the last step, as opposed to a script that exits with that status."""
        return self.interrupted or time.monotonic() >= self._step_deadline

    def _end(
        self, status: int, error: str | None, *, failure: ScriptFailure | None = None, value: bytes | None = None
    ) -> None:
        if self.result is not None:
            return
        self.calls.abandon()
        self._frames.clear()
        if self.input is not None:
            self.input.close()
        self._printed.close()
        self.result = ExecutionResult(
            stdout_bytes=self._printed.stream(1),
            stderr_bytes=self._printed.stream(2),
            return_value=_value(value, self.limits.results or math.inf),
            error=error,
            exit_code=status,
            failure=failure,
            calls=tuple(self.calls.records),
            usage=self._usage(),
        )
        self.calls.finish(self.result)

    def _usage(self) -> Usage:
        return Usage(
            cpu_seconds=self._cpu,
            wall_seconds=time.monotonic() - self._began,
            memory_bytes=self._instance.memory_size,
            output_bytes=self._printed.size,
            output_dropped=self._printed.dropped,
            calls=self.calls.meter.calls,
        )


def _value(data: bytes | None, most: float) -> Any:
    """A few arrays that hold each other many times over are little in the guest, but fill the host's memory as JSON."""
    if data is None or len(data) > most:
        return None
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None
