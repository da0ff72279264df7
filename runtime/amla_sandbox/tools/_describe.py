"""Describing tools to a model: Markdown for a system prompt, TypeScript declarations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from amla_capabilities import js_name

from ._definition import ToolDefinition
from ._json import show
from ._typescript import clean_text, comment, object_members, type_of

__all__ = ["declarations", "format_tool_descriptions_js", "signature_of"]

_RESERVED: frozenset[str] = frozenset(
    {"await", "break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete", "do", "else"}
    | {"enum", "export", "extends", "false", "finally", "for", "function", "if", "import", "in", "instanceof", "let"}
    | {"new", "null", "return", "static", "super", "switch", "this", "throw", "true", "try", "typeof", "var", "void"}
    | {"while", "with", "yield"}
)


@dataclass
class _Node:
    """One step of a dotted name: a tool, a folder of tools, or both."""

    tool: ToolDefinition | None = None
    children: dict[str, _Node] = field(default_factory=dict[str, "_Node"])


def format_tool_descriptions_js(tools: Sequence[Callable[..., Any] | ToolDefinition]) -> str:
    """A Markdown section that tells a model which functions its JavaScript can call, one heading for each."""
    from .python import as_definition

    lines = ["## Available Functions", ""]
    for definition in map(as_definition, tools):
        lines += [f"### `{signature_of(definition)}`", clean_text(definition.description) or "No description", ""]
        lines += _parameter_lines(definition)
    return "\n".join(lines)


def signature_of(tool: ToolDefinition) -> str:
    """How a script calls the tool, on one line: ``stripe.charges.create({amount: number, currency?: string})``."""
    members = [written for _, _, written in object_members(tool.schema, tool.schema)]
    if tool.schema.get("additionalProperties", False) is not False:
        members.append("[key: string]: unknown")
    return f"{js_name(tool.path)}({{{', '.join(members)}}})"


def declarations(tools: Iterable[ToolDefinition]) -> str:
    """TypeScript declarations of all tools; nested names (``stripe.charges.create``) become one constant's members."""
    root = _Node()
    for tool in tools:
        node = root
        for step in js_name(tool.path).split("."):
            node = node.children.setdefault(step, _Node())
        node.tool = tool
    return "\n".join(line for name, node in root.children.items() for line in [*_top_level(name, node), ""])


def _parameter_lines(tool: ToolDefinition) -> list[str]:
    told = [
        f"- `{name}`: {clean_text(entry['description'])}"
        for name, entry, _ in object_members(tool.schema, tool.schema)
        if isinstance(entry.get("description"), str)
    ]
    return [*told, ""] if told else []


def _top_level(name: str, node: _Node) -> list[str]:
    if node.children or node.tool is None:
        return [f"declare const {name}: {{", *_members(node, "  "), "};"]
    if name in _RESERVED:
        return [*comment(node.tool.description), f"// tools.call({show(node.tool.path)}, args): {_result(node.tool)}"]
    return [*comment(node.tool.description), f"declare function {name}{_call(node.tool, '')};"]


def _members(node: _Node, indent: str) -> list[str]:
    lines: list[str] = []
    if node.tool is not None:
        lines += [*comment(node.tool.description, indent), f"{indent}{_call(node.tool, indent)};"]
    for name, child in node.children.items():
        if child.children or child.tool is None:
            lines += [f"{indent}{name}: {{", *_members(child, indent + "  "), f"{indent}}};"]
        else:
            lines += [*comment(child.tool.description, indent), f"{indent}{name}{_call(child.tool, indent)};"]
    return lines


def _call(tool: ToolDefinition, indent: str) -> str:
    return f"(args: {_arguments(tool, indent)}): {_result(tool)}"


def _arguments(tool: ToolDefinition, indent: str) -> str:
    members = object_members(tool.schema, tool.schema)
    if not members:
        return type_of(tool.schema, tool.schema)
    lines = ["{"]
    for _, entry, written in members:
        lines += [*comment(_told(entry), indent + "  "), f"{indent}  {written};"]
    return "\n".join([*lines, f"{indent}}}"])


def _told(entry: dict[str, Any]) -> str:
    text = str(entry.get("description", ""))
    default = f"Default: {show(entry['default'])}" if entry.get("default") is not None else ""
    return " ".join(part for part in (text, default) if part)


def _result(tool: ToolDefinition) -> str:
    returns = dict(tool.returns) if tool.returns is not None else {}
    return f"Promise<{type_of(returns, returns) if returns else 'any'}>"
