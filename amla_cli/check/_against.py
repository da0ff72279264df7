"""What widened since an older manifest (R37)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from amla_cli._outcome import CliError
from amla_cli.check._findings import Unchecked
from amla_cli.check._revision import load_old

if TYPE_CHECKING:
    from amla_capabilities.findings import Finding
    from amla_cli.check._subject import Subject

__all__ = ["check_against"]


def check_against(subject: Subject, spec: str) -> list[Finding]:
    """Compare the one manifest with the older one that `spec` names. Raises CliError unless there is just one."""
    from amla_capabilities import ManifestError
    from amla_capabilities.compare import widened

    if len(subject.files) != 1:
        raise CliError("usage", "--against compares one manifest", "name a single --tools FILE")
    if not subject.sound:
        return []
    try:
        old = load_old(spec)
    except ManifestError as error:
        subject.unchecked += [Unchecked(fault.file, fault.line, fault.column, fault.message) for fault in error.faults]
        return []
    return widened(old, subject.manifests[0])
