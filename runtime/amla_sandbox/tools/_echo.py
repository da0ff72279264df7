"""R20's last step: does a converted value still say what the checked JSON said?

A converter may coerce, strip, truncate, default or drop; then the tool would use another value than the one that policy
judged. So the converted value is compared with the JSON it came from, structurally and without coercion.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Set
from enum import Enum
from typing import Any

from ._json import is_array, is_object
from ._plain import NotJsonError, class_names, plain

__all__ = ["echoes"]

_INSTANT = re.compile(r"(?P<head>[^.Zz+]*?)(?:\.(?P<fraction>\d+?)0*)?(?P<zone>[Zz]|[+-]\d\d:\d\d)?\Z")


def echoes(given: Any, made: Any) -> bool:
    """Whether ``made`` (any Python value) carries exactly the JSON value ``given``.

    A structured ``made`` may have members that ``given`` lacks (its own defaults), never the reverse.
    """
    if isinstance(made, Enum):
        return echoes(given, made.value)
    if given is None or isinstance(given, bool):
        return made is given
    if isinstance(given, str):
        return _echoes_text(given, made)
    if isinstance(given, int | float):
        return _echoes_number(given, made)
    if is_array(given):
        return _echoes_array(given, made)
    return _echoes_object(given, made)


def _echoes_text(given: str, made: Any) -> bool:
    if isinstance(made, str):
        return given == made
    compare = _TEXTS.get(_known_name(made))
    if compare is not None:
        return compare(given, made)
    try:
        simpler = plain(made)
    except NotJsonError:
        return given == str(made)
    return bool(given == simpler)


def _echoes_number(given: float, made: Any) -> bool:
    if isinstance(made, bool):
        return False
    if isinstance(made, int | float):
        return given == made
    name = _known_name(made)
    if name == "datetime.timedelta":
        return bool(given == made.total_seconds())
    return name == "decimal.Decimal" and str(given) == str(made)


def _echoes_array(given: Any, made: Any) -> bool:
    if isinstance(made, Set):
        return _echoes_set(given, made)  # pyright: ignore[reportUnknownArgumentType]
    items: Any = list(made) if _known_name(made) == "collections.deque" else made
    return is_array(items) and len(given) == len(items) and all(map(echoes, given, items))


def _echoes_set(given: Any, made: Set[Any]) -> bool:
    """Order is not part of a set: match each element once, cheaply where the elements are scalars."""
    left = list(made)
    if len(given) != len(left):
        return False
    positions = {repr(_simple(item)): item for item in left}
    return len(positions) == len(left) and all(
        repr(item) in positions and echoes(item, positions[repr(item)]) for item in map(_simple, given)
    )


def _simple(item: Any) -> Any:
    if isinstance(item, str | int | float | bool) or item is None:
        return item.value if isinstance(item, Enum) else item
    if is_array(item):
        return [_simple(part) for part in item]
    if is_object(item):
        return sorted((str(key), _simple(value)) for key, value in item.items())
    return _simple(plain(item))


def _echoes_object(given: Mapping[str, Any], made: Any) -> bool:
    try:
        simpler = made if is_object(made) else plain(made)
    except NotJsonError:
        return False
    if not is_object(simpler):
        return False
    members = {_key(key): value for key, value in simpler.items()}
    return all(key in members and echoes(value, members[key]) for key, value in given.items())


def _key(key: Any) -> str:
    return str(key.value if isinstance(key, Enum) else key)


def _known_name(value: Any) -> str:
    for base in class_names(value):
        if base in _TEXTS or base in ("datetime.timedelta", "collections.deque"):
            return base
    return ""


def _same_instant(given: str, made: Any) -> bool:
    """The same fields as written: ``Z`` is ``+00:00`` and trailing zeros of a fraction do not count, nothing else."""
    return _instant(given) == _instant(made.isoformat())


def _instant(text: str) -> tuple[str, str, str]:
    match = _INSTANT.match(text)
    if match is None:
        return text, "", ""
    head = match["head"].upper().replace(" ", "T")
    zone = match["zone"] or ""
    return head, (match["fraction"] or "").rstrip("0"), "+00:00" if zone in ("Z", "z", "-00:00") else zone


def _same_decimal(given: str, made: Any) -> bool:
    return made.is_finite() and given == format(made, "f")


def _same_bytes(given: str, made: Any) -> bool:
    from base64 import b64encode

    return given == b64encode(made).decode() or given.encode("utf-8", "surrogatepass") == made


def _same_secret(given: str, made: Any) -> bool:
    return bool(given == made.get_secret_value())


_TEXTS: dict[str, Callable[[str, Any], bool]] = {
    "datetime.datetime": _same_instant,
    "datetime.date": _same_instant,
    "datetime.time": _same_instant,
    "uuid.UUID": lambda given, made: given.lower() == str(made),
    "decimal.Decimal": _same_decimal,
    "builtins.bytes": _same_bytes,
    "builtins.bytearray": _same_bytes,
    "pydantic.types.SecretStr": _same_secret,
}
