"""Hypothesis for this folder: no deadlines (a busy machine is no bug).

`AMLA_EXAMPLES=10000` in the environment, or `--hypothesis-profile thorough`, tries 10,000 examples of each property.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent))  # what several files share

settings.register_profile("amla", deadline=None, max_examples=int(os.environ.get("AMLA_EXAMPLES", "50")))
settings.register_profile("thorough", deadline=None, max_examples=10_000)
settings.load_profile("amla")
