"""The WebAssembly instance under a guest: its memory, its functions, and how it is used again.

Making one, and the faults at which the kernel copies the pages that a first run writes to, take longer than a short
script. So the machine of a guest that is closed is put back into its first state and kept for the next. All state of
the guest is in its memory and in the stack pointer (the build sees to that). The kernel tells which pages were written
to; those get their first contents back, and whatever a script left is gone when `give_back` returns.
"""

from __future__ import annotations

import ctypes
from bisect import bisect_left
from typing import TYPE_CHECKING, Any

from amla_sandbox._errors import TooLittleMemoryError

from . import _pages
from ._entry import Entry, Export, address_of

if TYPE_CHECKING:
    from ._engine import Engine

__all__ = ["Machine", "give_back", "machine_for"]

_SPARES = 2
"""Machines that are kept, each with less than a megabyte of pages of its own; arbitrary."""

_MOST_WRITTEN = 192
"""Pages that a machine may have written to and still keep; a short script writes to about 60."""

_DEEPEST = 32
"""Pages of the guest's own stack that a machine may have written to. The native one, which nobody can empty, is up to
sixteen times as deep then; a short script writes to 3."""

_Size = ctypes.PYFUNCTYPE(ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p)
"""`wasmtime_memory_data_size`, on plain addresses (see `_entry`)."""


class Machine:
    """An instance that nobody else uses."""

    def __init__(self, engine: Engine, memory_limit: int) -> None:
        """Raises TooLittleMemoryError where the guest does not fit into `memory_limit` bytes (0 for no limit)."""
        import wasmtime
        from wasmtime import _bindings

        ffi: Any = _bindings
        self.engine = engine
        self.store: Any = wasmtime.Store(engine.wasmtime_engine)
        store = self.store
        _keep(store)
        self._is_open = True
        if memory_limit:
            store.set_limits(memory_size=memory_limit)
        try:
            exports: Any = wasmtime.Instance(store, engine.module, []).exports(store)
        except wasmtime.WasmtimeError as error:
            self.close()
            raise TooLittleMemoryError(memory_limit) from error
        self.exports = exports
        self.memory: Any = exports["memory"]
        context = address_of(store._context())  # noqa: SLF001 - the checked call is slow
        self.entry = Entry(ffi, context)
        self.functions: dict[str, Export] = {}
        self.base: int = ctypes.addressof(self.memory.data_ptr(store).contents)
        self._size = _Size(address_of(ffi.dll.wasmtime_memory_data_size))
        self._size_of = context, ctypes.addressof(self.memory._memory)  # noqa: SLF001
        self._first_size = self.size
        if engine.is_mapped is None:
            engine.is_mapped = not _pages.written(self.base, self._first_size)
        self._stack: Any = exports["__stack_pointer"]
        self._stack_top = self._stack.value(store)
        self.sound = True
        """Whether it never trapped, nor had its memory taken away."""

    @property
    def size(self) -> int:
        """Bytes of memory."""
        return int(self._size(*self._size_of))

    @property
    def has_grown(self) -> bool:
        return self.size != self._first_size

    def function(self, name: str) -> Export:
        """An export to call; kept for the next time."""
        function = self.exports[name]
        kind = function.type(self.store)
        at = ctypes.addressof(function._func)  # noqa: SLF001
        found = self.functions[name] = Export(function, at, len(kind.params), len(kind.results))
        return found

    def empty_stack(self) -> None:
        """Put the stack pointer where it is between calls."""
        self._stack.set_value(self.store, self._stack_top)

    def fits(self, memory_limit: int) -> bool:
        """Whether it may be had under that limit, which from now on holds for it."""
        if memory_limit and memory_limit < self._first_size:
            return False
        self.store.set_limits(memory_size=memory_limit or -1)
        return True

    def renew(self) -> bool:
        """Put everything back as it was when the machine was made; False where that cannot be known."""
        if not (self.sound and self.engine.is_mapped and not self.has_grown):
            return False
        written = _pages.written(self.base, self._first_size)
        if not written:  # a guest writes when it starts: the kernel does not tell
            return False
        if bisect_left(written, self._stack_top) > _DEEPEST:  # the stack comes first in memory
            return False
        if len(written) > _MOST_WRITTEN:
            _pages.discard(self.base, self._first_size)
        else:
            _refill(self.engine.first_pages, self.base, self._first_size, written)
        return True  # the stack is empty as well: every call came to its end

    def grow(self, pages: int) -> bool:
        """Add pages of 64 KB; whether they were to be had."""
        import wasmtime

        try:
            self.memory.grow(self.store, pages)
        except wasmtime.WasmtimeError:
            return False
        return True

    def close(self) -> None:
        """Give the memory back to the system. Safe to call twice."""
        if self._is_open:
            self._is_open = False
            self.store.close()
            _let_go(self.store)


def _keep(store: Any) -> None:
    """See to it that it lives until it is let go.

    The garbage collector may find a machine before what is to close it, a generator with a sandbox perhaps; and when
    the interpreter ends, wasmtime's own module may be gone first, while threads of ours are in the guest.
    """
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(store))


def _let_go(store: Any) -> None:
    ctypes.pythonapi.Py_DecRef(ctypes.py_object(store))


def _refill(first: dict[int, bytes], base: int, size: int, written: list[int]) -> None:
    """Put the pages at those offsets back; what they hold at first is learned by discarding them."""
    memory = _pages.view(base, size)
    for offset in written:
        page = first.get(offset)
        if page is not None:
            memory[offset : offset + _pages.SIZE] = page
            continue
        _pages.discard(base + offset, _pages.SIZE)
        if len(first) < _MOST_WRITTEN:
            first[offset] = bytes(memory[offset : offset + _pages.SIZE])


def machine_for(engine: Engine, memory_limit: int) -> Machine:
    """A machine in its first state. Raises TooLittleMemoryError where the guest does not fit in (0 for no limit)."""
    try:
        spare: Machine = engine.spares.pop()
    except IndexError:
        return Machine(engine, memory_limit)
    if spare.fits(memory_limit):
        return spare
    engine.spares.append(spare)
    return Machine(engine, memory_limit)


def give_back(machine: Machine) -> None:
    """Whoever had the machine touches it no more."""
    spares = machine.engine.spares
    if len(spares) < _SPARES and machine.renew():
        spares.append(machine)
    else:
        machine.close()
