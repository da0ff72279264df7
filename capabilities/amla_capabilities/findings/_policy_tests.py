"""AM3xx: the unit tests of a policy."""

from __future__ import annotations

from ._finding import FindingKind

__all__ = ["POLICY_TESTS"]

POLICY_TESTS: tuple[FindingKind, ...] = (
    FindingKind(
        "AM301",
        "A policy test failed",
        "error",
        "The policy decides the call of a `[[tests]]` entry otherwise than the test expects.",
        "Look at the rule that decided, which the finding names. Mend the policy if the test is right, the test if the "
        "policy is.",
        example="""\
[tools.pay]
command = ["pay", "{amount}"]
params.amount = { type = "integer" }
constraints = { amount = "<=100" }
max_calls = 3

[[tests]]
call = "pay"
args = { amount = 500 }
expect = "allow"
""",
        mended="""\
[tools.pay]
command = ["pay", "{amount}"]
params.amount = { type = "integer" }
constraints = { amount = "<=100" }
max_calls = 3

[[tests]]
call = "pay"
args = { amount = 500 }
expect = "deny"
""",
        can_suppress=False,
    ),
)
