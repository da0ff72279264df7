"""The terminal as a script's standard input: lines as they are typed, until Ctrl-D or the end of the script."""

from __future__ import annotations

import os
import select
from collections.abc import Iterator

from amla_cli._streams import TERMINAL

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
            if self._is_there(_LOOK):
                data = self._read()
                if data == b"":
                    return
                if data is not None:
                    yield data

    def _read(self) -> bytes | None:
        """What was typed, unless it is the answer to a question, or came when the script was over."""
        with TERMINAL:
            return os.read(self._fd, _CHUNK) if not self._over and self._is_there(0) else None

    def _is_there(self, seconds: float) -> bool:
        return bool(select.select([self._fd], [], [], seconds)[0])
