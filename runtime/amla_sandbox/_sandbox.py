"""`Sandbox`: a guest, the tools that its scripts may call, and the limits that hold for both."""

from __future__ import annotations

import os
import sys
import threading
import warnings
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from amla_capabilities import Limits

from ._calls._calls import Calls
from ._calls._tool_handler import ToolHandler, open_roots, undeclared, with_handler
from ._calls._toolset import ToolSet
from ._errors import ExecutionError, SandboxBusyError, SandboxClosedError, SandboxError
from ._files._fs import SandboxFiles
from ._guest._engine import engine
from ._guest._instance import Instance
from ._result import ExecutionResult
from ._runs._driven import Driven
from ._runs._input import StdIn
from ._runs._language import script_for
from ._runs._powers import Powers
from ._runs._printed import text_only
from ._runs._run import INTERRUPTED, OnOutput, Request, Run, Script
from ._runs._scheduler import Drive

if TYPE_CHECKING:
    import asyncio

    from amla_capabilities import MethodCapability, Policy, RunMeter, ToolLimits

    from ._calls._approval import Approve
    from .audit import AuditCollector, AuditConfig
    from .audit._log import AuditSink
    from .tools import ToolDefinition

__all__ = ["Sandbox"]

_DEFAULTS = Limits()


class Sandbox:
    """Runs scripts, one at a time, over one set of files. Close it, or use it as a context manager.

    `capabilities` say which tools may be called with which arguments; none mean that nothing may. `tools` are declared
    tools; `tool_handler(name, arguments)` executes those that have no handler of their own, and any name that the
    capabilities allow. `limits` are the run's limits, `policy` takes the place of `capabilities` if given.

    `approve(request)` is asked about each call whose grant says `approval = "ask"`; it answers True, False or an
    `ApprovalAnswer`, or is a coroutine function that does. Without it such calls are denied. What it raises ends the
    run and is raised there. `audit` is an `AuditLog`, or the path of one: each call and decision is recorded there, and
    a call that cannot be recorded is not made. `audit_config` makes an `AuditCollector` of a config.
    """

    def __init__(
        self,
        *,
        tools: Iterable[ToolDefinition | Callable[..., Any]] = (),
        capabilities: Sequence[MethodCapability] = (),
        tool_handler: ToolHandler | None = None,
        limits: Limits | None = None,
        policy: Policy | None = None,
        tool_limits: Mapping[str, ToolLimits] | None = None,
        env: Mapping[str, str] | None = None,
        approve: Approve | None = None,
        audit: AuditSink | AuditConfig | str | os.PathLike[str] | None = None,
        audit_config: AuditConfig | None = None,
    ) -> None:
        self.limits = limits or _DEFAULTS
        self._approve = approve
        self._policy = policy or (_policy_of(capabilities, tool_limits) if capabilities or tool_limits else None)
        declared = map(_definition, tools)
        self._tools = ToolSet(
            with_handler(declared, tool_handler), fallback=undeclared(tool_handler) if tool_handler else None
        )
        self._env = dict(env or {})
        roots = open_roots(capabilities if policy is None else policy.capabilities) if tool_handler else ()
        files = {"maxBytes": self.limits.files, "maxFiles": self.limits.file_count}
        self._instance = Instance(engine(), self.limits.memory, {"files": files, **self._tools.configuration(roots)})
        self.fs = SandboxFiles(self._instance, self.limits)
        """The sandbox's files."""
        self._audit, self._owns_audit = _sink_of(audit_config if audit is None else audit)
        self._busy = threading.Lock()
        self._active: Drive | Driven | None = None
        self._driven: Driven | None = None
        self._last: ExecutionResult | None = None
        self._number = 0
        self._closed = False

    @classmethod
    def from_manifest(cls, *paths: str | os.PathLike[str], **options: Any) -> Sandbox:
        """The sandbox that one manifest or several describe.

        Options: `limits` (numbers by name) and `env` precede the manifests'; secrets come from `variables`,
        by default the process's environment.
        """
        from ._from_manifest import sandbox_of

        return sandbox_of(paths, **options)

    # --- running ---------------------------------------------------------------------------------

    def run(
        self,
        code: str,
        language: str = "javascript",
        *,
        stdin: StdIn = None,
        args: Sequence[str] = (),
        env: Mapping[str, str] | None = None,
        filename: str | None = None,
        on_output: OnOutput | None = None,
    ) -> ExecutionResult:
        """Run a script to its end. A script's own failure is a result, not an exception.

        `stdin` may come in pieces: from a file opened for reading bytes, or an iterable of bytes, which another thread
        reads as the script wants more; what reading raises is raised here. `on_output(fd, data)` gets the output as it
        happens, from another thread; what it raises ends the run and is raised here. Raises SandboxBusyError while
        another script runs.
        """
        script = self._script(code, language, stdin, args, env, filename)
        return self._over(self._drive(script, on_output).wait())

    async def run_async(
        self,
        code: str,
        language: str = "javascript",
        *,
        stdin: StdIn = None,
        args: Sequence[str] = (),
        env: Mapping[str, str] | None = None,
        filename: str | None = None,
        on_output: OnOutput | None = None,
    ) -> ExecutionResult:
        """Like `run`, for asyncio: handlers that are coroutines run on this loop. Cancelling ends the run."""
        import asyncio

        script = self._script(code, language, stdin, args, env, filename)
        return self._over(await self._drive(script, on_output, asyncio.get_running_loop()).wait_async())

    def execute(self, code: str, on_output: Callable[[str], None] | None = None, stdin: StdIn = None) -> str:
        """Run JavaScript and return its standard output. Raises ExecutionError if the script fails."""
        return _stdout(self.run(code, "javascript", stdin=stdin, on_output=text_only(on_output)))

    async def execute_async(
        self, code: str, on_output: Callable[[str], None] | None = None, stdin: StdIn = None
    ) -> str:
        """Like `execute`, for asyncio."""
        return _stdout(await self.run_async(code, "javascript", stdin=stdin, on_output=text_only(on_output)))

    def shell(self, command: str, stdin: StdIn = None) -> str:
        """Run shell commands and return their standard output. Raises ExecutionError if they fail."""
        return _stdout(self.run(command, "shell", stdin=stdin))

    @property
    def last_stderr(self) -> str:
        """Standard error of the last run."""
        return self._last.stderr if self._last else ""

    # --- driven by the host ------------------------------------------------------------------------

    def start(
        self,
        code: str,
        language: str = "javascript",
        *,
        stdin: StdIn = None,
        args: Sequence[str] = (),
        env: Mapping[str, str] | None = None,
        filename: str | None = None,
        on_output: OnOutput | None = None,
    ) -> None:
        """Start a script that the caller drives: while `has_work()`, `step()` gives a call and `resume` answers it."""
        run = self._new_run(self._script(code, language, stdin, args, env, filename), on_output)
        driven, self._driven = self._driven, None
        try:
            self._driven = Driven(run, self._take, self._finish)
        except SandboxBusyError:
            self._driven = driven
            raise

    def has_work(self) -> bool:
        """Whether the started script is not over: calls wait for an answer, or it goes on by itself later."""
        return self._started().has_work()

    def step(self) -> Request:
        """The next call that nobody has taken: decided, charged, its arguments frozen. Raises SandboxError for none."""
        return self._started().step()

    def pending(self) -> tuple[Request, ...]:
        """All calls without an answer, taken or not."""
        return self._started().pending()

    def resume(
        self, value: Any = None, request: Request | None = None, *, error: BaseException | str | None = None
    ) -> None:
        """Answer a call and let the script go on. Without `request` it is the one that was taken, or the only one."""
        self._started().resume(value, request, error)

    def stop(self) -> None:
        """End the started script; its result has status 130."""
        self._started().cancel()

    def result(self) -> ExecutionResult:
        """The result of the started script. Raises SandboxError while it waits for answers."""
        return self._started().result()

    def _started(self) -> Driven:
        if self._closed:
            raise SandboxClosedError
        if self._driven is None:
            raise SandboxError("no script was started; call sandbox.start(code) first")
        return self._driven

    @property
    def policy(self) -> Policy:
        """What decides about calls. One that allows nothing is made, and the code for it loaded, when it is needed."""
        if self._policy is None:
            self._policy = _policy_of((), None)
        return self._policy

    # --- what is allowed -----------------------------------------------------------------------------

    def can_call(self, method: str, params: Mapping[str, Any] | None = None) -> bool:
        """Whether a call would be allowed now. Charges nothing."""
        return self.policy.check(method, dict(params or {})).allowed

    def get_capabilities(self) -> list[MethodCapability]:
        return list(self.policy.capabilities)

    def get_remaining_calls(self, capability_key: str) -> int | None:
        """Calls left to the capability with that key; None where it has no limit, or does not exist."""
        return self.get_call_counts().get(capability_key)

    def get_call_counts(self) -> dict[str, int]:
        """Calls left (not those made), by the keys of the capabilities that have a limit; equal keys are added up."""
        counts: dict[str, int] = {}
        for capability in dict.fromkeys(self.policy.capabilities):
            left = self.policy.remaining(capability)
            if left is not None:
                counts[capability.key()] = counts.get(capability.key(), 0) + left
        return counts

    @property
    def audit(self) -> AuditSink | None:
        """Where calls are recorded."""
        return self._audit

    @property
    def audit_collector(self) -> AuditCollector | None:
        """The same, if it is a collector."""
        if self._audit is None:
            return None
        from .audit import AuditCollector

        return self._audit if isinstance(self._audit, AuditCollector) else None

    @property
    def tools(self) -> tuple[ToolDefinition, ...]:
        """The declared tools."""
        return tuple(self._tools)

    # --- life ------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Free the sandbox; its files are gone, and a script that runs is ended. Safe to call twice."""
        if self._closed:
            return
        self._closed = True
        active = self._active
        if active is not None:
            active.cancel()
        self._instance.close()
        if self._owns_audit and self._audit is not None:
            self._audit.close()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(
        self, _warn: Callable[..., None] = warnings.warn, _ending: Callable[[], bool] = sys.is_finalizing
    ) -> None:
        # While the interpreter ends, a thread of ours may be frozen with the lock that close() takes.
        if not getattr(self, "_closed", True) and not _ending():
            _warn(f"{self!r} was not closed; use it as a context manager", ResourceWarning, source=self, stacklevel=2)
            self.close()

    def powers(self) -> Powers:
        """What a `Session` needs of its sandbox; for the package itself."""
        return Powers(
            self._instance, self._tools, self.limits, lambda: self.policy, self._script, self._drive, self._over,
            self._idle,
        )  # fmt: skip

    # --- inside ------------------------------------------------------------------------------------------

    def _script(
        self,
        code: str,
        language: str,
        stdin: StdIn,
        args: Sequence[str],
        env: Mapping[str, str] | None,
        filename: str | None,
    ) -> Script:
        if self._closed:
            raise SandboxClosedError
        return script_for(code, language, stdin, args, {**self._env, **(env or {})}, filename)

    def _new_run(self, script: Script, on_output: OnOutput | None, meter: RunMeter | None = None) -> Run:
        run = Run(
            self._instance, script, self._tools, lambda: self.policy, self.limits, on_output,
            approve=self._approve, calls=_kind_of_calls(self._audit, asks=self._approve is not None),
        )  # fmt: skip
        if meter is not None:
            run.calls.meter = meter
        return run

    def _take(self, active: Drive | Driven) -> int:
        """Be busy with a run until `_finish`, and give it a number. Raises SandboxBusyError."""
        if not self._busy.acquire(blocking=False):
            raise SandboxBusyError
        self._active = active
        self._number += 1
        return self._number

    @contextmanager
    def _idle(self) -> Generator[None]:
        """While no script runs, and none can start."""
        if self._closed:
            raise SandboxClosedError
        if not self._busy.acquire(blocking=False):
            raise SandboxBusyError
        try:
            yield
        finally:
            self._busy.release()

    def _drive(
        self,
        script: Script,
        on_output: OnOutput | None,
        loop: asyncio.AbstractEventLoop | None = None,
        meter: RunMeter | None = None,
    ) -> Drive:
        return Drive(self._new_run(script, on_output, meter), self._take, self._finish, loop)

    def _finish(self, run: Run) -> None:
        self._last = run.result
        self._active = None
        self._busy.release()

    def _over(self, result: ExecutionResult) -> ExecutionResult:
        """The result, unless it is what closing the sandbox made of the run."""
        if self._closed and result.exit_code == INTERRUPTED:
            raise SandboxClosedError
        return result


