"""When a guest whose time is up is asked to stop, and when it is stopped; the clocks are the tests' own."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

from amla_sandbox._guest import _watchdog
from amla_sandbox._guest._watchdog import GRACE, PATIENCE


class Guest:
    """One whose deadline is 0."""

    deadline = 0.0
    heard = False

    def __init__(self) -> None:
        self.told: list[str] = []

    def tick(self, now: float) -> None: ...

    def interrupt(self) -> None:
        self.told.append("interrupt")

    def kill(self) -> None:
        self.told.append("kill")

    def looked_at(self, now: float) -> list[str]:
        _watchdog._look(id(self), self, now)
        return self.told


class Unhurried(Guest):
    """What the watchdog's own thread, should it be awake, sees in the other's place."""

    deadline = math.inf


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What the guest's thread has computed, in seconds."""
    clock = [5.0]
    monkeypatch.setattr(_watchdog, "_computed", lambda _: clock[0])
    return clock


@pytest.fixture
def guest() -> Iterator[Guest]:
    watched = Guest()
    _watchdog._active[id(watched)] = Unhurried()
    yield watched
    _watchdog.unwatch(watched)


def test_one_that_computes_on_is_stopped_after_the_grace(guest: Guest, computed: list[float]) -> None:
    assert guest.looked_at(1.0) == ["interrupt"]
    computed[0] += GRACE
    assert guest.looked_at(1.0 + GRACE * 0.9) == ["interrupt"]
    assert guest.looked_at(1.0 + GRACE * 1.1) == ["interrupt", "kill"]


@pytest.mark.usefixtures("computed")
def test_one_that_had_no_turn_on_a_busy_machine_gets_longer(guest: Guest) -> None:
    guest.looked_at(1.0)
    assert guest.looked_at(1.0 + PATIENCE * 0.9) == ["interrupt"]
    assert guest.looked_at(1.0 + PATIENCE) == ["interrupt", "kill"]


def test_one_that_had_part_of_its_turn_gets_longer(guest: Guest, computed: list[float]) -> None:
    guest.looked_at(1.0)
    computed[0] += GRACE / 2
    assert guest.looked_at(1.0 + GRACE * 2) == ["interrupt"]
    computed[0] += GRACE
    assert guest.looked_at(1.0 + GRACE * 3) == ["interrupt", "kill"]


def test_one_that_has_heard_may_put_away_what_there_is(guest: Guest, computed: list[float]) -> None:
    guest.looked_at(1.0)
    guest.heard = True
    computed[0] += GRACE * 3
    assert guest.looked_at(1.0 + GRACE * 3) == ["interrupt"]
    assert guest.looked_at(1.0 + PATIENCE) == ["interrupt", "kill"]


def test_a_thread_that_is_gone_has_no_clock() -> None:
    assert _watchdog._computed(0) == float("inf")
