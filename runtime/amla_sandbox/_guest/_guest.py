"""One instance of the guest: its memory, its cells, and the call that steps it."""

from __future__ import annotations

import ctypes
import math
import os
import threading
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from . import _pages, _watchdog
from ._entry import StoppedError
from ._machine import give_back, machine_for
from ._protocol import PROTOCOL, ProtocolError

if TYPE_CHECKING:
    from ._engine import Engine

__all__ = ["Guest", "GuestTrapError"]

_PROTOCOL, _INTERRUPT, _CLOCK, _STEADY, _SEED, _INBOX, _OUTBOX = 0, 4, 8, 16, 24, 40, 48
_KEPT, _STARVING, _ARRIVED, _HEARD = 56, 60, 64, 68
"""Offsets of the guest's cells (`AmlaCells` in runtime/guest/c/cells.h)."""

_Pair = ctypes.c_uint32 * 2
"""Address and length, in two cells."""

_MAX_OUTBOX = 512 << 20
"""Bytes of frames that one step may leave; beyond every limit on what they carry."""

_MAX_PUBLISHED = 1 << 20
"""Bytes of frames that are looked at at once while a step runs."""


class GuestTrapError(RuntimeError):
    """The guest's code trapped. `killed` says that the host made it trap; `frames` are what it had left until then."""

    frames = b""

    def __init__(self, message: str, *, killed: bool) -> None:
        super().__init__(message)
        self.killed = killed


class Observer(Protocol):
    """Who wants to know that a step is under way."""

    def look(self, now: float, starving: bool) -> None:
        """Called about every millisecond, on the watchdog's thread; must not wait."""


