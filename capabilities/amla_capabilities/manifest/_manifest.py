"""`Manifest`: all that a manifest and its includes say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any

from amla_capabilities._budgets._ledger import Ledger
from amla_capabilities._decisions._policy import Policy
from amla_capabilities._grants._capability import MethodCapability
from amla_capabilities._limits import Limits
from amla_capabilities._names import ToolNames
from amla_capabilities.findings import Finding

from ._checks import Origin, check_origins, check_secrets
from ._faults import Source, raise_faults
from ._model import McpServer, Mount, PolicyTest, Suppression, Tool
from ._positions import Path

__all__ = ["Manifest", "combine"]


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """What a manifest and its includes say.

    `capabilities` are the `[[capabilities]]` in file order, then the grants of the tools' own tables: an explicit
    capability decides first, so that its budget and approval are not avoided. Limits in a tool's table grant it only
    where none names it; `allow = true` does in any case. `limits_set` names the limits that
    `[sandbox]` sets. `warnings` are no faults, but worth a look. `sources`, `origins` and `where`
    (the file of each capability, and the place in it) serve later checks.
    """

    path: FilePath | None
    limits: Limits
    limits_set: frozenset[str]
    tools: Mapping[str, Tool]
    capabilities: tuple[MethodCapability, ...]
    mcp: Mapping[str, McpServer]
    mounts: tuple[Mount, ...]
    env: Mapping[str, str]
    tests: tuple[PolicyTest, ...]
    suppressed: tuple[Suppression, ...]
    warnings: tuple[Finding, ...]
    files: tuple[str, ...]
    sources: tuple[Source, ...] = field(repr=False)
    origins: tuple[Origin, ...] = field(repr=False)
    where: Mapping[MethodCapability, tuple[str, Path]] = field(repr=False)

    def policy(self, *, ledger: Ledger | None = None) -> Policy:
        """The policy that the manifest describes."""
        return combine([self], ledger=ledger)

    def check_schemas(self, schemas: Mapping[str, Mapping[str, Any]]) -> None:
        """Check constraints and secrets against schemas that came from elsewhere, such as Python signatures.

        `schemas` maps tool paths to the JSON Schemas of their arguments. Raises `ManifestError`.
        """
        known = {path: tool.schema for path, tool in self.tools.items()}
        sources = [Source(source.file, source.text) for source in self.sources]
        by_file = {source.file: source for source in sources}
        check_origins(self.origins, {**known, **schemas}, by_file, set(schemas))
        check_secrets((tool for path, tool in self.tools.items() if path in schemas), schemas, by_file)
        raise_faults(sources)

    def finding(
        self, code: str, path: Path, message: str, *, file: str = "", at_key: bool = False, hint: str = ""
    ) -> Finding:
        """A finding about `path` (such as `("tools", "git/log")`) in `file`, the first file if not given."""
        source = next((source for source in self.sources if source.file == file), self.sources[0])
        return source.place(code, path, message, at_key=at_key, hint=hint)


def combine(manifests: Iterable[Manifest], *, ledger: Ledger | None = None) -> Policy:
    """One policy for several manifests, none of which grants another's tools (R2).

    Raises `ToolNameError` where two of them declare one tool, or tools whose spellings would merge.
    """
    every = list(manifests)
    ToolNames(path for manifest in every for path in manifest.tools)
    capabilities = [capability for manifest in every for capability in manifest.capabilities]
    limits = {path: tool.limits for manifest in every for path, tool in manifest.tools.items()}
    return Policy(capabilities, limits, ledger=ledger)
