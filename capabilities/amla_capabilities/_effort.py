"""`Effort`: how much work questions about constraints may take, so that hostile ones end undecided, not late."""

from __future__ import annotations

from math import inf

from ._errors import UndecidableError

__all__ = ["Effort"]


class Effort:
    """A number of small steps, without limit unless one is given; several questions may share it."""

    def __init__(self, steps: float = inf) -> None:
        self._left = steps

    def spend(self, steps: int) -> bool:
        """Account for steps about to be taken; always True. Raises `UndecidableError` when too few are left."""
        self._left -= steps
        if self._left < 0:
            raise UndecidableError("cannot decide in the time there is: there are too many constraints")
        return True
