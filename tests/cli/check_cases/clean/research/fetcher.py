"""Pages, notes and a store of keys."""

from __future__ import annotations

from typing import Any


async def fetch(url: str, headers: dict[str, str] | None = None, timeout: float = 10.0) -> dict[str, Any]:
    """Fetch a page of an allowed site."""
    raise NotImplementedError


def append_note(title: str, text: str, tags: list[str] = []) -> int:  # noqa: B006
    """Add a note; its number."""
    raise NotImplementedError


def kv_get(key: str) -> Any:
    """A stored value, None if there is none."""
    raise NotImplementedError


def kv_set(key: str, value: Any) -> None:
    """Store a value."""
    raise NotImplementedError
