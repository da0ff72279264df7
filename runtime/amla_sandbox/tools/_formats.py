"""String formats that our own schemas use beyond those of JSON Schema; asserted like the others."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

__all__ = ["EXAMPLES", "FORMATS"]

_DECIMAL = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?\Z", re.ASCII)
_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?\Z", re.ASCII)


def _is_path(text: str) -> bool:
    return text != "" and "\0" not in text


def _is_decimal(text: str) -> bool:
    return _DECIMAL.match(text) is not None


def _is_base64(text: str) -> bool:
    return _BASE64.match(text) is not None


FORMATS: dict[str, Callable[..., Any]] = {"path": _is_path, "decimal": _is_decimal, "byte": _is_base64}

EXAMPLES = {
    "date-time": "2024-01-31T09:30:00Z",
    "date": "2024-01-31",
    "time": "09:30:00Z",
    "uuid": "123e4567-e89b-12d3-a456-426614174000",
    "email": "ann@example.com",
    "uri": "https://example.com/a",
    "ipv4": "192.0.2.1",
    "decimal": "12.50",
    "byte": "aGVsbG8=",
    "path": "reports/may.txt",
    "duration": "PT1H30M",
}
"""One accepted value for each format, for error messages."""
