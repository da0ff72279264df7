"""A call that waits for a person: the question that is put to them, and their answer."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from amla_capabilities import MethodCapability
    from amla_sandbox.tools import Arguments, ToolDefinition

__all__ = ["ApprovalAnswer", "ApprovalRequest", "Approve", "answer_of", "call_digest"]


@dataclass(frozen=True, eq=False)
class ApprovalRequest:
    """A question to a person: may this call be made?

    `arguments` are complete and frozen, just what the tool will get; those of parameters named in `secret` should not
    be kept or sent on. `reason` says why somebody has to be asked, `capability` which grant asks, `remaining` how many
    more calls of the tool can be allowed, this one included; None for no limit.
    """

    tool: str
    arguments: Arguments
    reason: str
    remaining: int | None
    capability: MethodCapability | None
    description: str = ""
    secret: frozenset[str] = frozenset()
    digest: str = field(default="", repr=False)
    """What a yes is bound to: a SHA-256 over the tool's definition and these arguments (R34)."""
    _over: threading.Event = field(default_factory=threading.Event, repr=False)

    @property
    def withdrawn(self) -> bool:
        """Whether nobody waits for the answer any more: the run was ended, or the time for answering is over."""
        return self._over.is_set()

    def withdraw(self) -> None:
        self._over.set()


@dataclass(frozen=True)
class ApprovalAnswer:
    """An answer to an `ApprovalRequest`.

    `arguments` take the place of those that were asked about; they are checked and decided like a new call. `always`
    allows further calls of this tool under this capability without asking, until the run ends; it lifts no other limit.
    `reason` is told to the script when the answer is no.
    """

    approved: bool
    arguments: Mapping[str, Any] | None = None
    always: bool = False
    reason: str = ""

    def __post_init__(self) -> None:
        """Raises TypeError or ValueError for an answer that could be read in two ways."""
        if not isinstance(cast("object", self.approved), bool) or not isinstance(cast("object", self.always), bool):
            raise TypeError("'approved' and 'always' of an ApprovalAnswer are True or False")
        if not self.approved and (self.always or self.arguments is not None):
            raise ValueError("an ApprovalAnswer that says no has no 'always' and no 'arguments'")

    @property
    def word(self) -> str:
        """The answer as records have it."""
        if not self.approved:
            return "no"
        return "always" if self.always else "yes" if self.arguments is None else "changed"


Approve = Callable[[ApprovalRequest], "bool | ApprovalAnswer | Awaitable[bool | ApprovalAnswer]"]
"""Asks a person; called on a thread of ours, or awaited on the event loop if it is asynchronous."""


def answer_of(value: object) -> ApprovalAnswer:
    """What a callback returned, as an answer. Raises TypeError for anything that is neither yes nor no."""
    if isinstance(value, ApprovalAnswer):
        return value
    if isinstance(value, bool):
        return ApprovalAnswer(value)
    raise TypeError(f"approve returned {type(value).__name__}; return True, False or an ApprovalAnswer")


def call_digest(tool: ToolDefinition, arguments: Arguments) -> str:
    """A SHA-256 over a tool's definition and the arguments of a call (R34)."""
    call = [tool.name, tool.description, tool.schema, tool.effect, sorted(tool.host_files), arguments]
    text = json.dumps(call, sort_keys=True, default=dict, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()
