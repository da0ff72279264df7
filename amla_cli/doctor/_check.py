"""One thing that was looked at."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

__all__ = ["Check", "State"]


class State(Enum):
    """How it is: fine, merely worth knowing, a drawback, or a reason why scripts cannot run safely."""

    OK = "ok"
    NOTE = "note"
    WARNING = "warning"
    FAILED = "failed"


class Check(NamedTuple):
    """`detail` is what was found, `hint` what to do about it."""

    name: str
    state: State
    detail: str
    hint: str = ""
