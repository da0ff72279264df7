"""`amla doctor`: whether amla is installed well here, and what to do if not."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from amla_cli._command import examples, make_app
from amla_cli._exit import Exit
from amla_cli._outcome import Outcome, Settings

if TYPE_CHECKING:
    from amla_cli.doctor import Check

__all__ = ["app", "doctor"]


def doctor(*, settings: Settings) -> Outcome:
    """Look at the installation: versions, the cache, the processor, whether limits hold, which extras are there.

    Each line says what was found and, where something is missing, what to do. Status 1 if scripts cannot run safely.
    """
    from amla_cli.doctor import State, examine

    checks = examine()
    failed = any(check.state is State.FAILED for check in checks)
    text = "" if settings.json else _table(checks, settings)
    return Outcome(_data(checks), text, exit_code=Exit.SCRIPT_ERROR if failed else 0)


def _data(checks: list[Check]) -> dict[str, object]:
    rows = [
        {"name": check.name, "state": check.state.value, "detail": check.detail, "hint": check.hint} for check in checks
    ]
    return {"checks": rows}


_STYLES = {"ok": "detail", "note": "hint", "warning": "warning", "failed": "error"}


def _table(checks: list[Check], settings: Settings) -> str:
    from amla_cli._terminal import colored

    names = max(len(check.name) for check in checks)
    lines: list[str] = []
    for check in checks:
        mark = colored(f"{check.state.value:<7}", _STYLES[check.state.value], settings)
        first, *rest = _wrapped(check, names + 10)
        lines += [f"{mark}  {check.name:<{names}} {first}", *rest]
    return "\n".join(lines)


def _wrapped(check: Check, indent: int) -> list[str]:
    from amla_cli._terminal import printable, terminal_width

    width = max(30, terminal_width() - indent)
    parts = [check.detail, *([f"→ {check.hint}"] if check.hint else [])]
    rows = [row for part in parts for row in textwrap.wrap(printable(part), width, break_on_hyphens=False) or [""]]
    return [rows[0], *(" " * indent + row for row in rows[1:])]


app = make_app(
    doctor,
    name="doctor",
    epilog=examples(
        ("amla doctor", "what is here, and what is missing"),
        ("amla doctor --json", "the same for a program"),
    ),
)
