"""Progress lines on stderr: pip shows them with ``-v``, a developer sees them as they come."""

from __future__ import annotations

import sys
import time

__all__ = ["Progress"]


class Progress:
    """Says what the build does, with the seconds since its start; ``detail`` speaks only when ``verbose``."""

    def __init__(self, *, verbose: bool = False) -> None:
        self.verbose = verbose
        self._start = time.monotonic()

    def step(self, text: str) -> None:
        print(f"[guest {time.monotonic() - self._start:5.1f} s] {text}", file=sys.stderr, flush=True)

    def detail(self, text: str) -> None:
        if self.verbose:
            self.step("  " + text)
