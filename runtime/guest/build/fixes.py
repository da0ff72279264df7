"""Small corrections to a third party's source, made in the unpacked copy before it is compiled.

Each names a text and how often it must occur; a release that changes it stops the build, so that no correction is ever
applied to something else or silently lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from .errors import BuildError

__all__ = ["Fix", "Swap", "apply"]


@dataclass(frozen=True)
class Fix:
    """In ``file``, put ``after`` behind ``anchor``, for ``reason``."""

    file: str
    anchor: str
    after: str
    reason: str

    def corrected(self, content: bytes) -> bytes:
        return _replaced(content, self, self.anchor, self.anchor + self.after, 1)


@dataclass(frozen=True)
class Swap:
    """In ``file``, put ``after`` in place of ``before``, which occurs ``times`` times, for ``reason``."""

    file: str
    before: str
    after: str
    times: int
    reason: str

    def corrected(self, content: bytes) -> bytes:
        return _replaced(content, self, self.before, self.after, self.times)


def apply(
    fixes: Sequence[Fix | Swap], files: Iterable[tuple[PurePosixPath, bytes]]
) -> Iterator[tuple[PurePosixPath, bytes]]:
    """``files`` (path and content) with the corrections made."""
    missing = list(fixes)
    for path, content in files:
        fixed = content
        for fix in [fix for fix in missing if fix.file == path.name]:
            fixed = fix.corrected(fixed)
            missing.remove(fix)
        yield path, fixed
    if missing:
        raise BuildError(f"{missing[0].file} is missing, which needs a correction ({missing[0].reason}).")


def _replaced(content: bytes, fix: Fix | Swap, before: str, after: str, times: int) -> bytes:
    found = content.count(before.encode())
    if found != times:
        raise BuildError(
            f"{fix.file} is not as expected where it needs a correction ({fix.reason}): "
            f"{before.strip()!r} occurs {found} times instead of {times}."
        )
    return content.replace(before.encode(), after.encode())
