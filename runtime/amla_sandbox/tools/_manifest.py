"""From a manifest's tools to definitions that can be called."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from amla_capabilities.manifest import CommandTool, HttpTool, Manifest, PythonTool, Tool

from ._declared import declared
from ._definition import ToolDefinition
from ._errors import ToolDefinitionError
from ._loading import load_callable, module_file

__all__ = ["from_manifest"]


def from_manifest(manifest: Manifest, *, variables: Mapping[str, str] | None = None) -> tuple[ToolDefinition, ...]:
    """All tools of a manifest, ready to call: Python modules are imported, programs found, ``${NAME}`` filled in.

    ``variables`` is the environment for that (the process's, if None). Raises ToolDefinitionError that lists
    everything wrong, and ManifestError where constraints name parameters that a Python tool does not have.
    """
    environment = os.environ if variables is None else variables
    definitions: list[ToolDefinition] = []
    faults: list[str] = []
    for tool in manifest.tools.values():
        try:
            definitions.append(_define(tool, environment))
        except ToolDefinitionError as error:
            problem = str(error).removeprefix(f"{tool.path}: ")
            faults.append(str(manifest.finding("AM130", ("tools", tool.path), problem, file=tool.file)))
    if faults:
        raise ToolDefinitionError("\n".join(faults))
    read_from_code = {tool.path for tool in manifest.tools.values() if tool.schema is None}
    manifest.check_schemas({tool.path: tool.schema for tool in definitions if tool.path in read_from_code})
    return tuple(definitions)


def _define(tool: Tool, variables: Mapping[str, str]) -> ToolDefinition:
    folder = Path(tool.file).parent
    if isinstance(tool, PythonTool):
        return _python(tool, folder)
    if isinstance(tool, CommandTool):
        from .command import command_tool

        return command_tool(tool, folder, variables)
    if isinstance(tool, HttpTool):
        from .http import http_tool

        return http_tool(tool, variables)
    raise ToolDefinitionError(f"{tool.path}: tools of kind {type(tool).__name__} cannot be called")


def _python(tool: PythonTool, folder: Path) -> ToolDefinition:
    from .python import tool_from_function

    function = load_callable(tool.module, tool.attribute, folder, tool.path)
    described = tool_from_function(function, **declared(tool), description=tool.description or None, schema=tool.schema)
    file = module_file(tool.module, folder)
    return replace(described, host_files=(str(file.resolve()),)) if file is not None else described
