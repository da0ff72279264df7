"""Checks of a manifest that reads without a fault: what it says and hardly means, and its own tests."""

from ._lint import lint
from ._run_tests import Prepare, TestOutcome, run_tests
from ._suppressions import unsuppressed

__all__ = ["Prepare", "TestOutcome", "lint", "run_tests", "unsuppressed"]
