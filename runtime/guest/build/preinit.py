"""Run the linked module once, so that its JavaScript world is built before it ships.

The module is instantiated without imports, given the archive of sources, and told to boot; what its memory holds then
is what every sandbox starts from.  All guest state must be in that memory: mutable globals are checked to be unchanged.
"""

from __future__ import annotations

import struct
import threading
from collections.abc import Callable, Mapping
from typing import TypeVar

import wasmtime
from wasmtime import _bindings  # the only way to one setting, see _engine

from .errors import BuildError
from .progress import Progress
from .wasm import Export, Module

__all__ = ["boot"]

_STACK = 32 * 1024 * 1024
"""Bytes of native stack for the module; QuickJS's parser needs far more than wasmtime's default."""

_OUTBOX = struct.Struct("<48xII")
"""Where the guest's cells (``cells.h``) tell the address and the length of its outgoing frames."""

_FRAME_HEADER = 9
_PROBE = "build_global_"
_T = TypeVar("_T")


def boot(linked: bytes, archive: bytes, progress: Progress) -> bytes:
    """The module's memory after booting with ``archive``."""
    progress.step("starting the guest once")
    return _on_large_stack(lambda: _boot(Module.parse(linked), archive))


def _on_large_stack(work: Callable[[], _T]) -> _T:
    """Run ``work`` on a thread whose stack holds the module's."""
    results: list[_T] = []
    errors: list[BaseException] = []

    def body() -> None:
        try:
            results.append(work())
        except BaseException as error:  # raised again on the calling thread
            errors.append(error)

    old = threading.stack_size(2 * _STACK)
    try:
        thread = threading.Thread(target=body, name="guest-boot")
        thread.start()
    finally:
        threading.stack_size(old)
    thread.join()
    if errors:
        raise errors[0]
    return results[0]


def _engine() -> wasmtime.Engine:
    config = wasmtime.Config()
    # wasmtime wants the stack of its async mode, which is not used here, to be the larger of the two.
    _bindings.wasmtime_config_async_stack_size_set(config.ptr(), 2 * _STACK)
    config.max_wasm_stack = _STACK
    config.wasm_exceptions = True
    return wasmtime.Engine(config)


def _boot(module: Module, archive: bytes) -> bytes:
    if module.imports():
        raise BuildError(
            f"the guest must import nothing, but asks for {', '.join(module.imports())}. Define it in c/libc.c."
        )
    engine = _engine()
    store = wasmtime.Store(engine)
    instance = wasmtime.Instance(store, wasmtime.Module(engine, _with_probes(module).binary()), [])
    guest = _Guest(store, instance.exports(store))
    try:
        guest.call("_initialize")
        address = guest.call("amla_alloc", len(archive)) & 0xFFFFFFFF
        guest.memory.write(store, archive, address)
        failed = guest.call("amla_boot", address, len(archive))
    except (wasmtime.WasmtimeError, wasmtime.Trap) as error:
        raise BuildError(f"the guest crashed while starting: {error}") from error
    if failed:
        raise BuildError(f"the guest's own JavaScript does not start:\n{guest.outgoing()}")
    guest.call("amla_scrub")
    _check_globals(module, guest)
    return _without_stack(module, bytes(guest.memory.read(store, 0, None)))


def _without_stack(module: Module, memory: bytes) -> bytes:
    """The memory with the stack, which is empty between calls and grows down to address 0, cleared of remains."""
    top = next(int(module.globals()[each.index].initial) for each in module.exports() if each.name == "__stack_pointer")
    if any(segment.offset < top for segment in module.segments()):
        raise BuildError("the linker put data below the stack; the build expects the stack at the start of memory.")
    return bytes(top) + memory[top:]


class _Guest:
    """The running module."""

    def __init__(self, store: wasmtime.Store, exports: Mapping[str, object]) -> None:
        self.store, self.exports = store, exports
        memory = exports["memory"]
        if not isinstance(memory, wasmtime.Memory):
            raise BuildError("the linked module's export 'memory' is no memory.")
        self.memory = memory

    def call(self, name: str, *arguments: int) -> int:
        function = self.exports[name]
        if not isinstance(function, wasmtime.Func):
            raise BuildError(f"the linked module's export {name!r} is no function.")
        return int(function(self.store, *arguments) or 0)

    def outgoing(self) -> str:
        """The frames in the outbox as text for a person."""
        cells = self.call("amla_address") & 0xFFFFFFFF
        address, length = _OUTBOX.unpack(self.memory.read(self.store, cells, cells + _OUTBOX.size))
        frames = bytes(self.memory.read(self.store, address, address + length))
        return frames[_FRAME_HEADER:].decode("utf-8", "replace") or "(it left no message)"


def _with_probes(module: Module) -> Module:
    """The same module with all mutable globals exported, so that they can be read afterwards."""
    probes = [
        Export(f"{_PROBE}{index}", "global", index) for index, each in enumerate(module.globals()) if each.mutable
    ]
    return module.with_exports([*module.exports(), *probes])


def _check_globals(module: Module, guest: _Guest) -> None:
    for index, each in enumerate(module.globals()):
        probe = guest.exports[f"{_PROBE}{index}"] if each.mutable else None
        if not isinstance(probe, wasmtime.Global):
            continue
        value = probe.value(guest.store)
        if value != each.initial:
            changed = f"global {index} of the guest is {value} after the start, not {each.initial}"
            raise BuildError(f"{changed}: a snapshot of the memory would lose it.")
