"""Audit logs and their keys, as the command line names them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ._outcome import CliError

if TYPE_CHECKING:
    from amla_sandbox import AuditLog

__all__ = ["open_log", "read_key"]


def open_log(path: str, key_file: str | None) -> AuditLog:
    """The log at `path`, begun if it is not there. Raises CliError."""
    from amla_sandbox.audit import AuditError, AuditLog

    try:
        return AuditLog(path, key=read_key(key_file))
    except AuditError as error:
        raise CliError("audit", f"{path}: {error}", "name another file with --audit") from error


def read_key(file: str | None) -> bytes | None:
    """The key in a file, without line breaks at its end; None if no file is named. Raises CliError."""
    if file is None:
        return None
    try:
        key = Path(file).read_bytes().rstrip(b"\r\n")
    except OSError as error:
        raise CliError("audit", f"cannot read the key {file}: {error.strerror}") from error
    if len(key) < _SHORTEST:
        raise CliError(
            "audit", f"the key {file} has {len(key)} bytes, and needs {_SHORTEST}", "make one: openssl rand -hex 32"
        )
    return key


_SHORTEST = 16
