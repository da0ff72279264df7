"""Reading one manifest and its includes: tables to tools and capabilities, every fault noted where it stands."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path as FilePath
from typing import Any

from amla_capabilities._constraints._constraint import Constraint
from amla_capabilities._constraints._constraint_set import ConstraintSet
from amla_capabilities._decisions._policy import Policy
from amla_capabilities._errors import PatternError, ToolNameError
from amla_capabilities._grants._capability import MethodCapability, Scope
from amla_capabilities._limits import Limits
from amla_capabilities._names import ToolNames, canonical_name, mcp_segment
from amla_capabilities._values import as_mapping

from ._checks import Origin, check_merges, check_origins, check_pattern, check_satisfiable, check_size, check_test
from ._faults import ManifestError, Source, fault_in
from ._fields import TOP
from ._includes import include_path
from ._manifest import Manifest
from ._model import McpServer, Mount, PolicyTest, Tool
from ._positions import Path, too_deep
from ._schemas import check_references
from ._tools import BUDGETS, Read, argument_schema, build_mcp, build_tool, constraints_at

__all__ = ["Reading", "file_text"]

# Arbitrary, so that a hostile repository cannot stall a checker:
_MAX_SIZE = 4_000_000  # bytes of one file, characters of all
_MAX_FILES = 100  # files of a manifest, each time that one is included


def file_text(file: FilePath) -> str:
    if file.exists() and not file.is_file():  # a pipe would keep a checker waiting
        raise ManifestError([fault_in(str(file), "AM100", "is not a regular file")])
    with file.open("rb") as opened:
        data = opened.read(_MAX_SIZE + 1)
    if len(data) > _MAX_SIZE:
        raise ManifestError([fault_in(str(file), "AM100", f"is larger than {_MAX_SIZE:,} bytes")])
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ManifestError([replace(fault_in(str(file), "AM100", "is not UTF-8 text"), line=line)]) from None


@dataclass(slots=True)
class _File:
    """One file as read, with the files that it includes."""

    source: Source
    read: Read
    raw: Read
    schemas: dict[str, Read | None] = field(default_factory=dict[str, Read | None])  # of every tool, faulty ones too
    tools: dict[str, Tool] = field(default_factory=dict[str, Tool])
    mcp: dict[str, McpServer] = field(default_factory=dict[str, McpServer])
    includes: list[_File] = field(default_factory=list["_File"])

    def all(self) -> list[_File]:
        return [self, *(inner for file in self.includes for inner in file.all())]


class Reading:
    """One act of reading: the files so far, and where constraints came from."""

    def __init__(self, known_tools: frozenset[str]) -> None:
        self._known_tools = known_tools
        self.sources: list[Source] = []
        self._origins: list[Origin] = []
        self._where: dict[MethodCapability, tuple[str, Path]] = {}

    def file(
        self, text: str, file: FilePath | None, root: FilePath | None, chain: tuple[FilePath, ...]
    ) -> _File | None:
        source = Source(str(file) if file else "<manifest>", text)
        self.sources.append(source)
        deep = too_deep(text)
        if deep is not None:
            source.fault_at("AM102", deep, "is nested too deeply")
            return None
        try:
            raw = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            _syntax_fault(source, error)
            return None
        content = _File(source, TOP.read(raw, (), source), raw)
        self._tools(content)
        for key in ("sandbox", "check"):
            if chain and key in raw:
                source.fault("AM127", (key,), f"[{key}] stands in the top file only", at_key=True)
        resolved = file.resolve() if file else None
        for n, name in enumerate(content.read.get("include", ())):
            if name is not None:
                self._include(content, n, name, root, (*chain, *([resolved] if resolved else ())))
        return content

    def _include(self, content: _File, n: int, name: str, root: FilePath | None, chain: tuple[FilePath, ...]) -> None:
        try:
            if len(self.sources) >= _MAX_FILES:
                raise ValueError(f"a manifest has at most {_MAX_FILES} files")
            target = include_path(name, root, chain)
            text = file_text(target)
            if len(text) + sum(len(source.text) for source in self.sources) > _MAX_SIZE:
                raise ValueError(f"all files of a manifest have at most {_MAX_SIZE:,} characters")
        except (ValueError, OSError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            content.source.fault("AM121", ("include", n), f"cannot include {name!r}: {reason}")
            return
        inner = self.file(text, self._named(target, root), root, chain)
        if inner is not None:
            content.includes.append(inner)

    def _named(self, target: FilePath, root: FilePath | None) -> FilePath:
        """An included file, told from where the top one was named."""
        top = FilePath(self.sources[0].file)
        return target if root is None else top.parent / target.relative_to(root)

    def _tools(self, content: _File) -> None:
        source = content.source
        for name, read in content.read.get("tools", {}).items():
            path = _named(canonical_name, name, ("tools", name), source)
            if path and read is not None:
                self._tool(content, name, path, read)
        for name, read in content.read.get("mcp", {}).items():
            segment = _named(mcp_segment, name, ("mcp", name), source)
            server = (
                build_mcp(segment, content.raw["mcp"][name], read, source) if segment and read is not None else None
            )
            if server is not None:
                content.mcp[server.name] = server

    def _tool(self, content: _File, name: str, path: str, read: Read) -> None:
        source = content.source
        placed = constraints_at(read, ("tools", name), source)
        constraints = _written(placed)
        tool = build_tool(name, path, content.raw["tools"][name], read, constraints, source)
        if path in content.schemas:
            return  # declared twice, which is noted elsewhere
        schema = content.schemas[path] = argument_schema(content.raw["tools"][name], read)
        check_references(schema, read.get("returns"), ("tools", name), source)
        self._origins += [Origin(source.file, where, path, None, parts) for where, parts in placed]
        if tool is not None:
            content.tools[path] = tool

    def manifest(self, top: _File, path: FilePath | None) -> Manifest:
        files = top.all()
        check_merges([(file.source, as_mapping(file.raw.get("tools")) or {}, file.mcp) for file in files])
        tools = {path: tool for file in files for path, tool in file.tools.items()}
        servers = {name: server for file in files for name, server in file.mcp.items()}
        patterns = [read for file in files for read in _sound(file, "capabilities", "method")]
        mounts = sum(len(file.read.get("mounts", ())) for file in files)
        check_size(top.source, patterns, len(tools) + len(servers) + len(self._known_tools), mounts)
        explicit = [capability for file in files for capability in self._capabilities(file)]
        named = Policy(explicit).grants  # by the capabilities that stand there as such
        own = [self._own(tool) for tool in tools.values() if tool.granted or (tool.implied and not named(tool.path))]
        schemas = {path: schema for file in files for path, schema in file.schemas.items()}
        schemas |= dict.fromkeys(self._known_tools - schemas.keys())
        check_origins(self._origins, schemas, {file.source.file: file.source for file in files}, None)
        check_satisfiable(self._origins, {file.source.file: file.source for file in files})
        set_limits = top.read.get("sandbox", {})
        return Manifest(
            path=path,
            limits=Limits(**set_limits),
            limits_set=frozenset(set_limits),
            tools=tools,
            capabilities=(*explicit, *own),
            mcp=servers,
            mounts=tuple(mount for file in files for mount in _mounts(file)),
            env={name: value for file in files for name, value in file.read.get("env", {}).items()},
            tests=tuple(self._tests(files, servers)),
            suppressed=tuple(top.read.get("check", {}).get("suppress", ())),
            warnings=tuple(warning for file in files for warning in file.source.warnings),
            files=tuple(file.source.file for file in files),
            sources=tuple(self.sources),
            origins=tuple(self._origins),
            where=self._where,
        )

    def _own(self, tool: Tool) -> MethodCapability:
        """The grant of a tool's own table."""
        capability = MethodCapability(tool.path, scope=Scope(frozenset({tool.path})))
        self._where[capability] = (tool.file, tool.at)
        return capability

    def _capabilities(self, file: _File) -> list[MethodCapability]:
        inner = file.all()
        scope = Scope(
            self._known_tools.union(*(part.schemas for part in inner)),
            frozenset(name for part in inner for name in part.mcp),
        )
        found: list[MethodCapability] = []
        for n, read in enumerate(file.read.get("capabilities", ())):
            if read is not None and "method" in read:
                capability = self._capability(file.source, ("capabilities", n), read, scope)
                if capability is not None:
                    found.append(capability)
        return found

    def _capability(self, source: Source, at: Path, read: Read, scope: Scope) -> MethodCapability | None:
        placed = constraints_at(read, at, source)
        constraints = _written(placed)
        limits = {key: read[key] for key in (*BUDGETS, "note") if key in read}
        try:
            capability = MethodCapability(read["method"], constraints, scope=scope, **limits)
        except PatternError as error:
            source.fault("AM112", (*at, "method"), str(error))
            return None
        check_pattern(source, (*at, "method"), read["method"], capability)
        self._origins += [Origin(source.file, where, at, capability, parts) for where, parts in placed]
        self._where[capability] = (source.file, at)
        return capability

    def _tests(self, files: list[_File], servers: Mapping[str, McpServer]) -> Iterable[PolicyTest]:
        try:
            names = ToolNames({*(path for file in files for path in file.schemas), *self._known_tools})
        except ToolNameError as error:
            if not any(fault.code == "AM108" for file in files for fault in file.source.faults):
                files[0].source.fault("AM108", ("tools",), str(error), at_key=True)
            return
        for file in files:
            for n, read in enumerate(file.read.get("tests", ())):
                if read is not None and "call" in read:
                    call = check_test(file.source, ("tests", n, "call"), read["call"], names, servers)
                    fields: Read = {
                        "args": {},
                        "expect": "deny",
                        **read,
                        "call": call,
                        "file": file.source.file,
                        "at": ("tests", n),
                    }
                    yield PolicyTest(**fields)


