"""`lint`: what a sound manifest says, but hardly means."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from amla_capabilities.findings import Finding
from amla_capabilities.manifest import Manifest

from . import _grants, _lookalikes, _mounts, _overlaps, _policy_tests, _programs, _secrets, _values
from ._subject import Subject
from ._suppressions import unsuppressed

__all__ = ["lint"]

_CHECKS: tuple[Callable[[Subject], Iterator[Finding]], ...] = (
    _grants.never_granted,
    _grants.of_everything,
    _grants.unbudgeted_writes,
    _grants.expired,
    _grants.forbidden,
    _grants.of_no_call,
    _overlaps.overlaps,
    _secrets.in_the_file,
    _secrets.in_the_open,
    _mounts.of_homes,
    _mounts.of_what_decides,
    _mounts.at_one_place,
    _programs.run_parameters,
    _policy_tests.twice,
    _policy_tests.with_unknown_arguments,
    _lookalikes.admitted_lookalikes,
    _values.texts_like_patterns,
    _values.refused_defaults,
    _values.mocks_unlike_results,
)


def lint(
    manifest: Manifest, *, schemas: Mapping[str, Mapping[str, Any]] | None = None, now: datetime | None = None
) -> list[Finding]:
    """What is found in a manifest (codes `AM2xx`), without what its `[check]` accepts, in the order of the files.

    `schemas` are those of tools whose schemas do not stand in the manifest, by path. `now` is the time against which
    grants expire. Nothing is imported, started or looked up.
    """
    known = {path: tool.schema for path, tool in manifest.tools.items() if tool.schema is not None}
    subject = Subject(manifest, {**known, **(schemas or {})}, now or datetime.now(UTC))
    found = [*manifest.warnings, *(finding for check in _CHECKS for finding in check(subject))]
    order = {file: n for n, file in enumerate(manifest.files)}
    kept = unsuppressed(manifest, found, judged="AM2")
    return sorted(kept, key=lambda one: (order.get(one.file, len(order)), one.line, one.column, one.code))
