"""A tool as the sandbox knows it: a name, a schema, and what to call with arguments that were checked against it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from amla_capabilities._names import canonical_name

from ._arguments import bind_arguments
from ._schema import JsonSchema, normal_schema

if TYPE_CHECKING:
    from ._contract import Contract

__all__ = ["Arguments", "Effect", "Handler", "ToolDefinition"]

Arguments: TypeAlias = Mapping[str, Any]
"""One call's arguments after checking: read-only mappings, tuples, str, int, float, bool, None."""

Handler: TypeAlias = Callable[[Arguments], Any]
"""Runs the tool. Returns a value with a JSON form, or an awaitable of one when the definition ``is_async``."""

Effect: TypeAlias = Literal["read", "write"]


def _no_schema() -> JsonSchema:
    return {}


@dataclass(frozen=True, eq=False)
class ToolDefinition:
    """One declared tool.

    ``name`` is its path (``stripe/charges/create``), ``parameters`` the JSON Schema of its argument object; ``path``
    and ``schema`` are the same two under the names that the rest of the project uses. Undeclared parameters are
    refused unless the schema allows them.

    ``returns`` is the schema of the result (declarations and mocks; never enforced). ``timeout`` is in seconds.
    ``secret`` names parameters that logs and messages leave out; ``secret_values`` are texts masked in everything
    that comes back. ``convert`` turns checked arguments into what the handler really uses and raises ArgumentError
    where that changes a value (R20). ``handler`` may be None where another party executes the calls.
    """

    name: str
    description: str = ""
    parameters: Mapping[str, Any] = field(default_factory=_no_schema)
    returns: Mapping[str, Any] | None = None
    effect: Effect | None = None
    idempotent: bool = False
    timeout: float | None = None
    secret: frozenset[str] = frozenset()
    mock: Any = None
    handler: Handler | None = field(default=None, repr=False)
    is_async: bool = False
    convert: Callable[[Arguments], object] | None = field(default=None, repr=False)
    secret_values: tuple[str, ...] = field(default=(), repr=False)
    host_files: tuple[str, ...] = field(default=(), repr=False)
    """The program, folder or module behind the tool: nothing that a script can write to may hold them (R31)."""
    derived: bool = field(default=False, repr=False)
    """The schema was read off Python types, whose conversion guards what an owner's schema must say itself."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", canonical_name(self.name))
        schema = normal_schema(self.parameters, self.name, owner_written=not self.derived)
        object.__setattr__(self, "parameters", schema)
        object.__setattr__(self, "secret", frozenset(self.secret))

    @property
    def path(self) -> str:
        return self.name

    @property
    def schema(self) -> JsonSchema:
        return self.parameters  # type: ignore[return-value]  # a dict since __post_init__

    @cached_property
    def contract(self) -> Contract:
        """The compiled schema; built on first use, because a sandbox may declare thousands of tools and call three."""
        from ._contract import Contract

        return Contract(self)

    def bind(self, data: bytes) -> Arguments:
        """The frozen arguments that ``data`` (JSON bytes from the guest) spells, or ArgumentError."""
        return bind_arguments(self, data)

    def to_dict(self) -> dict[str, Any]:
        """Name, description and schema as the Model Context Protocol spells them."""
        return {"name": self.name, "description": self.description, "inputSchema": self.schema}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ToolDefinition:
        """The reverse of ``to_dict``; ``parameters`` and ``input_schema`` are understood as well as ``inputSchema``."""
        spellings = ("inputSchema", "input_schema", "parameters")
        schema: Mapping[str, Any] = next((data[key] for key in spellings if data.get(key)), _no_schema())
        return cls(name=data["name"], description=data.get("description") or "", parameters=schema)
