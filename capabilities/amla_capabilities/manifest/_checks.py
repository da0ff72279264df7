"""Checks across a manifest: names that would merge, patterns without tools, constraints that cannot mean anything."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from amla_capabilities._algebra._algebra import Effort, unsatisfiable
from amla_capabilities._constraints._constraint import Constraint
from amla_capabilities._constraints._leaf import Leaf
from amla_capabilities._constraints._walk import looks
from amla_capabilities._errors import ToolNameError, UndecidableError
from amla_capabilities._grants._capability import MethodCapability
from amla_capabilities._names import ToolNames, canonical_name, js_name, merge_message
from amla_capabilities._paths import Step, parse_path, path_text
from amla_capabilities._patterns import is_literal, reaches_into
from amla_capabilities._suggest import did_you_mean, nearest
from amla_capabilities._values import as_list, as_mapping

from ._facts import facts
from ._faults import ManifestError, Source
from ._model import McpServer, Tool
from ._positions import Path
from ._search import absent_step, param_types

__all__ = [
    "Origin",
    "check_merges",
    "check_origins",
    "check_pattern",
    "check_satisfiable",
    "check_secrets",
    "check_size",
    "check_test",
]


Schemas = Mapping[str, Mapping[str, Any] | None]  # of the arguments of each declared tool; None where not known


@dataclass(frozen=True, slots=True)
class Origin:
    """Where constraints of one parameter were written: under a tool (its path is `owner`) or a capability."""

    file: str
    at: Path
    owner: str | Path
    capability: MethodCapability | None
    constraints: Sequence[Constraint]

    def tools(self, schemas: Schemas) -> list[str] | None:
        """Those of the paths that the constraints bind; None where they bind some whose schema is not known."""
        if self.capability is None:
            bound = [self.owner] if isinstance(self.owner, str) and self.owner in schemas else []
        else:
            pattern, scope = self.capability.method_pattern, self.capability.scope
            if any(reaches_into(pattern, server) for server in (scope.servers if scope else ())):
                return None
            paths = [pattern] if is_literal(pattern) else schemas
            bound = [path for path in paths if path in schemas and self.capability.names(path)]
        return None if any(schemas[path] is None for path in bound) else bound


def check_merges(files: Iterable[tuple[Source, Mapping[str, Any], Mapping[str, McpServer]]]) -> None:
    """Fault tools that are declared twice, share a spelling, or lie under an MCP server's prefix (R19)."""
    every = list(files)
    servers = {name for _, _, mcp in every for name in mcp}
    by_spelling: dict[str, str] = {}
    for source, tools, _ in every:
        for name in tools:
            at: Path = ("tools", name)
            try:
                path = canonical_name(name)
            except ToolNameError:
                continue  # noted when it was read
            spelling, server = js_name(path), path.split("/")[0]
            if spelling in by_spelling:
                source.fault("AM108", at, merge_message(by_spelling[spelling], path), at_key=True)
            by_spelling.setdefault(spelling, path)
            if "/" in path and server in servers:
                source.fault("AM109", at, f"{server!r} is an MCP server: its tools are what it offers", at_key=True)


_MAX_PAIRS = 1_000_000  # of a pattern, or a constraint under it, and a tool; arbitrary: above it checks would be slow


_MAX_MOUNTS = 1_000  # each is compared with each


def check_size(source: Source, patterns: Iterable[Mapping[str, Any]], tools: int, mounts: int) -> None:
    """Raise `ManifestError` where there are so many mounts, or patterns and tools that meet, that checks would be slow.

    `patterns` are the tables of capabilities as read.
    """
    if mounts > _MAX_MOUNTS:
        message = f"{mounts:,} mounts are too many: mount the folder that holds them"
        source.fault("AM102", ("mounts",), message, at_key=True)
        raise ManifestError(source.faults)
    weights = [1 + _size(read.get("constraints")) for read in patterns if not is_literal(read["method"])]
    if sum(weights) * tools > _MAX_PAIRS:
        source.fault(
            "AM102",
            ("capabilities",),
            f"{len(weights):,} patterns with '*' and their constraints over {tools:,} tools are too much to check: "
            "name tools without '*', or split the manifest",
            at_key=True,
        )
        raise ManifestError(source.faults)


def _size(spelling: object) -> int:
    """How many plain values a value holds."""
    items, table = as_list(spelling), as_mapping(spelling)
    parts = items if items is not None else None if table is None else list(table.values())
    return 1 if parts is None else sum(map(_size, parts))


def check_pattern(source: Source, at: Path, written: str, capability: MethodCapability) -> None:
    """Fault a pattern that names no tool; warn where only an MCP server could say."""
    scope, pattern = capability.scope, capability.method_pattern
    if written in ("mcp:*", "mcp:**"):
        source.warn(
            "AM204",
            at,
            f"{written!r} grants every tool there is, not only those of MCP servers: 'mcp:' is only a prefix",
        )
    if scope is None or (pattern in scope.tools if is_literal(pattern) else any(map(capability.names, scope.tools))):
        return
    if any(reaches_into(pattern, server) for server in scope.servers):
        source.warn("AM212", at, f"unverified: whether {pattern!r} names a tool is known only when its MCP server runs")
        return
    close = nearest(pattern, scope.tools)
    hint = f"; did you mean {close!r}?" if close else "; declare it under [tools] or [mcp]"
    source.fault("AM113", at, f"{pattern!r} names no declared tool{hint}")


