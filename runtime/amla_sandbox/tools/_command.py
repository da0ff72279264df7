"""A program to start, and how one ended."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import NamedTuple

__all__ = ["Command", "Finished"]


class Command(NamedTuple):
    """One process to start; ``argv[0]`` is an absolute path."""

    argv: tuple[str, ...]
    cwd: str
    environment: Mapping[str, str]
    stdin: bytes

    @property
    def name(self) -> str:
        """What messages call it."""
        return PurePath(self.argv[0]).name


class Finished(NamedTuple):
    """How it ended: a negative ``status`` is the signal that killed it; ``stderr`` is cut to its end."""

    status: int
    stdout: bytes
    stderr: bytes
