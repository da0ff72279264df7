"""Strict JSON between guest and host: caps before parsing, no duplicate keys, and values that cannot be changed later.

``json.loads`` alone accepts duplicate keys (the last wins), any nesting that fits the C stack, and guesses UTF-16;
each of these lets the value that was checked differ from the value that someone else reads in the same bytes.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping, Sequence
from itertools import accumulate, islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

from ._errors import ArgumentError

if TYPE_CHECKING:
    from amla_capabilities import Limits

__all__ = [
    "MAX_DIGITS",
    "Caps",
    "extend_path",
    "freeze",
    "integer_too_long",
    "is_array",
    "is_fresh_array",
    "is_fresh_object",
    "is_object",
    "parse_json",
    "parse_text",
    "show",
    "text_of",
    "thaw",
]

MAX_DIGITS = 400  # R14; arbitrary, well under the 4,300 digits at which int() itself refuses
_TOO_BIG: int = 10**MAX_DIGITS

_MAX_DEPTH = 200  # forced: the validator's own recursion ends at about 250

_SCALARS = frozenset({str, int, float, bool, type(None)})
_OBJECTS = (dict, MappingProxyType, Mapping)  # the usual ones first: they are told quickly
_ARRAYS = (list, tuple)

_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_NO_BRACKETS = re.compile(r"[^\[\]{}]+")
_NEGATIVE_ZERO = re.compile(r"-0(?![.0-9eE])")
_IDENTIFIER = re.compile(r"[^\W\d]\w*\Z")


class Caps(NamedTuple):
    """How large one call's arguments may be, judged on the bytes before anything is built from them (R9)."""

    size: int = 1_000_000  # bytes
    depth: int = 64  # nested arrays and objects
    nodes: int = 100_000  # values, counted as commas and brackets outside strings

    @classmethod
    def of(cls, limits: Limits) -> Caps:
        """The caps that a sandbox's limits ask for; a limit of 0 leaves only what the parser and validator bear."""
        depth = min(limits.argument_depth or _MAX_DEPTH, _MAX_DEPTH)
        return cls(limits.arguments or sys.maxsize, depth, limits.argument_nodes or sys.maxsize)


def parse_json(data: bytes | memoryview, caps: Caps) -> Any:
    """The value that ``data`` spells: ``parse_text`` of ``text_of``."""
    return parse_text(text_of(data, caps), caps)


def text_of(data: bytes | memoryview, caps: Caps) -> str:
    """Bytes as text, if they are not too many. Raises ArgumentError."""
    if len(data) > caps.size:
        raise ArgumentError(f"the arguments take {len(data):,} bytes; at most {caps.size:,} are allowed")
    try:
        return str(data, "utf-8")
    except UnicodeDecodeError as error:
        raise ArgumentError(f"the arguments are not UTF-8 (byte {error.start})") from None


def parse_text(text: str, caps: Caps) -> Any:
    """The value that ``text`` spells, made of fresh dicts, lists, str, int, float, bool and None.

    NaN and infinities come through as floats, for the caller to refuse by name. Raises ArgumentError for everything
    else that is not one well-formed JSON text within ``caps``.
    """
    _check_caps(text, caps)
    try:
        decoder = _DECODER if _NEGATIVE_ZERO.search(text) is None else _SIGNED_DECODER
        return decoder.decode(text)
    except json.JSONDecodeError as error:
        raise ArgumentError(f"the arguments are not JSON: {error.msg} at character {error.pos}") from None
    except ArgumentError:
        raise
    except ValueError:  # int() of more digits than Python converts
        raise ArgumentError(f"an integer in the arguments has more than {MAX_DIGITS} digits") from None
    except RecursionError:
        raise ArgumentError(f"the arguments are nested more than {caps.depth} levels deep") from None


def freeze(value: Any) -> Any:
    """The same JSON value as read-only mappings and tuples; nobody else holds what is behind them."""
    if is_object(value):
        return MappingProxyType({key: freeze(item) for key, item in value.items()})
    if is_array(value):
        return tuple(freeze(item) for item in value)
    return value


