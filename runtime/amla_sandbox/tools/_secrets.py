"""Keeping the bytes of secrets out of what comes back from a tool (R27)."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from ._json import is_array, is_object

__all__ = ["MASK", "mask_text", "mask_value", "spellings"]

MASK = "[secret]"


_MOST_KEPT = 10_000
"""Characters of secrets whose forms are kept for the next text; arbitrary. A script can give arguments of any size."""


def spellings(secrets: tuple[str, ...]) -> tuple[str, ...]:
    """Every form in which a secret is looked for: as it is, in JSON, in a URL; the longest first."""
    return (_kept if sum(map(len, secrets)) <= _MOST_KEPT else _spelled)(secrets)


def _spelled(secrets: tuple[str, ...]) -> tuple[str, ...]:
    from urllib.parse import quote, quote_plus

    forms = {
        form
        for secret in secrets
        if secret
        for form in (secret, json.dumps(secret)[1:-1], quote(secret, safe=""), quote_plus(secret), quote(secret))
    }
    return tuple(sorted(forms, key=lambda form: (-len(form), form)))


_kept = lru_cache(maxsize=64)(_spelled)


def mask_text(text: str, secrets: tuple[str, ...]) -> str:
    """``text`` with each spelling of each secret replaced by ``[secret]``."""
    for form in spellings(secrets):
        text = text.replace(form, MASK)
    return text


def mask_value(value: Any, secrets: tuple[str, ...]) -> Any:
    """A JSON value with the secrets masked in every string and key; ``value`` itself where there are none to mask."""
    if not secrets:
        return value
    if isinstance(value, str):
        return mask_text(value, secrets)
    if is_object(value):
        return {mask_text(str(key), secrets): mask_value(item, secrets) for key, item in value.items()}
    return [mask_value(item, secrets) for item in value] if is_array(value) else value
