"""Writing a file that people will read: all of it or nothing, and over another only by request."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from ._outcome import CliError

__all__ = ["write_new"]


def write_new(file: Path, text: str, *, replace: bool, other: str) -> None:
    """Write `file`; `other` is a command that writes somewhere else. Raises CliError."""
    if file.is_dir():
        raise CliError("exists", f"{file} is a folder", f"name a file in it: {file / 'tools.toml'}")
    try:
        handle, staged = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as opened:
                opened.write(text)
            Path(staged).chmod(0o644)
            if replace:
                Path(staged).replace(file)
            else:
                os.link(staged, file)  # unlike a rename, this fails if the name is taken
        finally:
            Path(staged).unlink(missing_ok=True)
    except FileExistsError:
        raise CliError("exists", f"{file} is there already", f"--force replaces it; '{other}' leaves it") from None
    except OSError as error:
        hint = "" if file.parent.is_dir() else f"make its folder first: mkdir -p {file.parent}"
        raise CliError("write", f"cannot write {file}: {error.strerror}", hint) from None
