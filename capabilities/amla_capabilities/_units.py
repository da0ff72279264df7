"""Durations and sizes as people write them: `500ms`, `30s`, `2m`, `64MB`, `1GiB`."""

from __future__ import annotations

import re

__all__ = ["format_duration", "format_size", "parse_duration", "parse_size"]

_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_BYTES = {
    "B": 1,
    "KB": 10**3,
    "MB": 10**6,
    "GB": 10**9,
    "KiB": 2**10,
    "MiB": 2**20,
    "GiB": 2**30,
}
_WRITTEN = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]*)")


def parse_duration(text: str) -> float:
    """Seconds. `0` needs no unit. Raises `ValueError` saying what is accepted."""
    number, unit = _split(text, _SECONDS, "a duration", "500ms, 30s, 2m or 1h")
    return number * _SECONDS[unit] if unit != "ms" else number / 1000


def parse_size(text: str) -> int:
    """Bytes: `MB` is 1,000,000, `MiB` is 1,048,576. `0` needs no unit. Raises `ValueError` saying what is accepted."""
    number, unit = _split(text, _BYTES, "a size", "64MB, 512KiB or 1GiB")
    size = number * _BYTES[unit]
    if size != int(size):
        raise ValueError(f"{text!r} is not a whole number of bytes")
    return int(size)


def _split(text: str, units: dict[str, float] | dict[str, int], what: str, examples: str) -> tuple[float, str]:
    found = _WRITTEN.fullmatch(text.strip()) if text.isascii() else None
    if found is None:
        raise ValueError(f"{text!r} is not {what}; write for example {examples}")
    unit = next((known for known in units if known.lower() == found[2].lower()), None)
    if unit is None and (found[2] or float(found[1])):
        problem = f"unknown unit {found[2]!r} in {text!r}" if found[2] else f"{text!r} lacks a unit"
        raise ValueError(f"{problem}; write for example {examples}")
    return float(found[1]), unit or next(iter(units))


def format_duration(seconds: float) -> str:
    """The shortest spelling that `parse_duration` reads back."""
    if 0 < seconds < 1:
        return f"{seconds * 1000:g}ms"
    return f"{seconds / 60:g}m" if seconds >= 120 and seconds % 60 == 0 else f"{seconds:g}s"


def format_size(size: int) -> str:
    """The shortest exact spelling that `parse_size` reads back."""
    exact = [(size // factor, unit) for unit, factor in _BYTES.items() if size % factor == 0] if size else [(0, "B")]
    count, unit = min(exact)
    return f"{count}{unit}"
