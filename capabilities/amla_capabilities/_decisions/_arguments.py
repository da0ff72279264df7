"""Arguments of a call as JSON text: parsed strictly, and no bigger than allowed, before anything else sees them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any, NoReturn

from amla_capabilities._limits import Limits
from amla_capabilities._values import MAX_DIGITS, as_list, as_mapping

__all__ = ["ArgumentsError", "check_size", "parse_arguments"]


class ArgumentsError(ValueError):
    """Arguments that are not strict JSON, not an object, or beyond the limits."""


def parse_arguments(text: str | bytes, limits: Limits) -> dict[str, Any]:
    """The JSON object in `text` (R9, R14, R20).

    Refused with `ArgumentsError`: duplicate keys, NaN and infinities (also 1e999), integers of more than 400 digits,
    anything but an object, and what exceeds `limits` in bytes, depth or number of values.
    """
    size = len(text) if isinstance(text, bytes) else len(text.encode("utf-8", "surrogatepass"))
    if limits.arguments and size > limits.arguments:
        raise ArgumentsError(f"the arguments take {size:,} bytes, and {limits.arguments:,} are allowed")
    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_constant=_constant, parse_int=_integer, parse_float=_float
        )
    except RecursionError:
        raise ArgumentsError("the arguments are nested too deeply") from None
    except ArgumentsError:
        raise
    except ValueError as error:
        raise ArgumentsError(f"the arguments are not JSON: {error}") from None
    table = as_mapping(value)
    if table is None:
        raise ArgumentsError('a tool takes exactly one object of named arguments, such as {city: "Oslo"}')
    check_size(table, limits)
    return dict(table)


def check_size(value: Any, limits: Limits) -> None:
    """Raise `ArgumentsError` where a value is deeper or has more parts than `limits` allow. Never recurses."""
    todo: list[tuple[Any, int]] = [(value, 1)]
    nodes = 0
    while todo:
        part, depth = todo.pop()
        nodes += 1
        if limits.argument_depth and depth > limits.argument_depth:
            raise ArgumentsError(f"the arguments are nested more than {limits.argument_depth} deep")
        if limits.argument_nodes and nodes > limits.argument_nodes:
            raise ArgumentsError(f"the arguments hold more than {limits.argument_nodes:,} values")
        table = as_mapping(part)
        inner: Iterable[Any] = table.values() if table is not None else as_list(part) or ()
        todo.extend((item, depth + 1) for item in inner)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ArgumentsError(f"the key {twice!r} is given twice")
    return found


def _constant(name: str) -> NoReturn:
    raise ArgumentsError(f"{name} is not a JSON number")


def _integer(token: str) -> int:
    if len(token.lstrip("-")) > MAX_DIGITS:
        raise ArgumentsError(f"an integer has more than {MAX_DIGITS} digits")
    return int(token)


def _float(token: str) -> float:
    number = float(token)
    if not math.isfinite(number):
        raise ArgumentsError(f"{token} is too large for a number")
    return number
