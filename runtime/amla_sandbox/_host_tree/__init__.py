"""Trees of files from the host and to it, by folder descriptors, so that no link leads astray (R29, R30, R31)."""

from __future__ import annotations

from ._apply import apply
from ._known import Known, Snapshot
from ._plan import Plan, copy_back, plan_copy_back
from ._protected import is_git
from ._read import HostTree, read_host_tree
from ._write import write_host_tree

__all__ = [
    "HostTree",
    "Known",
    "Plan",
    "Snapshot",
    "apply",
    "copy_back",
    "is_git",
    "plan_copy_back",
    "read_host_tree",
    "write_host_tree",
]
