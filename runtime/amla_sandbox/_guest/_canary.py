"""Proof that limits hold in this process, before any script runs in it: an endless loop is started and must end."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from amla_sandbox._errors import SandboxError

from . import _threads
from ._guest import Guest, GuestTrapError
from ._protocol import Done, RunHeader, parse_frames, run_frame

if TYPE_CHECKING:
    from ._engine import Engine

__all__ = ["prove_limits"]

_HEADER = RunHeader("javascript", "canary.js", (), (), "/workspace", 0)
_INTERRUPTED = 124


def prove_limits(engine: Engine) -> None:
    """Raise SandboxError unless a guest is interrupted at its deadline. Takes a few milliseconds, once a process."""
    _threads.call(_prove, engine)


def _prove(engine: Engine) -> None:
    guest = Guest(engine)
    try:
        frames = guest.step([run_frame(1, _HEADER, b"for (;;);")], time.monotonic())
        ended = [frame.exit for frame in parse_frames(frames) if isinstance(frame, Done)]
    except GuestTrapError as error:
        ended = [_INTERRUPTED] if error.killed else []
    finally:
        guest.close()
    if ended != [_INTERRUPTED]:
        raise SandboxError("the limits on scripts do not hold in this process; nothing is run. Please report this")
