"""A guest with what it takes to live: configured, asked for files, and replaced when it is broken."""

from __future__ import annotations

import errno
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, cast

from amla_sandbox._errors import SandboxClosedError, SandboxError, SandboxFileError
from amla_sandbox._tree import TreeEntry, unpack

from . import _later, _threads
from ._engine import Engine
from ._guest import Guest, GuestTrapError, Observer
from ._held import Held
from ._protocol import (
    PREPARE_FRAME,
    Answer,
    FilesReply,
    ProtocolError,
    ask_frame,
    configure_frame,
    files_frame,
    parse_frames,
)

__all__ = ["Instance"]

_SERVICE_SECONDS = 20.0
"""Most time that one request for files may take; it moves at most the sandbox's files once."""

_SALVAGE_SECONDS = 5.0
_ANSWER_SECONDS = 1.0
"""Most time that the answer to a question about a session may take: somebody is typing."""

_MAX_TREE = 1 << 30
"""Bytes of a tree that the host takes; beyond every limit on files."""

_BROKEN = (GuestTrapError, ProtocolError, MemoryError, OSError, ValueError)
"""What asking a broken guest may come to."""


class _Turn:
    """Held by the thread whose turn it is with the guest.

    The garbage collector may close a sandbox that was forgotten on just that thread, in the middle of its work. So
    what comes at the end, `last`, waits until all who hold it have left.
    """

    def __init__(self, last: Callable[[], None]) -> None:
        self._lock = threading.RLock()
        self._depth = 0
        self._last = last
        self.is_last = False

    def __enter__(self) -> None:
        self._lock.acquire()
        self._depth += 1

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        try:
            if self.is_last and not self._depth:
                self._last()
        finally:
            self._lock.release()


