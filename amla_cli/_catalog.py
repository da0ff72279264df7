"""The declared tools as data: signatures, schemas, grants. Nothing is imported, started or connected to (R1)."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from amla_capabilities import Manifest, MethodCapability, Policy, PythonTool, Tool
    from amla_sandbox import ToolDefinition

    from ._stand_in import Module

__all__ = ["Entry", "catalog", "kind_of", "prepared"]

_MAX_SOURCE = 2_000_000  # bytes; arbitrary
_OPEN: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": True}


@dataclass(frozen=True, slots=True)
class Entry:
    """One declared tool. `unknown` says why its schema could not be told from the source; empty if it could."""

    tool: Tool
    definition: ToolDefinition
    unknown: str
    grants: tuple[MethodCapability, ...]
    remaining: int | None

    def prepare(self, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """Arguments as a run hands them to the policy; as they are where the schema is not known."""
        return arguments if self.unknown else prepared(self.tool, self.definition, arguments)

    @property
    def granted(self) -> bool:
        return bool(self.grants) and self.tool.limits.allow


def prepared(tool: Tool, definition: ToolDefinition, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """Arguments as a run hands them to the policy (R20).

    Raises ValueError where the schema refuses them, or the tool does: a value that a program could take for an
    option, say.
    """
    from amla_sandbox.tools import bind_value
    from amla_sandbox.tools._refusals import refusals_of

    bound = bind_value(definition, arguments)
    if (refuse := refusals_of(tool)) is not None:
        refuse(bound)
    return bound


def catalog(manifests: Sequence[Manifest], *, load: bool) -> list[Entry]:
    """Every tool of the manifests, in order. `load` imports Python tools instead of reading their source.

    Raises ManifestError where constraints do not fit a signature, ToolNameError for names that scripts need, and with
    `load` what loading the tools raises.
    """
    from amla_capabilities.manifest import combine
    from amla_sandbox._calls._toolset import ToolSet

    policy = combine(manifests)
    entries = [entry for manifest in manifests for entry in _entries(manifest, policy, load)]
    ToolSet(entry.definition for entry in entries)  # refuses the names that a sandbox would refuse
    return entries


def _entries(manifest: Manifest, policy: Policy, load: bool) -> Iterable[Entry]:
    described = _loaded(manifest) if load else _Sources().described(manifest)
    known = {path: definition.schema for path, (definition, unknown) in described.items() if not unknown}
    manifest.check_schemas({path: schema for path, schema in known.items() if manifest.tools[path].schema is None})
    for path, tool in manifest.tools.items():
        yield Entry(tool, *described[path], policy.grants(path), policy.remaining_calls(path))


def _loaded(manifest: Manifest) -> dict[str, tuple[ToolDefinition, str]]:
    from amla_sandbox.tools import from_manifest

    return {definition.path: (definition, "") for definition in from_manifest(manifest)}


def _definition(tool: Tool, schema: Any) -> ToolDefinition:
    from amla_sandbox import ToolDefinition
    from amla_sandbox.tools._declared import declared

    return ToolDefinition(**declared(tool), description=tool.description, parameters=schema)


class _Sources:
    """Reads tools without loading them; the source of a module is parsed once for all its tools."""

    def __init__(self) -> None:
        self._modules: dict[Path, Module] = {}

    def described(self, manifest: Manifest) -> dict[str, tuple[ToolDefinition, str]]:
        """Each tool's definition, and why its schema is not known, if it is not."""
        return {path: self._read(tool) for path, tool in manifest.tools.items()}

    def _read(self, tool: Tool) -> tuple[ToolDefinition, str]:
        from amla_capabilities import PythonTool

        if isinstance(tool, PythonTool) and tool.schema is None:
            return self._from_source(tool)
        return _definition(tool, tool.schema or _OPEN), ""

    def _from_source(self, tool: PythonTool) -> tuple[ToolDefinition, str]:
        from amla_sandbox.tools import ToolDefinitionError, tool_from_function
        from amla_sandbox.tools._declared import declared

        from ._stand_in import NotStaticError

        try:
            function = self._module(tool).stand_in(tool.attribute)
            made = tool_from_function(function, **declared(tool), description=tool.description or None)
        except (NotStaticError, ToolDefinitionError) as error:
            return _definition(tool, _OPEN), str(error).removeprefix(f"{tool.path}: ")
        return replace(made, handler=None), ""

    def _module(self, tool: PythonTool) -> Module:
        from ._stand_in import Module, NotStaticError

        file = _source_file(tool.module, Path(tool.file).parent)
        if file is None:
            raise NotStaticError(f"the source of {tool.module} was not found")
        if file not in self._modules:
            self._modules[file] = Module(_source_text(file))
        return self._modules[file]


def _source_text(file: Path) -> str:
    from ._stand_in import NotStaticError

    try:
        with file.open("rb") as opened:
            data = opened.read(_MAX_SOURCE + 1)
    except OSError as error:
        raise NotStaticError(f"{file} cannot be read ({error.strerror})") from None
    if len(data) > _MAX_SOURCE:
        raise NotStaticError(f"{file} is larger than {_MAX_SOURCE:,} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise NotStaticError(f"{file} is not UTF-8") from None


def _source_file(module: str, folder: Path) -> Path | None:
    """Where the source of a module is, as the import system finds it, without importing a package on the way."""
    from amla_sandbox.tools._loading import module_file

    beside = module_file(module, folder)
    if beside is not None:
        return beside
    path: Sequence[str] | None = sys.path
    origin: str | None = None
    for step in module.split("."):
        spec = PathFinder.find_spec(step, path)
        if spec is None:
            return None
        origin, path = spec.origin, list(spec.submodule_search_locations or ())
    return Path(origin) if origin is not None and origin.endswith(".py") else None


def kind_of(tool: Tool) -> str:
    """`python`, `command` or `http`."""
    return type(tool).__name__.removesuffix("Tool").lower()
