"""The process's own streams: the script's output goes out byte for byte, standard input comes in as it is wanted."""

from __future__ import annotations

import contextlib
import os
import select
import sys
from collections.abc import Iterator

__all__ = ["Outlet", "drop_output", "open_missing_streams", "standard_input"]

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


def standard_input() -> Iterator[bytes]:
    """Standard input as it comes. Nothing is read before a piece is asked for.

    So in `while read f; do amla run x.js; done < list` a script that does not read leaves the list alone, and a pipe
    that is open and silent (a service, an IDE, cron) holds up nobody.
    """
    while data := _next_chunk():
        yield data


def _next_chunk() -> bytes:
    with contextlib.suppress(BlockingIOError):  # a terminal or pipe that its other user made non-blocking
        return os.read(0, _CHUNK)
    select.select([0], [], [])
    return os.read(0, _CHUNK)
