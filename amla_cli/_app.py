"""The app: which commands there are. A command's module is imported when that command is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import typer

from ._command import exit_codes, help_style
from ._params import PlainGroup

__all__ = ["COMMANDS", "make_command"]

COMMANDS = ("run", "repl", "check-policy", "policy", "precompile", "tools", "init", "doctor", "selftest", "watch")
"""In the order of the help; each is a module of `commands` with an `app`."""

_PROLOG = """Run scripts of language models in a WebAssembly sandbox, with only the tools that you declared.

Start with 'amla init', which writes a tools.toml, then 'amla run script.js --tools tools.toml'."""


class _Commands(PlainGroup):
    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - the base class's signature
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - the base class's signature
        if cmd_name not in COMMANDS:
            return None
        return typer.main.get_command(import_module(f"amla_cli.commands.{cmd_name.replace('-', '_')}").app)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            ctx.fail(_unknown(args[0]))
        return super().resolve_command(ctx, args)


def _unknown(name: str) -> str:
    from pathlib import Path

    from amla_capabilities import did_you_mean

    hint = f"; to run the script, use 'amla run {name}'" if Path(name).is_file() else did_you_mean(name, COMMANDS)
    return f"there is no command {name!r}{hint}"


def _version(wanted: bool) -> None:
    if wanted:
        from amla_sandbox import __version__

        typer.echo(f"amla {__version__}")
        raise typer.Exit


def _main(
    ctx: typer.Context,
    version: bool = typer.Option(  # noqa: ARG001 - its callback does the work
        False, "--version", "-V", help="Print the version and leave.", callback=_version, is_eager=True
    ),
) -> None:
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())


def make_command() -> Any:
    """The whole command line, as an object whose `main` parses and runs it."""
    app = typer.Typer(
        cls=_Commands,
        add_completion=False,
        rich_markup_mode=help_style(),
        context_settings={"help_option_names": ["-h", "--help"]},
        help=_PROLOG,
        epilog=exit_codes(),
        invoke_without_command=True,
    )
    app.callback()(_main)
    return typer.main.get_command(app)
