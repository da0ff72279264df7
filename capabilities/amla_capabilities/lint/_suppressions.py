"""Findings that a manifest accepts, in `[check.suppress]`."""

from __future__ import annotations

from collections.abc import Iterable

from amla_capabilities.findings import FINDINGS, Finding
from amla_capabilities.manifest import Manifest, Suppression

__all__ = ["unsuppressed"]


def unsuppressed(manifest: Manifest, findings: Iterable[Finding], *, judged: str | None) -> list[Finding]:
    """The findings that the manifest does not accept, and AM213 for each suppression that accepted none.

    `judged` is the beginning of the codes that were looked for, such as `AM2`: only of these is it known that a
    suppression was idle; of none, if it is None. Codes that cannot be suppressed are kept whatever the manifest says.
    """
    idle = {id(entry): entry for entry in manifest.suppressed if judged and entry.code.startswith(judged)}
    kept: list[Finding] = []
    for found in findings:
        accepting = [entry for entry in manifest.suppressed if _accepts(entry, found)]
        for entry in accepting:
            idle.pop(id(entry), None)
        if not accepting:
            kept.append(found)
    return kept + [_idle(manifest, entry) for entry in idle.values()]


def _accepts(entry: Suppression, found: Finding) -> bool:
    if entry.code != found.code or not FINDINGS[found.code].can_suppress:
        return False
    rest = found.path.removeprefix(entry.path)
    return not entry.path or (found.path.startswith(entry.path) and rest[:1] in ("", ".", "["))


def _idle(manifest: Manifest, entry: Suppression) -> Finding:
    place = f" about {entry.path}" if entry.path else ""
    message = f"nothing is found that this suppresses: there is no {entry.code}{place}"
    return manifest.finding("AM213", entry.at, message, file=entry.file, at_key=True, hint="remove it")
