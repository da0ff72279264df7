"""What surrounds amla: the folder of its cache, the variables that it reads."""

from __future__ import annotations

import os
from collections.abc import Iterator

from ._check import Check, State

__all__ = ["cache", "variables"]

_VARIABLES = ("AMLA_TOOLS", "AMLA_CACHE_DIR", "AMLA_PRECOMPILED", "NO_COLOR", "TERM", "COLUMNS")


def cache() -> Iterator[Check]:
    """Whether the next start finds the guest compiled."""
    from amla_sandbox._cache import cache_folder, check
    from amla_sandbox._guest._engine import CONFIGURATION, GUEST, make_engine

    status = check(make_engine(), GUEST, CONFIGURATION)
    if status.ready:
        yield Check("cache", State.OK, f"the guest is compiled: {status.path}")
    elif status.reason:
        yield Check(
            "cache", State.WARNING, f"nothing can be kept: {status.reason}", "put that right, or set AMLA_CACHE_DIR"
        )
    else:
        detail = f"the guest is not compiled yet; it will be kept in {cache_folder()}"
        yield Check("cache", State.NOTE, detail, "amla precompile")


def variables() -> Iterator[Check]:
    for name in _VARIABLES:
        if name in os.environ:
            yield Check(f"${name}", State.NOTE, os.environ[name])
