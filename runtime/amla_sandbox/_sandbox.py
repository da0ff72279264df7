"""`Sandbox`: a guest, the tools that its scripts may call, and the limits that hold for both."""

from __future__ import annotations

import asyncio
import os
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from amla_capabilities import Limits, MethodCapability, Policy, ToolLimits

from ._engine import engine
from ._errors import ExecutionError, SandboxBusyError, SandboxClosedError, SandboxError
from ._fs import SandboxFiles
from ._instance import Instance
from ._language import script_for
from ._result import ExecutionResult
from ._run import OnOutput, Request, Run
from ._scheduler import Drive
from ._toolset import ToolSet
from .tools import ToolDefinition, thaw

if TYPE_CHECKING:
    from collections.abc import Awaitable

__all__ = ["Sandbox", "ToolHandler"]

ToolHandler = Callable[[str, dict[str, Any]], "Any | Awaitable[Any]"]
"""Executes any tool: gets its canonical name and its arguments."""


class Sandbox:
    """Runs scripts, one at a time, over one set of files. Close it, or use it as a context manager.

    `capabilities` say which tools may be called with which arguments; none mean that nothing may. `tools` are declared
    tools; `tool_handler(name, arguments)` executes those that have no handler of their own, and any name that the
    capabilities allow. `limits` are the run's limits, `policy` takes the place of `capabilities` if given.
    """

    def __init__(
        self,
        *,
        tools: Iterable[ToolDefinition] = (),
        capabilities: Sequence[MethodCapability] = (),
        tool_handler: ToolHandler | None = None,
        limits: Limits | None = None,
        policy: Policy | None = None,
        tool_limits: Mapping[str, ToolLimits] | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self.limits = limits or Limits()
        self.policy = policy or Policy(tuple(capabilities), tool_limits)
        self._handler = tool_handler
        self._tools = ToolSet(
            (self._with_handler(tool) for tool in tools), fallback=self._undeclared if tool_handler else None
        )
        self._env = dict(env or {})
        roots = _roots(self.policy.capabilities) if tool_handler else ()
        files = {"maxBytes": self.limits.files, "maxFiles": self.limits.file_count}
        configuration = {"files": files, **self._tools.configuration(roots)}
        self._instance = Instance(engine(), self.limits.memory, configuration)
        self.fs = SandboxFiles(self._instance, self.limits)
        """The sandbox's files."""
        self._busy = threading.Lock()
        self._run: Run | None = None
        self._last: ExecutionResult | None = None
        self._number = 0
        self._closed = False

    @classmethod
    def from_manifest(cls, *paths: str | os.PathLike[str], **options: Any) -> Sandbox:
        """The sandbox that one manifest or several describe. Options: `limits` (numbers by name) and `env` take precedence
        over the manifests'; secrets come from `variables`, by default the process's environment."""
        from ._from_manifest import sandbox_of

        return sandbox_of(paths, **options)

    # --- running ---------------------------------------------------------------------------------

    def run(
        self,
        code: str,
        language: str = "javascript",
        *,
        stdin: str | bytes | None = None,
        args: Sequence[str] = (),
        env: Mapping[str, str] | None = None,
        filename: str | None = None,
        on_output: OnOutput | None = None,
    ) -> ExecutionResult:
        """Run a script to its end. A script's own failure is a result, not an exception.

        `on_output(fd, data)` gets the output as it happens; what it raises ends the run and is raised here. Raises
        SandboxBusyError while another script runs.
        """
        drive = self._begin(code, language, stdin, args, env, filename, on_output, None)
        try:
            drive.wait()
        except BaseException:
            drive.interrupt()
            raise
        finally:
            self._finish(drive.run)
        return self._result(drive.run)

    async def run_async(
        self,
        code: str,
        language: str = "javascript",
        *,
        stdin: str | bytes | None = None,
        args: Sequence[str] = (),
        env: Mapping[str, str] | None = None,
        filename: str | None = None,
        on_output: OnOutput | None = None,
    ) -> ExecutionResult:
        """Like `run`, for asyncio: handlers that are coroutines run on this loop. Cancelling ends the run."""
        loop = asyncio.get_running_loop()
        drive = self._begin(code, language, stdin, args, env, filename, on_output, loop)
        over = asyncio.Event()
        drive.begin(lambda: _tell(loop, over))
        try:
            while not over.is_set():
                try:
                    await asyncio.wait_for(over.wait(), drive.check())
                except asyncio.TimeoutError:
                    continue
        except asyncio.CancelledError:
            drive.interrupt()
            await asyncio.shield(asyncio.wait_for(over.wait(), 5))
            raise
        finally:
            self._finish(drive.run)
        if drive.error is not None:
            raise drive.error
        return self._result(drive.run)

    def execute(
        self, code: str, on_output: Callable[[str], None] | None = None, stdin: str | bytes | None = None
    ) -> str:
        """Run JavaScript and return its standard output. Raises ExecutionError if the script fails."""
        return self._stdout(self.run(code, "javascript", stdin=stdin, on_output=_text_only(on_output)))

    async def execute_async(
        self, code: str, on_output: Callable[[str], None] | None = None, stdin: str | bytes | None = None
    ) -> str:
        """Like `execute`, for asyncio."""
        return self._stdout(await self.run_async(code, "javascript", stdin=stdin, on_output=_text_only(on_output)))

    def shell(self, command: str, stdin: str | bytes | None = None) -> str:
        """Run shell commands and return their standard output. Raises ExecutionError if they fail."""
        return self._stdout(self.run(command, "shell", stdin=stdin))

    @property
    def last_stderr(self) -> str:
        """Standard error of the last run."""
        return self._last.stderr if self._last else ""

    # --- driven by the host ------------------------------------------------------------------------

    def start(self, code: str, language: str = "javascript", **options: Any) -> None:
        """Start a script that the caller drives: while `has_work()`, `step()` gives a call and `resume` answers it."""
        drive = self._begin(code, language, options.pop("stdin", None), **_driven(options))
        self._run = drive.run
        from . import _threads

        _threads.call(drive.run.begin, self._number)

    def has_work(self) -> bool:
        """Whether calls of the started script wait for an answer, or it goes on by itself later."""
        run = self._driven_run()
        self._settle_timers(run)
        return run.result is None

    def step(self) -> Request:
        """The next call that nobody has taken: decided and charged, its arguments frozen. Raises SandboxError if none is."""
        run = self._driven_run()
        if not run.ready:
            raise SandboxError("no call is waiting to be taken; answer one of sandbox.pending() with resume()")
        return run.ready.popleft()

    def pending(self) -> tuple[Request, ...]:
        """All calls without an answer, taken or not."""
        return tuple(self._driven_run().pending.values())

    def resume(self, value: Any = None, request: Request | None = None, *, error: BaseException | str | None = None) -> None:
        """Answer a call, by default the only one that waits, and let the script go on."""
        from . import _threads

        run = self._driven_run()
        if request is None:
            request = self._only_pending(run)
        if request in run.ready:
            run.ready.remove(request)
        if error is None:
            run.succeed(request, value)
        else:
            run.fail(request, error if isinstance(error, BaseException) else RuntimeError(error))
        if not run.ready:
            _threads.call(run.advance)

    def result(self) -> ExecutionResult:
        """The result of the started script. Raises SandboxError while it waits for answers."""
        run = self._driven_run()
        self._settle_timers(run)
        if run.result is None:
            raise SandboxError(f"the script waits for {len(run.pending)} calls; answer them with resume()")
        self._run = None
        self._finish(run)
        return self._result(run)

    def _driven_run(self) -> Run:
        if self._run is None:
            raise SandboxError("no script was started; call sandbox.start(code) first")
        return self._run

    @staticmethod
    def _only_pending(run: Run) -> Request:
        if len(run.pending) != 1:
            raise SandboxError(f"{len(run.pending)} calls wait: say which one is answered, resume(value, request)")
        return next(iter(run.pending.values()))

    @staticmethod
    def _settle_timers(run: Run) -> None:
        """A script that waits for nothing but its own timers goes on by itself."""
        import time

        from . import _threads

        while run.result is None and not run.pending:
            if run.delay is None or time.monotonic() >= run.deadline:
                _threads.call(run.expire)
                return
            time.sleep(min(run.delay, max(0.0, run.deadline - time.monotonic())))
            _threads.call(run.advance)

    # --- what is allowed -----------------------------------------------------------------------------

    def can_call(self, method: str, params: Mapping[str, Any] | None = None) -> bool:
        """Whether a call would be allowed now. Charges nothing."""
        return self.policy.check(method, dict(params or {})).allowed

    def get_capabilities(self) -> list[MethodCapability]:
        return list(self.policy.capabilities)

    def get_remaining_calls(self, capability_key: str) -> int | None:
        """Calls left to the capability with that key; None where it has no limit, or does not exist."""
        for capability in self.policy.capabilities:
            if capability.key() == capability_key:
                return self.policy.remaining(capability)
        return None

    def get_call_counts(self) -> dict[str, int]:
        """Calls made so far, by capability key."""
        return self.policy.call_counts()

    @property
    def tools(self) -> tuple[ToolDefinition, ...]:
        """The declared tools."""
        return tuple(self._tools)

    # --- life ------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Free the sandbox; its files are gone. Safe to call twice."""
        if not self._closed:
            self._closed = True
            self._instance.close()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self, _warn: Callable[..., None] = warnings.warn) -> None:
        if not getattr(self, "_closed", True):
            _warn(f"{self!r} was not closed; use it as a context manager", ResourceWarning, source=self, stacklevel=2)
            self.close()

    # --- inside ------------------------------------------------------------------------------------------

    def _begin(
        self,
        code: str,
        language: str,
        stdin: str | bytes | None,
        args: Sequence[str],
        env: Mapping[str, str] | None,
        filename: str | None,
        on_output: OnOutput | None,
        loop: asyncio.AbstractEventLoop | None,
    ) -> Drive:
        if self._closed:
            raise SandboxClosedError
        script = script_for(code, language, stdin, args, {**self._env, **(env or {})}, filename)
        if not self._busy.acquire(blocking=False):
            raise SandboxBusyError
        self._number += 1
        return Drive(Run(self._instance, script, self._tools, self.policy, self.limits, on_output), self._number, loop)

    def _finish(self, run: Run) -> None:
        self._last = run.result
        self._busy.release()

    def _result(self, run: Run) -> ExecutionResult:
        if run.result is None:
            raise SandboxError("the run ended without a result")
        return run.result

    @staticmethod
    def _stdout(result: ExecutionResult) -> str:
        if not result.success:
            raise ExecutionError(result)
        return result.stdout

    def _with_handler(self, tool: ToolDefinition) -> ToolDefinition:
        """A declared tool without a handler of its own gets the sandbox's."""
        if tool.handler is not None or self._handler is None:
            return tool
        import dataclasses

        return dataclasses.replace(tool, handler=self._handle(tool.name), is_async=_is_async(self._handler))

    def _undeclared(self, path: str) -> ToolDefinition:
        """A tool that nobody declared and the handler may know: any JSON object is a fit argument."""
        schema = {"type": "object", "additionalProperties": True}
        assert self._handler is not None  # noqa: S101 - only then is this the fallback
        return ToolDefinition(path, parameters=schema, handler=self._handle(path), is_async=_is_async(self._handler))

    def _handle(self, path: str) -> Callable[[Mapping[str, Any]], Any]:
        handler = self._handler
        assert handler is not None  # noqa: S101 - callers look first
        return lambda arguments: handler(path, thaw(arguments))


