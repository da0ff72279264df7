"""Starting the command line as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

COMMAND = (sys.executable, "-m", "amla_cli")


@dataclass(frozen=True)
class Ended:
    """A process that ended: its status and its streams."""

    status: int
    out: bytes
    err: str


class Amla(Protocol):
    def __call__(
        self, *args: str, stdin: bytes | int = b"", env: Mapping[str, str] = ..., cwd: Path | None = None
    ) -> Ended: ...


def environment(**more: str) -> dict[str, str]:
    """This process's environment without what changes how the command line speaks."""
    dropped = ("AMLA_TOOLS", "NO_COLOR", "COLUMNS", "TERM")
    return {**{name: value for name, value in os.environ.items() if name not in dropped}, **more}


def start(*args: str, cwd: Path, **options: Any) -> subprocess.Popen[bytes]:
    """Start the command line without waiting for it."""
    return subprocess.Popen([*COMMAND, *args], cwd=cwd, env=environment(), **options)
