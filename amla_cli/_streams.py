"""The process's own streams: the script's output goes out byte for byte, standard input comes in as it is wanted."""

from __future__ import annotations

import contextlib
import os
import select
import sys
import threading
from collections.abc import Iterator

__all__ = ["TERMINAL", "GuardedOutlet", "Outlet", "drop_output", "open_missing_streams", "standard_input", "write_all"]

_CHUNK = 1 << 16

TERMINAL = threading.Lock()
"""Held while a person is asked something: meanwhile nothing else is written to the terminal, or read from it."""


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
            write_all(fd, data)
        except BrokenPipeError:
            if fd == 1:
                raise  # a lost stderr is no reason to end a script


class GuardedOutlet:
    """An outlet where a person may be asked: on a terminal a script cannot move the cursor, hide, or ask the terminal
    for answers, and what it prints waits while a question is open (R33)."""

    def __init__(self) -> None:
        from ._escapes import EscapeFilter

        self._plain = Outlet()
        self._filters = {fd: EscapeFilter() for fd in (1, 2) if os.isatty(fd)}

    def __call__(self, fd: int, data: bytes) -> None:
        if fd not in self._filters:
            self._plain(fd, data)
            return
        with TERMINAL:
            self._plain(fd, self._filters[fd].take(data).encode("utf-8", "backslashreplace"))

    def end(self) -> None:
        """Write what was held back of an unfinished character or escape."""
        for fd, unfinished in self._filters.items():
            self._plain(fd, unfinished.end().encode("utf-8", "backslashreplace"))


def write_all(fd: int, data: bytes) -> None:
    """Write all of it, also where the stream takes only a part at once."""
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
    if os.isatty(0):
        return _typed()
    with contextlib.suppress(BlockingIOError):  # a pipe that its other user made non-blocking
        return os.read(0, _CHUNK)
    select.select([0], [], [])
    return os.read(0, _CHUNK)


def _typed() -> bytes:
    """What is typed next, save the answer to a question."""
    while True:
        select.select([0], [], [])
        with TERMINAL:
            if select.select([0], [], [], 0)[0]:
                return os.read(0, _CHUNK)
