"""What ``amla precompile`` does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ._export import export_module
from ._identity import identify
from ._load import Progress, find, load, reason_of
from ._status import CacheError, CacheStatus, MissingError, Outcome
from ._store import locked_store, open_store

if TYPE_CHECKING:
    from wasmtime import Engine

__all__ = ["check", "clear", "export", "precompile"]


def precompile(engine: Engine, wasm: Path, configuration: str, progress: Progress | None = None) -> CacheStatus:
    """Make sure that the next start finds the guest compiled; the status says whether it will."""
    return load(engine, wasm, configuration, progress=progress).status


def check(engine: Engine, wasm: Path, configuration: str) -> CacheStatus:
    """Whether the next start finds the guest compiled; neither compiles nor writes.

    ``USED`` if so; ``MISSING`` if nothing (or nothing sound, says the reason) is there yet.
    """
    faults: list[CacheError] = []
    found = find(engine, identify(wasm, configuration), None, faults)
    return found.status if found else CacheStatus(Outcome.MISSING, None, reason_of(faults))


def clear() -> int:
    """Remove everything that the cache keeps; the number of compiled guests among it.

    Raises ``CacheError`` when the folder is not this user's alone, or in use for longer than a minute.
    """
    try:
        open_store()
    except MissingError:
        return 0
    with locked_store(lambda: None) as store:
        return store.clear()


def export(engine: Engine, wasm: Path, configuration: str, file: Path, progress: Progress | None = None) -> None:
    """Write the compiled guest to ``file``, for ``$AMLA_PRECOMPILED`` or ``precompiled=`` elsewhere.

    Raises ``CacheError`` when it cannot be written.
    """
    module, _ = load(engine, wasm, configuration, progress=progress)
    export_module(module, identify(wasm, configuration), file.absolute())
