"""The least manifest that allows what happened, built, written, read back and tried."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from amla_capabilities._budgets._ledger import Ledger
from amla_capabilities._constraints._failure import REDACTED
from amla_capabilities._constraints._spelling import constraints_from_dict
from amla_capabilities._decisions._tool_limits import ToolLimits
from amla_capabilities._errors import ConstraintError
from amla_capabilities._values import as_list, as_mapping
from amla_capabilities.manifest import Manifest, ManifestError, combine, parse_manifest

from ._calls import Call
from ._declare import Base, stub
from ._entries import Entry, LearnError, plural, table_of, text_of
from ._spell import Spelling, Style, spell_calls, spell_size

__all__ = ["LearnError", "Learned", "learn"]

_NO_LIMITS = ToolLimits()
_APART = 400 * 86400.0  # seconds between calls that are tried, longer than the interval of any rate


@dataclass(frozen=True, slots=True)
class Learned:
    """A manifest as text and as read back; `stubs` names the tools that nobody declared."""

    text: str
    manifest: Manifest
    stubs: tuple[str, ...]


def learn(
    calls: Sequence[Call],
    *,
    base: Manifest | None = None,
    schemas: Mapping[str, Mapping[str, Any]] | None = None,
    style: Style | None = None,
) -> Learned:
    """The manifest that allows `calls` and, as far as `style` says, nothing else.

    `base` declares their tools: their tables, with their limits, are taken over, and approvals, ends and totals of the
    capabilities that allowed the calls. Tools that it lacks become stubs. `schemas` gives the JSON Schemas of Python
    tools whose signature says them. Raises `LearnError`.
    """
    if not calls:
        raise LearnError("there is no call to learn from")
    learner = _Learner(calls, base, schemas or {}, style or Style())
    data = learner.data()
    text, manifest = _read_back(data, len(calls))
    if tests := learner.tests(manifest, data):
        text, manifest = _read_back({**data, "tests": tests}, len(calls))
    _try(manifest, calls)
    return Learned(text, manifest, tuple(learner.stubs))


class _Learner:
    def __init__(
        self, calls: Sequence[Call], base: Manifest | None, schemas: Mapping[str, Mapping[str, Any]], style: Style
    ) -> None:
        self._calls = calls
        self._base = None if base is None else Base(base)
        self._policy = None if base is None else combine([base], ledger=Ledger(clock=lambda: 0.0))
        self._schemas: dict[str, Mapping[str, Any]] = dict(schemas)
        for path, tool in base.tools.items() if base else ():
            if tool.schema is not None:
                self._schemas[path] = tool.schema
        self._style = style
        self.stubs: list[str] = []

    def data(self) -> dict[str, Any]:
        """The manifest as tables."""
        tools, servers = self._declarations()
        entries = self._entries()
        around = self._base.around() if self._base else {}
        data: dict[str, Any] = {
            **{key: around[key] for key in ("sandbox", "env") if key in around},
            "tools": tools,
            "mcp": servers,
            "capabilities": [table_of(entry, entries) for entry in entries],
            "mounts": around.get("mounts", []),
        }
        return {key: value for key, value in data.items() if value}

    def tests(self, manifest: Manifest, data: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Of the base's tests those that still say something, about what was learned."""
        names = [*data.get("tools", ()), *data.get("mcp", ())]
        return self._base.tests(manifest.policy(), names) if self._base else []

    def _declarations(self) -> tuple[dict[str, Any], dict[str, Any]]:
        tools: dict[str, Any] = {}
        servers: dict[str, Any] = {}
        for path in dict.fromkeys(call.tool for call in self._calls):
            name = path.split("/", maxsplit=1)[0]
            table = self._base.tool(path) if self._base else None
            server = self._base.server(name) if self._base and "/" in path else None
            if table is not None:
                tools[path] = table
            elif server is not None:
                servers[name] = server
            else:
                tools[path] = self._stub(path)
        return tools, servers

    def _stub(self, path: str) -> dict[str, Any]:
        calls = [call for call in self._calls if call.tool == path]
        masked = next((name for call in calls for name, value in call.arguments.items() if _is_masked(value)), None)
        if masked is not None:
            raise LearnError(f"{path}: the trace masks {masked}, a secret: name the manifest that declares the tool")
        self.stubs.append(path)
        return stub(path, calls)

    # Capabilities

    def _entries(self) -> list[Entry]:
        """One for each tool and capability of the base that allowed it, or for each different call.

        In the order of the base's capabilities, so that what decided first still does.
        """
        groups: dict[tuple[int, str, str], list[Call]] = {}
        for call in self._calls:
            which = text_of(call.arguments) if self._style.exact else ""
            groups.setdefault((self._decider(call), call.tool, which), []).append(call)
        order = sorted(groups, key=lambda key: key[0])
        entries = [self._entry(tool, decider, groups[decider, tool, which]) for decider, tool, which in order]
        for call in self._calls:
            first = next(entry for entry in entries if entry.tool == call.tool and entry.rules.holds(call.arguments))
            first.decides.append(call)
        return [entry for entry in entries if entry.decides]

    def _decider(self, call: Call) -> int:
        """Which capability of the base decides a call, or did where a masked argument hides that; -1 if none does."""
        if self._policy is None:
            return -1
        decision, every = self._policy.check(call.tool, call.arguments), self._policy.capabilities
        if decision.verdict != "denied" and decision.capability is not None:
            return every.index(decision.capability)
        known = call.grant is not None and call.grant < len(every) and every[call.grant].names(call.tool)
        return call.grant if known and call.grant is not None else -1

    def _entry(self, tool: str, decider: int, calls: Sequence[Call]) -> Entry:
        limits = self._policy.tools.get(tool, _NO_LIMITS) if self._policy else _NO_LIMITS
        arguments = [call.arguments for call in calls]
        try:
            spelled = {**spell_calls(arguments, self._style, limits), **self._closed(tool, arguments)}
            rules = constraints_from_dict(spelled)
        except ConstraintError as error:
            raise LearnError(f"{tool}: {error}") from error
        granted_by = self._policy.capabilities[decider] if self._policy and decider >= 0 else None
        return Entry(tool, limits, granted_by, spelled, rules, calls)

    def _closed(self, tool: str, calls: Sequence[Mapping[str, Any]]) -> Spelling:
        """Nothing but the parameters seen: those that the schema has besides are left out; an open schema is closed."""
        schema = self._schemas.get(tool)
        given = {name for arguments in calls for name in arguments}
        if schema is None and tool in self.stubs:
            return {}
        if schema is None or schema.get("additionalProperties", True) is not False:
            return spell_size(calls)
        from amla_capabilities._paths import path_text

        return {path_text((name,)): {"exists": False} for name in schema.get("properties", {}) if name not in given}


