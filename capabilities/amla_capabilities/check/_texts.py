"""What a comparison may make of a text of which only the ends are known.

Each outcome that some such text has is among those that are said to be possible; one that no such text has may be, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from amla_capabilities._constraints._leaf import Leaf
from amla_capabilities._constraints._operators import OPERATORS, RefusedValue
from amla_capabilities._values import Json, less

from ._partial import Text

__all__ = ["Outcomes", "may_be", "outcomes"]


class Outcomes(NamedTuple):
    """Whether a comparison may be true, false, or a fault (R11)."""

    true: bool
    false: bool
    fault: bool


_ANY = Outcomes(True, True, True)
_FAULT = Outcomes(False, False, True)
_ALIKE = frozenset({"is_type", "exists", "not_exists"})  # judge all texts alike


def outcomes(leaf: Leaf, text: Text) -> Outcomes:
    """What `leaf` may make of the text, where its path leads to that."""
    operator, operand = leaf.operator, leaf.operand
    if leaf.of_length:
        judge = _LENGTHS.get(operator.name)
        return judge(len(text.prefix) + len(text.suffix), operand) if judge else _ANY
    if "string" not in leaf.accepted:
        return _FAULT
    if operator.name in _ALIKE:
        holds = operator.test("", operand)
        return Outcomes(holds, not holds, False)
    judge_text = _TEXTS.get(operator.name)
    return judge_text(text, operand) if judge_text else _ANY


def may_be(text: Text, value: Json) -> bool:
    """Whether the text may be this value."""
    return (
        isinstance(value, str)
        and len(value) >= len(text.prefix) + len(text.suffix)
        and value.startswith(text.prefix)
        and value.endswith(text.suffix)
    )


def _starts_with(text: Text, operand: str) -> Outcomes:
    is_path = "/" in operand  # what is between the ends may hold a dot segment
    if is_path and _climbs(text):
        return _FAULT
    sure = text.prefix.startswith(operand)
    return Outcomes(sure or operand.startswith(text.prefix), not sure, is_path)


_DOTS_BEFORE = re.compile(r"(?:^|/)\.\.?/")
_DOTS_BEHIND = re.compile(r"/\.\.?(?:/|\Z)")


def _climbs(text: Text) -> bool:
    """Whether a dot segment lies in what is known, in plain sight: it is found whatever is between the ends."""
    return _DOTS_BEFORE.search(text.prefix) is not None or _DOTS_BEHIND.search(text.suffix) is not None


def _ends_with(text: Text, operand: str) -> Outcomes:
    sure = text.suffix.endswith(operand)
    return Outcomes(sure or operand.endswith(text.suffix), not sure, False)


def _contains(text: Text, operand: Json) -> Outcomes:
    return Outcomes(True, operand not in text.prefix and operand not in text.suffix, False)


def _under(text: Text, folder: str) -> Outcomes:
    if not _may_be_clean(text):
        return _FAULT
    inside = folder if folder == "/" else folder + "/"
    sure = text.prefix.startswith(inside)
    return Outcomes(sure or inside.startswith(text.prefix), not sure and folder != "/", True)


def _may_be_clean(text: Text) -> bool:
    """Whether some such text is an absolute path without what `under` refuses."""
    prefix, suffix = text.prefix, text.suffix
    if prefix[:1] not in ("", "/") or any(mark in prefix + suffix for mark in "\\\0"):
        return False
    whole = [*prefix[1:].split("/")[:-1], *suffix.split("/")[1:]]  # segments that are known altogether
    return prefix + suffix == "/" or not any(segment in ("", ".", "..") for segment in whole)


_PRINTABLE = re.compile(r"[!-\[\]-~]*")
_AUTHORITY = re.compile(r"(https?://[^/?#]*)(?:([/?#])|$)")


def _host_in(text: Text, hosts: list[str]) -> Outcomes:
    if not _PRINTABLE.fullmatch(text.prefix + text.suffix):
        return _FAULT
    found = _AUTHORITY.match(text.prefix)
    if found is None:
        begins = any(scheme.startswith(text.prefix) for scheme in ("http://", "https://"))
        return _ANY if begins else _FAULT
    if found[2] is None:
        return Outcomes(_may_go_on(found[1], hosts), True, True)
    try:
        holds = OPERATORS["host_in"].test(found[0], hosts)
    except RefusedValue:
        return _FAULT
    return Outcomes(holds, not holds, True)


def _may_go_on(address: str, hosts: list[str]) -> bool:
    """Whether the beginning of an address is that of one at these hosts."""
    name, colon, _ = address.partition("://")[2].partition(":")
    names = [host.partition(":")[0] for host in hosts]
    return name in names if colon else any(each.startswith(name) for each in names)


def _opposite(judge: Callable[[Text, Json], Outcomes]) -> Callable[[Text, Json], Outcomes]:
    def judged(text: Text, operand: Json) -> Outcomes:
        true, false, fault = judge(text, operand)
        return Outcomes(false, true, fault)

    return judged


def _eq(text: Text, operand: Json) -> Outcomes:
    return Outcomes(may_be(text, operand), True, False)


def _is_in(text: Text, operand: Json) -> Outcomes:
    return Outcomes(any(may_be(text, member) for member in operand), True, False)


_TEXTS: Mapping[str, Callable[[Text, Json], Outcomes]] = {
    "eq": _eq,
    "ne": _opposite(_eq),
    "is_in": _is_in,
    "not_in": _opposite(_is_in),
    "starts_with": _starts_with,
    "ends_with": _ends_with,
    "contains": _contains,
    "under": _under,
    "host_in": _host_in,
}


def _most(least: int, bound: Json) -> Outcomes:
    return Outcomes(not less(bound, least), True, False)


def _fewer(least: int, bound: Json) -> Outcomes:
    return Outcomes(less(least, bound), True, False)


_LENGTHS: Mapping[str, Callable[[int, Json], Outcomes]] = {
    "le": _most,
    "lt": _fewer,
    "ge": lambda least, bound: Outcomes(True, less(least, bound), False),
    "gt": lambda least, bound: Outcomes(True, not less(bound, least), False),
}
