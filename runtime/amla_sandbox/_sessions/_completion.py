"""What may be typed next: what the guest found, and what a tool's schema and policy say of its arguments.

Nothing of a script runs for this, and what the guest says is checked for its types and lengths like all it says.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

if TYPE_CHECKING:
    from amla_capabilities import Policy
    from amla_sandbox.tools import ToolDefinition

__all__ = ["Candidate", "Completion", "Slot", "completion_of", "signature_of", "slot_of"]

_MOST, _LONGEST = 5000, 4096
"""Candidates, and characters of each, that are taken of what a guest says; arbitrary."""


class Candidate(NamedTuple):
    """One way to go on. `text` takes the place of what stands between the completion's start and the cursor."""

    text: str
    kind: str
    """Such as `command`, `file`, `directory`, `variable`, `property`, `function`, `tool`, `parameter`, `value`."""
    detail: str = ""


class Completion(NamedTuple):
    start: int
    candidates: tuple[Candidate, ...] = ()


class Slot(NamedTuple):
    """A place in a tool's arguments: a key's, or (`key` given) a value's. `path` leads to the object it is in."""

    tool: str
    path: tuple[str, ...]
    key: str | None
    used: frozenset[str]
    prefix: str
    quote: str


# --- what the guest says ---------------------------------------------------------------------


def completion_of(answer: object, text: str) -> Completion:
    """The guest's own candidates for a line that is `text` up to the cursor."""
    said = _mapping(answer)
    found = said.get("candidates")
    rows = cast("list[object]", found)[:_MOST] if isinstance(found, list) else []
    return Completion(_start(said.get("start"), text), tuple(filter(None, map(_candidate, rows))))


def slot_of(answer: object) -> Slot | None:
    said = _mapping(_mapping(answer).get("slot"))
    tool, key = said.get("tool"), said.get("key")
    if not isinstance(tool, str):
        return None
    return Slot(
        tool,
        tuple(_texts(said.get("path"))),
        key if isinstance(key, str) else None,
        frozenset(_texts(said.get("used"))),
        str(said.get("prefix") or ""),
        str(said.get("quote") or "")[:1],
    )


def _candidate(row: object) -> Candidate | None:
    parts = list(_texts(row))
    return Candidate(parts[0], parts[1], parts[2]) if len(parts) == 3 and parts[0] else None


def _start(value: object, text: str) -> int:
    """A place in JavaScript's text as one in Python's: characters beyond U+FFFF count once here."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        return len(text)
    before = text.encode("utf-16-le", "surrogatepass")[: 2 * value]
    return len(before.decode("utf-16-le", "surrogatepass"))


def _mapping(value: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else {}


def _texts(value: object) -> Iterator[str]:
    for item in cast("list[object]", value) if isinstance(value, list) else []:
        if isinstance(item, str):
            yield item[:_LONGEST].encode("utf-8", "replace").decode()


# --- what the schema and the policy say --------------------------------------------------------


def in_slot(slot: Slot, tool: ToolDefinition, policy: Policy, *, shell: bool) -> tuple[Candidate, ...]:
    """What may stand in that place of the tool's arguments."""
    schema = _object_at(tool.schema, slot.path, tool)
    rules = _rules(tool.name, policy)
    if slot.key is None:
        return tuple(_keys(slot, schema, tool, rules, shell))
    entry = _properties(schema, tool).get(slot.key)
    spell = _shell_value if shell else _script_value
    place = ".".join((*slot.path, slot.key))
    values = [(spell(value, slot.quote), detail) for value, detail in _values(entry, tool, place, rules)]
    typed = slot.quote + slot.prefix
    return tuple(Candidate(text, "value", detail) for text, detail in values if _begins(text, typed))


def signature_of(tool: ToolDefinition) -> str:
    """`transfer({to: string, amount: integer, currency?: "USD"|"EUR"})`"""
    required: Sequence[str] = tool.schema.get("required", ())
    members = [
        f"{name}{'' if name in required else '?'}: {_type(entry, tool)}"
        for name, entry in _properties(tool.schema, tool).items()
    ]
    return f"{tool.name.replace('/', '.')}({{{', '.join(members)}}})"


def _keys(
    slot: Slot, schema: Mapping[str, Any], tool: ToolDefinition, rules: Mapping[str, list[Rule]], shell: bool
) -> Iterator[Candidate]:
    required: Sequence[str] = schema.get("required", ())
    for name, entry in _properties(schema, tool).items():
        text = (
            f"--{name}" if shell else f"{slot.quote}{name}{slot.quote}: " if _is_name(name) else f"{json.dumps(name)}: "
        )
        if name in slot.used or not _begins(text, slot.quote + slot.prefix):
            continue
        said = [rule.text for rule in rules.get(".".join((*slot.path, name)), [])]
        parts = [_type(entry, tool), *(["required"] if name in required else []), *said]
        yield Candidate(text, "parameter", "; ".join(parts))


