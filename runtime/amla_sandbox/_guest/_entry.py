"""How the guest's exports are called: each call has a native stack of its own, whatever thread makes it.

Guest code needs more stack than a thread has. wasmtime has such stacks for calls of asynchronous functions, and gives
the same one to each call into an instance. The guest imports nothing, asynchronous or not, so no call is ever left half
done: the first look at it is the whole call.
"""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

__all__ = ["Entry", "Export", "StoppedError", "address_of"]

_Address = ctypes.c_void_p

_Start = ctypes.PYFUNCTYPE(
    _Address, _Address, _Address, _Address, ctypes.c_size_t, _Address, ctypes.c_size_t, _Address, _Address
)
"""`wasmtime_func_call_async`, on plain addresses: converting typed pointers takes longer than a short call. It and what
frees a call keep the interpreter's lock, which takes long to have back."""

_Run = ctypes.CFUNCTYPE(ctypes.c_bool, _Address)
_Free = ctypes.PYFUNCTYPE(None, _Address)

_cast: Any = ctypes.cast

_I32 = 0
"""`WASMTIME_I32` of wasmtime's `val.h`."""


class StoppedError(RuntimeError):
    """The code of an export did not come to its end: it trapped, or the engine refused to call it."""


class Export(NamedTuple):
    """A function that an instance exports."""

    owner: Any
    """Keeps what lies at the address."""
    address: int
    parameters: int
    results: int


class Entry:
    """Calls of one instance's exports, which take at most one number of 32 bits and return at most one."""

    def __init__(self, ffi: Any, context: int) -> None:
        """`ffi` are wasmtime's bindings, `context` the address of the instance's store."""
        self._context = context
        self._start = _Start(address_of(ffi.dll.wasmtime_func_call_async))
        self._run = _Run(address_of(ffi.dll.wasmtime_call_future_poll))
        self._free = _Free(address_of(ffi.dll.wasmtime_call_future_delete))
        size = ctypes.sizeof(ffi.wasmtime_val_t)
        self._values = (ffi.wasmtime_val_t * 2)()
        self._argument, self._result = self._values[0].of, self._values[1].of
        self._values[0].kind = _I32
        self._trap, self._error = _Address(), _Address()
        first = ctypes.addressof(self._values)
        self._places = first, first + size, ctypes.addressof(self._trap), ctypes.addressof(self._error)

    def call(self, export: Export, argument: int) -> int:
        """What the export returns, or 0. Raises StoppedError."""
        argument_at, result_at, trap_at, error_at = self._places
        _, function, parameters, results = export
        self._argument.i32 = argument
        call = self._start(self._context, function, argument_at, parameters, result_at, results, trap_at, error_at)
        try:
            while not self._run(call):
                pass
        finally:
            self._free(call)
        if self._trap.value or self._error.value:
            raise self._stopped()
        return int(self._result.i32) if results else 0

    def _stopped(self) -> StoppedError:
        import wasmtime
        from wasmtime import _bindings as ffi

        (trap, self._trap.value), (error, self._error.value) = (self._trap.value, None), (self._error.value, None)
        kind: Any = wasmtime.WasmtimeError if error else wasmtime.Trap
        pointed: Any = ffi.wasmtime_error_t if error else ffi.wasm_trap_t
        raised = kind._from_ptr(_cast(error or trap or 0, ctypes.POINTER(pointed)))  # noqa: SLF001
        return StoppedError(str(raised) if error else _last_line(raised.message) or "trap")


def address_of(function: Any) -> int:
    """Where a function of a library, or what a pointer points to, lies."""
    return _cast(function, _Address).value or 0


def _last_line(message: str) -> str:
    return message.rstrip().rpartition("\n")[2].strip()
