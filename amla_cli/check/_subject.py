"""What is checked: manifests as read, their tools as the source shows them, and what was found on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from amla_cli._catalog import Entry, catalog, prepared
from amla_cli.check._findings import Unchecked

if TYPE_CHECKING:
    from amla_capabilities import Manifest, Policy
    from amla_capabilities.findings import Finding
    from amla_sandbox import ToolDefinition

__all__ = ["Subject", "read_subject"]


@dataclass(slots=True)
class Subject:
    """The manifests that could be read, in order, and each tool's definition by path.

    `definitions` lack the tools whose schemas do not follow from the source; those are in `unknown`, with the reason,
    and in `open`, as tools that take anything.
    """

    files: tuple[str, ...]
    manifests: list[Manifest] = field(default_factory=list["Manifest"])
    definitions: dict[str, ToolDefinition] = field(default_factory=dict[str, "ToolDefinition"])
    unknown: dict[str, str] = field(default_factory=dict[str, str])
    open: list[ToolDefinition] = field(default_factory=list["ToolDefinition"])
    findings: list[Finding] = field(default_factory=list["Finding"])
    unchecked: list[Unchecked] = field(default_factory=list[Unchecked])

    @property
    def sound(self) -> bool:
        """Whether all manifests could be read, so that calls can be judged by them."""
        return len(self.manifests) == len(self.files)

    def policy(self) -> Policy:
        """One policy for all manifests, with fresh budgets."""
        from amla_capabilities.manifest import combine

        return combine(self.manifests)

    def schemas(self, manifest: Manifest) -> dict[str, Mapping[str, Any]]:
        """The schemas of a manifest's Python tools, which do not stand in the manifest itself."""
        return {
            path: self.definitions[path].schema
            for path, tool in manifest.tools.items()
            if tool.schema is None and path in self.definitions
        }

    @property
    def paths(self) -> list[str]:
        """Every declared tool."""
        return [path for manifest in self.manifests for path in manifest.tools]

    @property
    def servers(self) -> list[str]:
        """The names of MCP servers, whose tools are not known."""
        return [name for manifest in self.manifests for name in manifest.mcp]

    def schema(self, path: str) -> Mapping[str, Any] | None:
        """What a tool takes, None if that is not known."""
        definition = self.definitions.get(path)
        return None if definition is None else definition.schema

    def prepare(self, path: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """Arguments as a run hands them to the policy; as they are where the schema is not known.

        Raises ValueError for arguments that the tool does not take.
        """
        definition = self.definitions.get(path)
        if definition is None:
            return arguments
        tool = next(found for each in self.manifests if (found := each.tools.get(path)) is not None)
        return prepared(tool, definition, arguments)


def read_subject(files: Sequence[str], *, load: bool = False) -> Subject:
    """Read the manifests. Faults become findings; with `load` Python tools are imported for their schemas (R1)."""
    subject = Subject(tuple(files))
    for file in files:
        _read(subject, file, load)
    return subject


def _read(subject: Subject, file: str, load: bool) -> None:
    from amla_capabilities import ManifestError, ToolNameError, load_manifest

    try:
        manifest = load_manifest(file)
        _take(subject, manifest, catalog([manifest], load=load))
    except ManifestError as error:
        subject.findings += error.faults
    except ToolNameError as error:
        subject.unchecked.append(Unchecked(file, 1, 1, str(error)))
    except OSError as error:
        reason = error.strerror or str(error)
        subject.unchecked.append(Unchecked(str(error.filename or file), 1, 1, f"cannot be read: {reason}"))


def _take(subject: Subject, manifest: Manifest, entries: Sequence[Entry]) -> None:
    subject.manifests.append(manifest)
    for entry in entries:
        path = entry.tool.path
        if entry.unknown:
            subject.unknown[path] = entry.unknown
            subject.open.append(entry.definition)
            message = f"the parameters of {path} are not known: {entry.unknown}"
            subject.findings.append(
                manifest.finding("AM215", entry.tool.at, message, file=entry.tool.file, at_key=True)
            )
        else:
            subject.definitions[path] = entry.definition
