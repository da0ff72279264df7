"""`run_tests`: the `[[tests]]` of a manifest, judged by its policy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from amla_capabilities._decisions._decision import Decision
from amla_capabilities._decisions._policy import Policy
from amla_capabilities.findings import Finding
from amla_capabilities.manifest import Manifest, PolicyTest

from ._subject import name_of

__all__ = ["Prepare", "TestOutcome", "run_tests"]

Prepare = Callable[[str, Mapping[str, Any]], Mapping[str, Any]]
_WORDS: Mapping[str, Literal["allow", "deny", "ask"]] = {"allowed": "allow", "denied": "deny", "needs-approval": "ask"}


@dataclass(frozen=True, slots=True)
class TestOutcome:
    """One test as it came out: the decision, the rule that made it, and the finding if the test failed."""

    __test__: ClassVar[bool] = False  # no test for pytest to collect

    test: PolicyTest
    decision: Decision
    rule: str
    finding: Finding | None = None

    @property
    def expected(self) -> Literal["allow", "deny", "ask"]:
        return self.test.expect

    @property
    def actual(self) -> Literal["allow", "deny", "ask"]:
        return _WORDS[self.decision.verdict]

    @property
    def passed(self) -> bool:
        return self.expected == self.actual


def run_tests(manifest: Manifest, *, prepare: Prepare | None = None, policy: Policy | None = None) -> list[TestOutcome]:
    """Judge each `[[tests]]` entry by itself: nothing is charged, so no test bears on another.

    `prepare(tool, arguments)` gives the arguments as a run would hand them to the policy: validated against the tool's
    schema and with its defaults (R20); it raises ValueError with the reason where they do not fit, and such a call is
    denied. Without it they are judged as they are written.
    """
    policy = policy or manifest.policy()
    return [_outcome(manifest, test, *_judged(manifest, policy, test, prepare)) for test in manifest.tests]


def _judged(manifest: Manifest, policy: Policy, test: PolicyTest, prepare: Prepare | None) -> tuple[Decision, str]:
    try:
        arguments = prepare(test.call, test.args) if prepare is not None else test.args
    except ValueError as error:
        reason = str(error).removeprefix(f"{test.call}: ")
        return Decision("denied", "BAD_ARGUMENTS", test.call, reason), f"the schema of {test.call}: {reason}"
    decision = policy.check(test.call, arguments)
    return decision, _rule(manifest, decision)


def _rule(manifest: Manifest, decision: Decision) -> str:
    """Which line of the manifest decided, and why."""
    if decision.capability is not None:
        _, at = manifest.where.get(decision.capability, ("", ()))
        place = f"{name_of(at)} ({decision.capability.method_pattern})"
    elif decision.code == "NOT_GRANTED" or decision.tool not in manifest.tools:
        return decision.reason
    else:
        place = name_of(manifest.tools[decision.tool].at)
    return f"{place}: {decision.reason}" if decision.reason else place


def _outcome(manifest: Manifest, test: PolicyTest, decision: Decision, rule: str) -> TestOutcome:
    outcome = TestOutcome(test, decision, rule)
    if outcome.passed:
        return outcome
    message = f"{test.call}: expected {test.expect}, but the decision is {outcome.actual}, by {rule}"
    finding = manifest.finding(
        "AM301", (*test.at, "expect"), message, file=test.file, hint=decision.needed and f"needed: {decision.needed}"
    )
    return TestOutcome(test, decision, rule, finding)
