"""Manifests to lint, and what is found in them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from amla_capabilities import Finding, parse_manifest
from amla_capabilities.lint import lint

NOW = datetime(2026, 6, 1, tzinfo=UTC)


PAY = '[tools.pay]\ncommand = ["pay", "{amount}", "{to}"]\nparams.amount = { type = "integer" }\nparams.to = { type = "string" }\n'


REFUND = PAY.replace("pay", "refund")


GIT = '[tools."git/log"]\ncommand = ["git", "log"]\n[tools."git/show"]\ncommand = ["git", "show"]\n'


PYTHON = '[tools.f]\npython = "m:f"\n'


GRANT = "[[capabilities]]\n"


def found(text: str, **options: Any) -> list[str]:
    """Codes and places, as in `AM201 1:1`."""
    return [f"{one.code} {one.line}:{one.column}" for one in lint(parse_manifest(text), now=NOW, **options)]


def codes(text: str) -> list[str]:
    return [one.code for one in lint(parse_manifest(text), now=NOW)]


def only(text: str, **options: Any) -> Finding:
    (finding,) = lint(parse_manifest(text), now=NOW, **options)
    return finding


def cap(method: str, *lines: str) -> str:
    return "\n".join([GRANT + f'method = "{method}"', *lines, ""])


ASK = 'approval = "ask"'


def amount(*bounds: str) -> str:
    return f"constraints = {{ amount = [{', '.join(map(repr, bounds))}] }}"


def mount(host: str, *more: str, guest: str = "/workspace/a") -> str:
    return "\n".join(["[[mounts]]", f'host = "{host}"', f'guest = "{guest}"', *more, ""])
