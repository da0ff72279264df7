"""Workflow commands of GitHub Actions, which show findings beside the lines of a pull request.

The escapes are those of the toolkit's own `core` package: `%`, carriage return and line feed in messages, also `:` and
`,` in properties, so that no finding ends its command and begins another (R3).
"""

from __future__ import annotations

from collections.abc import Mapping

from amla_cli._terminal import printable
from amla_cli.check._findings import Report

__all__ = ["render"]

_LEVELS = {"error": "error", "warning": "warning", "note": "notice"}


def render(report: Report, options: Mapping[str, bool]) -> str:  # noqa: ARG001 - the same for all formats
    found = [
        _command(_LEVELS[f.severity], f.file, f.line, f.column, f.code, _text(f.path, f.message, f.hint))
        for f in report.findings
    ]
    return "\n".join(
        [
            *found,
            *(
                _command("error", u.file, u.line, u.column, u.code or "not checked", u.message)
                for u in report.unchecked
            ),
        ]
    )


def _text(path: str, message: str, hint: str) -> str:
    return "\n".join(part for part in (f"{path}: {message}" if path else message, hint) if part)


def _command(level: str, file: str, line: int, column: int, title: str, text: str) -> str:
    properties = {"file": file, "line": str(line), "col": str(column), "title": title}
    written = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{level} {written}::{_message(text)}"


def _message(text: str) -> str:
    return printable(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
