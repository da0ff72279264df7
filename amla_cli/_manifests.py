"""Which manifests a command works with, and reading them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ._outcome import CliError, Message

if TYPE_CHECKING:
    from amla_capabilities import Manifest

__all__ = ["DEFAULT", "VARIABLE", "chosen_files", "notes", "read_manifests", "refuse_servers", "unloaded_hint"]

VARIABLE = "AMLA_TOOLS"
DEFAULT = "tools.toml"


def chosen_files(given: Sequence[str] | None) -> list[str]:
    """The manifests that the command line names, or else `$AMLA_TOOLS` (several are joined as in $PATH)."""
    named = list(given or ()) or [part for part in os.environ.get(VARIABLE, "").split(os.pathsep) if part]
    return list({os.path.realpath(file): file for file in named}.values())


def unloaded_hint(chosen: Sequence[str]) -> Message | None:
    """A word about a manifest that lies here unnamed: it is never loaded unasked, since it can name code to run."""
    if chosen or not Path(DEFAULT).is_file():
        return None
    return Message("hint", f"./{DEFAULT} was not loaded; to use its tools, add --tools {DEFAULT}")


def read_manifests(files: Sequence[str]) -> tuple[Manifest, ...]:
    """The manifests, read whole. Raises ManifestError, and CliError for a file that cannot be read."""
    return tuple(map(_read, files))


def _read(file: str) -> Manifest:
    from amla_capabilities import load_manifest

    try:
        return load_manifest(file)
    except OSError as error:
        hint = "'amla init' writes one to start from" if isinstance(error, FileNotFoundError) else ""
        raise CliError(
            "manifest", f"cannot read the manifest {error.filename or file}: {error.strerror}", hint
        ) from error


def notes(manifests: Sequence[Manifest]) -> list[Message]:
    """What the manifests' owner should know although nothing is wrong."""
    return [Message("warning", str(fault)) for manifest in manifests for fault in manifest.warnings]


def refuse_servers(manifests: Sequence[Manifest]) -> None:
    """Raise CliError for MCP servers, which cannot be started yet: their tools would be missing without a word."""
    for manifest in manifests:
        for name in manifest.mcp:
            raise CliError(
                "manifest",
                f"{manifest.path}: [mcp.{name}] declares an MCP server, which this version cannot start yet",
                "declare its tools as command, http or python tools, or leave it out",
            )
