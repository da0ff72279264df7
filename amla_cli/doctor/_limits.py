"""Whether limits hold in this process, by trying: the same proof that precedes each process's first script."""

from __future__ import annotations

import time
from collections.abc import Iterator

from ._check import Check, State

__all__ = ["active"]

_NO_HARD_STOP = (
    "scripts that ignore the interrupt end later than their deadline; run them in a process that you can end"
)


def active() -> Iterator[Check]:
    from amla_sandbox._errors import SandboxError
    from amla_sandbox._guest._canary import prove_limits
    from amla_sandbox._guest._engine import engine
    from amla_sandbox._guest._pages import CAN_REVOKE

    started = time.perf_counter()
    loaded = engine()
    yield Check("engine", State.OK, f"ready after {(time.perf_counter() - started) * 1000:.0f} ms")
    try:
        prove_limits(loaded)
    except SandboxError as error:
        yield Check("limits", State.FAILED, str(error))
        return
    yield Check("limits", State.OK, "an endless loop was ended in time; 'amla selftest' tries all of them")
    if not CAN_REVOKE:
        yield Check("hard stop", State.WARNING, "this system cannot take a running guest's memory away", _NO_HARD_STOP)
