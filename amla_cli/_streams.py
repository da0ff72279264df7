"""The process's own streams: the script's output goes out byte for byte, standard input comes in without a hang."""

from __future__ import annotations

import contextlib
import os
import select
import stat
import sys
import time

from ._outcome import CliError

__all__ = ["InputTooSlowError", "Outlet", "drop_output", "open_missing_streams", "read_input"]

_CHUNK = 1 << 16


def open_missing_streams() -> None:
    """Give the null device to standard streams that were closed, lest a file of ours takes their number."""
    for fd in (0, 1, 2):
        try:
            os.fstat(fd)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number, which is this one


class Outlet:
    """Writes what a script prints, at once and unchanged. Raises BrokenPipeError when nobody reads stdout any more."""

    def __init__(self) -> None:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:  # closed when we began
                stream.flush()

    def __call__(self, fd: int, data: bytes) -> None:
        try:
            _write_all(fd, data)
        except BrokenPipeError:
            if fd == 1:
                raise  # a lost stderr is no reason to end a script


def _write_all(fd: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        try:
            rest = rest[os.write(fd, rest) :]
        except BlockingIOError:  # a terminal or pipe that its other user made non-blocking
            select.select([], [fd], [])


def drop_output() -> None:
    """After a reader went away: let the interpreter flush into nothing when it ends, instead of complaining."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)


class InputTooSlowError(CliError):
    """Standard input did not end in time."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            "timeout",
            f"timed out: the script reads standard input, which did not end within {seconds:g} s",
            "end the input, redirect it (< /dev/null), or wait longer with --timeout",
            exit_code=124,
        )


def read_input(wanted: bool, seconds: float, most: int) -> bytes:
    """Standard input, whole, for a script that reads it; nothing otherwise.

    Why not always: in `while read f; do amla run x.js; done < list` a script that does not read would eat the list, and
    a pipe that is open and silent (a service, an IDE, cron) would hold up every script. So only a script whose text
    mentions its input gets it. It then waits for the end as any filter does, at most `seconds` (0: for ever). A
    terminal is not read: nobody types to a script that has not begun. `most` is the largest size in bytes (0: any).
    """
    if not wanted or _is_terminal():
        return b""
    deadline = time.monotonic() + seconds if seconds else None
    chunks: list[bytes] = []
    size = 0
    while data := _next_chunk(deadline, seconds):
        size += len(data)
        if most and size > most:
            raise CliError(
                "input", f"standard input is larger than {most:,} bytes, the sandbox's memory", "raise it with --memory"
            )
        chunks.append(data)
    return b"".join(chunks)


def _next_chunk(deadline: float | None, seconds: float) -> bytes:
    if deadline is not None and _can_poll():
        ready, _, _ = select.select([0], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            raise InputTooSlowError(seconds)
    with contextlib.suppress(BlockingIOError):
        return os.read(0, _CHUNK)
    select.select([0], [], [])
    return os.read(0, _CHUNK)


def _can_poll() -> bool:
    """Whether waiting for input can have an end: on Windows only sockets can be polled."""
    return os.name == "posix" and not stat.S_ISREG(os.fstat(0).st_mode)


def _is_terminal() -> bool:
    return os.isatty(0)
