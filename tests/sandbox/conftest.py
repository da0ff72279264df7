"""A sandbox without tools, as most tests of scripts want it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from amla_sandbox import Sandbox

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made
