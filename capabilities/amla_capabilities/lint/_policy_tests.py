"""Checks of `[[tests]]` as they are written; `run_tests` judges them."""

from __future__ import annotations

import json
from collections.abc import Iterator

from amla_capabilities._suggest import did_you_mean
from amla_capabilities.findings import Finding
from amla_capabilities.manifest import PolicyTest
from amla_capabilities.manifest._search import absent_step

from ._subject import Subject, name_of

__all__ = ["twice", "with_unknown_arguments"]


def twice(subject: Subject) -> Iterator[Finding]:
    """AM211."""
    seen: dict[str, PolicyTest] = {}
    for test in subject.manifest.tests:
        other = seen.setdefault(json.dumps([test.call, test.args], sort_keys=True), test)
        if other is not test:
            contrary = f" and expects {other.expect!r}" if other.expect != test.expect else ""
            message = f"{name_of(other.at)} makes the same call{contrary}"
            yield subject.manifest.finding("AM211", test.at, message, file=test.file, at_key=True, hint="remove one")


def with_unknown_arguments(subject: Subject) -> Iterator[Finding]:
    """AM222."""
    for test in subject.manifest.tests:
        schema = subject.schemas.get(test.call)
        for name in test.args if schema is not None else ():
            absent = absent_step(schema or {}, (name,))
            if absent is not None:
                message = f"{test.call} has no parameter {name!r}{did_you_mean(name, absent[1])}"
                path = (*test.at, "args", name)
                yield subject.manifest.finding("AM222", path, message, file=test.file, at_key=True)
