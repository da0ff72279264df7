"""Filling an owner's templates: secrets once, at load; a call's values in one pass, each as a whole (R27)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from amla_capabilities.manifest import EnvRef, Slot, Template

from ._errors import ArgumentError, ToolDefinitionError
from ._json import thaw

__all__ = ["Environment", "has_value", "require_text", "sole_slot", "text_of"]


class Environment:
    """The host's variables as one tool may use them; remembers what it gave out, so that it can be masked."""

    def __init__(self, tool: str, variables: Mapping[str, str]) -> None:
        self.tool = tool
        self._variables = variables
        self._given: dict[str, str] = {}

    @property
    def secrets(self) -> tuple[str, ...]:
        """The values handed out so far."""
        return tuple(self._given.values())

    def expand(self, template: Template) -> Template:
        """The template with each ``${NAME}`` as literal text. Raises ToolDefinitionError for an unset or empty one."""
        return Template(tuple(self._value(part.name) if isinstance(part, EnvRef) else part for part in template.parts))

    def expand_all(self, templates: Mapping[str, Template]) -> dict[str, Template]:
        return {name: self.expand(template) for name, template in templates.items()}

    def _value(self, name: str) -> str:
        value = self._variables.get(name, "")
        if not value:
            raise ToolDefinitionError(f"{self.tool}: the environment variable {name} is not set; the tool needs it")
        self._given[name] = value
        return value


def sole_slot(template: Template) -> str | None:
    """The parameter that is all of a template, if one is: its value then keeps its type in a JSON body."""
    parts = template.parts
    return parts[0].name if len(parts) == 1 and isinstance(parts[0], Slot) else None


def has_value(template: Template, arguments: Mapping[str, Any]) -> bool:
    """Whether every parameter of the template was given, and not as null."""
    return all(arguments.get(name) is not None for name in template.slots())


def text_of(value: Any) -> str:
    """A value as it stands in a command line or URL: text as it is, everything else as compact JSON."""
    return value if isinstance(value, str) else json.dumps(thaw(value), separators=(",", ":"))


def require_text(text: str, tool: str, names: Iterable[str], *, controls: bool = True) -> str:
    """``text`` if the world outside can take it. Raises ArgumentError for NUL, unpaired surrogates, or any control."""
    name = ", ".join(names)
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise ArgumentError(f"{tool}: {name} holds a NUL or an unpaired surrogate", name)
    if not controls and any(character < " " or character == "\x7f" for character in text):
        raise ArgumentError(f"{tool}: {name} holds a control character", name)
    return text
