"""Compiling the guest ahead of the first sandbox."""

from __future__ import annotations

from pathlib import Path

from ._errors import SandboxError
from ._guest._engine import CONFIGURATION, GUEST, make_engine

__all__ = ["precompile_module"]


def precompile_module() -> Path:
    """Compile the guest for this machine and keep it; the file it is kept in. Takes seconds, or nothing the next time.

    Raises SandboxError where nothing can be kept.
    """
    from ._cache import precompile

    status = precompile(make_engine(), GUEST, CONFIGURATION)
    if status.path is None or not status.ready:
        raise SandboxError(f"the guest was compiled but cannot be kept: {status.reason}")
    return Path(status.path)
