"""Calls of which some wait for a person: what to ask, and what an answer is worth (R34)."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from amla_sandbox import tools as lazy
from amla_sandbox._result import CallRecord

from ._approval import ApprovalAnswer, ApprovalRequest, call_digest
from ._calls import Calls, Request

if TYPE_CHECKING:
    from amla_capabilities import Decision, MethodCapability, Policy
    from amla_sandbox._guest._protocol import Call
    from amla_sandbox.tools import Arguments, ToolDefinition

__all__ = ["AskingCalls", "Held"]


class Held(NamedTuple):
    """A call that waits for a person."""

    call: Call
    tool: ToolDefinition
    arguments: Arguments
    decision: Decision


class AskingCalls(Calls):
    """The calls of a run that has somebody to ask about those that need approval, if `asks`."""

    def __init__(self, *args: Any, asks: bool = True) -> None:
        super().__init__(*args)
        self.held = self._held = deque[Held]()
        self._asks = asks
        self._always: set[tuple[str, MethodCapability | None]] = set()

    def question(self) -> ApprovalRequest | None:
        """What to ask about the next call that waits for a person. Those that no longer need to are settled."""
        while self._held:
            held = self._held[0]
            decision = self._policy().check(held.tool.name, held.arguments)
            if decision.needs_approval and (held.tool.name, decision.capability) not in self._always:
                asked = self._question(held, decision)
                self._asked(held, asked)
                return asked
            self._held.popleft()
            self._approved(held, decision.capability, "always" if decision.needs_approval else "")
        return None

    def answer(self, asked: ApprovalRequest, answer: ApprovalAnswer, word: str = "") -> None:
        """A yes holds for what was shown alone; all else is judged anew."""
        held = self._held.popleft()
        word = word or answer.word
        self._answered(held, answer, word)
        if not answer.approved:
            self._deny(held.call, held.tool, held.arguments, _declined(held.decision, answer.reason), word)
            return
        try:
            tool, arguments = self._agreed(held, asked, answer)
        except lazy.ArgumentError as error:
            self._reject(held.call, "ERR_TOOL_SCHEMA", str(error), self._shown(held.tool, held.arguments))
            return
        if answer.always:
            self._always.add((tool.name, asked.capability))
        self._approved(held._replace(tool=tool, arguments=arguments), asked.capability, word)

    def abandon(self) -> None:
        super().abandon()
        for call, tool, arguments, decision in self._held:
            shown = self._shown(tool, arguments)
            self._note(CallRecord(tool.name, shown, "abandoned", "", 0.0, decision, "unanswered", None, call.id))
        self._held.clear()

    def _hold(self, call: Call, tool: ToolDefinition, arguments: Arguments, decision: Decision) -> None:
        if self._asks:
            self._held.append(Held(call, tool, arguments, decision))
        else:
            super()._hold(call, tool, arguments, decision)

    def _asked(self, held: Held, asked: ApprovalRequest) -> None:
        """A person is about to be asked."""

    def _answered(self, held: Held, answer: ApprovalAnswer, word: str) -> None:
        """A person has answered."""

    def _question(self, held: Held, decision: Decision) -> ApprovalRequest:
        tool = held.tool
        return ApprovalRequest(
            tool.name,
            held.arguments,
            decision.reason,
            _remaining(self._policy(), decision),
            decision.capability,
            tool.description,
            self._secret(tool),
            call_digest(tool, held.arguments),
        )

    def _agreed(self, held: Held, asked: ApprovalRequest, answer: ApprovalAnswer) -> tuple[ToolDefinition, Arguments]:
        """The tool as it is now and the arguments that were agreed to. Raises ArgumentError if they do not fit."""
        tool = self._tools.find(held.tool.name)
        if tool is None:
            raise lazy.ArgumentError(self._tools.unknown(held.tool.name))
        if answer.arguments is not None:
            return tool, lazy.bind_value(tool, answer.arguments)
        arguments = lazy.bind_value(tool, held.arguments)
        if call_digest(tool, arguments) != asked.digest:
            raise lazy.ArgumentError(f"{tool.name}: the tool changed while its call was asked about")
        return tool, arguments

    def _approved(self, held: Held, capability: MethodCapability | None, word: str) -> None:
        """Decide a call anew that a person agreed to, under this capability; charged now, just before it is made.

        Where another capability decides by now, and asks, they are asked about that.
        """
        call, tool, arguments, _ = held
        agreed = (capability or False) if word else False
        decision = self._policy().authorize(tool.name, arguments, meter=self.meter, approved=agreed)
        if decision.allowed:
            self._admit(Request(call.id, tool, arguments, decision, word))
        elif decision.needs_approval:
            self._hold(call, tool, arguments, decision)
        else:
            self._deny(call, tool, arguments, decision, word)


def _remaining(policy: Policy, decision: Decision) -> int | None:
    """How many more calls the grant that decides and the tool's own limit allow; None for no limit."""
    lefts = [policy.remaining(decision.tool)]
    if decision.capability is not None:
        lefts.append(policy.remaining(decision.capability))
    return min((left for left in lefts if left is not None), default=None)


def _declined(decision: Decision, reason: str) -> Decision:
    said = reason or "the person who was asked said no"
    return replace(decision, verdict="denied", code="NOT_APPROVED", reason=said)
