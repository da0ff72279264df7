"""No script runs in a process in which the limits were not seen to work."""

from __future__ import annotations

import pytest

from amla_sandbox import SandboxError
from amla_sandbox._guest import _watchdog
from amla_sandbox._guest._canary import prove_limits
from amla_sandbox._guest._engine import engine
from amla_sandbox._guest._guest import Guest


def test_the_canary_ends() -> None:
    prove_limits(engine())


def test_a_guest_that_ends_otherwise_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Guest, "step", lambda *_: b"")
    with pytest.raises(SandboxError, match="limits on scripts do not hold"):
        prove_limits(engine())


def test_it_is_the_watchdog_that_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []
    watch = _watchdog.watch
    monkeypatch.setattr(_watchdog, "watch", lambda guest: (seen.append(guest), watch(guest))[1])
    prove_limits(engine())
    assert len(seen) == 1
