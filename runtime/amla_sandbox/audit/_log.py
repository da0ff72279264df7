"""The audit log: JSON Lines in a file that several processes may append to, one sealed chain of records (R36)."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from amla_sandbox._errors import AuditError

from ._chain import GENESIS, LONGEST, read_line, sealed, torn_record

try:
    import fcntl
except ImportError:  # Windows: one process per log
    fcntl = None  # type: ignore[assignment]

__all__ = ["AuditLog", "AuditSink"]

_SHORTEST_KEY = 16
_BLOCK = 1 << 16


class AuditSink(Protocol):
    """What audit records are written to."""

    def write(self, record: Mapping[str, object], *, durable: bool = False) -> None:
        """Keep a record; on the disk, before this returns, if it has to be durable. Raises AuditError."""

    def close(self) -> None:
        """No more records come."""


class AuditLog:
    """An audit log in a file. Thread-safe; other processes, and other logs of this one, may append to the same file.

    With `key` the records are sealed so that nobody without it can change one, or add one, unnoticed. Without it, or to
    find out whether the end was cut, keep `head` somewhere else. To rotate, rename the file: the next record begins a
    new one. A file that shrinks or changes under our hands is an error.
    """

    def __init__(self, path: str | os.PathLike[str], *, key: bytes | None = None) -> None:
        """Open the log, or begin it. Raises AuditError, and ValueError for a key of less than 16 bytes."""
        if key is not None and len(key) < _SHORTEST_KEY:
            raise ValueError(f"an audit key has at least {_SHORTEST_KEY} bytes")
        self.path = Path(path)
        self._key = key
        self._lock = threading.Lock()
        self._fd = -1
        self._seal = GENESIS
        """Our last record's seal."""
        self._end: int = 0
        """Where the file ended after it."""
        self._after: str | None = None
        """The head of the file that had this name before."""
        with self._lock:
            self._guarded(self._look)

    @property
    def head(self) -> str:
        """The seal of the last record that was written here, or found when the log was opened."""
        return self._seal

    def write(self, record: Mapping[str, object], *, durable: bool = False) -> None:
        """Append a record. Raises AuditError if it cannot be written, or made durable; then it is not in the log."""
        with self._lock:
            self._guarded(lambda: self._append(record, durable))

    def close(self) -> None:
        """Close the file, its records on the disk. Safe to call twice."""
        with self._lock:
            if self._fd >= 0:
                with suppress(OSError):
                    os.fsync(self._fd)
                os.close(self._fd)
                self._fd = -1

    def __enter__(self) -> AuditLog:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- one writer at a time ------------------------------------------------------------------

    def _guarded(self, work: Callable[[], object]) -> None:
        try:
            self._hold()
            try:
                work()
            finally:
                if fcntl is not None and self._fd >= 0:
                    fcntl.flock(self._fd, fcntl.LOCK_UN)
        except OSError as error:
            raise AuditError(self.path, f"cannot be written: {error.strerror or error}") from error

    def _hold(self) -> None:
        """Lock the file that has the log's name now: it may have been renamed since."""
        while True:
            if self._fd < 0:
                self._open()
            if fcntl is not None:
                fcntl.flock(self._fd, fcntl.LOCK_EX)
            if self._is_current():
                return
            os.close(self._fd)
            self._fd = -1

    def _open(self) -> None:
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
        self._fd = os.open(self.path, flags, 0o600)
        if not stat.S_ISREG(os.fstat(self._fd).st_mode):
            os.close(self._fd)
            self._fd = -1
            raise AuditError(self.path, "is not an ordinary file")
        self._after = self._seal if self._end else None
        self._seal, self._end = GENESIS, 0

    def _is_current(self) -> bool:
        mine = os.fstat(self._fd)
        try:
            there = self.path.stat()
        except FileNotFoundError:
            return False
        return (mine.st_dev, mine.st_ino) == (there.st_dev, there.st_ino)

    # --- with the lock -------------------------------------------------------------------------

    def _look(self) -> bytes:
        """Find the end of the chain; what an interrupted writer left after it."""
        size = os.fstat(self._fd).st_size
        self._check_own(size)
        if size == self._end:
            return b""
        tail = self._tail(size)
        whole, line_break, torn = tail.rpartition(b"\n")
        if line_break:
            last = read_line(whole.rpartition(b"\n")[2])
            if last is None:
                raise AuditError(self.path, "does not end with a record of ours; begin another file")
            if not last.is_genuine(self._key) or (self._key is None and last.kind == "hmac"):
                raise AuditError(self.path, "was written with another key, or its last record was changed")
            self._seal = last.seal
        elif size > len(tail):
            raise AuditError(self.path, "does not end with a record of ours; begin another file")
        self._end = size - len(torn)
        return torn

    def _check_own(self, size: int) -> None:
        """What we wrote must still be there."""
        if self._end == 0:
            return
        mark = f'{self._seal}"}}\n'.encode()
        if size < self._end or _read(self._fd, self._end - len(mark), len(mark)) != mark:
            raise AuditError(self.path, "was changed or cut while it was being written")

    def _tail(self, size: int) -> bytes:
        """The file's end, with at least one whole line if there is one."""
        length = min(size - self._end, _BLOCK) if self._end else min(size, _BLOCK)
        tail = _read(self._fd, size - length, length)
        while tail.count(b"\n") < 2 and length < min(size, LONGEST):
            length = min(size, length * 4)
            tail = _read(self._fd, size - length, length)
        return tail

    def _append(self, record: Mapping[str, object], durable: bool) -> None:
        torn = self._look()
        begins = self._end == 0
        data, seal = b"", self._seal
        if torn:
            line, seal = sealed({"time": _now(), **torn_record(torn)}, seal, self._key)
            data = b"\n" + line
        more = {"after": self._after} if begins and self._after else {}
        line, seal = sealed({"time": _now(), **record, **more}, seal, self._key)
        data += line
        size = self._end + len(torn)
        try:
            _write_all(self._fd, data)
            if durable:
                os.fsync(self._fd)
                if begins:
                    _sync_folder(self.path.parent)
        except OSError:
            with suppress(OSError):
                os.ftruncate(self._fd, size)  # half a record, or one that nobody was told of
            raise
        self._seal, self._end = seal, size + len(data)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def _read(fd: int, start: int, length: int) -> bytes:
    os.lseek(fd, start, os.SEEK_SET)
    parts: list[bytes] = []
    while length > 0 and (part := os.read(fd, length)):
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


def _write_all(fd: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]


def _sync_folder(folder: Path) -> None:
    with suppress(OSError):  # not every system has folders that can be opened
        fd = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
