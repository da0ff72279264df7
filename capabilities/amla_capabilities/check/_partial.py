"""Arguments of which only some parts are known: JSON with `Partial` for what holds an `UNKNOWN` part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, Literal

from amla_capabilities._errors import ConstraintError
from amla_capabilities._paths import Step, parse_path
from amla_capabilities._values import as_list, as_mapping

from ._site import OpenText

__all__ = ["UNKNOWN", "Partial", "Text", "Unknown", "partial_arguments"]


class Unknown(Enum):
    """Any value, or none: the key may be absent."""

    UNKNOWN = "unknown"


UNKNOWN: Final = Unknown.UNKNOWN


@dataclass(frozen=True, slots=True)
class Text:
    """Any string that begins with `prefix` and, behind that, ends in `suffix`."""

    prefix: str
    suffix: str

    @property
    def example(self) -> str:
        """One of them, for a message."""
        return f"{self.prefix}...{self.suffix}"


@dataclass(frozen=True, slots=True)
class Partial:
    """An object or array that holds something unknown; `open` says that further keys or elements may follow."""

    kind: Literal["object", "array"]
    items: Mapping[Step, Any]
    open: bool

    def with_defaults(self, defaults: Mapping[str, Any]) -> Partial:
        """An object as it is when absent keys are filled in, as far as they are known to be absent."""
        missing: dict[Step, Any] = {
            key: value for key, value in defaults.items() if key not in self.items and not self.open
        }
        return Partial(self.kind, {**self.items, **missing}, self.open)


@dataclass(slots=True)
class _Trie:
    """Open paths by their steps."""

    here: bool = False
    value: Text | Unknown = UNKNOWN
    below: dict[Step, _Trie] = field(default_factory=dict[Step, "_Trie"])

    def add(self, steps: Iterable[Step]) -> None:
        at = self
        for step in steps:
            at = at.below.setdefault(step, _Trie())
        at.here = True

    def know(self, steps: Iterable[Step], value: Text) -> None:
        """Where nothing is known of what is below."""
        at: _Trie | None = self
        for step in steps:
            at = at.below.get(step) if at else None
        if at and at.here and not at.below:
            at.value = value


def partial_arguments(
    arguments: Mapping[str, Any] | None, opened: Iterable[str], texts: Iterable[OpenText] = ()
) -> Any:
    """The arguments of a call site (`CallSite.arguments`, `.open` and `.texts`) as one value."""
    trie = _Trie()
    try:
        for path in opened:
            trie.add(parse_path(path))
        for text in texts:
            trie.know(parse_path(text.path), Text(text.prefix, text.suffix))
    except ConstraintError:  # a path that no constraint could name
        return UNKNOWN
    return UNKNOWN if arguments is None else _value(arguments, trie)


def _value(value: Any, trie: _Trie | None) -> Any:
    if trie is None:
        return value
    table, items = as_mapping(value), as_list(value)
    if table is not None:
        absent: dict[Step, Any] = {step: below.value for step, below in trie.below.items() if step not in table}
        present: dict[Step, Any] = {key: _value(item, trie.below.get(key)) for key, item in table.items()}
        return Partial("object", present | absent, trie.here)
    if items is not None:
        return Partial("array", {n: _value(v, trie.below.get(n)) for n, v in enumerate(items)}, trie.here)
    return trie.value if trie.here else value
