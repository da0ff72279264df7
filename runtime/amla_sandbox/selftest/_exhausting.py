"""Scripts that want more than there is: each must meet a limit, and leave the sandbox in order."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from amla_capabilities import Limits
from amla_sandbox._result import ExecutionResult
from amla_sandbox._sandbox import Sandbox

from ._trial import Trial

__all__ = ["EXHAUSTING"]

_LIMITS = Limits(timeout=5.0, memory=64_000_000, max_output=10_000, files=1_000_000, file_count=100)


class _Attempt(NamedTuple):
    """A script, and words of which one stands in what came of it."""

    language: str
    code: str
    words: tuple[str, ...]


_ROWS = {
    "javascript: memory": _Attempt("javascript", "const a = []; for (;;) a.push(new Uint8Array(1e6))", ("memory",)),
    "javascript: strings": _Attempt("javascript", "let s = 'x'; for (;;) s = s + s + s.length", ("memory", "length")),
    "javascript: recursion": _Attempt("javascript", "const f = () => f() + 1; f()", ("call stack",)),
    "javascript: files": _Attempt("javascript", "for (let i = 0; ; i++) fs.writeFileSync(`f${i}`, 'x')", ("ENOSPC",)),
    "javascript: bytes of files": _Attempt("javascript", "fs.writeFileSync('f', 'x'.repeat(2e6))", ("ENOSPC",)),
    "shell: recursion": _Attempt("shell", "f() { f; }; f", ("nesting", "recursion", "maximum", "depth")),
    "shell: memory": _Attempt("shell", "x=x; while :; do x=$x$x; done", ("memory", "longer than")),
    "shell: files": _Attempt("shell", "for i in {1..200}; do echo x > f$i || exit 3; done", ("No space left",)),
    "shell: braces": _Attempt("shell", "echo {1..999999999}", ("brace", "memory", "too")),
}


def _attempt(attempt: _Attempt) -> str:
    with Sandbox(limits=_LIMITS) as sandbox:
        result = sandbox.run(attempt.code, attempt.language)
        if result.success:
            return "it came to a good end"
        said = f"{result.error}\n{result.stderr}".lower()
        if not any(word.lower() in said for word in attempt.words):
            return f"no limit was named: {said.strip()[:200]}"
        return _goes_on(sandbox)


def _output() -> str:
    with Sandbox(limits=_LIMITS) as sandbox:
        result = sandbox.run("seq 100000; echo end >&2", "shell")
        dropped = result.usage.output_dropped
        return _goes_on(sandbox) if dropped and "end" not in result.stdout else f"nothing was cut: {_size(result)}"


def _size(result: ExecutionResult) -> str:
    return f"{len(result.stdout_bytes):,} bytes"


def _goes_on(sandbox: Sandbox) -> str:
    return "" if sandbox.run("echo on", "shell").stdout == "on\n" else "the sandbox does not go on"


EXHAUSTING = (
    *(Trial("limit", name, partial(_attempt, attempt)) for name, attempt in _ROWS.items()),
    Trial("limit", "shell: output", _output),
)
