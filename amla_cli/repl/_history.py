"""What was typed before, kept in a private file for each language. An input that begins with a space is not kept."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from prompt_toolkit.history import History

__all__ = ["KeptHistory", "history_file"]

_MOST = 5_000
"""Inputs that are kept, about; arbitrary."""


def history_file(language: str) -> Path:
    """Where the inputs in a language are kept: under $XDG_STATE_HOME, or ~/.local/state."""
    base = os.environ.get("XDG_STATE_HOME", "")
    folder = Path(base) if os.path.isabs(base) else Path.home() / ".local" / "state"  # noqa: PTH117
    return folder / "amla" / f"history-{language}.jsonl"


class KeptHistory(History):
    """One file, an input a line, each a JSON string. A file that cannot be written is no reason to complain."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._file = file

    def append_string(self, string: str) -> None:
        if not string.startswith(" "):
            super().append_string(string)

    def load_history_strings(self) -> Iterable[str]:
        """The inputs, the newest first."""
        lines = self._lines()
        if len(lines) > 2 * _MOST:
            lines = lines[-_MOST:]
            self._replace(lines)
        for line in reversed(lines):
            with suppress(ValueError):
                found = json.loads(line)
                if isinstance(found, str):
                    yield found

    def store_string(self, string: str) -> None:
        line = (json.dumps(string) + "\n").encode("ascii")
        with suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            fd = os.open(self._file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
            try:
                os.fchmod(fd, 0o600)
                os.write(fd, line)
            finally:
                os.close(fd)

    def _lines(self) -> list[bytes]:
        try:
            return self._file.read_bytes().splitlines()
        except OSError:
            return []

    def _replace(self, lines: list[bytes]) -> None:
        beside = self._file.with_suffix(f".{os.getpid()}")
        with suppress(OSError):
            fd = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(fd, "wb") as file:
                file.write(b"".join(line + b"\n" for line in lines))
            beside.replace(self._file)
