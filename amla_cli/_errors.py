"""From an exception to a sentence: one ordered table, the first row that fits decides.

Rows name their exceptions instead of importing them, so that the table costs nothing until something goes wrong. A row
fits when a class of that name, from a package of ours or from a builtin, is among the exception's bases.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ._exit import Exit
from ._outcome import CliError, Outcome, Problem

__all__ = ["ROWS", "Row", "outcome_of"]

_OURS = ("amla_cli", "amla_sandbox", "amla_capabilities", "builtins", "wasmtime", "typer", "click")


def _text(error: BaseException) -> str:
    return str(error) or type(error).__name__


def _os_text(error: BaseException) -> str:
    strerror, filename = getattr(error, "strerror", None), getattr(error, "filename", None)
    if strerror is None:
        return _text(error)
    return f"{filename}: {strerror}" if filename is not None else str(strerror)


def _usage_text(error: BaseException) -> str:
    format_message: Callable[[], str] = getattr(error, "format_message", error.__str__)
    return format_message().rstrip(".")


def _internal_text(error: BaseException) -> str:
    first = _text(error).split("\n", 1)[0]
    return f"amla failed where it should not: {type(error).__name__}: {first}"


@dataclass(frozen=True, slots=True)
class Row:
    """Exceptions called `name` end with `exit_code`, under a stable `code`, with a hint on what to do next."""

    name: str
    code: str
    exit_code: Exit
    hint: str = ""
    text: Callable[[BaseException], str] = _text


_MANIFEST_HINT = "correct the manifest; 'amla tools --tools FILE' checks it without running anything"
_TOOLS_HINT = "the manifest reads well, but a tool in it cannot be made ready; correct it, or leave it out"
_CACHE_HINT = "'amla precompile --check' says what the cache holds, 'amla precompile --clear' empties it"
_STATE_HINT = "'.save FILE' in 'amla repl' writes one, for the same user and version of amla"
_SPACE_HINT = "close other programs, or give the sandbox less with --memory"

ROWS: tuple[Row, ...] = (
    Row("KeyboardInterrupt", "interrupted", Exit.INTERRUPTED, text=lambda _: "interrupted"),
    Row("Terminated", "terminated", Exit.TERMINATED, text=lambda _: "ended by SIGTERM"),
    Row("BrokenPipeError", "broken_pipe", Exit.BROKEN_PIPE, text=lambda _: ""),
    Row("ManifestError", "manifest", Exit.USAGE, _MANIFEST_HINT),
    Row("ToolNameError", "manifest", Exit.USAGE, _MANIFEST_HINT),
    Row("ToolDefinitionError", "tool", Exit.USAGE, _TOOLS_HINT),
    Row("UnsupportedLanguageError", "language", Exit.USAGE),
    Row("CacheError", "cache", Exit.BROKEN, _CACHE_HINT),
    Row("SandboxFileError", "files", Exit.BROKEN, text=_os_text),
    Row("AuditError", "audit", Exit.BROKEN, "nothing is called that cannot be recorded; see to the log and its disk"),
    Row("TooLittleMemoryError", "usage", Exit.USAGE),
    Row("StateError", "session", Exit.USAGE, _STATE_HINT),
    Row("SandboxError", "sandbox", Exit.BROKEN, "run it again; if it stays, please report it"),
    Row("WasmtimeError", "sandbox", Exit.BROKEN, _CACHE_HINT),
    Row("MemoryError", "memory", Exit.BROKEN, _SPACE_HINT, lambda _: "the machine has no memory left"),
    Row("OSError", "system", Exit.BROKEN, text=_os_text),
    Row("UsageError", "usage", Exit.USAGE, text=_usage_text),
    Row("ClickException", "usage", Exit.USAGE, text=_usage_text),
    Row(
        "SystemExit", "tool", Exit.USAGE, _TOOLS_HINT, lambda _: "a tool's module ended the process while it was loaded"
    ),
    Row(
        "BaseException",
        "internal",
        Exit.BROKEN,
        "run it again with -v for the details, and report them",
        _internal_text,
    ),
)


def outcome_of(error: BaseException) -> Outcome:
    """What a command comes to that ended with an exception."""
    if isinstance(error, CliError):
        return Outcome(problems=(error.problem,), exit_code=error.exit_code)
    row = next(row for row in ROWS if row.name in _names(error))
    message = row.text(error)
    problems = (Problem(row.code, message, _usage_hint(error) or row.hint),) if message else ()
    return Outcome(problems=problems, exit_code=row.exit_code)


def _names(error: BaseException) -> list[str]:
    return [kind.__name__ for kind in type(error).__mro__ if kind.__module__.startswith(_OURS)]


def _usage_hint(error: BaseException) -> str:
    """Where help is, for an error that the parser of the command line raised."""
    context = getattr(error, "ctx", None)
    path = getattr(context, "command_path", "")
    if path == "amla run" and type(error).__name__ == "NoSuchOption":
        return "words for the script that begin with a dash go after '--': amla run SCRIPT -- --flag"
    return f"'{path} --help' shows what it takes" if path else ""
