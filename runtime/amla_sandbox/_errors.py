"""What can go wrong with a sandbox itself, as opposed to the script in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._result import ExecutionResult

__all__ = [
    "AuditError",
    "AuditWarning",
    "CopyBackError",
    "ExecutionError",
    "SandboxBusyError",
    "SandboxClosedError",
    "SandboxError",
    "SandboxFileError",
    "TooLittleMemoryError",
    "UnsupportedLanguageError",
]


class SandboxError(RuntimeError):
    """The sandbox cannot do what was asked."""


class TooLittleMemoryError(SandboxError, ValueError):
    """No sandbox fits in the memory that it may have."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"no sandbox fits in {limit:,} bytes (limit 'memory'); give it 16MB or more")


class SandboxClosedError(SandboxError, ValueError):
    """The sandbox was closed."""

    def __init__(self) -> None:
        super().__init__("this sandbox is closed; create a new one")


class SandboxBusyError(SandboxError):
    """A script is running in the sandbox already."""

    def __init__(self) -> None:
        super().__init__(
            "a script is running in this sandbox already: wait for it, or use another sandbox "
            "(a tool that runs scripts needs a sandbox of its own)"
        )


class UnsupportedLanguageError(SandboxError, ValueError):
    """There is no such language."""


class AuditError(SandboxError):
    """The audit log at `path` does not take records, so that the call to be recorded was not made."""

    def __init__(self, path: object, why: str) -> None:
        super().__init__(f"the audit log {why}")
        self.path = str(path)


class AuditWarning(UserWarning):
    """Something that hinders nobody is missing from an audit log."""


class SandboxFileError(OSError):
    """A file operation of the host failed; `code` is Node's (`ENOENT`), `errno` the system's."""

    def __init__(self, number: int, message: str, path: str, code: str) -> None:
        super().__init__(number, message, path)
        self.code = code


class CopyBackError(SandboxError):
    """Nothing was copied back to `host`; `reasons` says of each file why not."""

    def __init__(self, host: str, reasons: Sequence[str]) -> None:
        super().__init__(f"nothing was copied back to {host}: " + "; ".join(reasons))
        self.host = host
        self.reasons = tuple(reasons)


class ExecutionError(RuntimeError):
    """A script failed. `result` has everything that is known of it."""

    def __init__(self, result: ExecutionResult) -> None:
        super().__init__(result.error or f"the script ended with status {result.exit_code}")
        self.result = result