class Guest:
    """An instance at rest, except while a method runs. One thread at a time; `interrupt` and `kill` from any."""

    deadline = math.inf
    observer: Observer | None = None

    def __init__(self, engine: Engine, memory_limit: int = 0, seed: bytes | None = None) -> None:
        """`memory_limit` in bytes (0 for none); `seed` are 16 bytes that decide the guest's randomness."""
        self._machine = machine_for(engine, memory_limit)
        try:
            self._begin(seed or os.urandom(16))
        except BaseException:
            self._machine.close()
            raise

    def _begin(self, seed: bytes) -> None:
        machine = self._machine
        self._entry, self._functions, self._base = machine.entry, machine.functions, machine.base
        self._seen_memory = memoryview(b"")
        """The linear memory, as large as it was when it was last measured."""
        self._gate = threading.Lock()
        self._running = self._killed = self._closed = False
        self._cells = self._base + (self._call("amla_address", 0) & 0xFFFFFFFF)
        self._heard = ctypes.c_uint32.from_address(self._cells + _HEARD)
        self._interrupt = ctypes.c_uint32.from_address(self._cells + _INTERRUPT)
        self._clock = ctypes.c_double.from_address(self._cells + _CLOCK)
        self._steady = ctypes.c_double.from_address(self._cells + _STEADY)
        self._inbox = _Pair.from_address(self._cells + _INBOX)
        self._outgoing = _Pair.from_address(self._cells + _OUTBOX)
        self._seen = (0, 0)
        """Address and length of the outbox when it was last looked at during the step."""
        self._offset = time.time() - time.monotonic()
        if ctypes.c_uint32.from_address(self._cells + _PROTOCOL).value != PROTOCOL:
            raise ProtocolError("the guest speaks another protocol than this package; reinstall amla")
        ctypes.memmove(self._cells + _SEED, seed, 16)
        self._call("amla_inbox", 0)

    # --- steps -----------------------------------------------------------------------------

    def step(self, parts: list[bytes], deadline: float = math.inf) -> bytes:
        """Deliver frames, in any number of parts, and run until all waits for the host; the guest's frames, unchecked.

        The list is emptied: what was delivered need not be held twice. Raises GuestTrapError, after which only `read`
        may be called.
        """
        length = sum(map(len, parts))
        self._deliver(parts, length)
        parts.clear()
        self._seen = (0, 0)
        try:
            self._guarded("amla_step", length, deadline)
        except GuestTrapError as error:
            error.frames = self._left()
            raise
        return bytes(self._outbox())

    def serve(self, parts: Sequence[bytes], deadline: float = math.inf) -> memoryview:
        """Deliver frames, in any number of parts, that are answered at once, running nothing of a script.

        The answer is a view of the guest's memory: good only until this guest is next touched.
        """
        length = sum(map(len, parts))
        self._deliver(parts, length)
        self._guarded("amla_serve", length, deadline)
        return self._outbox().toreadonly()

    def _deliver(self, parts: Sequence[bytes], length: int) -> None:
        address, size = self._inbox
        if length > size:
            address, size = self._call("amla_inbox", length) & 0xFFFFFFFF, length
            if not address:
                raise MemoryError(f"the sandbox's memory has no room for {length:,} bytes more (limit: memory)")
        inbox = self._window(address, size)
        at = 0
        for part in parts:  # ctypes' memmove would give up the interpreter's lock, and wait for it
            inbox[at : at + len(part)] = part
            at += len(part)

    def _outbox(self) -> memoryview:
        """The frames that the guest left."""
        address, length = self._outgoing
        if length > _MAX_OUTBOX:
            raise ProtocolError("the guest's answer is larger than any can be")
        return self._window(address, length)

    def _left(self) -> bytes:
        """What a guest that trapped has in its outbox."""
        try:
            return bytes(self._outbox())
        except ProtocolError:
            return b""

    def _window(self, address: int, length: int) -> memoryview:
        """A part of the memory. Raises ProtocolError for what the guest does not have."""
        end = address + length
        if end > len(self._seen_memory) and end > self.memory_size:
            raise ProtocolError("the guest names memory that it does not have")
        return self._seen_memory[address:end]

    def _guarded(self, function: str, argument: int, deadline: float) -> None:
        """Call an export under the watchdog."""
        now = time.monotonic()
        with self._gate:
            self._killed = False
            self._running = True
            self._interrupt.value = 0
            self._heard.value = 0
            self._show(now)
        self.deadline = deadline
        try:
            _watchdog.watch(self)
            self._call(function, argument)
        finally:
            _watchdog.unwatch(self)
            self._settle()

    def _settle(self) -> None:
        """After this no other thread writes to the memory."""
        with self._gate:
            self._running = False
            if self._killed:
                _pages.restore(self._base, self.memory_size)
            self._interrupt.value = 0

    def _call(self, name: str, argument: int) -> int:
        """Call an export of at most one parameter, an i32; its i32 result, or 0."""
        try:
            return self._entry.call(self._functions.get(name) or self._machine.function(name), argument)
        except StoppedError as error:
            self._machine.sound = False
            raise GuestTrapError(str(error), killed=self._killed) from None

    # --- from the watchdog -------------------------------------------------------------------

    def tick(self, now: float) -> None:
        """Show the guest the time."""
        with self._gate:
            if not self._running or self._killed:
                return
            self._show(now)
            starving = self.observer is not None and self._cell(_STARVING).value != 0
        if (observer := self.observer) is not None:
            observer.look(now, starving)

    def _show(self, now: float) -> None:
        self._steady.value = now * 1000
        self._clock.value = (now + self._offset) * 1000

    def end(self) -> None:
        """Make the running step end as if its deadline had come; from any thread."""
        self.deadline = -math.inf

    def interrupt(self) -> None:
        """Ask the running step to end."""
        with self._gate:
            if self._running and not self._killed:
                self._interrupt.value = 1

    @property
    def heard(self) -> bool:
        """Whether the step knows that it is to end."""
        with self._gate:
            return self._running and not self._killed and self._heard.value != 0

    def kill(self) -> None:
        """Take the memory away, so that the running step traps."""
        with self._gate:
            if self._running and not self._killed:
                self._killed, self._machine.sound = True, False
                try:
                    _pages.revoke(self._base, self.memory_size)
                except OSError:  # the watchdog tries again
                    self._killed = False
                    raise

    # --- while a step runs, from any thread ---------------------------------------------------

    def published(self, start: int) -> bytes:
        """Frames that this step has left so far, from byte `start` on, the last of them perhaps cut off.

        They were published before the last time that this was asked: the guest's writes are all to be seen by now.
        """
        with self._gate:
            if not self._running or self._killed:
                return b""
            (address, length), self._seen = self._seen, (self._outgoing[0], self._outgoing[1])
            if length <= start:
                return b""
            return bytes(self._window(address + start, min(length - start, _MAX_PUBLISHED)))

    def supply(self, frames: bytes) -> bool:
        """Hand input to a guest that stands still for it; False if it does not, or has not taken the last yet."""
        with self._gate:
            arrived = self._cell(_ARRIVED)
            if not self._running or self._killed or not self._cell(_STARVING).value or arrived.value:
                return False
            address, size = self._inbox
            if len(frames) > size:
                raise ProtocolError("the guest's inbox is too small for input")
            self._window(address, len(frames))[:] = frames
            arrived.value = len(frames)
            return True

    def _cell(self, offset: int) -> ctypes.c_uint32:
        return ctypes.c_uint32.from_address(self._cells + offset)

    # --- memory ------------------------------------------------------------------------------

    @property
    def kept(self) -> int:
        """Address of the guest's list of files; 0 for none."""
        return int(self._cell(_KEPT).value)

    def read(self, address: int, length: int) -> bytes:
        """Bytes of a guest at rest. Raises ProtocolError for memory that it does not have."""
        return bytes(self._window(address, length))

    @property
    def has_grown(self) -> bool:
        """Whether more memory than a new one has was ever needed."""
        return self._machine.has_grown

    @property
    def memory_size(self) -> int:
        """Bytes of linear memory."""
        size = self._machine.size
        if size != len(self._seen_memory):
            self._seen_memory = _pages.view(self._base, size)
        return size

    def save(self) -> bytes:
        """The memory of a guest at rest: all of its state."""
        return ctypes.string_at(self._base, self.memory_size)

    def reseed(self) -> None:
        """Give the guest randomness of its own, from its next step on."""
        ctypes.memmove(self._cells + _SEED, os.urandom(16), 16)

    def copy_to(self, address: int) -> list[tuple[int, int]]:
        """Copy what the memory of a guest at rest has beyond a new one's to an address of the host's.

        Returns the offsets and lengths of what was copied, each to its offset; what is not listed stays untouched.
        """
        spans = _pages.spans(self._base, self.memory_size)
        for offset, length in spans:
            ctypes.memmove(address + offset, self._base + offset, length)
        return spans

    def copy_from(self, address: int, length: int, spans: Sequence[tuple[int, int]]) -> None:
        """Become the guest of `length` bytes of memory that was copied to that address.

        Raises MemoryError where it does not fit in.
        """
        self._make_room(length)
        if sum(size for _, size in spans) < length:
            _pages.discard(self._base, self.memory_size)
        for offset, size in spans:
            ctypes.memmove(self._base + offset, address + offset, size)
        self._machine.empty_stack()

    def load(self, image: bytes) -> None:
        """Put a saved memory back. What lies beyond it is cleared. Raises MemoryError where it does not fit in."""
        self._make_room(len(image))
        ctypes.memmove(self._base, image, len(image))
        ctypes.memset(self._base + len(image), 0, self.memory_size - len(image))
        self._machine.empty_stack()

    def _make_room(self, length: int) -> None:
        missing = length - self.memory_size
        if missing > 0 and not self._machine.grow(-(-missing // 65536)):
            raise MemoryError(f"the sandbox's memory has no room for {length:,} bytes (limit 'memory')")

    def close(self) -> None:
        """Give the memory up, for the next guest.

        No other method may be called afterwards, save those for any thread.
        """
        with self._gate:
            closed, self._closed = self._closed, True
        self._seen_memory = memoryview(b"")
        if not closed:
            give_back(self._machine)
