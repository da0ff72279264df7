"""What widened from one manifest to another, everything taken together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any, NamedTuple

from amla_capabilities._limits import Limits
from amla_capabilities._units import format_duration
from amla_capabilities._values import as_mapping, show
from amla_capabilities.findings import Finding
from amla_capabilities.manifest import HttpTool, Manifest, McpServer, Mount, PolicyTest, Tool

from ._grants import Loss, losses
from ._places import Place, Places
from ._rows import ROWS, Kept
from ._schemas import wider

__all__ = ["widened"]

_ARROW = "→"
_NAMED = 3  # tools that one finding names; the others are counted


def widened(old: Manifest, new: Manifest) -> list[Finding]:
    """A finding for every right that `new` gives and `old` did not (codes `AM5xx`), in the order of its files.

    Whatever changed counts, unless it only concerns people or is proved narrower; nothing in `new` suppresses that.
    Each finding is placed in `new`; one about what was removed in `old`. None means: every call that `new` allows was
    allowed by `old`, also in any sequence of calls. What tools do is compared as far as the manifests say it: the code
    of Python functions and of programs is not looked at.
    """
    comparison = _Comparison(old, new)
    found = dict.fromkeys(comparison.findings())
    order = {file: n for n, file in enumerate(new.files)}
    return sorted(found, key=lambda finding: (order.get(finding.file, len(order)), finding.line, finding.column))


class _Comparison:
    def __init__(self, old: Manifest, new: Manifest) -> None:
        self._old, self._new = old, new
        self._before, self._here = Places(old), Places(new)

    def findings(self) -> Iterator[Finding]:
        yield from self._fields(self._old.limits, self._new.limits, self._here.top.at("sandbox"))
        yield from self._unset()
        for path, tool in self._new.tools.items():
            yield from self._tool(self._old.tools.get(path), tool)
        for name, server in self._new.mcp.items():
            yield from self._server(self._old.mcp.get(name), server)
        yield from self._grants()
        yield from self._mounts()
        yield from self._variables()
        yield from self._tests()

    def _say(self, code: str, place: Place, message: str) -> Finding:
        return self._here.finding(code, place, message)

    # Fields that stand for themselves

    def _fields(self, old: Any, new: Any, place: Place) -> Iterator[Finding]:
        """Those that the table compares one by one."""
        for field in fields(new):
            row = ROWS[type(new)][field.name]
            before, after = getattr(old, field.name), getattr(new, field.name)
            if isinstance(row, Kept) and not row.narrower(before, after):
                shown = _limit_change(field.name, before, after) if isinstance(new, Limits) else _change(before, after)
                yield self._say(row.code, place.at(*row.keys), shown)

    def _unset(self) -> Iterator[Finding]:
        """Limits that OLD set, and which in NEW other manifests may set to what they like."""
        for name in sorted(self._old.limits_set - self._new.limits_set):
            row, before = ROWS[Limits][name], getattr(self._old.limits, name)
            if isinstance(row, Kept) and row.narrower(before, getattr(self._new.limits, name)):
                value = Limits.spec(name).format(before)
                yield self._say("AM509", self._here.top.at("sandbox", name), f"{value} {_ARROW} not set")

    # Tools and servers

    def _tool(self, old: Tool | None, new: Tool) -> Iterator[Finding]:
        place = Place(new.file, new.at)
        if old is None:
            granted = any(grant.names(new.path) for grant in self._new.capabilities)
            state = "granted" if granted and new.limits.allow else "not granted by anything yet"
            yield self._say("AM501", place, f"the tool {new.path!r} is new, {state}")
            return
        if type(old) is not type(new):
            yield self._say("AM506", place, f"was a tool of kind {_kind(old)} and is one of kind {_kind(new)}")
            return
        yield from self._fields(old, new, place)
        yield from self._fields(old.limits, new.limits, place)
        yield from self._moved(old, new, place, "AM506")
        yield from self._schema(old.schema, new.schema, place)
        yield from self._timeout(old.timeout, new.timeout, place)

    def _moved(self, old: Tool | McpServer, new: Tool | McpServer, place: Place, code: str) -> Iterator[Finding]:
        before, after = self._before.folder(old.file), self._here.folder(new.file)
        if before != after and not isinstance(new, HttpTool):
            yield self._say(code, place, f"is looked for beside its file, which moved: {_change(before, after)}")

    def _schema(self, old: Mapping[str, Any] | None, new: Mapping[str, Any] | None, place: Place) -> Iterator[Finding]:
        if old is None and new is None:
            return
        if old is None or new is None:
            source = ("its signature", "params") if old is None else ("params", "its signature")
            message = f"arguments were checked against {source[0]}, and are against {source[1]}"
            yield self._say("AM507", place.at("params"), message)
            return
        for change in wider(old, new):
            steps = [step for step in change.path if step != "properties"]
            yield self._say("AM507", place.at("params", *steps), f"{change.old} {_ARROW} {change.new}")

    def _timeout(self, old: float | None, new: float | None, place: Place) -> Iterator[Finding]:
        """0 and None mean the limit of the sandbox."""
        before, after = old or self._old.limits.call_timeout, new or self._new.limits.call_timeout
        if (old or 0) != (new or 0) and before and (not after or after > before):
            shown = f"{format_duration(before)} {_ARROW} {format_duration(after) if after else 'none'}"
            yield self._say("AM509", place.at("timeout"), shown)

    def _server(self, old: McpServer | None, new: McpServer) -> Iterator[Finding]:
        place = self._here.server(new.name)
        if old is None:
            yield self._say("AM501", place, f"the MCP server {new.name!r} is new, with whatever tools it offers")
            return
        yield from self._fields(old, new, place)
        yield from self._moved(old, new, place, "AM513")
        yield from self._timeout(old.timeout, new.timeout, place)

    # Grants

    def _grants(self) -> Iterator[Finding]:
        regions: dict[Loss, list[str]] = {}
        for loss in losses(self._old, self._new):
            regions.setdefault(replace(loss, region=""), []).append(loss.region)
        for loss, names in regions.items():
            place = self._here.top if loss.index is None else self._here.capability(loss.index)
            if loss.in_tool:
                place = Place(self._new.tools[names[0]].file, self._new.tools[names[0]].at)
            of = "" if place.path[:1] == ("tools",) else f"{_listed(names)}: "
            yield self._say(loss.code, place.at(loss.key), of + loss.message)

    # Files, variables, tests

    def _mounts(self) -> Iterator[Finding]:
        had, has = self._layers(self._old, self._before), self._layers(self._new, self._here)
        for layer, mount in zip(has, self._new.mounts, strict=True):
            place, name = Place(mount.file, mount.at), f"{mount.host} at {mount.guest}"
            if layer not in had:
                yield self._say("AM510", place, f"{name} ({_mode(mount)}) is new")
                continue
            old = self._old.mounts[had.index(layer)]
            if not _rights(mount) <= _rights(old):
                yield self._say("AM510", place, f"{name}: {_mode(old)} {_ARROW} {_mode(mount)}")
            around = [each for each in had if _nested(each.guest, mount.guest)]
            if around != [each for each in has if each in around]:
                yield self._say("AM510", place, f"what is mounted over {mount.guest}, or below it, is gone or moved")

    @staticmethod
    def _layers(manifest: Manifest, places: Places) -> list[_Layer]:
        return [_Layer(places.folder(mount.file), mount.host, mount.guest) for mount in manifest.mounts]

    def _variables(self) -> Iterator[Finding]:
        for name, value in self._new.env.items():
            if self._old.env.get(name) != value:
                was = "has another value" if name in self._old.env else "is new"
                yield self._say("AM511", self._here.variable(name), f"{name}, which scripts see, {was}")

    def _tests(self) -> Iterator[Finding]:
        kept = {(test.call, _canonical(test.args), test.expect) for test in self._new.tests}
        for test in self._old.tests:
            stricter = ("deny",) if test.expect == "deny" else ("ask", "deny")
            wanted = {(test.call, _canonical(test.args), expect) for expect in stricter}
            if test.expect != "allow" and self._is_there(test) and not wanted & kept:
                message = f"the test that {test.call} {show(test.args)} {_EXPECTED[test.expect]} is gone"
                yield self._before.finding("AM512", Place(test.file, test.at), message)

    def _is_there(self, test: PolicyTest) -> bool:
        return test.call in self._new.tools or test.call.split("/")[0] in self._new.mcp


_EXPECTED = {"deny": "is denied", "ask": "needs approval"}


def _canonical(value: Any) -> str:
    """A JSON value as text to compare."""
    import json

    return json.dumps(value, sort_keys=True)


_SECRET = re.compile(r"(?i)token|secret|passw|credential|key|authorization|bearer|private")


def _change(old: Any, new: Any) -> str:
    before, after = as_mapping(old), as_mapping(new)
    if before is not None and after is not None:
        return _changed_keys(before, after)
    shown = f"{_text(old)} {_ARROW} {_text(new)}"
    return "is another (not shown, since it may hold a secret)" if _SECRET.search(shown) else shown


def _limit_change(name: str, old: float, new: float) -> str:
    spec = Limits.spec(name)
    return f"{spec.format(old)} {_ARROW} {spec.format(new)}"


def _changed_keys(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    """Names only: the values may be secrets."""
    what = {"added": new.keys() - old.keys(), "removed": old.keys() - new.keys()}
    what["changed"] = {key for key in old.keys() & new.keys() if old[key] != new[key]}
    return "; ".join(f"{word} {', '.join(sorted(keys))}" for word, keys in what.items() if keys)


def _text(value: Any) -> str:
    if value is None or value == ():
        return "none"
    if isinstance(value, tuple):
        return " ".join(map(_text, value))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return str(value).lower() if isinstance(value, bool) else str(value)


def _kind(tool: Tool) -> str:
    return type(tool).__name__.removesuffix("Tool").lower()


def _listed(every: list[str]) -> str:
    names = list(dict.fromkeys(every))
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


class _Layer(NamedTuple):
    """What a mount mounts where, seen from the folder of its file."""

    folder: str
    host: str
    guest: str


def _rights(mount: Mount) -> set[str]:
    flags = {"rw": mount.mode == "rw", "delete": mount.delete, "unsafe_shared": mount.unsafe_shared}
    return {name for name, is_set in flags.items() if is_set}


def _mode(mount: Mount) -> str:
    return ", ".join(sorted(_rights(mount))) or "ro"


def _nested(one: str, other: str) -> bool:
    return f"{one}/".startswith(f"{other}/") or f"{other}/".startswith(f"{one}/")