def _policy_of(capabilities: Sequence[MethodCapability], limits: Mapping[str, ToolLimits] | None) -> Policy:
    from amla_capabilities import Policy

    return Policy(tuple(capabilities), limits)


def _sink_of(audit: AuditSink | AuditConfig | str | os.PathLike[str] | None) -> tuple[AuditSink | None, bool]:
    """Where to record calls, and whether it was made here."""
    if audit is None:
        return None, False
    from .audit import AuditCollector, AuditConfig, AuditLog

    if isinstance(audit, AuditConfig):
        return AuditCollector(audit), True
    return (AuditLog(audit), True) if isinstance(audit, str | os.PathLike) else (audit, False)


def _kind_of_calls(audit: AuditSink | None, *, asks: bool) -> Callable[..., Calls]:
    """What decides about calls; asking people and keeping records are left out where nobody wants them."""
    if audit is not None:
        from functools import partial

        from ._calls._audited import AuditedCalls

        return partial(AuditedCalls, log=audit, asks=asks)
    if asks:
        from ._calls._asking_calls import AskingCalls

        return AskingCalls
    return Calls


def _stdout(result: ExecutionResult) -> str:
    if not result.success:
        raise ExecutionError(result)
    return result.stdout


def _definition(tool: Any) -> ToolDefinition:
    """A declared tool; functions are read by a module that a sandbox without any does not load."""
    from .tools import ToolDefinition, as_definition

    if isinstance(tool, ToolDefinition):
        return tool

    return as_definition(tool)
