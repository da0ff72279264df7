"""Which inputs are dot commands, and their words."""

from __future__ import annotations

import re

__all__ = ["is_dot", "split_dot"]

_DOT = re.compile(r"\.[A-Za-z][\w-]*(?=\s|\Z)")


def is_dot(text: str) -> bool:
    """Whether an input is a dot command: a dot and a word, on a line of its own."""
    return "\n" not in text.rstrip("\n") and _DOT.match(text) is not None


def split_dot(text: str) -> tuple[str, str]:
    """The command's name, without the dot, and what follows it."""
    name, _, rest = text.strip().partition(" ")
    return name[1:], rest.strip()
