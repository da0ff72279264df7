"""Checks of the manifests themselves: what they hardly mean, their own tests, what they widen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from amla_capabilities.lint import lint, run_tests, unsuppressed
from amla_cli.check._findings import CheckedTest
from amla_cli.check._subject import Subject

if TYPE_CHECKING:
    from amla_capabilities import Manifest
    from amla_capabilities.findings import Finding

__all__ = ["check_policies"]


def check_policies(subject: Subject) -> tuple[list[Finding], list[CheckedTest]]:
    """What is found in the manifests, and how their tests came out."""
    findings = [
        finding for manifest in subject.manifests for finding in lint(manifest, schemas=subject.schemas(manifest))
    ]
    outcomes = [outcome for manifest in subject.manifests for outcome in _tests(subject, manifest)]
    return [*findings, *(finding for _, finding in outcomes if finding)], [test for test, _ in outcomes]


def _tests(subject: Subject, manifest: Manifest) -> Iterator[tuple[CheckedTest, Finding | None]]:
    """Each manifest's tests are about its own tools, under the policy of all of them."""
    for outcome in run_tests(manifest, prepare=subject.prepare, policy=subject.policy()):
        test = outcome.test
        line = manifest.finding("AM301", (*test.at, "call"), "", file=test.file).line
        kept = unsuppressed(manifest, [outcome.finding] if outcome.finding else [], judged="AM3")
        arguments = dict(test.args)
        yield (
            CheckedTest(test.file, line, test.call, arguments, outcome.expected, outcome.actual, outcome.rule),
            kept[0] if kept else None,
        )
