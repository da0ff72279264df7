"""The manifest: what a `tools.toml` says, read whole, with every fault reported at once."""

from ._faults import ManifestError, path_name
from ._load import load_manifest, manifest_schema, parse_manifest
from ._manifest import Manifest, combine
from ._model import CommandTool, HttpTool, McpServer, Mount, PolicyTest, PythonTool, Suppression, Tool
from ._templates import EnvRef, Slot, Template

__all__ = [
    "CommandTool",
    "EnvRef",
    "HttpTool",
    "Manifest",
    "ManifestError",
    "McpServer",
    "Mount",
    "PolicyTest",
    "PythonTool",
    "Slot",
    "Suppression",
    "Template",
    "Tool",
    "combine",
    "load_manifest",
    "manifest_schema",
    "parse_manifest",
    "path_name",
]
