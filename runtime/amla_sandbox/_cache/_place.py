"""Where this user's caches are."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ._status import CacheError

__all__ = ["CACHE_VARIABLE", "cache_folder"]

CACHE_VARIABLE = "AMLA_CACHE_DIR"


def cache_folder() -> Path:
    """``$AMLA_CACHE_DIR``, or ``amla`` in the platform's folder for caches; never a shared temporary folder.

    Raises ``CacheError`` when the answer would depend on the working directory, or there is no home.
    """
    chosen = os.environ.get(CACHE_VARIABLE)
    try:
        folder = Path(chosen).expanduser() if chosen else _platform_folder()
    except RuntimeError as error:
        raise CacheError(f"this user has no home folder; set {CACHE_VARIABLE} to a folder of yours") from error
    if not folder.is_absolute():
        raise CacheError(f"the cache folder {folder} is not an absolute path; set {CACHE_VARIABLE} to one")
    return folder


def _platform_folder() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "amla"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "amla" / "Cache"
    named = os.environ.get("XDG_CACHE_HOME", "")
    # The XDG specification: a relative path there is to be ignored.
    return (Path(named) if Path(named).is_absolute() else Path.home() / ".cache") / "amla"
