"""`amla policy`: commands about what was, and may be, called."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import typer

from amla_cli._command import help_style
from amla_cli._params import PlainGroup

__all__ = ["COMMANDS", "app"]

COMMANDS = {"learn": "policy_learn", "verify-log": "policy_verify"}
"""Each with the module of `commands` that has its `app`, imported when it is asked for."""


class _Commands(PlainGroup):
    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - the base class's signature
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - the base class's signature
        module = COMMANDS.get(cmd_name)
        return None if module is None else typer.main.get_command(import_module(f"amla_cli.commands.{module}").app)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            from amla_capabilities import did_you_mean

            ctx.fail(f"'amla policy' has no command {args[0]!r}{did_you_mean(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=_Commands,
    add_completion=False,
    rich_markup_mode=help_style(),
    context_settings={"help_option_names": ["-h", "--help"]},
    invoke_without_command=True,
    help="Work on policies, and on records of what was called under them.",
)


@app.callback()
def _policy(ctx: typer.Context) -> None:
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())
