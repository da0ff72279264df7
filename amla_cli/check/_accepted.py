"""Findings in scripts that a manifest accepts, in its `[check.suppress]`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from amla_capabilities import Manifest
    from amla_capabilities.findings import Finding

__all__ = ["unaccepted"]


def unaccepted(manifests: Sequence[Manifest], findings: Iterable[Finding]) -> list[Finding]:
    """The findings that no manifest accepts. An entry's `path` names a script, beside the manifest.

    Which entries were of no use is not said: a hook sees only the scripts that changed.
    """
    return [found for found in findings if not any(_accepts(manifest, found) for manifest in manifests)]


def _accepts(manifest: Manifest, found: Finding) -> bool:
    from amla_capabilities.findings import FINDINGS

    if not FINDINGS[found.code].can_suppress:
        return False
    entries = [entry for entry in manifest.suppressed if entry.code == found.code]
    folder = manifest.path.parent if manifest.path is not None else Path()
    return any(not entry.path or _same(folder / entry.path, Path(found.file)) for entry in entries)


def _same(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve()
