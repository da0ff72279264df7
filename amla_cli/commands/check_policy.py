"""`amla check-policy`: manifests and the calls that scripts would make, checked before anything runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import typer

from amla_cli._command import examples, make_app
from amla_cli._limits import limit_options
from amla_cli._outcome import Outcome, Settings
from amla_cli._params import one_of

__all__ = ["app", "check_policy"]

_FORMATS = ("text", "json", "jsonl", "github", "sarif", "junit")


def check_policy(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILES",
            help="Scripts, folders of scripts, and manifests (*.toml) besides --tools.",
            show_default=False,
        ),
    ] = None,
    tools: Annotated[
        list[str] | None,
        typer.Option("--tools", metavar="FILE", help="A manifest of tools; again for more ($AMLA_TOOLS)."),
    ] = None,
    run: Annotated[
        bool, typer.Option("--run", help="Also run each script, with the manifest's mocks in place of its tools.")
    ] = False,
    against: Annotated[
        str | None,
        typer.Option("--against", metavar="FILE", help="Find every right that widened since FILE, or REVISION:FILE."),
    ] = None,
    explain: Annotated[
        str | None,
        typer.Option("--explain", metavar="CALL", help="Show how a call is decided: 'NAME {\"parameter\": value}'."),
    ] = None,
    format: Annotated[  # noqa: A002 - the option's name
        str, typer.Option("--format", metavar="|".join(_FORMATS), help="How to report.")
    ] = "text",
    strict: Annotated[bool, typer.Option("--strict", help="Notes, and calls decided at run time, fail too.")] = False,
    load: Annotated[
        bool, typer.Option("--import", help="Import Python tools for their schemas, which runs their modules.")
    ] = False,
    *,
    limits: Mapping[str, str],
    settings: Settings,
) -> Outcome:
    """Check manifests, run their policy tests, and judge every tool call found in the scripts.

    Nothing of the repository is run: no module imported, no program or server started, no variable expanded. Status 0:
    nothing wrong; 1: something was found; 2: something could not be checked.
    """
    from amla_cli.check import Order, check

    style = one_of("--format", format, _FORMATS)
    order = Order(tuple(paths or ()), tuple(tools or ()), run, against, explain, style, strict, load, limits)
    return check(order, settings)


app = make_app(
    check_policy,
    name="check-policy",
    extra=limit_options(),
    epilog=examples(
        ("amla check-policy --tools tools.toml", "the manifest and its own tests"),
        ("amla check-policy scripts/*.js --tools tools.toml", "and every call in the scripts"),
        ("amla check-policy --tools tools.toml --against main:tools.toml", "what a pull request would widen"),
        ("amla check-policy --tools tools.toml --explain 'pay {\"amount\": 5}'", "why a call is allowed or not"),
    ),
)