def thaw(value: Any) -> Any:
    """A fresh, ordinary copy (dicts and lists) of a frozen value, for code that expects to own its arguments."""
    if type(value) in _SCALARS:
        return value
    if is_object(value):
        return {key: thaw(item) for key, item in value.items()}
    if is_array(value):
        return [thaw(item) for item in value]
    return value


def is_object(value: object) -> TypeGuard[Mapping[str, Any]]:
    """Whether ``value`` is a JSON object, fresh (dict) or frozen (read-only mapping)."""
    return isinstance(value, _OBJECTS)


def is_array(value: object) -> TypeGuard[Sequence[Any]]:
    """Whether ``value`` is a JSON array, fresh (list) or frozen (tuple)."""
    return isinstance(value, _ARRAYS)


def is_fresh_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Whether ``value`` is a JSON object that we may still change (or hand to the validator, which wants a dict)."""
    return isinstance(value, dict)


def is_fresh_array(value: object) -> TypeGuard[list[Any]]:
    """Whether ``value`` is a JSON array that we may still change."""
    return isinstance(value, list)


def extend_path(path: str, key: str | int) -> str:
    """``customer`` and ``zip`` make ``customer.zip``, an index ``items[0]``; odd keys are quoted (``["b c"]``)."""
    if isinstance(key, int):
        return f"{path}[{key}]"
    if not _IDENTIFIER.match(key):
        return f"{path}[{json.dumps(key)}]"
    return f"{path}.{key}" if path else key


def show(value: Any, limit: int = 80) -> str:
    """``value`` as ASCII JSON, cut to about ``limit`` characters, for a message."""
    if isinstance(value, float) and value != value:
        return "NaN"
    if isinstance(value, int) and abs(value) >= _TOO_BIG:
        return f"an integer of more than {MAX_DIGITS} digits"
    text = json.dumps(_shortened(value, limit), default=str)
    return text if len(text) <= limit else text[: limit - 3] + "..."


def integer_too_long(value: int) -> bool:
    """Whether an integer has more digits than R14 lets cross."""
    return not -_TOO_BIG < value < _TOO_BIG


def _shortened(value: Any, limit: int) -> Any:
    """Enough of ``value`` to fill ``limit`` characters, so that showing a huge value stays cheap."""
    if isinstance(value, str):
        return value[:limit]
    if is_object(value):
        return {str(key): _shortened(item, limit // 2) for key, item in islice(value.items(), limit // 4 + 1)}
    if is_array(value):
        return [_shortened(item, limit // 2) for item in value[: limit // 2 + 1]]
    return value


def _check_caps(text: str, caps: Caps) -> None:
    opened = text.count("[") + text.count("{")
    if opened <= caps.depth and opened + text.count(",") < caps.nodes:
        return  # cannot exceed either cap, whatever is inside strings
    outline = _STRING.sub("", text)
    brackets = _NO_BRACKETS.sub("", outline)
    depth = max(accumulate(1 if bracket in "[{" else -1 for bracket in brackets), default=0)
    if depth > caps.depth:
        raise ArgumentError(f"the arguments are nested {depth} levels deep; at most {caps.depth} are allowed")
    nodes = outline.count("[") + outline.count("{") + outline.count(",") + 1
    if nodes > caps.nodes:
        raise ArgumentError(f"the arguments hold about {nodes:,} values; at most {caps.nodes:,} are allowed")


def _object_without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise ArgumentError(f"the key {json.dumps(key)} appears twice in one object", key)
            seen.add(key)
    return made


def _signed_int(digits: str) -> int | float:
    return -0.0 if digits == "-0" else int(digits)


_DECODER = json.JSONDecoder(object_pairs_hook=_object_without_duplicates)
_SIGNED_DECODER = json.JSONDecoder(object_pairs_hook=_object_without_duplicates, parse_int=_signed_int)
