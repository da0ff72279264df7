"""`Effort`: how much work questions about constraints may take, so that hostile ones end undecided, not late."""

from __future__ import annotations

from math import inf

from amla_capabilities._errors import UndecidableError

__all__ = ["Effort", "EffortError"]


class EffortError(UndecidableError):
    """The steps of an `Effort` are used up."""


class Effort:
    """A number of small steps, without limit unless one is given; several questions may share it."""

    def __init__(self, most: float = inf) -> None:
        self._most = most
        self.spent = 0

    def spend(self, steps: int) -> bool:
        """Account for steps about to be taken; always True. Raises `EffortError` if too few are left."""
        if self.spent + steps > self._most:
            raise EffortError("cannot decide in the time there is: there are too many constraints")
        self.spent += steps
        return True
