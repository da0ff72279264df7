"""Checks of values that a manifest gives: texts, defaults and mocks that cannot have been meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from amla_capabilities._constraints._constraint import Constraint
from amla_capabilities._constraints._leaf import Leaf
from amla_capabilities._constraints._walk import looks
from amla_capabilities._values import as_list, as_mapping
from amla_capabilities.findings import Finding

from ._subject import Subject

__all__ = ["mocks_unlike_results", "refused_defaults", "texts_like_patterns"]

_COMPARED = ("eq", "ne", "is_in", "not_in")
_LIKE_PATTERN = re.compile(r"[^*\s]+\*[^*\s]*|\*[^*\s]+|\^.*\$|.*\.\*.*")


def texts_like_patterns(subject: Subject) -> Iterator[Finding]:
    """AM223."""
    for origin in subject.manifest.origins:
        found = next((text for text in _compared(origin.constraints) if _LIKE_PATTERN.fullmatch(text)), None)
        if found is not None:
            message = f"{found!r} is compared as it stands: no character of it means any other"
            hint = "write starts_with, ends_with, under, or matches with a regular expression"
            yield subject.manifest.finding("AM223", origin.at, message, file=origin.file, hint=hint)


def _compared(constraints: Iterable[Constraint]) -> Iterator[str]:
    """The texts that arguments are compared with."""
    for _, part in looks(constraints):
        if isinstance(part, Leaf) and part.operator.name in _COMPARED:
            yield from (text for text in as_list(part.operand) or [part.operand] if isinstance(text, str))


def refused_defaults(subject: Subject) -> Iterator[Finding]:
    """AM225."""
    for tool in subject.manifest.tools.values():
        defaults = _defaults(subject.schemas.get(tool.path) or {})
        for part in tool.limits.constraints:
            name = part.path[0] if isinstance(part, Leaf) and part.path else None
            if isinstance(name, str) and name in defaults and not part.holds({name: defaults[name]}):
                message = f"a call that leaves {name} out has {name} = {defaults[name]!r:.80}, which {part} refuses"
                yield subject.tool(
                    "AM225", tool, message, key="constraints", hint="change the default, or the constraint"
                )


def _defaults(schema: Mapping[str, Any]) -> dict[str, Any]:
    properties = as_mapping(schema.get("properties")) or {}
    entries = {name: as_mapping(entry) or {} for name, entry in properties.items()}
    return {name: entry["default"] for name, entry in entries.items() if entry.get("default") is not None}


def mocks_unlike_results(subject: Subject) -> Iterator[Finding]:
    """AM224."""
    for tool in subject.manifest.tools.values():
        if tool.has_mock and tool.returns is not None:
            problem = _misfit(tool.returns, tool.mock)
            if problem:
                yield subject.tool("AM224", tool, problem, key="mock", hint="change the mock, or returns")


def _misfit(schema: Any, value: Any) -> str | None:
    """Why a value does not fit a schema."""
    import jsonschema_rs

    try:
        validator = jsonschema_rs.validator_for(schema, pattern_options=jsonschema_rs.RegexOptions())
    except ValueError:  # of no use as a schema, which is found where it is used
        return None
    error = next(iter(validator.iter_errors(value)), None)
    return None if error is None else f"the mock is no such result as returns describes: {error.message:.200}"
