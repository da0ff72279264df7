"""`amla init`: a manifest to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from amla_cli._command import examples, make_app
from amla_cli._manifests import DEFAULT
from amla_cli._new_file import write_new
from amla_cli._outcome import Message, Outcome, Settings

__all__ = ["STARTER", "app", "init", "starter_text"]

STARTER: dict[str, object] = {
    "sandbox": {"timeout": "30s", "memory": "256MB"},
    "tools": {
        "today": {
            "description": "The date of today in UTC, as YYYY-MM-DD.",
            "command": ["date", "-u", "+%F"],
            "allow": True,
        },
        "git/log": {
            "description": "The latest commits that touch a path.",
            "command": ["git", "log", "-n", "{count}", "--format=%h %s", "--", "{path}"],
            "params": {
                "count": {"type": "integer", "minimum": 1, "default": 10},
                "path": {"type": "string", "default": "."},
            },
            "constraints": {"count": "<=50"},
            "max_calls": 5,
        },
    },
    "tests": [
        {"call": "git/log", "args": {"count": 20, "path": "."}, "expect": "allow"},
        {"call": "git/log", "args": {"count": 1000, "path": "."}, "expect": "deny"},
    ],
}

_HEAD = """\
# What scripts may do. Nothing is allowed that is not granted here.
#   amla tools --tools tools.toml                       lists the tools and their grants
#   amla run -e 'return await today({})' --tools tools.toml

"""
_TAIL = """
# A Python function, in weather.py beside this file; its signature and docstring describe it.
# [tools.get_weather]
# python = "weather:get_weather"
# allow = true

# An HTTP request. ${NAME} comes from the environment and never reaches a script.
# [tools."stripe/charges/create"]
# http.method = "POST"
# http.url = "https://api.example.com/v1/charges"
# http.body = "form"
# http.headers = { Authorization = "Bearer ${STRIPE_KEY}" }
# params.amount = { type = "integer" }
# params.currency = { type = "string", enum = ["USD", "EUR"] }

# A grant for several tools at once.
# [[capabilities]]
# method = "stripe/charges/*"
# constraints = { amount = "<=10000", currency = ["USD", "EUR"] }
# max_calls = 10
"""


def init(
    file: Annotated[str, typer.Argument(metavar="FILE", help="What to write.")] = DEFAULT,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")] = False,
    *,
    settings: Settings,  # noqa: ARG001 - every command gets them
) -> Outcome:
    """Write a tools.toml to start from: a few tools, their grants, tests of the policy."""
    write_new(Path(file), starter_text(), replace=force, other="amla init OTHER.toml")
    steps = (f"amla tools --tools {file}", f"amla run -e 'return await today({{}})' --tools {file}")
    hints = tuple(Message("hint", f"try: {step}") for step in steps)
    return Outcome({"path": str(Path(file).absolute())}, f"written: {file}", messages=hints)


def starter_text() -> str:
    """The starter manifest, read back before anybody sees it: what it says and what is written are the same."""
    import tomllib

    import tomli_w

    from amla_capabilities import parse_manifest

    text = _HEAD + tomli_w.dumps(STARTER) + _TAIL
    if tomllib.loads(text) != STARTER:
        raise AssertionError("the starter manifest does not read back")
    parse_manifest(text)
    return text


app = make_app(
    init,
    name="init",
    epilog=examples(("amla init", "writes ./tools.toml"), ("amla init --force", "writes it anew")),
)
