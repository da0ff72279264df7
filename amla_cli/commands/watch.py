"""`amla watch`: run a script again whenever it, or what it needs, changes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from amla_cli._command import examples, make_app
from amla_cli._exit import Exit
from amla_cli._outcome import CliError, Outcome, Settings

__all__ = ["app", "watch"]


def watch(
    script: Annotated[str | None, typer.Argument(metavar="SCRIPT", help="A file.", show_default=False)] = None,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="...", help="Options and arguments as for 'amla run'.", show_default=False),
    ] = None,
    *,
    settings: Settings,
) -> Outcome:
    """Run a script, and again each time it changes, or a manifest, a module of its tools or a mounted file does.

    A run that is under way is ended first. What follows the script is for 'amla run'. Ctrl-C ends it.
    """
    import threading

    from amla_cli._watching import Session, changes, watched_files

    if script is None or not Path(script).is_file():
        raise CliError("usage", f"there is no file {script!r} to watch" if script else "name a script to watch", _USAGE)
    given = [script, *(words or ()), *_passed_on(settings)]
    _check(given)
    session = Session(
        given, lambda status: _say(f"{script} ended with status {status}; waiting for a change", settings)
    )
    session.start()
    try:
        for changed in changes(watched_files(script, words or ()), threading.Event()):
            _say(f"{Path(changed).name} changed; running {script}", settings)
            session.start()
    finally:
        session.stop()
    return Outcome(exit_code=Exit.INTERRUPTED)


_USAGE = "amla watch SCRIPT [options of amla run]"


def _check(words: list[str]) -> None:
    """Refuse at once what 'amla run' would refuse after each change."""
    from amla_cli.commands.run import app as run

    typer.main.get_command(run).make_context("amla run", words.copy())


def _passed_on(settings: Settings) -> list[str]:
    """The options that all commands share, for the runs."""
    flags = {"--json": settings.json, "-q": settings.verbosity < 0, "--no-color": not settings.color}
    return [*(flag for flag, given in flags.items() if given), *["-v"] * max(0, settings.verbosity)]


def _say(text: str, settings: Settings) -> None:
    import sys

    from amla_cli._terminal import colored, printable

    if settings.verbosity >= 0:
        sys.stderr.write(colored(f"amla: {printable(text)}", "detail", settings) + "\n")
        sys.stderr.flush()


app = make_app(
    watch,
    name="watch",
    passes_on=True,
    epilog=examples(
        ("amla watch report.js --tools tools.toml", "runs it now, and again after each change"),
        ("amla watch sum.sh --mount ./data:data -- 2024", "files that are mounted are watched as well"),
    ),
)
