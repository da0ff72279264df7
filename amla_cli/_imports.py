"""The hint for a script that imports a file beside it: scripts see no folder of the host that was not mounted."""

from __future__ import annotations

import os
import posixpath
import re
import shlex

from ._scripts import Script

__all__ = ["import_hint"]

_MISSING = re.compile(r"Cannot find module '(/[^'\n]+)'")
_RELATIVE = re.compile(r"""["'`](\.\.?/[^"'`\n]+)["'`]""")
_WORKSPACE = "/workspace"
_SCRIPTS = (".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".json")
_ENDINGS = ("", *_SCRIPTS, *(f"/index{ending}" for ending in _SCRIPTS))  # what an import tries, about


def import_hint(message: str, script: Script) -> str:
    """What to mount for the module that `message` misses, if the host has it where the script looks; else nothing.

    Scripts are hostile and choose their messages: what lies outside the script's folder must be named by its text.
    """
    found = _MISSING.search(message)
    if found is None:
        return ""
    module = posixpath.normpath(found[1])
    folder = os.path.dirname(script.label) if os.path.isfile(script.label) else ""  # noqa: PTH113, PTH120 - as written
    inside = posixpath.relpath(module, _WORKSPACE)
    if inside.split("/")[0] != "..":
        return _hint(os.path.join(folder, inside.split("/")[0]), inside.split("/")[0], os.path.join(folder, inside))  # noqa: PTH118
    for written in _RELATIVE.findall(script.text):
        if posixpath.normpath(posixpath.join(_WORKSPACE, written)) == module:
            file = os.path.normpath(os.path.join(folder, written))  # noqa: PTH118
            return _hint(file, module, file)
    return ""


def _hint(host: str, guest: str, file: str) -> str:
    """Mounting `host` at `guest` brings `file` in, if that is there under one of the names that an import tries."""
    here = _existing(file)
    if not here:
        return ""
    if not os.path.exists(host):  # noqa: PTH110 - the import left out the ending
        host, guest = here, guest + here.removeprefix(file)
    word = shlex.quote(f"{host}:{guest}")
    return f"{here} is on the host, where scripts cannot look: add --mount {word} to copy it in"


def _existing(file: str) -> str:
    return next((file + ending for ending in _ENDINGS if os.path.isfile(file + ending)), "")  # noqa: PTH113
