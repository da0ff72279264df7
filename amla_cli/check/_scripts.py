"""The scripts that are checked: their text, their language, and findings in them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from amla_cli._outcome import CliError
from amla_cli._scripts import EXTENSIONS, Lang, read_script
from amla_cli._terminal import printable
from amla_cli.check._findings import Unchecked

if TYPE_CHECKING:
    from amla_capabilities.findings import Finding

__all__ = ["LANGUAGES", "CheckedScript", "named_files", "read_scripts"]

LANGUAGES = {Lang.js: "javascript", Lang.ts: "typescript", Lang.shell: "shell"}

_WIDTH = 160  # characters of a source line that a finding shows


@dataclass(frozen=True, slots=True)
class CheckedScript:
    """A script: `file` is how the command line names it, `name` how it knows itself."""

    file: str
    name: str
    text: str
    lang: Lang

    def finding(self, code: str, message: str, *, line: int = 1, column: int = 1, hint: str = "") -> Finding:
        """A finding in it, with the source line."""
        from amla_capabilities.findings import FINDINGS, Finding

        source, caret = self._excerpt(line, column)
        severity = FINDINGS[code].severity
        return Finding(code, printable(message), severity, self.file, line, column, "", hint, source, caret)

    def _excerpt(self, line: int, column: int) -> tuple[str, int]:
        lines = self.text.split("\n")
        source = lines[line - 1].expandtabs(1).rstrip() if 0 < line <= len(lines) else ""
        start = max(0, min(column - 1 - _WIDTH // 2, len(source) - _WIDTH))
        shown = source[start : start + _WIDTH]
        return printable(shown), len(printable(shown[: max(0, column - 1 - start)]))


def named_files(words: Iterable[str]) -> list[str]:
    """The files that the command line names; a folder stands for the scripts in it. Raises CliError for one without.

    What is hidden, `node_modules` and links to folders are left out.
    """
    return [file for word in words for file in (_scripts_in(word) if Path(word).is_dir() else [word])]


def _scripts_in(folder: str) -> list[str]:
    found: list[str] = []
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "node_modules")
        scripts = sorted(name for name in names if PurePath(name).suffix.lower() in EXTENSIONS)
        found += [os.path.join(here, name) for name in scripts if not name.startswith(".")]  # noqa: PTH118 - as written
    if not found:
        raise CliError("usage", f"there are no scripts in {folder}", f"their names end in {' '.join(EXTENSIONS)}")
    return found


def read_scripts(files: Iterable[str]) -> tuple[list[CheckedScript], list[Unchecked]]:
    """The scripts that can be read, and why others cannot."""
    scripts: list[CheckedScript] = []
    unread: list[Unchecked] = []
    for file in files:
        try:
            read = read_script(file, None, None)
        except CliError as error:
            unread.append(Unchecked(file, 1, 1, error.problem.message))
        else:
            scripts.append(CheckedScript(file, read.name, read.text, read.lang))
    return scripts, unread
