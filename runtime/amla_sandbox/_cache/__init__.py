"""The guest compiled for this machine, kept for this user (rule R32).

Compiling takes seconds, so its result is kept below the user's cache folder:

    <cache>/precompiled/         0700, ours; nobody else can change it or any folder above it
        key                      0600, 32 random bytes: what the entries are sealed with
        lock                     held while compiling, storing and removing
        <fingerprint>-<cpu>.compiled

Compiled code runs outside the sandbox's walls, so an entry is believed only after its file was opened once, found to be
this user's alone, and its seal (an HMAC over those very bytes) was verified. What cannot be used is never an error for
whoever wants to run a script: the guest is compiled in memory, and the status says why.

Nothing here imports wasmtime before a module is asked for.
"""

from __future__ import annotations

from ._commands import check, clear, export, precompile
from ._export import PRECOMPILED_VARIABLE
from ._load import Loaded, describe, load, load_module
from ._place import CACHE_VARIABLE, cache_folder
from ._status import CacheError, CacheStatus, CacheWarning, Outcome

__all__ = [
    "CACHE_VARIABLE",
    "PRECOMPILED_VARIABLE",
    "CacheError",
    "CacheStatus",
    "CacheWarning",
    "Loaded",
    "Outcome",
    "cache_folder",
    "check",
    "clear",
    "describe",
    "export",
    "load",
    "load_module",
    "precompile",
]
