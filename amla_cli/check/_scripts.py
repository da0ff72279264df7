"""The scripts that are checked: their text, their language, and findings in them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from amla_cli._outcome import CliError
from amla_cli._scripts import Lang, read_script
from amla_cli._terminal import printable
from amla_cli.check._findings import Unchecked

if TYPE_CHECKING:
    from amla_capabilities.findings import Finding

__all__ = ["LANGUAGES", "CheckedScript", "read_scripts"]

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
