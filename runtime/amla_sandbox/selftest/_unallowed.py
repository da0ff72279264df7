"""Calls of tools outside what was granted: none may reach the tool."""

from __future__ import annotations

from functools import partial

from amla_capabilities import Limits, MethodCapability, Param
from amla_sandbox._sandbox import Sandbox

from ._trial import Trial

__all__ = ["UNALLOWED"]

_MOST = 3

_ROWS = {
    "javascript: not granted": ("javascript", "await tools.call('drop', {})", 0),
    "javascript: over a bound": ("javascript", "await pay({ amount: 101 })", 0),
    "javascript: a boolean as a number": ("javascript", "await pay({ amount: true })", 0),
    "javascript: without the argument": ("javascript", "await pay({})", 0),
    "javascript: a forged object": ("javascript", "await pay({ toJSON: () => ({ amount: 1000 }) })", 0),
    "javascript: over the budget": (
        "javascript",
        "for (let i = 0; i < 9; i++) await pay({ amount: 1 }).catch(() => {})",
        _MOST,
    ),
    "javascript: all at once": (
        "javascript",
        "await Promise.allSettled(Array.from({ length: 50 }, () => pay({ amount: 1 })))",
        _MOST,
    ),
    "shell: not granted": ("shell", "tool drop", 0),
    "shell: over a bound": ("shell", "tool pay --amount 101", 0),
    "shell: over the budget": ("shell", "for i in 1 2 3 4 5 6 7 8 9; do tool pay --amount 1 & done; wait", _MOST),
}


def _attempt(code: str, language: str, most: int) -> str:
    calls: list[str] = []

    def handler(name: str, arguments: object) -> str:
        calls.append(f"{name} {arguments}")
        return "done"

    granted = MethodCapability("pay", constraints=[Param("amount") <= 100], max_calls=_MOST)
    with Sandbox(capabilities=[granted], tool_handler=handler, limits=Limits(timeout=5.0)) as sandbox:
        sandbox.run(code, language)
    if len(calls) > most:
        return f"{len(calls)} calls reached the tool, {most} were allowed: {calls[-1][:100]}"
    return "" if len(calls) == most else f"{len(calls)} calls reached the tool, all {most} should have"


UNALLOWED = tuple(
    Trial("capability", name, partial(_attempt, code, language, most)) for name, (language, code, most) in _ROWS.items()
)
