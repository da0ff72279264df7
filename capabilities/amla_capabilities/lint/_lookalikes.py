"""Checks of texts that are compared in part: what only looks like the host or folder that was meant (AM226)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from amla_capabilities._constraints._leaf import Leaf
from amla_capabilities._values import show
from amla_capabilities.findings import Finding
from amla_capabilities.manifest._checks import Origin

from ._subject import Subject

__all__ = ["admitted_lookalikes"]

_HINT = 'end a host or folder with "/" and begin a domain with "." or "@", or use host_in or under'
_HOST = re.compile(r"://((?:[A-Za-z0-9-]|\\?\.)+)")
_OPEN_HOST = re.compile(r"[A-Za-z][\w+.-]*://[^/?#]+")
_PORT = re.compile(r":\d*$")
_OPEN_FOLDER = re.compile(r"(?:[A-Za-z][\w+.-]*:/|\.{0,2})/(?:.*/)?[^/.?#=&]*[A-Za-z0-9]")
_DOMAIN = re.compile(r"(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}")
_HOLDS_HOST = re.compile(r"(?i)(?:.*_)?(?:host|domain|e?mail|ur[li]|site|origin|address|recipient|to|cc|bcc)s?")


def admitted_lookalikes(subject: Subject) -> Iterator[Finding]:
    """AM226."""
    for origin in subject.manifest.origins:
        leaves = [part for part in origin.constraints if isinstance(part, Leaf) and isinstance(part.operand, str)]
        found = next(
            ((text, leaf) for leaf in leaves for text in _lookalikes(leaf) if _admits(origin, leaf, text)), None
        )
        if found is not None:
            message = f"{show(found[0])} meets {found[1]}, too"
            yield subject.manifest.finding("AM226", origin.at, message, file=origin.file, hint=_HINT)


def _lookalikes(leaf: Leaf) -> Iterator[str]:
    look = _LOOKALIKES.get(leaf.operator.name)
    return iter(()) if look is None or leaf.of_length else look(leaf, str(leaf.operand))


def _admits(origin: Origin, leaf: Leaf, text: str) -> bool:
    """Whether all that is demanded of the place that `leaf` looks at is met by `text` there."""
    value: Any = text
    for step in reversed(leaf.path):
        value = {step: value} if isinstance(step, str) else [value] * ((step or 0) + 1)
    return all(part.holds(value) for part in origin.constraints)


def _with_beginning(_: Leaf, text: str) -> Iterator[str]:
    if _OPEN_HOST.fullmatch(text):
        yield f"{text}@evil.example/" if _PORT.search(text) else f"{text}.evil.example/"
    elif _OPEN_FOLDER.fullmatch(text):
        yield f"{text}-other/x"


def _with_end(leaf: Leaf, text: str) -> Iterator[str]:
    name = next((step for step in reversed(leaf.path) if isinstance(step, str)), "")
    if _DOMAIN.fullmatch(text) and _HOLDS_HOST.fullmatch(name):
        yield f"evil-{text}"


def _with_part(_: Leaf, text: str) -> Iterator[str]:
    if _HOST.search(text):
        yield f"https://evil.example/?{text}"


def _matching(_: Leaf, text: str) -> Iterator[str]:
    """Addresses that an expression for one host may match; its dots match any character, unless they are escaped."""
    host = _HOST.search(text)
    if host is not None:
        name = host[1].replace("\\", "").strip(".")
        others = f"{name}.evil.example", f"{name}@evil.example", name.replace(".", "x", name.count(".") - 1)
        yield from (
            f"{scheme}://{other}{rest}"
            for scheme in ("https", "http")
            for other in others
            for rest in ("/", "", "/x")
            if other != name
        )


_LOOKALIKES: Mapping[str, Callable[[Leaf, str], Iterator[str]]] = {
    "starts_with": _with_beginning,
    "ends_with": _with_end,
    "contains": _with_part,
    "matches": _matching,
}
