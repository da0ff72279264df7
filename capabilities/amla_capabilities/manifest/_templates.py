"""Texts with places to fill: `{param}` from a call's arguments, `${NAME}` from the environment (R27).

`{{` and `}}` stand for braces. Filling is one pass: what a value holds is never looked at again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

__all__ = ["EnvRef", "Slot", "Template", "TemplateError", "parse_template"]


@dataclass(frozen=True, slots=True)
class Slot:
    """The value of a parameter goes here."""

    name: str


@dataclass(frozen=True, slots=True)
class EnvRef:
    """The value of an environment variable goes here; it is a secret."""

    name: str


@dataclass(frozen=True, slots=True)
class Template:
    """Literal text, slots and environment references, in order."""

    parts: tuple[str | Slot | EnvRef, ...]

    def slots(self) -> Iterator[str]:
        """The parameters it uses."""
        return (part.name for part in self.parts if isinstance(part, Slot))

    def env(self) -> Iterator[str]:
        """The environment variables it uses."""
        return (part.name for part in self.parts if isinstance(part, EnvRef))

    def fill(self, slot: Callable[[str], str], env: Callable[[str], str]) -> str:
        """The text with every place filled by name."""
        fillers = {Slot: slot, EnvRef: env}
        return "".join(part if isinstance(part, str) else fillers[type(part)](part.name) for part in self.parts)

    def __str__(self) -> str:
        return self.fill(lambda name: f"{{{name}}}", lambda name: f"${{{name}}}")


class TemplateError(ValueError):
    """A template that does not parse, `offset` characters into its text."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


_PART = re.compile(
    r"(?P<brace>\{\{|\}\})|\$\{(?P<env>[^{}]*)\}|\{(?P<slot>[^{}]*)\}|(?P<stray>[{}])|(?P<text>[^{}$]+|\$)"
)
_ENV_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def parse_template(text: str) -> Template:
    """The template that `text` spells. Raises `TemplateError`."""
    parts: list[str | Slot | EnvRef] = []
    for found in _PART.finditer(text):
        part = _part(found)
        if isinstance(part, str) and parts and isinstance(parts[-1], str):
            parts[-1] += part
        else:
            parts.append(part)
    return Template(tuple(parts))


def _part(found: re.Match[str]) -> str | Slot | EnvRef:
    if found["stray"]:
        raise TemplateError(f"stray {found['stray']!r}; write {found['stray'] * 2!r} for a brace", found.start())
    if found["env"] is not None:
        if not _ENV_NAME.fullmatch(found["env"]):
            raise TemplateError(f"{found[0]!r} does not name an environment variable", found.start())
        return EnvRef(found["env"])
    if found["slot"] is not None:
        if not found["slot"] or found["slot"] != found["slot"].strip():
            raise TemplateError(f"{found[0]!r} does not name a parameter; write '{{{{' for a brace", found.start())
        return Slot(found["slot"])
    return found["brace"][0] if found["brace"] else found["text"]
