"""What many strings have in common at their beginning: a folder, a host, a prefix."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

__all__ = ["beginnings"]

_SEPARATOR = re.compile(r"[^A-Za-z0-9]")
_HOST = re.compile(r"https?://([a-z0-9.-]+)(?=[:/?#]|$)")


def beginnings(values: list[str]) -> Iterator[dict[str, Any]]:
    """What may describe many strings, the best first; whether one holds of them all is found out by trying."""
    hosts = [found[1] if (found := _HOST.match(value)) else "" for value in values]
    prefix = _whole_words(_common(values))
    if all(hosts):
        if prefix.count("/") >= 3:  # scheme and host are whole
            yield {"starts_with": prefix}
        yield {"host_in": sorted(set(hosts))}
        return
    folder = prefix.rpartition("/")[0]
    if folder.startswith("/"):
        yield {"under": folder}
    if prefix.strip("/. "):
        yield {"starts_with": prefix}


def _common(values: list[str]) -> str:
    """What all of them begin with: what the first and the last in order do."""
    first, last = min(values), max(values)
    length = next((n for n, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1]), len(first))
    return first[:length]


def _whole_words(prefix: str) -> str:
    """As much of a prefix as ends with a separator: `user-` of `user-1` and `user-12`."""
    ends = [found.end() for found in _SEPARATOR.finditer(prefix)]
    return prefix[: ends[-1]] if ends else ""