class Instance:
    """The guest of one sandbox. Thread-safe."""

    def __init__(self, engine: Engine, memory_limit: int, configuration: Mapping[str, Any]) -> None:
        self._engine = engine
        self._memory_limit = memory_limit
        self._configuration = configure_frame(configuration)
        self._lock = _Turn(self._free)
        self._requests = 0
        self._guest: Guest | None = None
        self._configured = False
        self._prepared = True
        """Whether it is ready for a run, as a new guest is."""
        self._closed = False
        self.observer: Observer | None = None
        """Who attends to the step that runs now; set before it begins."""
        self.losses = 0
        """How often files were lost when a guest was replaced."""
        self.files_lost = False
        """Whether files were lost; whoever reports it resets it."""
        self.undone = False
        """Whether a guest was put back to where it was held; whoever reports it resets it."""
        self._held: Held | None = None

    # --- runs: on a thread that need not take signals -----------------------------------------

    def step(self, frames: list[bytes], deadline: float) -> bytes:
        """Step the guest with frames that are taken out of the list.

        After a GuestTrapError the guest has been replaced, its files as they were before the run.
        """
        with self._lock:
            guest = self._ready()
            if not self._configured:
                frames.insert(0, self._configuration)
                self._configured = True
            self._changed()
            self._prepared = False
            guest.observer = self.observer
            try:
                return guest.step(frames, deadline)
            except (GuestTrapError, ProtocolError):
                self._replace(guest)
                raise

    def prepare(self) -> None:
        """Get ready for a run, unless that was done since the last one; between runs."""
        _later.drop(self)
        with self._lock:
            if self._guest is not None and not self._closed and not self._prepared:
                self._prepared = True
                try:
                    self._guest.serve((PREPARE_FRAME,), time.monotonic() + 1)
                except (GuestTrapError, ProtocolError):
                    self._replace(self._guest)
                    return
            if self._held is not None:
                self.hold()

    def prepare_first(self, frames: list[bytes]) -> None:
        """Get ready for the run that those frames begin: what is quickly done by a frame of their own."""
        guest = self._guest
        if guest is None or self._held is not None or guest.has_grown:
            self.prepare()
            return
        _later.drop(self)
        with self._lock:
            if not self._prepared:
                self._prepared = True
                frames.append(PREPARE_FRAME)

    def prepare_later(self) -> None:
        """Get ready for a run when none has come for a moment: it starts faster then."""
        _later.when_idle(self.prepare, self)

    def interrupt(self) -> None:
        """Make the step that runs now, if any, end soon; from any thread."""
        guest = self._guest
        if guest is not None:
            guest.end()

    def published(self, start: int) -> bytes:
        """Frames that the step that runs now has left so far, from byte `start` on; from any thread."""
        guest = self._guest
        return guest.published(start) if guest is not None else b""

    def supply(self, frames: bytes) -> bool:
        """Hand input to a script that stands still for it; whether that could be done. From any thread."""
        guest = self._guest
        return guest is not None and guest.supply(frames)

    @property
    def memory_size(self) -> int:
        guest = self._guest
        return guest.memory_size if guest is not None else 0

    # --- files -------------------------------------------------------------------------------

    def files(self, op: str, path: str, data: bytes = b"", **more: object) -> FilesReply:
        """One operation on the guest's files. Raises SandboxFileError with the guest's reason."""
        return _threads.call(self._files, {"op": op, "path": path, **more}, data)

    def tree(self, path: str) -> list[TreeEntry]:
        """Everything at and under `path`. Raises SandboxFileError with the guest's reason."""
        return _threads.call(self._tree, path)

    def _tree(self, path: str) -> list[TreeEntry]:
        return _gathered(lambda request: self._files(request, b""), path)

    def _files(self, request: Mapping[str, Any], data: bytes) -> FilesReply:
        with self._lock:
            guest = self._ready()
            self._changed()
            try:
                return self._granted(guest, request, data, time.monotonic() + _SERVICE_SECONDS)
            except MemoryError as error:
                raise SandboxFileError(errno.ENOSPC, str(error), str(request["path"]), "ENOSPC") from error
            except (GuestTrapError, ProtocolError) as error:
                self._replace(guest)
                raise SandboxError(f"the sandbox broke while serving its files: {error}") from error

    def _ask(self, guest: Guest, request: Mapping[str, Any], data: bytes, deadline: float) -> FilesReply:
        self._requests = (self._requests + 1) & 0xFFFFFFFF
        frames: tuple[bytes, ...] = files_frame(self._requests, request, data)
        if not self._configured:
            frames = (self._configuration, *frames)
            self._configured = True
        for frame in parse_frames(guest.serve(frames, deadline)):
            if isinstance(frame, FilesReply) and frame.id == self._requests:
                return frame
        raise ProtocolError("the guest did not answer a request for files")

    # --- sessions ----------------------------------------------------------------------------

    def keep_state(self) -> None:
        """From now on a guest that breaks goes back to all that it was when its run began, not to its files alone."""
        with self._lock:
            self._held = self._held or Held()

    def hold(self) -> None:
        """Take note of the guest's state, if it is to be kept and has changed; between runs."""
        with self._lock:
            if self._held is not None and self._guest is not None and not self._closed:
                self._held.take(self._guest)

    def ask(self, question: Mapping[str, Any]) -> Any:
        """What the guest answers to a question about a session; None if it cannot. Between runs."""
        return _threads.call(self._answer, question)

    def _answer(self, question: Mapping[str, Any]) -> Any:
        with self._lock:
            guest = self._ready()
            self._requests = (self._requests + 1) & 0xFFFFFFFF
            frames: tuple[bytes, ...] = (ask_frame(self._requests, question),)
            if not self._configured:
                frames = (self._configuration, *frames)
                self._configured = True
            try:
                for frame in parse_frames(guest.serve(frames, time.monotonic() + _ANSWER_SECONDS)):
                    if isinstance(frame, Answer) and frame.id == self._requests:
                        return frame.value
            except (GuestTrapError, ProtocolError, MemoryError):
                self._replace(guest)
            return None

    def _changed(self) -> None:
        if self._held is not None:
            self._held.is_current = False

    # --- life --------------------------------------------------------------------------------

    def save(self) -> bytes:
        """The guest's memory; only between runs."""
        with self._lock:
            return self._ready().save()

    def load(self, image: bytes) -> None:
        """Take over a saved memory in place of all that there is; what the sandbox is configured with is told anew.

        Raises SandboxError for one that is larger than the limit on memory.
        """
        with self._lock:
            if self._closed:
                raise SandboxClosedError
            guest = self.fresh()
            try:
                guest.load(image)
            except MemoryError as error:
                guest.close()
                raise SandboxError(str(error)) from error
            guest.reseed()
            if self._guest is not None:
                self._guest.close()
            self._guest, self._configured, self._prepared = guest, False, False
            self._changed()

    def fresh(self) -> Guest:
        """Another guest of the same build, which nothing has run in."""
        return Guest(self._engine, self._memory_limit)

    @property
    def guest_hash(self) -> str:
        return self._engine.guest_hash

    def close(self) -> None:
        """Give the guest up."""
        with self._lock:
            self._closed = self._lock.is_last = True

    def _free(self) -> None:
        if self._guest is not None:
            self._guest.close()
            self._guest = None

    def _ready(self) -> Guest:
        if self._closed:
            raise SandboxClosedError
        if self._guest is None:
            self._guest = Guest(self._engine, self._memory_limit)
            self._configured, self._prepared = False, True
        return self._guest

    def condemn(self) -> None:
        """Replace a guest that broke the rules, its files as they were before the run."""
        with self._lock:
            if self._guest is not None and not self._closed:
                self._replace(self._guest)

    def _replace(self, broken: Guest) -> None:
        """A new guest as the broken one was when the run began: wholly if that is held, else with the files that can be
        read out."""
        from ._salvage import salvaged

        if self._closed:
            return
        self._guest = None
        guest = self._ready()
        if self._held is not None and self._held.put_back(guest):
            self._configured = self.undone = True
            broken.close()
            return
        self._prepared = False
        deadline = time.monotonic() + _SALVAGE_SECONDS
        try:
            for request, data in salvaged(broken):
                self._granted(guest, request, data, deadline)
        except _BROKEN:
            guest.close()
            self._guest = None
            self.losses += 1
            self.files_lost = True
        broken.close()

    def _granted(self, guest: Guest, request: Mapping[str, Any], data: bytes, deadline: float) -> FilesReply:
        """Like `_ask`, but raises OSError with the guest's reason."""
        reply = self._ask(guest, request, data, deadline)
        if not reply.ok:
            raise _file_error(reply, str(request["path"]))
        return reply