def _begins(text: str, typed: str) -> bool:
    """Whether the text goes on from what was typed; a value is found without its quote as well."""
    return text.startswith(typed) or (text[:1] in "'\"" and text[1:].startswith(typed))


class Rule(NamedTuple):
    """One constraint on one argument: in words, and the values that it leaves, if it lists them."""

    text: str
    values: tuple[Any, ...] | None


def _rules(tool: str, policy: Policy) -> dict[str, list[Rule]]:
    """By the argument's path, what every grant, or else any, demands of it. Only the common, simple shapes."""
    limits = policy.tools.get(tool)
    sets = [grant.constraints for grant in policy.grants(tool)] + ([limits.constraints] if limits else [])
    found: dict[str, list[Rule]] = {}
    for constraint in (each for constraints in sets for each in constraints.constraints):
        for leaf in _leaves(constraint.to_dict()):
            rule = Rule(_in_words(leaf), _listed(leaf))
            rules = found.setdefault(str(leaf.get("param", "")), [])
            if rule.text not in [known.text for known in rules]:
                rules.append(rule)
    return found


def _leaves(data: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if data.get("type") == "all":
        for part in data["constraints"]:
            yield from _leaves(part)
    elif "param" in data and "value" in data and "length" not in data:
        yield data


_SYMBOLS = {"le": "<=", "lt": "<", "ge": ">=", "gt": ">", "eq": "=", "ne": "!=", "is_in": "one of", "not_in": "none of"}


def _in_words(leaf: Mapping[str, Any]) -> str:
    word = _SYMBOLS.get(str(leaf["type"]), str(leaf["type"]).replace("_", " "))
    return f"{word} {json.dumps(leaf['value'], ensure_ascii=False)}"


def _listed(leaf: Mapping[str, Any]) -> tuple[Any, ...] | None:
    if leaf["type"] == "is_in":
        return tuple(leaf["value"])
    return (leaf["value"],) if leaf["type"] == "eq" else None


def _values(entry: Any, tool: ToolDefinition, place: str, rules: Mapping[str, list[Rule]]) -> list[tuple[Any, str]]:
    """The values that an argument can have, where they can be listed, and why."""
    lists = [rule for rule in rules.get(place, []) if rule.values is not None]
    declared = _enumerated(entry, tool)
    if not lists:
        return [(value, "") for value in declared or ()]
    allowed = [value for rule in lists for value in rule.values or ()]
    if declared is not None:
        allowed = [value for value in declared if value in allowed]
    why = "allowed: " + ", ".join(rule.text for rule in lists)
    return [(value, why) for value in dict.fromkeys(map(_frozen, allowed))]


def _frozen(value: Any) -> Any:
    return value if isinstance(value, str | int | float | bool) or value is None else json.dumps(value)


def _enumerated(entry: Any, tool: ToolDefinition) -> list[Any] | None:
    schema = _resolved(entry, tool)
    if "const" in schema:
        return [schema["const"]]
    if isinstance(schema.get("enum"), list):
        return list(schema["enum"])
    for keyword in ("anyOf", "oneOf"):
        if isinstance(schema.get(keyword), list):
            parts = [_enumerated(part, tool) for part in schema[keyword]]
            return [value for part in parts for value in part or ()] or None
    return [True, False] if schema.get("type") == "boolean" else None


def _object_at(schema: Mapping[str, Any], path: Sequence[str], tool: ToolDefinition) -> Mapping[str, Any]:
    """The schema of the object that the keys lead to, as far as it can be told."""
    for key in path:
        schema = _resolved(_properties(schema, tool).get(key), tool)
    return schema


def _resolved(entry: object, tool: ToolDefinition) -> Mapping[str, Any]:
    from amla_sandbox.tools._schema import resolve

    schema = _mapping(entry)
    reference = schema.get("$ref")
    return _mapping(resolve(reference, cast("Any", tool.schema))) if isinstance(reference, str) else schema


def _properties(schema: Mapping[str, Any], tool: ToolDefinition) -> Mapping[str, Any]:
    return _mapping(_resolved(schema, tool).get("properties"))


def _type(entry: Any, tool: ToolDefinition) -> str:
    from amla_sandbox.tools._typescript import type_of

    if _resolved(entry, tool).get("type") == "integer" and _enumerated(entry, tool) is None:
        return "integer"
    return type_of(entry, cast("Any", tool.schema)).replace(" | ", "|")


def _is_name(name: str) -> bool:
    return name.isidentifier() or name.replace("$", "_").isidentifier()


def _script_value(value: Any, quote: str) -> str:
    text = json.dumps(value, ensure_ascii=False)
    if quote == "'" and isinstance(value, str):
        return "'" + text[1:-1].replace('\\"', '"').replace("'", "\\'") + "'"
    return text


def _shell_value(value: Any, quote: str) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    if quote == '"':
        return '"' + "".join("\\" + char if char in '"\\$`' else char for char in text) + '"'
    return "'" + text.replace("'", "'\\''") + "'" if quote else shlex.quote(text)
