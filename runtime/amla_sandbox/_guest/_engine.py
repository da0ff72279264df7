"""The WebAssembly engine: one a process, made when the first sandbox is."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import wasmtime

    from ._machine import Machine

__all__ = ["CONFIGURATION", "GUEST", "Engine", "engine", "make_engine"]

GUEST = Path(__file__).parents[1] / "guest" / "amla.wasm"

WASM_STACK = 32 << 20
"""Bytes of native stack for guest code. JavaScript's own limit (900 KB of the guest's stack) ends recursion first, but
some shapes (JSON, the parser, proxies) need up to thirty times as much native stack as they account for."""

CONFIGURATION = f"stack={WASM_STACK} exceptions"
"""Names the settings that precompiled code depends on."""


def make_engine() -> wasmtime.Engine:
    """A wasmtime engine with our settings. Neither fuel nor epochs: both slow the guest by a third, and `_watchdog`
    does their work."""
    import wasmtime
    from wasmtime import _bindings

    config = wasmtime.Config()
    # the stack that each call has (see _entry.py) must be the larger of the two, or wasmtime refuses
    _bindings.wasmtime_config_async_stack_size_set(config.ptr(), 2 * WASM_STACK)
    config.max_wasm_stack = WASM_STACK
    config.wasm_exceptions = True  # how jq is left when memory runs out; older versions have them switched off
    return wasmtime.Engine(config)


class Engine:
    """An engine and the compiled guest."""

    def __init__(self, wasmtime_engine: wasmtime.Engine, module: wasmtime.Module) -> None:
        self.wasmtime_engine = wasmtime_engine
        self.module = module
        self.spares: list[Machine] = []
        """Instances that nobody uses, as new."""
        self.first_pages: dict[int, bytes] = {}
        """What pages of an instance that scripts write to hold at first, by their offsets in its memory."""
        self.is_mapped: bool | None = None
        """Whether the memory of an instance begins as a mapping, so that a page that is discarded comes back as it was
        at first; None before the first instance."""

    @cached_property
    def guest_hash(self) -> str:
        """SHA-256 of the guest, which states saved by it name."""
        import hashlib

        return hashlib.sha256(GUEST.read_bytes()).hexdigest()


_lock = threading.Lock()
_engine: Engine | None = None


def engine(progress: Callable[[str], None] | None = None) -> Engine:
    """The process's engine; the first call loads the guest, or compiles it if this machine never did."""
    global _engine
    from ._canary import prove_limits

    with _lock:
        if _engine is None:
            loaded = _load(progress)
            prove_limits(loaded)
            _keep(loaded)
            _engine = loaded
        return _engine


def _keep(loaded: Engine) -> None:
    """Never free it: when the interpreter exits, wasmtime's own module may be gone before its objects are."""
    for each in (loaded.module, loaded.wasmtime_engine):
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(each))


def _load(progress: Callable[[str], None] | None) -> Engine:
    from amla_sandbox._cache import load_module

    if not GUEST.is_file():
        raise FileNotFoundError(
            f"{GUEST} is missing: the package was installed without its guest. Reinstall it with "
            "'pip install --force-reinstall amla', or in a checkout build it with 'python runtime/guest/build.py'."
        )
    made = make_engine()
    return Engine(made, load_module(made, GUEST, CONFIGURATION, progress=progress))
