"""Paths into arguments: `customer.address.country`, `items[*].price`, `items[0].sku`, `["a.b"].c`.

`.` means nesting; a key that itself holds a dot is written in brackets and quotes (R18). `[*]` means every element.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from ._errors import ConstraintError

__all__ = ["EVERY", "Step", "parse_path", "path_text"]

EVERY: Final = None  # the step `[*]`
Step = str | int | None

_ENDS_A_NAME = '.[]"'
_EXAMPLE = 'write a path as a.b, a[0], a[*].b or ["key with.dot"]'


# Arbitrary, so that a hostile path costs little to follow: a path's characters, its steps, the digits of an index.
_MAX_TEXT = 1000
_MAX_STEPS = 64
_MAX_DIGITS = 4


@lru_cache(maxsize=4096)
def parse_path(text: str) -> tuple[Step, ...]:
    """The steps of a path; none for `""`, the value itself. Raises `ConstraintError` showing where it goes wrong."""
    if len(text) > _MAX_TEXT:
        raise ConstraintError(f"parameter path {text[:40]!r}… is longer than {_MAX_TEXT} characters")
    steps: list[Step] = []
    at = 0
    while at < len(text):
        if text[at] == "[":
            step, at = _bracket(text, at)
        else:
            at += 1 if text[at] == "." and steps else 0
            step, at = _name(text, at)
        steps.append(step)
    if len(steps) > _MAX_STEPS:
        raise ConstraintError(f"parameter path {text[:40]!r}… has more than {_MAX_STEPS} steps")
    return tuple(steps)


def _name(text: str, at: int) -> tuple[Step, int]:
    end = at
    while end < len(text) and text[end] not in _ENDS_A_NAME:
        end += 1
    if end == at or text[at:end] != text[at:end].strip() or text[end : end + 1] in ("]", '"'):
        raise path_error(text, max(at, end), "a name is expected here")
    return text[at:end], end


def _bracket(text: str, at: int) -> tuple[Step, int]:
    if text.startswith('["', at):
        return _quoted(text, at)
    end = text.find("]", at)
    inside = text[at + 1 : end]
    if end >= 0 and inside == "*":
        return EVERY, end + 1
    if end >= 0 and inside.isascii() and inside.isdigit() and len(inside) <= _MAX_DIGITS:
        return int(inside), end + 1
    raise path_error(text, at, "brackets hold *, an index below 10,000, or a key in double quotes")


def _quoted(text: str, at: int) -> tuple[Step, int]:
    import json

    try:
        key, end = json.JSONDecoder().raw_decode(text, at + 1)
    except ValueError:
        raise path_error(text, at + 1, "this quoted key does not end") from None
    if text[end : end + 1] != "]":
        raise path_error(text, end, "']' is expected here")
    return str(key), end + 1


def path_error(text: str, at: int, why: str) -> ConstraintError:
    """The error for a malformed path, with a caret below the place."""
    return ConstraintError(f"parameter path {text!r}: {why}; {_EXAMPLE}\n    {text}\n    {' ' * at}^")


@lru_cache(maxsize=4096)
def path_text(steps: tuple[Step, ...]) -> str:
    """The path as it is written; the inverse of `parse_path`."""
    text = ""
    for step in steps:
        if step is None:  # EVERY
            text += "[*]"
        elif isinstance(step, int):
            text += f"[{step}]"
        elif step and step == step.strip() and not any(c in _ENDS_A_NAME for c in step):
            text += f".{step}" if text else step
        else:
            text += f"[{_json(step)}]"
    return text


def _json(key: str) -> str:
    import json

    return json.dumps(key)
