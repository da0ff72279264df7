"""Scripts without an end: each must end at its deadline, and leave the sandbox and its files in order."""

from __future__ import annotations

from functools import partial

from amla_capabilities import Limits
from amla_sandbox._sandbox import Sandbox

from ._trial import Trial

__all__ = ["ENDLESS"]

_SECONDS = 0.1
_LATE = 2.0
"""Seconds past the deadline that a busy machine may take; an idle one takes milliseconds."""
_ENDED = 124

_JAVASCRIPT = {
    "loop": "while (true) {}",
    "loop that catches": "for (;;) { try { for (;;); } catch {} finally { continue } }",
    "microtasks": "const f = () => Promise.resolve().then(f); await f()",
    "timers": "setInterval(() => {}, 0); await new Promise(() => {})",
    "regular expression": "/^(a+)+$/.test('a'.repeat(40) + 'b')",
    "within the engine": "new Array(1e8).join('abc')",
    "big integers": "let a = 3n ** 200000n; for (;;) a = (a * a) % (3n ** 400000n)",
    "waiting for nothing": "await new Promise(() => { setTimeout(() => {}, 1e9) })",
}
_SHELL = {
    "loop": "while :; do :; done",
    "ignored signals": "trap : INT TERM EXIT; while :; do :; done",
    "fork bomb": "f() { f | f & }; f",
    "yes": "yes",
    "sleep": "sleep infinity",
    "awk": "awk 'BEGIN { while (1); }'",
    "sed": "echo a | sed ':a;ta;ba'",
    "jq": "jq -n 'repeat(1)'",
    "grep": "yes aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | grep -E '^(a+)+$b'",
    "pipeline": "while :; do echo x; done | cat | wc -l",
}


def _attempt(code: str, language: str) -> str:
    with Sandbox(limits=Limits(timeout=_SECONDS)) as sandbox:
        sandbox.fs.write("/workspace/kept", "kept")
        result = sandbox.run(code, language)
        if result.exit_code != _ENDED:
            return f"it ended with status {result.exit_code} instead of at its deadline: {result.error}"
        if result.usage.wall_seconds > _SECONDS + _LATE:
            return f"it ended {result.usage.wall_seconds - _SECONDS:.1f} s after its deadline"
        kept = sandbox.fs.read("/workspace/kept")
        return "" if kept == b"kept" else "the sandbox lost a file"


ENDLESS = tuple(
    Trial("deadline", f"{language}: {name}", partial(_attempt, code, language))
    for language, rows in (("javascript", _JAVASCRIPT), ("shell", _SHELL))
    for name, code in rows.items()
)