def _roots(capabilities: Iterable[MethodCapability]) -> Iterator[str]:
    """Globals under which a script may call names that nobody declared: the literal starts of the patterns."""
    for capability in capabilities:
        first = capability.method_pattern.split("/")[0]
        if "*" not in first:
            yield first


def _is_async(handler: Callable[..., Any]) -> bool:
    import inspect

    return inspect.iscoroutinefunction(handler) or inspect.iscoroutinefunction(getattr(handler, "__call__", None))  # noqa: B004


def _tell(loop: asyncio.AbstractEventLoop, over: asyncio.Event) -> None:
    try:
        loop.call_soon_threadsafe(over.set)
    except RuntimeError:  # the loop is closed: nobody waits any more
        return


def _text_only(on_output: Callable[[str], None] | None) -> OnOutput | None:
    """A callback for text of standard output, fed from bytes."""
    if on_output is None:
        return None
    import codecs

    decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def take(fd: int, data: bytes) -> None:
        if fd == 1:
            on_output(decoder.decode(data))

    return take


def _driven(options: dict[str, Any]) -> dict[str, Any]:
    names = ("args", "env", "filename", "on_output")
    unknown = set(options) - set(names)
    if unknown:
        raise TypeError(f"start() has no option {sorted(unknown)[0]!r}; it takes stdin, {', '.join(names)}")
    return {"args": (), "env": None, "filename": None, "on_output": None, "loop": None, **options}
