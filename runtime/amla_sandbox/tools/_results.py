"""From what a tool returned to the JSON bytes that the guest reads.

The C encoder does the work; Python code runs only for objects that it does not know, and to say where a value stands
that cannot cross. What crosses is exact or refused: JavaScript would round an integer beyond 2**53, and JSON has no
NaN.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, NoReturn

from ._errors import ResultError
from ._json import extend_path, is_array, is_fresh_object, is_object, show
from ._plain import NotJsonError, plain
from ._secrets import mask_value, spellings

__all__ = ["MAX_RESULT", "encode_result"]

MAX_RESULT = 16_000_000  # bytes; the default of the limit with that name
MAX_EXACT = 2**53 - 1  # the largest integer that a JavaScript number holds exactly, with all below it
_MAX_DEPTH = 500  # the guest's JSON.parse and the encoder's recursion both end soon after; arbitrary

_GLANCED = 100  # values whose texts are added up before any is written; arbitrary

_PIECE = 1 << 16  # bytes that are looked through at once; arbitrary, a copy of a large result would be a waste
_LONG_INTEGER = re.compile(rb"(?:\A|[\[,:])-?[0-9]{16,}(?=[,\]}]|\Z)")
_DIGITS_AS_ZEROS = bytes(ord("0") if chr(byte).isdigit() and byte < 128 else byte for byte in range(256))


def encode_result(value: Any, *, limit: int = MAX_RESULT, secrets: tuple[str, ...] = ()) -> bytes:
    """``value`` as UTF-8 JSON of at most ``limit`` bytes, with every string in ``secrets`` masked.

    Beyond JSON's own types: tuples, sets (sorted where they can be), enums (their value), dates, times and UUIDs (ISO
    text), Decimal (text, so that no digit is lost), paths, bytes (base64), dataclasses, pydantic models and msgspec
    structs (objects), named tuples and numpy arrays (arrays). ``-0.0`` and lone surrogates cross as they are.
    Raises ResultError naming the value and its path for anything else: NaN, infinities, integers that
    JavaScript cannot hold, keys that are not text, cycles, unknown objects.
    """
    data = _encode(value, limit)
    if secrets:
        data = _masked(data, secrets)
        _check_size(len(data), limit)
    return data


def _check_size(size: int, limit: int) -> None:
    if size > limit:
        raise ResultError(f"the result takes {size:,} bytes as JSON; at most {limit:,} are allowed")


def _check_texts(value: Any, limit: int) -> None:
    """Refuse at a glance what holds too much text: writing it as JSON first would keep a run past its deadline."""
    waiting: list[Any] = [value]
    size = 0
    for _ in range(_GLANCED):
        if not waiting:
            break
        item = waiting.pop()
        if isinstance(item, str | bytes):
            size += len(item)
        elif is_fresh_object(item):
            waiting += islice(item.values(), _GLANCED)
        elif is_array(item):
            waiting += islice(item, _GLANCED)
    if size > limit:
        raise ResultError(f"the result takes more than {size:,} bytes as JSON; at most {limit:,} are allowed")


def _encode(value: Any, limit: int) -> bytes:
    _check_texts(value, limit)
    try:
        data = _PLAIN_TEXT.encode(value).encode()
    except UnicodeEncodeError:  # lone surrogates exist only as escapes
        data = _ESCAPED.encode(value).encode()
    except (TypeError, ValueError, RecursionError, NotJsonError):
        _diagnose(value)
    _check_size(len(data), limit)
    if _may_hold_long_integer(data):
        for path, item in _leaves(value, "result", 0):
            _check_integer(item, path)
    return data


def _may_hold_long_integer(data: bytes) -> bool:
    """A quick no for nearly every result: the exact pattern costs a hundred times more than looking for 16 digits."""
    pieces = (data[at : at + _PIECE + 15].translate(_DIGITS_AS_ZEROS) for at in range(0, len(data), _PIECE))
    return any(b"0" * 16 in piece for piece in pieces) and _LONG_INTEGER.search(data) is not None


def _encoder(*, ascii_only: bool) -> json.JSONEncoder:
    return json.JSONEncoder(ensure_ascii=ascii_only, allow_nan=False, separators=(",", ":"), default=plain)


_PLAIN_TEXT, _ESCAPED = _encoder(ascii_only=False), _encoder(ascii_only=True)


def _masked(data: bytes, secrets: tuple[str, ...]) -> bytes:
    text = data.decode()
    if not any(form in text for form in spellings(secrets)):
        return data
    return _ESCAPED.encode(mask_value(json.loads(data), secrets)).encode()


def _diagnose(value: Any) -> NoReturn:
    """The encoder refused ``value``: find out where, and say it."""
    for path, item in _leaves(value, "result", 0):
        _check_integer(item, path)
        if isinstance(item, float) and not math.isfinite(item):
            raise ResultError(f"{path} is {_named(item)}, which JSON cannot carry; return null or text instead")
    raise ResultError("the result cannot be written as JSON")


def _named(number: float) -> str:
    return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"


def _check_integer(item: Any, path: str) -> None:
    if isinstance(item, int) and abs(item) > MAX_EXACT and (abs(item) >= 2**1023 or int(float(item)) != item):
        raise ResultError(f"{path} is {show(item)}, which JavaScript cannot hold exactly; return it as text")


def _leaves(value: Any, path: str, depth: int) -> Iterator[tuple[str, Any]]:
    """Every scalar in ``value`` with its path; raises ResultError for what has no JSON form on the way."""
    if depth > _MAX_DEPTH:
        raise ResultError(f"the result is nested more than {_MAX_DEPTH} levels deep, or contains itself")
    if is_object(value):
        for key, item in value.items():
            yield from _leaves(item, extend_path(path, _key(key, path)), depth + 1)
    elif is_array(value):
        for index, item in enumerate(value):
            yield from _leaves(item, f"{path}[{index}]", depth + 1)
    elif value is None or isinstance(value, str | int | float):
        yield path, value
    else:
        try:
            replaced = plain(value)
        except NotJsonError as error:
            raise ResultError(f"{path} is {error}") from None
        yield from _leaves(replaced, path, depth + 1)


def _key(key: Any, path: str) -> str:
    if isinstance(key, str):
        return key
    if key is None or isinstance(key, bool | int | float):
        return json.dumps(key)
    raise ResultError(f"{path} has a key of type {type(key).__name__}; keys must be text")
