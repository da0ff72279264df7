"""`amla policy verify-log`: whether an audit log is as it was written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer

from amla_cli._command import examples, make_app
from amla_cli._exit import Exit
from amla_cli._outcome import CliError, Message, Outcome, Problem, Settings

if TYPE_CHECKING:
    from amla_sandbox.audit import Flaw, Verification

__all__ = ["app", "verify_log"]

_SHOWN = 50
"""Flaws that are shown; arbitrary."""


def verify_log(
    log: Annotated[str, typer.Argument(metavar="LOG", help="A file of --audit.")],
    key_file: Annotated[
        str | None, typer.Option("--key-file", metavar="FILE", help="The key that the records were sealed with.")
    ] = None,
    head: Annotated[
        str | None, typer.Option("--head", metavar="SEAL", help="A head that was kept: it must be in the log.")
    ] = None,
    *,
    settings: Settings,  # noqa: ARG001 - every command has them
) -> Outcome:
    """Find out whether records of an audit log were changed, cut, added or moved, and print its head.

    Status 0 if it is intact, 1 if not, 2 if that cannot be told. A key shows who wrote the records, a head
    that was kept elsewhere that the end was not cut; without either, a log that was written anew looks intact.
    """
    from amla_cli._audits import read_key
    from amla_sandbox.audit import verify

    if head is not None and not re.fullmatch(r"[0-9a-f]{64}", head):
        raise CliError("usage", f"--head {head}: a head is 64 digits and letters a-f, as this command prints it")
    key = read_key(key_file)
    try:
        with open(log, "rb") as opened:  # noqa: PTH123 - as the user wrote it
            found = verify(_lines(opened), key=key, head=head)
    except OSError as error:
        raise CliError("audit", f"cannot read {log}: {error.strerror}") from error
    if found.keyed and key is None:
        raise CliError("audit", f"the records of {log} are sealed with a key", "name the file of the key: --key-file")
    return _outcome(log, found, trusted=key is not None or head is not None)


def _lines(opened: BinaryIO) -> Iterator[bytes]:
    from amla_sandbox.audit._chain import LONGEST

    while line := opened.readline(LONGEST + 1):
        yield line


def _outcome(log: str, found: Verification, *, trusted: bool) -> Outcome:
    problems = [
        Problem("audit", _placed(log, flaw), where={"file": log, "line": flaw.line or None})
        for flaw in found.flaws[:_SHOWN]
    ]
    if len(found.flaws) > _SHOWN:
        problems.append(Problem("audit", f"and {len(found.flaws) - _SHOWN:,} more"))
    notes = [Message("warning", _placed(log, note)) for note in found.notes[:_SHOWN]]
    if found.intact and not trusted:
        notes.append(Message("hint", "this shows no more than that the log fits together: keep its head, or use a key"))
    text = f"{log}: {_counted(found)}{', intact' if found.intact else ''}"
    text += f"\nhead {found.head}" if found.head else ""
    return Outcome(_data(log, found), text, tuple(notes), tuple(problems), 0 if found.intact else Exit.SCRIPT_ERROR)


def _counted(found: Verification) -> str:
    return f"{found.records:,} record{'' if found.records == 1 else 's'}"


def _placed(log: str, flaw: Flaw) -> str:
    return f"{log}:{flaw.line}: {flaw.text}" if flaw.line else f"{log}: {flaw.text}"


def _data(log: str, found: Verification) -> dict[str, Any]:
    return {
        "file": log,
        "records": found.records,
        "head": found.head,
        "keyed": found.keyed,
        "flaws": [flaw._asdict() for flaw in found.flaws],
        "notes": [note._asdict() for note in found.notes],
    }


app = make_app(
    verify_log,
    name="verify-log",
    epilog=examples(
        ("amla policy verify-log calls.log --key-file audit.key", "whether anybody without the key changed it"),
        ("amla policy verify-log calls.log --head 5f1c…", "whether it still holds all that it held then"),
    ),
)
