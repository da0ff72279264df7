"""QuickJS-ng: the files we take and how they are compiled.  ``quickjs.c`` itself is included by our ``engine.c``."""

from __future__ import annotations

from pathlib import Path

from .cache import Cache
from .compile import Unit
from .fixes import apply
from .messages import MESSAGES
from .messages_builtin import BUILTIN_MESSAGES
from .messages_syntax import SYNTAX_MESSAGES
from .quickjs_as_v8 import QUICKJS_PARAMETERS, QUICKJS_RADIX, QUICKJS_RULES, QUICKJS_SORT, QUICKJS_STACK, QUICKJS_WEAK
from .quickjs_date import QUICKJS_DATE
from .quickjs_digits import QUICKJS_DIGITS
from .quickjs_fixes import QUICKJS
from .quickjs_layouts import QUICKJS_LAYOUTS
from .quickjs_quick import QUICKJS_QUICK
from .quickjs_sealed import QUICKJS_SEALED
from .sources import files_of, unpack

__all__ = ["quickjs_sources", "quickjs_units"]

_FOLDER = "upstream-quickjs"
_SEPARATE = {"dtoa.c": "-O2", "libregexp.c": "-O2", "libunicode.c": "-Oz"}
"""Files that stand alone, and whether they are to be fast or small."""


def quickjs_sources(archive: Path, cache: Cache) -> Path:
    """Unpack the engine; returns the folder that holds ``quickjs.c`` and its headers."""
    behaviour = (
        QUICKJS,
        QUICKJS_SEALED,
        QUICKJS_LAYOUTS,
        QUICKJS_QUICK,
        QUICKJS_DATE,
        QUICKJS_DIGITS,
        QUICKJS_PARAMETERS,
        QUICKJS_RADIX,
        QUICKJS_RULES,
        QUICKJS_SORT,
        QUICKJS_STACK,
        QUICKJS_WEAK,
    )
    words = (MESSAGES, BUILTIN_MESSAGES, SYNTAX_MESSAGES)
    fixes = [fix for group in behaviour + words for fix in group]
    files = apply(fixes, files_of(archive.read_bytes(), lambda name: name.parts[0] == _FOLDER))
    return unpack(cache, "quickjs", files) / _FOLDER


def quickjs_units(folder: Path) -> list[Unit]:
    return [Unit(folder, name, ("-std=c11", "-w", aim)) for name, aim in _SEPARATE.items()]
