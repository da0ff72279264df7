"""`amla run`: run a script."""

from __future__ import annotations

from typing import Annotated

import typer

from amla_cli._command import examples, exit_codes, make_app
from amla_cli._limits import limit_options
from amla_cli._options import ApproveOption, AuditKeyOption, AuditOption, EnvOption, ToolsOption
from amla_cli._outcome import Outcome, Settings
from amla_cli._params import one_of
from amla_cli._scripts import Lang

__all__ = ["app", "run"]


def run(
    script: Annotated[
        str | None,
        typer.Argument(metavar="SCRIPT", help="A file, or '-' for standard input.", show_default=False),
    ] = None,
    args: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ARGS", help="What process.argv holds; after '--' also words with dashes.", show_default=False
        ),
    ] = None,
    code: Annotated[str | None, typer.Option("-e", "--eval", metavar="CODE", help="Run this text.")] = None,
    lang: Annotated[
        str | None,
        typer.Option("--lang", metavar="|".join(Lang), help="The language, whatever the file's name and #! line say."),
    ] = None,
    tools: ToolsOption = None,
    mount: Annotated[
        list[str] | None,
        typer.Option(
            "--mount",
            metavar="HOST:GUEST[:ro|rw|rw,delete]",
            help="Copy a file or folder in, to be read; rw also copies changes back when the script ends well, "
            "rw,delete also deletes what the script deleted.",
        ),
    ] = None,
    out: Annotated[
        list[str] | None,
        typer.Option(
            "--out",
            metavar="GUEST:HOST",
            help="Copy a file or folder out when the script ends well; status 1 if it is not there.",
        ),
    ] = None,
    env: EnvOption = None,
    approve: ApproveOption = "ask",
    audit: AuditOption = None,
    audit_key_file: AuditKeyOption = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Call no tool: mocks answer, and each call is shown with its decision."),
    ] = False,
    *,
    settings: Settings,
    limits: dict[str, str],
) -> Outcome:
    """Run a script in the sandbox: JavaScript, TypeScript or shell.

    What the script prints goes to stdout and stderr as it is. It reads standard input when it wants some.
    """
    from amla_cli._records import Records
    from amla_cli._running import Order, run_order

    words = list(args or ())
    if code is not None and script is not None:
        words.insert(0, script)
        script = None
    chosen = None if lang is None else Lang(one_of("--lang", lang, list(Lang)))
    records = Records(approve, audit, audit_key_file, dry_run).checked()
    order = Order(script, words, code, chosen, tools or [], mount or [], out or [], env or [], limits, records)
    return run_order(order, settings)


app = make_app(
    run,
    name="run",
    extra=limit_options(),
    epilog="\n\n".join(
        [
            examples(
                ("amla run report.js --tools tools.toml", "with the tools that the manifest grants"),
                ("amla run -e 'return 6 * 7'", "prints 42"),
                ("amla run sum.ts --mount ./data:data 2024 -- --all", "with files, and arguments of the script's own"),
                ("curl -s example.com/x.js | amla run - --timeout 5s", "a script from standard input"),
                ("amla run job.js --json | jq .result.value", "the result for a program"),
            ),
            exit_codes(),
        ]
    ),
)
