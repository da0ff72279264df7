"""Everything that a check can find, in one table: `FINDINGS` maps a code to what it means.

`AM1xx` are faults of a manifest, which refuse it; `AM2xx` what `lint` finds in a sound one; `AM3xx` its policy tests;
`AM4xx` call sites in scripts; `AM5xx` rights that widened; `AM6xx` calls of a script that was run on trial.
`docs/findings.md` is generated from here.
"""

from __future__ import annotations

from collections.abc import Mapping

from ._faults import FAULTS
from ._finding import Finding, FindingKind, Severity
from ._policy_tests import POLICY_TESTS
from ._runs import RUNS
from ._sites import SITES
from ._warnings import WARNINGS
from ._widening import WIDENING

__all__ = ["FINDINGS", "Finding", "FindingKind", "Severity"]

FINDINGS: Mapping[str, FindingKind] = {
    kind.code: kind for kind in (*FAULTS, *WARNINGS, *POLICY_TESTS, *SITES, *WIDENING, *RUNS)
}
