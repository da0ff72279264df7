"""The one error that a build ends with."""

from __future__ import annotations

__all__ = ["BuildError"]


class BuildError(Exception):
    """What went wrong, where, and what to do next, in words for the person who runs the build."""
