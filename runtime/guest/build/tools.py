"""The tools that a build installs for itself when they are missing, and nothing else about them."""

from __future__ import annotations

import importlib
import sys
from importlib import metadata

from .errors import BuildError
from .node import NODE_PACKAGE, system_node

__all__ = ["TZDATA", "WASMTIME", "ZIG", "compiler_command", "require", "requirements"]

ZIG = "0.17.1"
WASMTIME = "50.0.1"
TZDATA = "2026.6"

_PINNED = {"ziglang": ZIG, "tzdata": TZDATA}
"""Versions that shape the guest's bytes. wasmtime only runs the module once and any version gives the same memory."""


def requirements() -> list[str]:
    """What to install, as requirement lines, for a build on this machine."""
    lines = [f"ziglang=={ZIG}", "pip", f"wasmtime=={WASMTIME}", f"tzdata=={TZDATA}"]
    return lines if system_node() else [*lines, NODE_PACKAGE]


def require() -> None:
    """Raise ``BuildError`` unless every tool is here in the version that the build is pinned to."""
    missing = [line for line in requirements() if not _satisfied(line)]
    if missing:
        wanted = " ".join(missing)
        raise BuildError(
            f"tools are missing or have another version.\nInstall them: {sys.executable} -m pip install {wanted}"
        )


def _satisfied(line: str) -> bool:
    name, _, _ = line.partition("==")
    try:
        importlib.import_module(name.replace("-wheel-binaries", "_wheel"))
        version = metadata.version(name)
    except (ImportError, metadata.PackageNotFoundError):
        return False
    return version == _PINNED.get(name, version)


def compiler_command() -> list[str]:
    return [sys.executable, "-m", "ziglang", "cc"]
