"""Compiled code as one file, to ship in an image that starts without a cache.

The file is named by an argument or by ``$AMLA_PRECOMPILED``. It has no secret behind it, so naming it means trusting
whoever can write it: it, and every folder above it, must be this user's or root's and closed to other writers. It must
have been compiled from the same guest, by the same engine with the same settings, for this kind of machine; a processor
that lacks what the compiling one had is refused by the engine.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ._atomic import write_atomically
from ._sealed import EXPORT_SECRET, load_sealed, sealed
from ._status import CacheError, MissingError
from ._trust import WRITE_BY_OTHERS, open_trusted, trusted_folder

if TYPE_CHECKING:
    from wasmtime import Engine, Module

    from ._identity import Identity

__all__ = ["PRECOMPILED_VARIABLE", "export_module", "load_export", "named_export"]

PRECOMPILED_VARIABLE = "AMLA_PRECOMPILED"


def named_export(argument: Path | None) -> Path | None:
    """The exported file to try first: the caller's, else the environment's, else none."""
    named = argument or os.environ.get(PRECOMPILED_VARIABLE)
    return Path(named).absolute() if named else None


def load_export(engine: Engine, file: Path, identity: Identity) -> Module:
    """The module in the exported ``file``; raises ``CacheError`` when it cannot be trusted or used."""
    try:
        path = trusted_folder(file.parent) / file.name
        opened = open_trusted(path, forbidden=WRITE_BY_OTHERS, from_root=True)
    except MissingError as error:  # unlike in the cache, a fault
        raise CacheError(str(error)) from error
    except OSError as error:
        raise CacheError(f"{file} cannot be read ({error.strerror})") from error
    try:
        return load_sealed(engine, opened, path, identity.fingerprint, EXPORT_SECRET)
    finally:
        os.close(opened)


def export_module(module: Module, identity: Identity, file: Path) -> None:
    """Write ``file`` (0644); raises ``CacheError`` when it cannot be written."""
    try:
        write_atomically(file, sealed(identity.fingerprint, EXPORT_SECRET, module.serialize()), 0o644)
    except OSError as error:
        raise CacheError(f"{file} cannot be written ({error.strerror})") from error
