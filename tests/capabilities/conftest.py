"""Hypothesis for this folder: no deadlines (a busy machine is no bug).

`--hypothesis-profile thorough` tries 10,000 examples.
"""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("amla", deadline=None)
settings.register_profile("thorough", deadline=None, max_examples=10_000)
settings.load_profile("amla")
