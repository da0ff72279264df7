"""Colours by meaning, and messages and problems in words."""

from __future__ import annotations

from amla_cli._outcome import Outcome
from amla_cli._terminal import printable

__all__ = ["complaints", "painted"]

_STYLES = {"error": "1;31", "warning": "33", "hint": "36", "detail": "2", "title": "1"}


def painted(text: str, style: str, color: bool) -> str:
    """`text` in the colour of what it means, if that has one and colours are wanted."""
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if color and text and style else text


def complaints(outcome: Outcome, color: bool) -> list[str]:
    """Messages and problems, each in lines of its own. Excerpts are taken as they are."""
    lines: list[str] = []
    for message in outcome.messages:
        label = "" if message.level == "detail" else painted(f"{message.level}: ", message.level, color)
        lines.append(label + printable(message.text))
    for problem in outcome.problems:
        lines.append(f"{painted('error:', 'error', color)} {printable(problem.message)}")
        lines += [problem.excerpt] if problem.excerpt else []
        lines += [f"  {painted('hint:', 'hint', color)} {printable(problem.hint)}"] if problem.hint else []
    return lines
