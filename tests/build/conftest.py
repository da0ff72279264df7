"""The build scripts are no installed package: they are found in the source tree these tests belong to."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "runtime"))
