"""Options that several commands take, each with the same words."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["ApproveOption", "AuditKeyOption", "AuditOption", "EnvOption", "ToolsOption"]

ToolsOption = Annotated[
    list[str] | None,
    typer.Option("--tools", metavar="FILE", help="A manifest of tools; again for more ($AMLA_TOOLS)."),
]
EnvOption = Annotated[
    list[str] | None,
    typer.Option("--env", metavar="NAME=VALUE", help="An environment variable for the script."),
]
ApproveOption = Annotated[
    str,
    typer.Option(
        "--approve",
        metavar="ask|all|none",
        help="What becomes of calls that need approval: ask on the terminal, allow all, or refuse all.",
    ),
]
AuditOption = Annotated[
    str | None,
    typer.Option("--audit", metavar="FILE", help="Append a record of each call and decision to this file."),
]
AuditKeyOption = Annotated[
    str | None,
    typer.Option("--audit-key-file", metavar="FILE", help="A secret to seal these records with, 16 bytes or more."),
]
