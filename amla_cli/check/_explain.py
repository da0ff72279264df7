"""How one call is decided: `--explain 'NAME {json}'`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from amla_cli._outcome import CliError, Outcome, Settings
from amla_cli._terminal import is_drawn, terminal_width, uncommanded

if TYPE_CHECKING:
    from amla_capabilities import Derivation
    from amla_cli.check._subject import Subject

__all__ = ["explain", "parse_call"]

_USAGE = "write it as --explain 'NAME {\"parameter\": value}'"


def explain(subject: Subject, call: str, settings: Settings) -> Outcome:
    """The derivation of a call's decision. Raises CliError for a call that is not one."""
    from amla_cli import _derivation

    name, written = parse_call(call)
    path = _path(subject, name)
    derivation = _derivation.derived(subject.policy(), path, written, partial(subject.prepare, path))
    text = "" if settings.json else _drawn(derivation, settings)
    return Outcome(_derivation.as_json(derivation), text, exit_code=0 if derivation.decision.verdict != "denied" else 1)


def parse_call(text: str) -> tuple[str, Mapping[str, Any]]:
    """A tool's name and its arguments, none if no JSON follows. Raises CliError."""
    from amla_sandbox.tools._json import Caps, parse_json

    name, brace, rest = text.strip().partition("{")
    try:
        arguments: Any = parse_json((brace + rest).encode("utf-8", "surrogatepass"), Caps()) if brace else {}
    except ValueError as error:
        raise CliError("usage", f"the arguments cannot be read: {error}", _USAGE) from None
    if not name.strip():
        raise CliError("usage", "no tool is named", _USAGE)
    return name.strip(), arguments


def _path(subject: Subject, name: str) -> str:
    from amla_capabilities import ToolNames, did_you_mean

    names = ToolNames(path for manifest in subject.manifests for path in manifest.tools)
    servers = [server for manifest in subject.manifests for server in manifest.mcp]
    found = names.resolve(name)
    if found is None and not any(name.replace(".", "/").startswith(f"{server}/") for server in servers):
        raise CliError(
            "unknown_tool",
            f"there is no tool {name!r}{did_you_mean(name, names)}",
            _USAGE if " " in name else "'amla tools' lists them",
        )
    return found or name


def _drawn(derivation: Derivation, settings: Settings) -> str:
    from rich.console import Console

    from amla_cli._derivation import render

    color = settings.color and is_drawn(1)
    console = Console(width=terminal_width(), force_terminal=color, no_color=not color, highlight=False)
    with console.capture() as captured:
        console.print(render(derivation))
    return uncommanded("\n".join(line.rstrip() for line in captured.get().split("\n")))
