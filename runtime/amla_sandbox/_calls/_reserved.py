"""First names that no tool can have: JavaScript would read `await NAME({…})` as something else than the tool's call."""

from __future__ import annotations

__all__ = ["refusal"]

_WORDS = """
arguments await break case catch class const continue debugger default delete do else enum export extends false
finally for function if import in instanceof interface let new null package private protected public return static
super switch this throw true try typeof undefined var void while with yield
"""

_LANGUAGE = """
AggregateError Array ArrayBuffer AsyncDisposableStack BigInt BigInt64Array BigUint64Array Boolean DOMException
DataView Date DisposableStack Error EvalError FinalizationRegistry Float16Array Float32Array Float64Array Function
Infinity Int16Array Int32Array Int8Array InternalError Intl Iterator JSON Map Math NaN Number Object Promise Proxy
RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String SuppressedError Symbol SyntaxError TypeError
URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet decodeURI decodeURIComponent
encodeURI encodeURIComponent escape eval global globalThis isFinite isNaN parseFloat parseInt unescape
"""

_SANDBOX = """
AbortController AbortSignal Blob Buffer CustomEvent Event EventTarget File PerformanceEntry PerformanceMark
PerformanceMeasure PerformanceObserver TextDecoder TextEncoder URL URLSearchParams __dirname __filename atob btoa
clearImmediate clearInterval clearTimeout console crypto exports fs module performance process queueMicrotask
require setImmediate setInterval setTimeout structuredClone tools
"""
"""What runtime/guest/ts/node/globals.ts has, save what stands for a network: a tool may well be called `fetch`."""

_KINDS = {
    **dict.fromkeys(_WORDS.split(), "a word"),
    **dict.fromkeys((*_LANGUAGE.split(), *_SANDBOX.split()), "an object"),
}


def refusal(path: str) -> str | None:
    """Why a tool cannot have that canonical name, and what to do; None if it can."""
    first = path.split("/", maxsplit=1)[0]
    what = _KINDS.get(first)
    if what is None:
        return None
    return (
        f"a tool cannot be called {path!r}: {first!r} is {what} of JavaScript that scripts need; "
        f"put a name in front of it, as in 'my/{path}', or rename it"
    )