def _is_masked(value: Any) -> bool:
    items, table = as_list(value), as_mapping(value)
    return value == REDACTED or any(map(_is_masked, items or (table or {}).values()))


# Written, read, tried

_HEAD = """\
# Learned from {calls}, by 'amla policy learn': what happened, and what the style of learning adds to it.
# Read it as you would read code before you use it.

"""


def _read_back(data: dict[str, Any], calls: int) -> tuple[str, Manifest]:
    text = _written(data, calls)
    try:
        return text, parse_manifest(text)
    except ManifestError as error:
        raise LearnError(f"the calls do not fit the manifest that declares their tools: {error}") from error


def _written(data: dict[str, Any], calls: int) -> str:
    """The tables as TOML. Raises `LearnError` where they would not be read back the same."""
    import tomli_w

    try:
        text = _HEAD.format(calls=plural(calls)) + tomli_w.dumps(data)
        text.encode("utf-8")
        if tomllib.loads(text) == data:
            return text
    except (TypeError, ValueError) as error:
        raise LearnError(f"the arguments of a call cannot be written in TOML: {error}") from error
    raise LearnError("what was learned does not read back the same")


def _try(manifest: Manifest, calls: Iterable[Call]) -> None:
    """Make the calls again, each run with budgets of its own. Raises `LearnError` for one that is not allowed.

    What constraints say of a secret cannot be tried, since the trace masks it.
    """
    runs: dict[str, list[Call]] = {}
    for call in calls:
        runs.setdefault(call.run, []).append(call)
    for run in runs.values():
        policy = manifest.policy(ledger=Ledger(clock=count(-_APART * len(run), _APART).__next__))
        for call in run:
            decision = policy.authorize(call.tool, call.arguments, approved=True)
            failure, limits = decision.failure, policy.tools.get(call.tool, _NO_LIMITS)
            if not decision.allowed and not (failure and limits.hides(failure.steps)):
                raise LearnError(f"{decision.guest_message}, although it happened: the base manifest has changed since")
