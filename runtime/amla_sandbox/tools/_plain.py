"""Python objects that stand for JSON values: one step from the object to its JSON form.

A class is recognised by its name or by what it offers, never by importing the library that made it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import fields
from enum import Enum
from typing import Any

__all__ = ["NotJsonError", "canonical_name_of", "class_names", "plain"]


class NotJsonError(TypeError):
    """An object without a JSON form; the message continues "the value is …"."""


def plain(value: Any) -> Any:
    """A simpler equivalent of ``value``, as the ``default`` of ``json.dumps``: not JSON yet, perhaps, but closer."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return dict(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    if isinstance(value, Set):
        return _listed(value)  # pyright: ignore[reportUnknownArgumentType]
    if hasattr(value, "__dataclass_fields__"):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, os.PathLike):
        return os.fspath(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    known = _by_class(value)
    if known is not None:
        return known(value)
    raise NotJsonError(f"of type {type(value).__name__}, which has no JSON form; return plain data")


def canonical_name_of(kind: type) -> str:
    """``datetime.datetime`` and the like: how the tables here know a class."""
    return f"{kind.__module__}.{kind.__qualname__}"


def class_names(value: object) -> Iterator[str]:
    """The names of an object's class and its bases, the nearest first."""
    return map(canonical_name_of, type(value).__mro__)


def _by_class(value: object) -> Callable[[Any], Any] | None:
    found = (_CONVERSIONS.get(name) for name in class_names(value))
    return next((conversion for conversion in found if conversion is not None), None)


def _listed(items: Set[Any]) -> list[Any]:
    try:
        return sorted(items)
    except TypeError:
        return list(items)


def _base64(data: bytes) -> str:
    from base64 import b64encode

    return b64encode(data).decode()


def _isoformat(value: Any) -> str:
    text: str = value.isoformat()
    return text


def _seconds(value: Any) -> float:
    seconds: float = value.total_seconds()
    return seconds


def _pydantic(value: Any) -> Any:
    return value.model_dump(mode="python", by_alias=True)


def _numpy(value: Any) -> Any:
    return value.tolist()


def _msgspec(value: Any) -> Any:
    return sys.modules["msgspec"].to_builtins(value)


_CONVERSIONS: dict[str, Callable[[Any], Any]] = {
    "datetime.datetime": _isoformat,
    "datetime.date": _isoformat,
    "datetime.time": _isoformat,
    "datetime.timedelta": _seconds,
    "uuid.UUID": str,
    "decimal.Decimal": str,
    "fractions.Fraction": str,
    "ipaddress._BaseAddress": str,
    "ipaddress._BaseNetwork": str,
    "builtins.bytes": _base64,
    "builtins.bytearray": _base64,
    "builtins.memoryview": _base64,
    "collections.deque": list,
    "pydantic.main.BaseModel": _pydantic,
    "pydantic.networks._BaseUrl": str,
    "msgspec.Struct": _msgspec,
    "numpy.generic": _numpy,
    "numpy.ndarray": _numpy,
}
