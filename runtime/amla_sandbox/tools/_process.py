"""Running one program to its end: its own process group, bounded output, no way to outlive its call.

Asynchronous, so that a hundred calls at once need no hundred threads and a cancelled call ends its program.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import PurePath
from typing import NamedTuple

from ._errors import ToolFailedError

__all__ = ["Command", "Finished", "run_command"]

_STDERR_KEPT = 2_000  # bytes from the end: where programs say what went wrong
_GRACE = 0.2  # seconds that a program's own children may still hold its pipes after it ended
_CHUNK = 65_536


class Command(NamedTuple):
    """One process to start; ``argv[0]`` is an absolute path."""

    argv: tuple[str, ...]
    cwd: str
    environment: Mapping[str, str]
    stdin: bytes

    @property
    def name(self) -> str:
        """What messages call it."""
        return PurePath(self.argv[0]).name


class Finished(NamedTuple):
    """How it ended: a negative ``status`` is the signal that killed it; ``stderr`` is cut to its end."""

    status: int
    stdout: bytes
    stderr: bytes


async def run_command(command: Command, *, limit: int, timeout: float) -> Finished:
    """Run a program; ``limit`` is in bytes of output, ``timeout`` in seconds.

    Raises ToolFailedError if it cannot start, prints too much or takes too long.
    However this ends, also by cancellation, the whole process group is gone afterwards.
    """
    process = await _start(command)
    try:
        async with asyncio.timeout(timeout):
            return await _converse(process, command.stdin, limit)
    except TimeoutError:
        raise ToolFailedError(f"{command.name} did not finish within {timeout:g} seconds and was stopped") from None
    finally:
        _kill_group(process)
        await asyncio.shield(_reap(process))


async def _start(command: Command) -> asyncio.subprocess.Process:
    try:
        return await asyncio.create_subprocess_exec(
            *command.argv,
            cwd=command.cwd,
            env=dict(command.environment),
            stdin=asyncio.subprocess.PIPE if command.stdin else asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        raise ToolFailedError(f"{command.name} cannot be started: {error.strerror}") from None


async def _converse(process: asyncio.subprocess.Process, stdin: bytes, limit: int) -> Finished:
    if process.stdout is None or process.stderr is None:
        raise RuntimeError("started without pipes")
    output = asyncio.ensure_future(_read_up_to(process.stdout, limit))
    errors = asyncio.ensure_future(_read_tail(process.stderr))
    feeding = asyncio.ensure_future(_feed(process, stdin))
    try:
        ended = asyncio.ensure_future(process.wait())
        await asyncio.wait({output, ended}, return_when=asyncio.FIRST_COMPLETED)
        if output.done():
            output.result()  # too much output ends it early
        status = await ended
        await asyncio.wait({output, errors}, timeout=_GRACE)
        if not (output.done() and errors.done()):
            _kill_group(process)
        return Finished(status, await output, await errors)
    finally:
        for task in (output, errors, feeding):
            task.cancel()


async def _feed(process: asyncio.subprocess.Process, data: bytes) -> None:
    if process.stdin is None:
        return
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it need not read all, or any
        process.stdin.write(data)
        await process.stdin.drain()
        process.stdin.close()


async def _read_up_to(stream: asyncio.StreamReader, limit: int) -> bytes:
    chunks: list[bytes] = []
    size = 0
    while chunk := await stream.read(_CHUNK):
        size += len(chunk)
        if size > limit:
            raise ToolFailedError(f"the program printed more than {limit:,} bytes and was stopped")
        chunks.append(chunk)
    return b"".join(chunks)


async def _read_tail(stream: asyncio.StreamReader) -> bytes:
    tail = b""
    while chunk := await stream.read(_CHUNK):
        tail = (tail + chunk)[-_STDERR_KEPT:]
    return tail


def _kill_group(process: asyncio.subprocess.Process) -> None:
    """End the program and all it started, as far as they stayed in its group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)


async def _reap(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_GRACE * 5):
            await process.wait()
