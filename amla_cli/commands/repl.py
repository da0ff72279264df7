"""`amla repl`: an interactive session."""

from __future__ import annotations

from typing import Annotated

import typer

from amla_cli._command import examples, exit_codes, make_app
from amla_cli._limits import limit_options
from amla_cli._options import ApproveOption, AuditKeyOption, AuditOption, EnvOption, ToolsOption
from amla_cli._outcome import CliError, Outcome, Settings
from amla_cli._params import one_of
from amla_cli._scripts import Lang

__all__ = ["app", "repl"]

_LANGUAGES = (Lang.js, Lang.shell)


def repl(
    lang: Annotated[
        str, typer.Option("--lang", metavar="|".join(_LANGUAGES), help="The language to begin with.")
    ] = Lang.js,
    tools: ToolsOption = None,
    mount: Annotated[
        list[str] | None,
        typer.Option(
            "--mount",
            metavar="HOST:GUEST[:ro|rw|rw,delete]",
            help="Copy a file or folder in, to be read; rw also copies changes back at the end, rw,delete also "
            "deletions.",
        ),
    ] = None,
    env: EnvOption = None,
    approve: ApproveOption = "ask",
    audit: AuditOption = None,
    audit_key_file: AuditKeyOption = None,
    load: Annotated[
        str | None, typer.Option("--load", metavar="FILE", help="Go on with a session that '.save FILE' kept.")
    ] = None,
    no_history: Annotated[bool, typer.Option("--no-history", help="Neither read nor keep what was typed.")] = False,
    *,
    settings: Settings,
    limits: dict[str, str],
) -> Outcome:
    """Talk to the sandbox: JavaScript or shell, line by line, on the same files.

    Variables, functions, files and the working directory stay from line to line. Over a pipe each complete input runs
    without a prompt, and the status is that of the last one.
    """
    from amla_cli._records import Records
    from amla_cli.repl._loop import converse
    from amla_cli.repl._start import Order

    if settings.json:
        raise CliError("usage", "--json: a session speaks to people", "'amla run --json' gives results for programs")
    language = Lang(one_of("--lang", lang, _LANGUAGES))
    records = Records(approve, audit, audit_key_file).checked()
    order = Order(language, tools or [], mount or [], env or [], load, not no_history, limits, records)
    return converse(order, settings)


app = make_app(
    repl,
    name="repl",
    extra=limit_options(),
    epilog="\n\n".join(
        [
            examples(
                ("amla repl", "JavaScript; .lang shell for the shell, .help for more"),
                ("amla repl --lang shell --mount ./logs:logs", "a shell with files to look at"),
                ("amla repl --tools tools.toml", "with the tools that the manifest grants"),
                ("amla repl --load work.session", "go on with what '.save work.session' kept"),
                ("echo '6 * 7' | amla repl", "prints 42"),
            ),
            exit_codes(),
        ]
    ),
)
