"""Builds the guest: a hatch build hook, and a command for developers and CI.

As a hook it puts ``amla.wasm`` and ``provenance.json`` into ``runtime/amla_sandbox/guest`` before a wheel is packed.
By hand: ``python runtime/guest/build.py [--output DIR] [--no-cache] [-v]``; see ``--help``.

The work is done by the package ``build/`` beside this file.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

_HERE = Path(__file__).resolve().parent


def _load(module: str) -> Any:
    """Import ``guest.build.<module>`` from the source root above this file, which an installed package never has."""
    root = str(_HERE.parent)
    if root not in sys.path:
        sys.path.insert(0, root)
    return importlib.import_module(f"guest.build.{module}")


if __name__ == "__main__":
    sys.exit(_load("command").main())

from hatchling.builders.hooks.plugin.interface import BuildHookInterface  # noqa: E402 - by hand it need not be installed


class CustomBuildHook(BuildHookInterface[Any]):
    """Makes sure that a wheel carries the guest of these sources; an sdist takes along what is there."""

    def dependencies(self) -> list[str]:
        """Tools to install for this build: none when the guest is at hand already."""
        if self.target_name != "wheel":
            return []
        return list(_load("ensure").missing_tools())

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's signature
        """Build the guest, or take it from the cache, before the files of the wheel are collected."""
        if self.target_name != "wheel":
            return
        errors = _load("errors")
        try:
            _load("ensure").ensure_guest()
        except errors.BuildError as error:
            self.app.abort(f"The guest could not be built: {error}")
