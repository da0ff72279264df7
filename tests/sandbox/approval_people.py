"""A tool that asks, people who answer, and the ways to run a script that calls it."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from amla_sandbox import (
    ApprovalAnswer,
    ApprovalRequest,
    MethodCapability,
    Sandbox,
    ToolDefinition,
)

__all__ = ["SCHEMA", "Answer", "Person", "asking", "drive", "made", "pay", "run_async", "run_it"]

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}, "s": {"type": "string", "default": "x"}}}
Answer = bool | ApprovalAnswer


def pay(made: list[Any] | None = None, name: str = "pay", **more: Any) -> ToolDefinition:
    def handler(arguments: Any) -> Any:
        if made is not None:
            made.append(dict(arguments))
        return arguments.get("n")

    return ToolDefinition(name, "Pay.", SCHEMA, handler=handler, **more)


class Person:
    """Answers from a list, in order, and remembers what it was asked."""

    def __init__(self, *answers: Answer) -> None:
        self.asked: list[ApprovalRequest] = []
        self.answers = list(answers)
        self.busy = 0

    def __call__(self, request: ApprovalRequest) -> Answer:
        self.busy += 1
        assert self.busy == 1, "one question at a time"
        self.asked.append(request)
        time.sleep(0.005)
        self.busy -= 1
        return self.answers.pop(0) if self.answers else True

    @property
    def numbers(self) -> list[Any]:
        return [request.arguments.get("n") for request in self.asked]


def asking(*more: MethodCapability, **options: Any) -> list[MethodCapability]:
    return [*more, MethodCapability("pay", approval="ask", **options)]


def made(approve: Any, capabilities: list[MethodCapability] | None = None, **options: Any) -> Sandbox:
    options = {"tools": [pay()], **options}
    return Sandbox(capabilities=asking() if capabilities is None else capabilities, approve=approve, **options)


def run_it(sandbox: Sandbox, script: str, language: str) -> Any:
    return sandbox.run(script, language)


def run_async(sandbox: Sandbox, script: str, language: str) -> Any:
    return asyncio.run(sandbox.run_async(script, language))


def drive(sandbox: Sandbox, script: str, language: str) -> Any:
    sandbox.start(script, language)
    while sandbox.has_work():
        request = sandbox.step()
        assert request.decision.allowed
        sandbox.resume(request.tool.handler(request.arguments) if request.tool.handler else None)
    return sandbox.result()