def _named(canonical: Any, name: str, at: Path, source: Source) -> str | None:
    try:
        return str(canonical(name))
    except ToolNameError as error:
        source.fault("AM107", at, str(error), at_key=True)
        return None


def _written(placed: Iterable[tuple[Path, Iterable[Constraint]]]) -> ConstraintSet:
    """The constraints that a table names as such; those that totals imply only serve checks."""
    return ConstraintSet(part for at, parts in placed if at[-2] != "total" for part in parts)


def _mounts(file: _File) -> Iterable[Mount]:
    for n, read in enumerate(file.read.get("mounts", ())):
        if read is not None and read.get("delete") and read.get("mode") != "rw":
            file.source.fault("AM111", ("mounts", n, "delete"), 'delete goes with mode = "rw"', at_key=True)
        if read is not None and "host" in read and "guest" in read:
            yield Mount(**read, file=file.source.file, at=("mounts", n))


def _sound(file: _File, key: str, *needed: str) -> list[Read]:
    return [read for read in file.read.get(key, ()) if read is not None and all(name in read for name in needed)]


def _syntax_fault(source: Source, error: tomllib.TOMLDecodeError) -> None:
    """tomllib says where in words; put the fault there."""
    import re

    message = str(error)
    found = re.search(r" \(at line (\d+), column (\d+)\)$", message)
    offset = len(source.text)
    if found:
        lines = source.text.splitlines(keepends=True)
        offset = min(offset, sum(map(len, lines[: int(found[1]) - 1])) + int(found[2]) - 1)
        message = message[: found.start()]
    source.fault_at("AM101", offset, f"not valid TOML: {message}")
