"""A script's standard input that comes in pieces: read when the script wants it, on a thread of its own."""

from __future__ import annotations

import io
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO, cast

from amla_sandbox._guest._protocol import input_frame

__all__ = ["Pieces", "Source", "StdIn", "given"]

StdIn = str | bytes | BinaryIO | Iterable[bytes] | None
"""Text, bytes, a file opened for reading bytes, or bytes piece by piece; None for no input."""

Pieces = Iterator[bytes]

_MOST = 60_000
"""Bytes that are asked for, and handed in, at once; a guest that stands still takes no more than 64 kB."""


def given(stdin: StdIn) -> tuple[bytes, Pieces | None]:
    """Input that is there as a whole, or else its pieces. Raises TypeError for what is neither."""
    if stdin is None:
        return b"", None
    if isinstance(stdin, str):
        return stdin.encode("utf-8", "surrogatepass"), None
    if isinstance(stdin, bytes | bytearray | memoryview):
        return bytes(stdin), None
    if isinstance(stdin, io.TextIOBase):
        raise TypeError("stdin is a text file; open it in binary mode, or pass its .buffer")
    if hasattr(stdin, "read"):
        return b"", _of_file(cast("BinaryIO", stdin))
    return b"", iter(stdin)


def _of_file(file: BinaryIO) -> Pieces:
    """What a file has, as soon as it has it."""
    read: Callable[[int], bytes | None] = getattr(file, "read1", file.read)
    while data := read(_MOST):
        yield data


class Source:
    """Hands pieces on in their order, at most one ahead of the script. An empty piece is the end."""

    def __init__(self, pieces: Pieces) -> None:
        self.notify: Callable[[], None] = lambda: None
        """Called, from the thread that reads, when something has come."""
        self._pieces = pieces
        self._lock = threading.Lock()
        self._come: deque[bytes] = deque()
        self._wanted = threading.Event()
        self._started = self._ended = False
        self._error: BaseException | None = None

    def want(self) -> None:
        """Read on, unless something is there already."""
        with self._lock:
            if self._come or self._ended or self._wanted.is_set():
                return
            self._wanted.set()
            if not self._started:
                self._started = True
                threading.Thread(target=self._read, name="amla-input", daemon=True).start()

    def take(self) -> bytes | None:
        """The next piece; None if none is there. Raises what reading it raised."""
        self.check()
        with self._lock:
            return self._come.popleft() if self._come else None

    @property
    def failed(self) -> bool:
        return self._error is not None

    def check(self) -> None:
        """Raise what reading raised."""
        if self._error is not None:
            raise self._error

    def supply(self, accept: Callable[[bytes], bool]) -> None:
        """Give the next piece to a guest that stands still, if it accepts it; read on if there is none."""
        with self._lock:
            if self._come and accept(input_frame(self._come[0])):
                self._come.popleft()
        self.want()

    def close(self) -> None:
        """Read no more; what is being read is dropped."""
        self._ended = True
        self._wanted.set()

    def _read(self) -> None:
        while True:
            self._wanted.wait()
            if self._ended:
                return
            try:
                piece = self._next()
            except BaseException as error:
                self._error, self._ended = error, True
                self.notify()
                return
            with self._lock:
                self._come += _parts(piece)
                self._ended = self._ended or not piece
                self._wanted.clear()
            self.notify()

    def _next(self) -> bytes:
        """The next piece that is not empty, or an empty one at the end."""
        for piece in self._pieces:
            if not isinstance(cast("object", piece), bytes | bytearray | memoryview):
                raise TypeError(f"standard input comes in bytes, not {type(piece).__name__}")
            if piece:
                return bytes(piece)
        return b""


def _parts(piece: bytes) -> list[bytes]:
    return [piece[at : at + _MOST] for at in range(0, len(piece), _MOST)] or [b""]
