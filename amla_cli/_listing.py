"""The catalogue of tools as text, as data, and as TypeScript."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ._catalog import Entry, kind_of
from ._terminal import printable, terminal_width

if TYPE_CHECKING:
    from amla_capabilities import MethodCapability, ToolLimits

__all__ = ["as_data", "as_details", "as_table", "as_typescript"]

NOT_STATIC = "schema not statically known"


def as_data(entry: Entry) -> dict[str, Any]:
    """One tool for programs. `schema_known` false means that `parameters` says nothing; `reason` says why."""
    from amla_capabilities import js_name

    return {
        "name": entry.tool.path,
        "javascript": js_name(entry.tool.path),
        "kind": kind_of(entry.tool),
        "description": _clean(entry.definition.description),
        "parameters": entry.definition.schema,
        "returns": entry.definition.returns,
        "schema_known": not entry.unknown,
        "reason": entry.unknown,
        "granted": entry.granted,
        "constraints": [str(constraint) for constraint in entry.tool.limits.constraints],
        "remaining_calls": entry.remaining if entry.granted else 0,
        "grants": [_grant_data(capability) for capability in entry.grants],
    }


def _grant_data(capability: MethodCapability) -> dict[str, Any]:
    return {
        "pattern": capability.method_pattern,
        "constraints": [str(constraint) for constraint in capability.constraints],
        "max_calls": capability.max_calls,
        "approval": capability.approval,
    }


def as_typescript(entries: Sequence[Entry]) -> str:
    """Declarations of the granted tools, for a prompt."""
    from dataclasses import replace

    from amla_sandbox.tools import declarations

    told: list[Any] = []
    for entry in entries:
        note = (
            f"{entry.definition.description}\n({NOT_STATIC})".strip() if entry.unknown else entry.definition.description
        )
        told.append(replace(entry.definition, description=note))
    return declarations(told).rstrip("\n") + "\n" if told else ""


def as_table(entries: Sequence[Entry]) -> str:
    """A line or two for each tool: how it is called, and what is granted."""
    return "\n".join(_row(entry) for entry in entries)


def _row(entry: Entry) -> str:
    width = terminal_width()
    head = _wrapped(_signature(entry), width, "")
    first = _clean(entry.definition.description).split("\n")[0]
    about = [_wrapped(first, width, "    ")] if first else []
    return "\n".join([head, *about, *(_wrapped(line, width, "    ") for line in _grant_lines(entry))])


def as_details(entry: Entry) -> str:
    """All about one tool."""
    from amla_sandbox.tools import clean_text
    from amla_sandbox.tools._schema import parameter_schema

    width = terminal_width()
    blocks = [_wrapped(_signature(entry), width, "")]
    if entry.definition.description:
        blocks.append(
            "\n".join(_wrapped(line, width, "  ") for line in _clean(entry.definition.description).split("\n"))
        )
    parameters = [
        _wrapped(f"{name}: {clean_text(str(told['description']))}", width, "  ")
        for name in entry.definition.schema.get("properties", {})
        if "description" in (told := parameter_schema(entry.definition.schema, name))
    ]
    blocks += ["\n".join(parameters)] if parameters else []
    blocks.append(
        "\n".join(_wrapped(line, width, "  ") for line in [f"kind: {kind_of(entry.tool)}", *_grant_lines(entry)])
    )
    return printable("\n\n".join(blocks))


def _signature(entry: Entry) -> str:
    from amla_capabilities import js_name
    from amla_sandbox.tools import signature_of

    return f"{js_name(entry.tool.path)}(…)  [{NOT_STATIC}]" if entry.unknown else signature_of(entry.definition)


def _grant_lines(entry: Entry) -> list[str]:
    unknown = [f"{NOT_STATIC}: {entry.unknown}; --import reads it from the code itself"] if entry.unknown else []
    if not entry.granted:
        what = (
            "forbidden by its own table"
            if not entry.tool.limits.allow
            else "not granted: add allow = true to its table"
        )
        return [*unknown, what]
    by_others = [capability for capability in entry.grants if capability.method_pattern != entry.tool.path]
    limits = entry.tool.limits
    own = [*([str(limits.constraints)] if by_others and limits.constraints else []), *_bounds(limits)]
    every = [f"every call: {', '.join(own)}"] if own else []
    left = [] if entry.remaining is None else [f"{entry.remaining:,} call{'' if entry.remaining == 1 else 's'} left"]
    return [*unknown, *(_grant_line(capability, entry) for capability in entry.grants), *every, *left]


def _grant_line(capability: MethodCapability, entry: Entry) -> str:
    mine = capability.method_pattern == entry.tool.path
    constraints = str(capability.constraints) or (str(entry.tool.limits.constraints) if mine else "")
    parts = [constraints or "any arguments"]
    parts += [f"at most {capability.max_calls:,} calls"] if capability.max_calls is not None else []
    parts += _bounds(capability)
    parts += ["each call waits for a person"] if capability.approval or entry.tool.limits.approval else []
    return f"granted{'' if mine else ' by ' + capability.method_pattern}: {', '.join(parts)}"


def _bounds(limits: MethodCapability | ToolLimits) -> list[str]:
    """What bounds calls over time, but for their number."""
    rate = [f"at most {limits.rate}"] if limits.rate is not None else []
    expires = [f"until {limits.expires.isoformat()}"] if limits.expires is not None else []
    return [*rate, *map(str, limits.total), *expires]


def _clean(text: str) -> str:
    from amla_sandbox.tools import clean_text

    return clean_text(text)


def _wrapped(text: str, width: int, indent: str) -> str:
    return textwrap.fill(printable(text), width, initial_indent=indent, subsequent_indent=indent + "  ") or ""