def _gathered(ask: Callable[[Mapping[str, Any]], FilesReply], path: str) -> list[TreeEntry]:
    """A tree, page by page. Raises ProtocolError for a guest that does not come to an end."""
    entries: list[TreeEntry] = []
    size = 0
    while True:
        reply = ask({"op": "dump", "path": path, "from": len(entries)})
        page = unpack(reply.data)
        entries += page
        size += len(reply.data)
        if not isinstance(reply.value, dict) or size > _MAX_TREE:
            raise ProtocolError("the guest sends no tree")
        if cast("dict[str, Any]", reply.value).get("more") is not True:
            return entries
        if not page:
            raise ProtocolError("the guest sends an empty part of a tree")


def _file_error(reply: FilesReply, path: str) -> OSError:
    known = getattr(errno, reply.code, None)
    number = known if isinstance(known, int) else errno.EIO
    message = _without_path(reply.message, path)
    kinds: dict[str, Callable[..., OSError]] = {
        "ENOENT": FileNotFoundError,
        "EEXIST": FileExistsError,
        "EACCES": PermissionError,
        "EPERM": PermissionError,
        "ENOTDIR": NotADirectoryError,
        "EISDIR": IsADirectoryError,
    }
    kind = kinds.get(reply.code)
    return kind(number, message, path) if kind else SandboxFileError(number, message, path, reply.code)


def _without_path(message: str, path: str) -> str:
    """Of the guest's `CODE: words, call 'path': details` the words and the details: Python adds the path itself."""
    words = message.partition(": ")[2].partition(",")[0] or message
    details = message.partition(f"'{path}': ")[2]
    return f"{words}: {details}" if details else words
