"""`amla precompile`: the guest, compiled for this machine and kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from amla_cli._command import examples, make_app
from amla_cli._exit import Exit
from amla_cli._outcome import CliError, Outcome, Problem, Settings

if TYPE_CHECKING:
    from amla_sandbox._cache import CacheStatus

__all__ = ["app", "precompile"]

_NEXT = "'amla precompile' compiles it; until then the first run does"
_UNKEPT = "each start will compile it again, which takes seconds; put right what is said above"


def precompile(
    check: Annotated[bool, typer.Option("--check", help="Only say whether it is compiled; status 1 if not.")] = False,
    clear: Annotated[bool, typer.Option("--clear", help="Remove everything that is kept.")] = False,
    output: Annotated[
        str | None,
        typer.Option(
            "--output", metavar="FILE", help="Write it to a file, for $AMLA_PRECOMPILED on machines like this."
        ),
    ] = None,
    *,
    settings: Settings,
) -> Outcome:
    """Compile the sandbox for this machine and keep the result.

    The first run does so by itself; do it ahead where that second would disturb, or when an image is built.
    """
    if sum((check, clear, output is not None)) > 1:
        raise CliError("usage", "--check, --clear and --output exclude each other", "give one of them")
    if clear:
        return _clear()
    if check:
        return _check()
    return _export(output, settings) if output is not None else _compile(settings)


def _compile(settings: Settings) -> Outcome:
    from amla_cli._terminal import Progress
    from amla_sandbox._cache import Outcome as Cached
    from amla_sandbox._cache import precompile as compile_guest
    from amla_sandbox._guest._engine import CONFIGURATION, GUEST, make_engine

    with Progress(settings) as progress:
        status = compile_guest(make_engine(), GUEST, CONFIGURATION, progress)
    if not status.ready:
        problem = Problem("cache", f"the guest was compiled but cannot be kept: {status.reason}", _UNKEPT)
        return Outcome(_data(status), problems=(problem,), exit_code=Exit.BROKEN)
    verb = "compiled" if status.outcome is Cached.STORED else "compiled already"
    return Outcome(_data(status), f"{verb}: {status.path}")


def _check() -> Outcome:
    from amla_sandbox._cache import check
    from amla_sandbox._guest._engine import CONFIGURATION, GUEST, make_engine

    status = check(make_engine(), GUEST, CONFIGURATION)
    if status.ready:
        return Outcome(_data(status), f"compiled: {status.path}")
    reason = f": {status.reason}" if status.reason else ""
    problem = Problem("not_compiled", f"the guest is not compiled for this machine{reason}", _NEXT)
    return Outcome(_data(status), problems=(problem,), exit_code=Exit.SCRIPT_ERROR)


def _clear() -> Outcome:
    from amla_sandbox._cache import cache_folder, clear

    count = clear()
    folder = cache_folder()
    return Outcome(
        {"removed": count, "folder": str(folder)}, f"removed {count} compiled guest{'s' * (count != 1)} from {folder}"
    )


def _export(output: str, settings: Settings) -> Outcome:
    from pathlib import Path

    from amla_cli._terminal import Progress
    from amla_sandbox._cache import PRECOMPILED_VARIABLE, export
    from amla_sandbox._guest._engine import CONFIGURATION, GUEST, make_engine

    file = Path(output).absolute()
    if file.is_dir() or not file.parent.is_dir():
        what = "is a folder" if file.is_dir() else f"cannot be written: there is no folder {file.parent}"
        raise CliError("usage", f"--output {output} {what}", "name a file in a folder that is there")
    with Progress(settings) as progress:
        export(make_engine(), GUEST, CONFIGURATION, file, progress)
    return Outcome({"path": str(file)}, f"written: {file}\nto use it, set {PRECOMPILED_VARIABLE}={file}")


def _data(status: CacheStatus) -> dict[str, object]:
    path = None if status.path is None else str(status.path)
    return {"outcome": status.outcome.value, "path": path, "reason": status.reason}


app = make_app(
    precompile,
    name="precompile",
    epilog=examples(
        ("amla precompile", "compiles now rather than in the first run"),
        ("amla precompile --check", "status 0 if the next start is a fast one, 1 if not"),
        ("amla precompile --output amla.compiled", "a file to put into a container image"),
    ),
)
