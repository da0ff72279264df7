"""The tables of a learned manifest that no trace holds: taken over from a base manifest, or stubs."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from amla_capabilities._decisions._policy import Policy
from amla_capabilities._names import identifier, mcp_segment
from amla_capabilities._values import Json, type_name
from amla_capabilities.manifest import Manifest

from ._calls import Call

__all__ = ["Base", "stub"]

STUB = "replace_me"  # the module of tools that nobody has declared yet


class Base:
    """A manifest that declares tools, as the tables that were written."""

    def __init__(self, manifest: Manifest) -> None:
        self.manifest = manifest
        self._files = {source.file: tomllib.loads(source.text) for source in manifest.sources}

    def tool(self, path: str) -> dict[str, Any] | None:
        """The table of a tool, limits and all, but without `allow`: what was not called is not granted."""
        tool = self.manifest.tools.get(path)
        if tool is None:
            return None
        table = self._files[tool.file]["tools"][tool.at[1]]
        return {key: value for key, value in table.items() if key != "allow"}

    def server(self, name: str) -> dict[str, Any] | None:
        for tables in self._files.values():
            for written, table in tables.get("mcp", {}).items():
                if mcp_segment(written) == name:
                    return dict(table)
        return None

    def around(self) -> dict[str, Any]:
        """What is not about tools: `[sandbox]`, `[env]` and `[[mounts]]`."""
        merged: dict[str, Any] = {}
        for tables in self._files.values():
            if "sandbox" in tables:
                merged["sandbox"] = tables["sandbox"]
            if "env" in tables:
                merged["env"] = {**merged.get("env", {}), **tables["env"]}
            if "mounts" in tables:
                merged["mounts"] = [*merged.get("mounts", []), *tables["mounts"]]
        return merged

    def tests(self, narrower: Policy, names: Iterable[str]) -> list[dict[str, Any]]:
        """The tests that calls of these tools and servers are refused, with what a narrower policy makes of them."""
        kept = set(names)
        return [
            {**self._files[test.file]["tests"][test.at[1]], "expect": _EXPECTED[verdict]}
            for test in self.manifest.tests
            if test.expect != "allow" and kept & {test.call, test.call.partition("/")[0]}
            for verdict in [narrower.check(test.call, test.args).verdict]
            if verdict in _EXPECTED
        ]


_EXPECTED = {"denied": "deny", "needs-approval": "ask"}


def stub(path: str, calls: Sequence[Call]) -> dict[str, Any]:
    """The table of a tool of which nothing is known but its calls."""
    seen = f"{len(calls):,} call{'' if len(calls) == 1 else 's'}"
    return {
        "python": f"{STUB}:{'_'.join(map(identifier, path.split('/')))}",
        "description": f"STUB: say here what {path} is; its parameters are those of {seen}.",
        "params": _params([call.arguments for call in calls]),
    }


def _params(calls: Sequence[Mapping[str, Json]]) -> dict[str, Any]:
    params: dict[str, Any] = {}
    for name in dict.fromkeys(name for arguments in calls for name in arguments):
        values = [arguments[name] for arguments in calls if name in arguments]
        types = sorted(set(map(_schema_type, values)))
        if "integer" in types and "number" in types:
            types.remove("integer")
        params[name] = {"type": types[0] if len(types) == 1 else types}
        if len(values) < len(calls):
            params[name]["optional"] = True
    return params


def _schema_type(value: Json) -> str:
    kind = type_name(value)
    return "integer" if kind == "number" and isinstance(value, int) else kind
