"""`Finding`: one thing that is wrong or worth a look; `FindingKind`: what all findings of a code have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Finding", "FindingKind", "Severity"]

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: `file:line:column` (from 1), a sentence, and what to do about it.

    `path` is the place in a manifest, as TOML writes it. `source` is the source line, or the part of it around the
    column; `caret` is the column within that, from 0. All texts are fit to print: secrets are masked, control
    characters replaced (R2, R3).
    """

    code: str
    message: str
    severity: Severity
    file: str
    line: int
    column: int
    path: str = ""
    hint: str = ""
    source: str = ""
    caret: int = 0

    def __str__(self) -> str:
        """The finding as people read it: a line, the source line with a caret, the hint."""
        path = f"{self.path}: " if self.path else ""
        lines = [f"{self.file}:{self.line}:{self.column}: {self.code} {path}{self.message}"]
        if self.source:
            lines += [f"    {self.source}", f"    {' ' * self.caret}^"]
        if self.hint:
            lines.append(f"    {self.hint}")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class FindingKind:
    """A row of the table, and a section of `docs/findings.md`.

    `example` has one such finding and `mended` is the same without; both are manifests, or in `language` scripts.
    `can_suppress` says whether a manifest's `[check]` may accept it.
    """

    code: str
    title: str
    severity: Severity
    meaning: str
    mend: str
    example: str = ""
    mended: str = ""
    language: Literal["toml", "js"] = "toml"
    can_suppress: bool = True
