"""Editing a text in the person's own editor."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from amla_cli._outcome import CliError

__all__ = ["edited"]

_EDITORS = ("editor", "nano", "vi")
"""Tried where neither $VISUAL nor $EDITOR says."""


def edited(text: str, suffix: str) -> str:
    """`text` after editing. Raises CliError when there is no editor, or it fails."""
    with tempfile.TemporaryDirectory(prefix="amla-") as folder:
        file = Path(folder) / f"input{suffix}"
        file.write_text(text, "utf-8")
        _open(file)
        return file.read_text("utf-8")


def _open(file: Path) -> None:
    named = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    for command in [named] if named else _EDITORS:
        try:
            ended = subprocess.run([*shlex.split(command), str(file)], check=False)
        except FileNotFoundError:
            continue
        if ended.returncode:
            raise CliError("editor", f"{command} ended with status {ended.returncode}; nothing is taken over")
        return
    raise CliError("editor", f"there is no editor {named}" if named else "there is no editor", "set $EDITOR to one")
