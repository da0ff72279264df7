"""What was on the host when it was copied in, so that a change since then is seen."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass

from amla_sandbox._tree import TreeEntry

from ._folders import kind_of

__all__ = ["Known", "Snapshot", "digest_of"]


@dataclass(frozen=True, slots=True)
class Known:
    """One file, folder or link of the host."""

    type: str
    device: int
    inode: int
    size: int
    mtime_ns: int
    mode: int
    digest: bytes
    """SHA-256 of a file's bytes or a link's target."""

    @classmethod
    def of(cls, status: os.stat_result, entry: TreeEntry) -> Known:
        mode = stat.S_IMODE(status.st_mode) & 0o777
        place = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
        return cls(kind_of(status), *place, mode, digest_of(entry))

    def matches(self, now: os.stat_result) -> bool:
        """Whether it is still what it was, as far as its status tells. A folder may hold other things by now."""
        if (kind_of(now), now.st_dev, now.st_ino) != (self.type, self.device, self.inode):
            return False
        return self.type == "directory" or (now.st_size, now.st_mtime_ns) == (self.size, self.mtime_ns)

    def holds(self, entry: TreeEntry) -> bool:
        """Whether the sandbox still has what was copied in."""
        if entry.type != self.type:
            return False
        return entry.type == "directory" or (digest_of(entry) == self.digest and self.same_mode(entry))

    def same_mode(self, entry: TreeEntry) -> bool:
        return entry.type == "symlink" or entry.mode == self.mode


Snapshot = Mapping[str, Known]
"""By path in the tree, empty for its top."""


def digest_of(entry: TreeEntry) -> bytes:
    content = entry.target.encode("utf-8", "surrogatepass") if entry.target is not None else entry.data
    return hashlib.sha256(content).digest()
