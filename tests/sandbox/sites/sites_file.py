"""Reading the files beside this one, and whether what a script does is what was said of it."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from amla_capabilities.check import CallSite
from amla_capabilities.check._partial import UNKNOWN, Partial, Text, partial_arguments
from amla_sandbox import MethodCapability, Sandbox, ToolDefinition

FOLDER = Path(__file__).parent

ANY: dict[str, Any] = {"type": "object", "additionalProperties": True}

SCHEMAS: dict[str, dict[str, Any]] = {
    **dict.fromkeys(("pay", "ping", "refund", "other", "stripe/charges/create", "stripe/refunds/create"), ANY),
    "get-item": {
        "type": "object",
        "properties": {
            "id": {"type": "string"},
            "n": {"type": "integer"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "deep": {"type": "boolean"},
            "either": {"anyOf": [{"type": "boolean"}, {"type": "string"}]},
            "where": {"type": "object", "properties": {"city": {"type": "string"}, "zip": {"type": "string"}}},
        },
        "additionalProperties": True,
    },
}


class Case(NamedTuple):
    """A row: a script, and what is to be found in it."""

    name: str
    script: str
    sites: tuple[str, ...]
    language: str
    runs: bool


def cases(name: str, language: str) -> list[Case]:
    data = tomllib.loads((FOLDER / name).read_text("utf-8"))
    return [
        Case(row["name"], row["script"], tuple(row["sites"]), row.get("language", language), row.get("runs", True))
        for row in data["case"]
    ]


def written(site: CallSite) -> str:
    """A site as the files have it."""
    words = [site.tool or "?"]
    if site.fault:
        words.append("fails")
    elif site.tool is not None:
        words.append("?" if site.arguments is None else json.dumps(_plain(site.arguments), separators=(",", ":")))
        if site.arguments is not None and site.open:
            words += ["+", *sorted(_open(site, path) for path in site.open)]
    return " ".join([*words, *(["shadowed"] if site.shadowed else [])])


def _open(site: CallSite, path: str) -> str:
    """An open path, with what is known of the text there: `path="/tmp/"…".txt"`."""
    ends = next(((text.prefix, text.suffix) for text in site.texts if text.path == path), ("", ""))
    return f"{path}={'…'.join(json.dumps(end, ensure_ascii=False) for end in ends)}" if any(ends) else path


def expected(text: str) -> str:
    """The same of what a file says, whose JSON may be spelt in other ways."""
    tool, _, rest = text.partition(" ")
    if not rest.startswith("{"):
        return text
    value, end = json.JSONDecoder().raw_decode(rest)
    return f"{tool} {json.dumps(value, separators=(',', ':'))}{rest[end:]}"


Call = tuple[str, dict[str, Any]]


def recording(schemas: Mapping[str, Mapping[str, Any]]) -> tuple[Sandbox, list[Call]]:
    """A sandbox with tools that do nothing, and the list of calls that they get."""
    calls: list[Call] = []

    def tool(path: str, schema: Mapping[str, Any]) -> ToolDefinition:
        def handle(arguments: Mapping[str, Any]) -> None:
            calls.append((path, _plain(arguments)))

        return ToolDefinition(path, parameters=schema, handler=handle)

    tools = [tool(path, schema) for path, schema in schemas.items()]
    return Sandbox(tools=tools, capabilities=[MethodCapability("**")]), calls


def calls_of(case: Case) -> list[Call]:
    """The calls of tools that a run of the script makes, with what the tools get."""
    sandbox, calls = recording(SCHEMAS)
    with sandbox:
        sandbox.run(case.script, language=case.language)
    return calls


def covers(site: CallSite, tool: str, arguments: Mapping[str, Any]) -> bool:
    """Whether a call may be one of this site."""
    if site.tool is not None and site.tool != tool:
        return False
    return not site.fault and _agrees(partial_arguments(site.arguments, site.open, site.texts), arguments)


def _agrees(known: Any, actual: Any) -> bool:
    if known is UNKNOWN:
        return True
    if isinstance(known, Text):
        ends = isinstance(actual, str) and actual.startswith(known.prefix) and actual.endswith(known.suffix)
        return ends and len(actual) >= len(known.prefix) + len(known.suffix)
    if not isinstance(known, Partial):
        return json.dumps(_plain(known), sort_keys=True) == json.dumps(actual, sort_keys=True)
    if not isinstance(actual, dict if known.kind == "object" else list):
        return False
    parts: Mapping[Any, Any] = actual if isinstance(actual, dict) else dict(enumerate(actual))
    if not known.open and not parts.keys() <= known.items.keys():
        return False
    return all(_agrees(item, parts[step]) if step in parts else item is UNKNOWN for step, item in known.items.items())


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, Sequence) and not isinstance(value, str) else value
