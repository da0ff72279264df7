"""Keeping the bytes of secrets out of what comes back from a tool (R27)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from ._json import is_array, is_object

__all__ = ["MASK", "mask_text", "mask_value", "spellings"]

MASK = "[secret]"

_PERCENT = re.compile(r"%[0-9A-F]{2}")
_URL_SAFE = str.maketrans("+/", "-_")
_MOST_KEPT = 10_000
"""Characters of secrets whose forms are kept for the next text; arbitrary. A script can give arguments of any size."""

_SHORTEST_CODED = 8
"""Characters of base64 or hexadecimal digits that are taken for a secret's; fewer could be anything's. Arbitrary."""


def spellings(secrets: tuple[str, ...]) -> tuple[str, ...]:
    """Every form in which a secret is looked for, the longest first.

    As it is, in JSON, in a URL, in HTML, in hexadecimal digits, in base64, also within what else is in that. What a
    tool makes of a secret besides (a digest, half of it, what is compressed) is not known again.
    """
    return (_kept if sum(map(len, secrets)) <= _MOST_KEPT else _spelled)(secrets)


def _spelled(secrets: tuple[str, ...]) -> tuple[str, ...]:
    forms = {form for secret in secrets if secret for form in (*_escaped(secret), *_coded(_bytes(secret)))}
    return tuple(sorted(forms, key=lambda form: (-len(form), form)))


def _bytes(secret: str) -> bytes:
    return secret.encode("utf-8", "surrogatepass")


def _escaped(secret: str) -> Iterator[str]:
    from html import escape
    from urllib.parse import quote, quote_plus

    yield from (secret, json.dumps(secret)[1:-1], escape(secret), escape(secret, quote=False))
    raw = _bytes(secret)
    for form in (quote(raw, safe=""), quote_plus(raw), quote(raw)):
        yield from (form, _PERCENT.sub(lambda found: found[0].lower(), form))


def _coded(secret: bytes) -> Iterator[str]:
    from base64 import b64encode

    alone = b64encode(secret).decode()
    forms = [secret.hex(), secret.hex().upper(), alone, alone.rstrip("=")]
    for before in range(3):  # bytes before it in a group of three, of which its own digits do not depend
        digits = b64encode(bytes(before) + secret).decode().rstrip("=")
        whole = (before + len(secret)) * 8 // 6  # digits that do not depend on what follows it
        inner = digits[-(-before * 8 // 6) : whole]
        forms.append(inner)
    forms += [form.translate(_URL_SAFE) for form in forms]
    yield from (form for form in forms if len(form) >= _SHORTEST_CODED)


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
