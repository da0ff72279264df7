"""What `amla doctor` looks at: each check is a function that returns findings about one part of the installation."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from . import _environment, _installation, _limits, _machine
from ._check import Check, State

__all__ = ["CHECKS", "Check", "State", "examine"]

CHECKS: tuple[Callable[[], Iterable[Check]], ...] = (
    _installation.versions,
    _installation.guest,
    _installation.extras,
    _machine.platform,
    _machine.processor,
    _environment.cache,
    _limits.active,
    _environment.variables,
)
"""In the order in which they are shown."""


def examine() -> list[Check]:
    """All checks. One that fails where it should not is itself a finding."""
    return [found for check in CHECKS for found in _safely(check)]


def _safely(check: Callable[[], Iterable[Check]]) -> list[Check]:
    try:
        return list(check())
    except Exception as error:
        return [Check(check.__name__, State.FAILED, f"{type(error).__name__}: {error}", "please report this")]
