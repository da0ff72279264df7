"""AM6xx: calls that a script made when it was run on trial."""

from __future__ import annotations

from ._finding import FindingKind

__all__ = ["RUNS"]

RUNS: tuple[FindingKind, ...] = (
    FindingKind(
        "AM601",
        "A call that would be denied",
        "error",
        "On trial, with mocks in place of its tools, the script made a call that the policy denies, or whose arguments "
        "the tool's schema refuses. That the script goes on after it makes no difference; the finding then names the "
        "lines where the call can have been made.",
        "Mend the script, or widen the manifest if the call is meant to be allowed. `--explain` shows each rule.",
        can_suppress=False,
    ),
    FindingKind(
        "AM602",
        "A script that fails on trial",
        "warning",
        "With mocks in place of its tools the script ended with an error or another status than 0, so calls that it "
        "would have made later were not seen.",
        "Give the tools a `mock` that the script can work with, or a `returns` schema from which one is made.",
        can_suppress=False,
    ),
)
