"""Running one program to its end: its own process group, bounded output, no way to outlive its call.

Asynchronous, so that a hundred calls at once need no hundred threads and a cancelled call ends its program.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys

from ._command import Command, Finished
from ._errors import ToolFailedError

__all__ = ["run_command"]

_STDERR_KEPT = 64_000  # bytes from the end, where programs say what went wrong; far more than is shown
_GRACE = 0.2  # seconds that a program's own children may still hold its pipes after it ended
_REAPED_WITHIN = 1.0  # seconds for the kernel to report a process that was killed
_STDIN, _STDOUT, _STDERR = 0, 1, 2


async def run_command(command: Command, *, limit: int, timeout: float) -> Finished:
    """Run a program; ``limit`` is in bytes of output, ``timeout`` in seconds.

    Raises ToolFailedError if it cannot start, prints too much or takes too long. However this ends, also by
    cancellation, the whole process group is gone afterwards.
    """
    starting = asyncio.ensure_future(_start(command, limit))
    try:
        transport, watch = await asyncio.shield(starting)  # cancelled half way it would wait for its pipes for ever
    except asyncio.CancelledError:
        await asyncio.shield(_started_in_vain(starting))
        raise
    try:
        async with asyncio.timeout(timeout):
            _feed(transport, command.stdin)
            await watch.exited
            if watch.overflowed:
                raise ToolFailedError(f"{command.name} printed more than {limit:,} bytes and was stopped")
            await _settle(transport, watch)
        return Finished(transport.get_returncode() or 0, bytes(watch.stdout), bytes(watch.stderr))
    except TimeoutError:
        raise ToolFailedError(f"{command.name} did not finish within {timeout:g} seconds and was stopped") from None
    finally:
        await asyncio.shield(_end(transport, watch))


class _Watch(asyncio.SubprocessProtocol):
    """Collects what a process prints and notes its end.

    The exit is taken from ``process_exited``, not from ``Process.wait()``: that one also waits for the pipes, which a
    grandchild may hold for ever.
    """

    def __init__(self, limit: int) -> None:
        loop = asyncio.get_running_loop()
        self.stdout = bytearray()
        self.stderr = bytearray()
        self.exited: asyncio.Future[None] = loop.create_future()  # or it must end, its output being too large
        self.overflowed = False
        self.drained: asyncio.Future[None] = loop.create_future()
        self._gone = asyncio.Event()
        self._limit = limit
        self._open = {_STDOUT, _STDERR}

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == _STDERR:
            self.stderr += data
            del self.stderr[:-_STDERR_KEPT]
        elif len(self.stdout) + len(data) <= self._limit:
            self.stdout += data
        elif not self.exited.done():
            self.overflowed = True
            self.exited.set_result(None)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:  # noqa: ARG002
        self._open.discard(fd)
        if not self._open and not self.drained.done():
            self.drained.set_result(None)

    def process_exited(self) -> None:
        self._gone.set()
        if not self.exited.done():
            self.exited.set_result(None)

    async def reaped(self) -> None:
        """Wait, not long, until the system has let go of the process, so that none is left as a zombie."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_REAPED_WITHIN):
                await self._gone.wait()


async def _start(command: Command, limit: int) -> tuple[asyncio.SubprocessTransport, _Watch]:
    try:
        return await asyncio.get_running_loop().subprocess_exec(
            lambda: _Watch(limit),
            *command.argv,
            cwd=command.cwd,
            env=dict(command.environment),
            stdin=asyncio.subprocess.PIPE if command.stdin else asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        raise ToolFailedError(f"{command.name} cannot be started: {error.strerror}") from None


async def _started_in_vain(starting: asyncio.Future[tuple[asyncio.SubprocessTransport, _Watch]]) -> None:
    with contextlib.suppress(ToolFailedError):
        await _end(*await starting)


async def _end(transport: asyncio.SubprocessTransport, watch: _Watch) -> None:
    _kill_group(transport)
    transport.close()
    await watch.reaped()


def _feed(transport: asyncio.SubprocessTransport, data: bytes) -> None:
    """Write all of standard input; a program that does not read it just ends without it."""
    pipe = transport.get_pipe_transport(_STDIN)
    if isinstance(pipe, asyncio.WriteTransport):
        pipe.write(data)
        pipe.close()


async def _settle(transport: asyncio.SubprocessTransport, watch: _Watch) -> None:
    """Read what is still in the pipes after the exit, and end whatever else holds them open."""
    await asyncio.wait({watch.drained}, timeout=_GRACE)
    if not watch.drained.done():
        _kill_group(transport)
        await asyncio.wait({watch.drained}, timeout=_GRACE)


def _kill_group(transport: asyncio.SubprocessTransport) -> None:
    """End the program and all it started, as far as they stayed in its group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            transport.kill()
        else:
            os.killpg(transport.get_pid(), signal.SIGKILL)
