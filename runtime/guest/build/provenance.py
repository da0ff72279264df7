"""What a guest was made of, as JSON beside it: enough to build it again and to see what changed."""

from __future__ import annotations

import hashlib
import json

from .bundle import Bundle
from .compile import COMMON_FLAGS, LINK_FLAGS
from .sources import PINS
from .tools import TZDATA, ZIG

__all__ = ["describe"]


def describe(key: str, module: bytes, bundled: Bundle) -> str:
    """The provenance file of ``module``; the same build gives the same text, so no dates and no paths."""
    facts = {
        "format": 1,
        "guest": {"sha256": hashlib.sha256(module).hexdigest(), "size": len(module)},
        "inputs": key,
        "sources": [{"name": pin.project, "version": pin.version, "sha256": pin.sha256} for pin in PINS.values()],
        "npm": bundled.packages,
        "compiler": {"name": "ziglang", "version": ZIG, "compile": COMMON_FLAGS, "link": LINK_FLAGS},
        "tzdata": TZDATA,
    }
    return json.dumps(facts, indent=2, sort_keys=True) + "\n"
