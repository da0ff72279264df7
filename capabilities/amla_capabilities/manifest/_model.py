"""What a manifest says, as frozen values. Paths are as written; whoever uses them resolves them beside the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from amla_capabilities._decisions._policy import ToolLimits

from ._schemas import object_schema
from ._templates import Template

__all__ = ["CommandTool", "HttpTool", "McpServer", "Mount", "PolicyTest", "PythonTool", "Suppression", "Tool"]

At = tuple[str | int, ...]  # a place in a file: keys and indexes from its top


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """What every kind of tool has.

    `file` and `at` say where it is declared. `schema` is the JSON Schema of its arguments, None where a Python
    signature gives it. `granted` says that its own table allows it; `implied` that it has limits there and says nothing
    of allowing, which grants it where no capability names it. `limits` bind every call, whoever grants it.
    """

    path: str
    file: str = ""
    at: At = field(default=(), repr=False)
    description: str = ""
    schema: Mapping[str, Any] | None = None
    returns: Any = None
    mock: Any = None
    has_mock: bool = False
    effect: Literal["read", "write"] | None = None
    idempotent: bool = False
    timeout: float | None = None  # seconds
    note: str = ""
    granted: bool = False
    implied: bool = False
    limits: ToolLimits = field(default_factory=ToolLimits)

    @property
    def secret(self) -> tuple[str, ...]:
        """Parameters whose values no message or record shows."""
        return self.limits.secret


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonTool(Tool):
    """A Python callable, `module:attribute`, looked for beside the manifest first (R26)."""

    module: str
    attribute: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandTool(Tool):
    """A program and its arguments; never a shell (R23).

    `stdin` names the parameter whose value the program reads. `options_ok` names those whose values may start with
    `-`, `+` or `@`. `env` is the whole environment besides what the host always passes. `max_output` is in bytes.
    """

    argv: tuple[Template, ...]
    stdin: str | None = None
    env: Mapping[str, Template] = field(default_factory=dict[str, Template])
    cwd: str | None = None
    output: Literal["text", "json"] = "text"
    max_output: int | None = None
    exit_ok: tuple[int, ...] = (0,)
    options_ok: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpTool(Tool):
    """An HTTP request (R24, R25).

    Arguments that no template uses go into the body if there is one (`json` or `form`), else into the query.
    `fields` adds fixed entries to that body; `text` is the body of kind `raw`. `max_response` is in bytes.
    """

    method: str
    url: Template
    query: Mapping[str, Template] = field(default_factory=dict[str, Template])
    headers: Mapping[str, Template] = field(default_factory=dict[str, Template])
    body: Literal["json", "form", "raw"] | None = None
    fields: Mapping[str, Template] = field(default_factory=dict[str, Template])
    text: Template | None = None
    output: Literal["auto", "text", "json"] = "auto"
    allow_private: bool = False
    max_response: int | None = None

    def loose_params(self) -> tuple[str, ...]:
        """The parameters that no template uses."""
        templates = [self.url, *self.query.values(), *self.headers.values(), *self.fields.values()]
        templates += [self.text] if self.text else []
        used = {name for template in templates for name in template.slots()}
        return tuple(name for name in (self.schema or object_schema({}))["properties"] if name not in used)


@dataclass(frozen=True, slots=True, kw_only=True)
class McpServer:
    """An MCP server, whose tools are `name/tool`: a program that speaks over stdio, or an address."""

    name: str
    file: str = field(default="", repr=False)
    command: tuple[str, ...] = ()
    url: str | None = None
    env: Mapping[str, Template] = field(default_factory=dict[str, Template])
    headers: Mapping[str, Template] = field(default_factory=dict[str, Template])
    cwd: str | None = None
    timeout: float | None = None  # seconds
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mount:
    """A host folder whose files the sandbox gets; `rw` copies changes back, `delete` deletions too (R30)."""

    host: str
    guest: str
    mode: Literal["ro", "rw"] = "ro"
    delete: bool = False
    unsafe_shared: bool = False
    file: str = field(default="", repr=False)
    at: At = field(default=(), repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyTest:
    """A unit test of the policy: this call is expected to be decided so."""

    call: str
    args: Mapping[str, Any]
    expect: Literal["allow", "deny", "ask"]
    note: str = ""
    file: str = field(default="", repr=False)
    at: At = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Suppression:
    """A finding that the manifest accepts, with the reason; only about `path` and what is inside it, unless empty."""

    code: str
    reason: str
    path: str
    file: str
    at: At
