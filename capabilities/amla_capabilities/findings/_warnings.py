"""AM2xx: what a manifest may say, but hardly means."""

from __future__ import annotations

from ._finding import FindingKind

__all__ = ["WARNINGS"]

WARNINGS: tuple[FindingKind, ...] = (
    FindingKind(
        "AM201",
        "A tool that nothing grants",
        "warning",
        "The tool is declared, but neither its own table nor a capability allows it: every call is denied.",
        "Add the line that the finding shows, or `allow = false` to say that it is meant so, or remove the tool.",
        example='[tools.now]\ncommand = ["date"]\n',
        mended='[tools.now]\ncommand = ["date"]\nallow = true\n',
    ),
)
