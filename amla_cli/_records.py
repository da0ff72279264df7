"""What watches over the calls of a run or a session: who approves them, and where they are recorded."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, NamedTuple

from ._params import one_of

if TYPE_CHECKING:
    from amla_capabilities import Policy
    from amla_sandbox import AuditLog

    from ._approvals import Approver

__all__ = ["Records", "Watch", "watched"]

_MODES = ("ask", "all", "none")


class Records(NamedTuple):
    """How calls are watched over: who approves, where they are recorded, whether they are made at all."""

    approve: str = "ask"
    audit: str | None = None
    audit_key: str | None = None
    dry_run: bool = False

    @property
    def files(self) -> list[str]:
        """The host's files that no script may change (R31)."""
        return [file for file in (self.audit, self.audit_key) if file is not None]

    def checked(self) -> Records:
        """These, if they are spelled right. Raises CliError."""
        one_of("--approve", self.approve, _MODES)
        return self


class Watch(NamedTuple):
    """What watches over calls that are under way."""

    approve: Approver | None = None
    audit: AuditLog | None = None


@contextmanager
def watched(records: Records, policy: Policy | None, *, remember: bool = False) -> Generator[Watch]:
    """Whoever approves calls and records them. Raises CliError for a log that cannot be opened.

    With `remember` an "always" holds for all runs of a session.
    """
    with ExitStack() as stack:
        approve = None
        if policy is not None and not records.dry_run and _asks(policy):
            from ._approvals import approver

            approve = stack.enter_context(approver(records.approve, remember=remember))
        audit = None
        if records.audit is not None:
            from ._audits import open_log

            audit = stack.enter_context(open_log(records.audit, records.audit_key))
        yield Watch(approve, audit)


def _asks(policy: Policy) -> bool:
    """Whether any call may need approval."""
    asked = [*(each.approval for each in policy.capabilities), *(each.approval for each in policy.tools.values())]
    return any(approval is not None for approval in asked)
