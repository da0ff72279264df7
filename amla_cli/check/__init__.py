"""`amla check-policy`: manifests and scripts, judged without running anything of them (R1)."""

from ._check import Order, check

__all__ = ["Order", "check"]