def check_test(source: Source, at: Path, call: str, names: ToolNames, servers: Mapping[str, McpServer]) -> str:
    """The canonical path of the tool that a test calls; a fault if there is none."""
    try:
        path = names.resolve(call)
    except ToolNameError as error:
        source.fault("AM126", at, str(error))
        return call
    if path is None and call.split("/", maxsplit=1)[0] not in servers:
        source.fault("AM126", at, f"{call!r} is not a declared tool{did_you_mean(call, names)}")
    return path or call


def check_satisfiable(origins: Iterable[Origin], sources: Mapping[str, Source]) -> None:
    """Fault constraint sets that nothing can meet, as far as that can be proved."""
    effort = Effort(_MAX_EFFORT)
    groups: dict[tuple[str, str | Path], list[Origin]] = {}
    for origin in origins:
        groups.setdefault((origin.file, origin.owner), []).append(origin)
    for group in groups.values():
        alone = [origin for origin in group if _impossible(origin.constraints, effort)]
        for origin in alone:
            sources[origin.file].fault("AM117", origin.at, f"nothing can satisfy {_text(origin.constraints)}")
        together = [part for origin in group for part in origin.constraints]
        if not alone and len(group) > 1 and _impossible(together, effort):
            sources[group[0].file].fault(
                "AM117", group[0].at[:-1], f"nothing can satisfy {_text(together)}", at_key=True
            )


_MAX_EFFORT = 10_000_000  # for one manifest: some seconds; what is left then counts as satisfiable


def _impossible(constraints: Sequence[Constraint], effort: Effort) -> bool:
    try:
        return bool(constraints) and unsatisfiable(constraints, effort)
    except UndecidableError:
        return False


def _text(constraints: Iterable[Constraint]) -> str:
    return " & ".join(map(str, constraints))


def check_origins(
    origins: Iterable[Origin], schemas: Schemas, sources: Mapping[str, Source], only: Set[str] | None
) -> None:
    """Fault constraints on what no bound tool's schema has, or that no arguments meet which it admits.

    A capability may bind several tools; it is faulted when none of them fits. `only` restricts the check to
    constraints that bind one of these tools.
    """
    effort = Effort(_MAX_EFFORT)
    for origin in origins:
        tools = origin.tools(schemas)
        if not tools or (only is not None and not only & set(tools)):
            continue
        source, known = sources[origin.file], [schemas[path] or {} for path in tools]
        problems = [first for leaf in _places(origin.constraints) if (first := _problem_of_all(known, leaf))]
        if problems:
            code, problem = problems[0]  # those that follow are about the same parameter
            source.fault(code, origin.at, f"{problem} (tool {tools[0]!r})")
        elif _excluded(origin.constraints, known, effort):
            said = _text(facts(known[0], origin.constraints))
            message = f"nothing can satisfy {_text(origin.constraints)}, since by the schema of {tools[0]!r} {said}"
            source.fault("AM117", origin.at, message)


def check_secrets(
    tools: Iterable[Tool], schemas: Mapping[str, Mapping[str, Any]], sources: Mapping[str, Source]
) -> None:
    """Fault secrets that are no parameters by schemas that came from elsewhere: they would hide nothing."""
    for tool in tools:
        for n, name in enumerate(tool.secret):
            absent = absent_step(schemas[tool.path], parse_path(name))
            if absent is not None:
                hint = did_you_mean(absent[0], absent[1])
                sources[tool.file].fault(
                    "AM120", (*tool.at, "secret", n), f"{name!r} is not a parameter of this tool{hint}"
                )


def _problem_of_all(schemas: Sequence[Mapping[str, Any]], leaf: _Place) -> tuple[str, str] | None:
    """What is wrong with a leaf by the first schema, if something is by each."""
    first = _problem(schemas[0], *leaf)
    return first if first and all(_problem(schema, *leaf) for schema in schemas[1:]) else None


def _excluded(constraints: Sequence[Constraint], schemas: Sequence[Mapping[str, Any]], effort: Effort) -> bool:
    """Whether the constraints can be met, but not by what any of the schemas admits."""
    excluded = all(_impossible([*constraints, *facts(schema, constraints)], effort) for schema in schemas)
    return excluded and not _impossible(constraints, effort)


_Place = tuple[tuple[Step, ...], frozenset[str], str]  # where a leaf looks, the types it can judge there, its text


def _problem(
    schema: Mapping[str, Any], steps: tuple[Step, ...], accepted: frozenset[str], rule: str
) -> tuple[str, str] | None:
    """Why a leaf can never hold: a code and a sentence."""
    absent = absent_step(schema, steps)
    if absent is not None:
        step, names = absent
        return "AM115", f"the schema has no parameter {path_text(steps)!r}{did_you_mean(step, names)}"
    types = param_types(schema, steps)
    if types is None or types & accepted:
        return None
    return (
        "AM116",
        f"{path_text(steps)} is of type {' or '.join(sorted(types))} by its schema, so {rule} can never hold",
    )


def _places(constraints: Iterable[Constraint]) -> Iterable[_Place]:
    """Every place that constraints look at, with the JSON types they can judge there."""
    for path, part in looks(constraints):
        yield path, part.accepted if isinstance(part, Leaf) else frozenset({"array"}), str(part)
