"""Checks of what is granted at all: too little, too much, or what has ended."""

from __future__ import annotations

from collections.abc import Iterator

from amla_capabilities._constraints._leaf import Leaf
from amla_capabilities._grants._capability import MethodCapability
from amla_capabilities._paths import path_text
from amla_capabilities._patterns import is_literal, pattern_is_subset
from amla_capabilities.findings import Finding
from amla_capabilities.manifest import Tool
from amla_capabilities.manifest._search import absent_step

from ._subject import Subject, name_of

__all__ = ["expired", "forbidden", "never_granted", "of_everything", "of_no_call", "unbudgeted_writes"]


def never_granted(subject: Subject) -> Iterator[Finding]:
    """AM201."""
    for path, tool in subject.manifest.tools.items():
        if not tool.limits.allow:
            continue
        grants = subject.naming[path]
        lacking = [missing for capability in grants if (missing := _lacking(subject, capability, tool))]
        if not grants:
            message = f"nothing grants {path}, so every call of it is denied"
            yield subject.tool("AM201", tool, message, hint=f"add to [{name_of(tool.at)}]: allow = true")
        elif len(lacking) == len(grants):
            message = f"{subject.label(grants[0])} names {path}, but needs {lacking[0]}, which {path} does not have"
            hint = f'grant it apart: [[capabilities]] with method = "{path}", or allow = true in [{name_of(tool.at)}]'
            yield subject.tool("AM201", tool, message, hint=hint)


def _lacking(subject: Subject, capability: MethodCapability, tool: Tool) -> str | None:
    """A parameter that every call under the capability needs, and that the tool does not have."""
    schema = subject.schemas.get(tool.path)
    if schema is None:
        return None
    for leaf in capability.constraints:
        needs = isinstance(leaf, Leaf) and not leaf.optional and leaf.operator.name != "not_exists"
        if isinstance(leaf, Leaf) and needs and absent_step(schema, leaf.path) is not None:
            return path_text(leaf.path)
    return None


def of_everything(subject: Subject) -> Iterator[Finding]:
    """AM203."""
    told = {(found.file, found.path) for found in subject.manifest.warnings if found.code == "AM204"}
    for capability in subject.explicit:
        pattern = capability.method_pattern
        if capability.approval is not None or is_literal(pattern):
            continue
        if pattern != "*" and not pattern_is_subset("**", pattern):
            continue
        message = f"{pattern!r} grants every tool, also those that are declared later"
        found = subject.at("AM203", capability, message, hint="name the tools, or a common prefix")
        if (found.file, found.path) not in told:
            yield found


def unbudgeted_writes(subject: Subject) -> Iterator[Finding]:
    """AM205."""
    for path, tool in subject.manifest.tools.items():
        if tool.effect != "write" or _bounded(tool.limits):
            continue
        for capability in subject.naming[path]:
            if not _bounded(capability):
                message = f"{path} writes, and {subject.label(capability)} lets it be called without end"
                hint = f"add to [{name_of(tool.at)}]: max_calls = 10 (or rate, total, approval)"
                yield subject.tool("AM205", tool, message, key="effect", hint=hint)
                break
            if not capability.constraints:
                break  # it decides every call


def _bounded(limits: object) -> bool:
    """Whether a capability or a tool's limits bound the calls, or have a person see each."""
    bounds = ("max_calls", "rate", "total", "approval")
    return any(getattr(limits, name) not in (None, ()) for name in bounds)


def expired(subject: Subject) -> Iterator[Finding]:
    """AM210."""
    for capability in subject.explicit:
        if capability.expires is not None and capability.expires <= subject.now:
            message = f"this grant of {capability.method_pattern!r} ended on {capability.expires.isoformat()}"
            yield subject.at("AM210", capability, message, key="expires", hint="remove it, or renew it")
    for path, tool in subject.manifest.tools.items():
        if tool.limits.expires is not None and tool.limits.expires <= subject.now:
            message = f"every call of {path} is denied since {tool.limits.expires.isoformat()}"
            yield subject.tool("AM210", tool, message, key="expires", hint="remove it, or renew it")


def forbidden(subject: Subject) -> Iterator[Finding]:
    """AM214."""
    tools = subject.manifest.tools.values()
    for capability in subject.explicit:
        if subject.named[capability] or any(subject.servers(capability)):
            continue
        refused = [tool.path for tool in tools if capability.names(tool.path)]
        if refused:
            message = f"grants {refused[0]}, whose own table says allow = false, and nothing else"
            yield subject.at("AM214", capability, message, hint="remove the capability, or that line")


def of_no_call(subject: Subject) -> Iterator[Finding]:
    """AM219."""
    hint = "raise it; to forbid a tool, write allow = false into its table"
    for capability in subject.explicit:
        if capability.max_calls == 0:
            message = f"calls that {capability.method_pattern!r} decides are all denied"
            yield subject.at("AM219", capability, message, key="max_calls", hint=hint)
    for path, tool in subject.manifest.tools.items():
        if tool.limits.max_calls == 0 and tool.limits.allow:
            yield subject.tool("AM219", tool, f"every call of {path} is denied", key="max_calls", hint=hint)
