"""Scripts that try to get out, to go on for ever, or to call what they may not, run on this machine.

The same attempts, and many more, are among the tests; these need nothing but the installed package.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from ._endless import ENDLESS
from ._escapes import ESCAPES
from ._exhausting import EXHAUSTING
from ._trial import Trial, Verdict
from ._unallowed import UNALLOWED

__all__ = ["TRIALS", "Trial", "Verdict", "run_trials"]

TRIALS: tuple[Trial, ...] = (*ESCAPES, *ENDLESS, *EXHAUSTING, *UNALLOWED)


def run_trials(
    trials: tuple[Trial, ...] = TRIALS, started: Callable[[Trial], None] = lambda _: None
) -> Iterator[Verdict]:
    """Run each trial, in a sandbox of its own; a trial that fails where it should not has failed."""
    for trial in trials:
        started(trial)
        since = time.perf_counter()
        try:
            fault = trial.attempt()
        except Exception as error:
            fault = f"{type(error).__name__}: {error}"
        yield Verdict(trial, fault, time.perf_counter() - since)
