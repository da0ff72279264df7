"""Comparing two manifests: which rights NEW gives that OLD did not (R37)."""

from ._widened import widened

__all__ = ["widened"]
