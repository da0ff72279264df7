"""The package itself: versions, the guest, the extras."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from ._check import Check, State

__all__ = ["extras", "guest", "versions"]

_EXTRAS = {
    "http": ("httpx", "tools of kind http"),
    "langchain": ("langchain_core", "as_langchain_tool()"),
    "watch": ("watchfiles", "amla watch"),
}
"""Extra: the module that it brings, and what needs it."""


def versions() -> Iterator[Check]:
    from importlib.metadata import version

    from amla_sandbox import __version__

    yield Check("amla", State.OK, __version__)
    yield Check("Python", State.OK, f"{sys.version.split()[0]} ({sys.executable})")
    yield Check("wasmtime", State.OK, version("wasmtime"))


def guest() -> Iterator[Check]:
    """The module that scripts run in is the one whose provenance lies beside it."""
    import hashlib
    import json

    from amla_sandbox._guest._engine import GUEST

    if not GUEST.is_file():
        yield Check("guest", State.FAILED, f"{GUEST} is missing", "pip install --force-reinstall amla")
        return
    content = GUEST.read_bytes()
    found = hashlib.sha256(content).hexdigest()
    stated = json.loads(GUEST.with_name("provenance.json").read_text("utf-8"))["guest"]["sha256"]
    if found != stated:
        yield Check("guest", State.FAILED, f"{GUEST} is not the one that was built", "reinstall amla")
    else:
        yield Check("guest", State.OK, f"{len(content) / 1e6:.1f} MB, sha256 {found[:16]}…, as its provenance says")


def extras() -> Iterator[Check]:
    from importlib.util import find_spec

    for extra, (module, purpose) in _EXTRAS.items():
        if find_spec(module):
            yield Check(f"extra {extra}", State.OK, "installed")
        else:
            yield Check(
                f"extra {extra}", State.NOTE, f"not installed; {purpose} needs it", f"pip install 'amla[{extra}]'"
            )
