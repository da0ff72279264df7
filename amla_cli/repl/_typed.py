"""The terminal as a script's standard input: lines as they are typed, until Ctrl-D or the end of the script."""

from __future__ import annotations

import os
import select
from collections.abc import Iterator

__all__ = ["TypedInput"]

_CHUNK = 4096
_LOOK = 0.05
"""Seconds between two looks whether the script is over."""


class TypedInput:
    """Reads lines only while the script that wants them runs: what is typed afterwards is the session's again."""

    def __init__(self, fd: int = 0) -> None:
        self._fd = fd
        self._over = False

    def __enter__(self) -> Iterator[bytes]:
        return self._pieces()

    def __exit__(self, *_: object) -> None:
        self._over = True

    def _pieces(self) -> Iterator[bytes]:
        while not self._over:
            ready, _, _ = select.select([self._fd], [], [], _LOOK)
            if ready and not self._over:
                data = os.read(self._fd, _CHUNK)
                if not data:
                    return
                yield data
