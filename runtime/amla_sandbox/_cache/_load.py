"""Getting the module: from an exported file, from the cache, or from the compiler."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ._export import load_export, named_export
from ._identity import PROVENANCE, Identity, content_hash, identify
from ._status import CacheError, CacheStatus, CacheWarning, MissingError, Outcome
from ._store import Store, locked_store, open_store

if TYPE_CHECKING:
    from wasmtime import Engine, Module

__all__ = ["Loaded", "Progress", "describe", "find", "load", "load_module", "reason_of"]

Progress = Callable[[str], None]
"""Told, in words, what takes long."""

COMPILING = "compiling the guest for this machine (once)"
WAITING = "waiting for another process that is compiling the guest"

_warned: set[str] = set()


class Loaded(NamedTuple):
    """A module, and how it was obtained."""

    module: Module
    status: CacheStatus


def load_module(
    engine: Engine,
    wasm: Path,
    configuration: str,
    *,
    progress: Progress | None = None,
    precompiled: Path | None = None,
) -> Module:
    """As ``load``, with a ``CacheWarning`` (once for each reason) when the cache was not as it should be."""
    module, status = load(engine, wasm, configuration, progress=progress, precompiled=precompiled)
    if status.reason and status.reason not in _warned:
        _warned.add(status.reason)
        warnings.warn(describe(status), CacheWarning, stacklevel=2)
    return module


def describe(status: CacheStatus) -> str:
    """What a warning says about a status that has a reason."""
    consequence = {
        Outcome.USED: "a compiled guest was passed over",
        Outcome.STORED: "the guest was compiled again",
        Outcome.MISSING: "the guest is not compiled yet",
        Outcome.BYPASSED: "the guest was compiled in memory, and will be at each start",
    }
    return f"{consequence[status.outcome]}: {status.reason}"


def load(
    engine: Engine,
    wasm: Path,
    configuration: str,
    *,
    progress: Progress | None = None,
    precompiled: Path | None = None,
) -> Loaded:
    """The guest ``wasm`` compiled for ``engine``, whose settings ``configuration`` describes; compiled only if need be.

    ``precompiled`` (default: ``$AMLA_PRECOMPILED``) is an exported file to try first. Raises what reading ``wasm`` and
    compiling it raise, and nothing about the cache: the status says what was wrong with that.
    """
    source = _Source(engine, wasm, identify(wasm, configuration), progress or _silent)
    faults: list[CacheError] = []
    return find(engine, source.identity, precompiled, faults) or _compile_and_store(source, faults)


def find(engine: Engine, identity: Identity, precompiled: Path | None, faults: list[CacheError]) -> Loaded | None:
    """The module if it is there, with nothing written; what is wrong with what is there is added to ``faults``."""
    exported = named_export(precompiled)
    if exported:
        try:
            return _used(load_export(engine, exported, identity), exported, faults)
        except CacheError as error:
            faults.append(error)
    try:
        return _kept(open_store(), engine, identity, faults)
    except CacheError as error:
        faults.append(error)
        return None


def _kept(store: Store, engine: Engine, identity: Identity, faults: list[CacheError]) -> Loaded:
    return _used(store.load(engine, identity), store.path(identity), faults)


def _used(module: Module, path: Path, faults: list[CacheError]) -> Loaded:
    return Loaded(module, CacheStatus(Outcome.USED, path, reason_of(faults)))


class _Source(NamedTuple):
    engine: Engine
    wasm: Path
    identity: Identity
    progress: Progress

    def compile(self) -> Module:
        import wasmtime

        self.progress(COMPILING)
        return wasmtime.Module(self.engine, self.wasm.read_bytes())

    def check_provenance(self) -> None:
        """Raise if the guest is not the one whose hash was taken from the file beside it."""
        if content_hash(self.wasm.read_bytes()) != self.identity.guest:
            raise CacheError(f"{PROVENANCE} does not describe {self.wasm}; build or install the guest again")


def _compile_and_store(source: _Source, faults: list[CacheError]) -> Loaded:
    with contextlib.ExitStack() as held:
        try:
            store = held.enter_context(locked_store(lambda: source.progress(WAITING)))
        except CacheError as error:
            return _bypassed(source.compile(), [*faults, error])
        with contextlib.suppress(CacheError):  # another process may have stored it meanwhile
            return _kept(store, source.engine, source.identity, [])
        module = source.compile()
        try:
            source.check_provenance()
            store.save(module, source.identity)
        except CacheError as error:
            return _bypassed(module, [*faults, error])
        return Loaded(module, CacheStatus(Outcome.STORED, store.path(source.identity), reason_of(faults)))


def _bypassed(module: Module, faults: list[CacheError]) -> Loaded:
    return Loaded(module, CacheStatus(Outcome.BYPASSED, None, reason_of(faults)))


def reason_of(faults: list[CacheError]) -> str:
    """The faults as one text; that there was nothing yet is none."""
    return "; ".join(dict.fromkeys(str(fault) for fault in faults if not isinstance(fault, MissingError)))


def _silent(_: str) -> None:
    pass
