"""`amla policy learn`: the least manifest that allows what a trace did."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from amla_cli._command import examples, make_app
from amla_cli._exit import Exit
from amla_cli._outcome import CliError, Message, Outcome, Problem, Settings

if TYPE_CHECKING:
    from amla_capabilities import Finding, Manifest
    from amla_capabilities.learn import Learned, Style, Trace

__all__ = ["app", "learn"]


def learn(
    traces: Annotated[
        list[str] | None,
        typer.Argument(metavar="TRACE", help="Files of --audit, or '-' for standard input.", show_default=False),
    ] = None,
    tools: Annotated[
        str | None, typer.Option("--tools", metavar="BASE", help="A manifest whose declarations are taken over.")
    ] = None,
    within: Annotated[
        str | None,
        typer.Option("--within", metavar="UPPER", help="Prove that nothing is allowed that this manifest refuses."),
    ] = None,
    exact: Annotated[bool, typer.Option("--exact", help="Allow each call as it was, and nothing between.")] = False,
    ranges: Annotated[bool, typer.Option("--ranges", help="Numbers: from the least seen to the greatest.")] = False,
    enums: Annotated[bool, typer.Option("--enums", help="Few strings: one of those seen.")] = False,
    prefixes: Annotated[bool, typer.Option("--prefixes", help="Strings: the folder, host or beginning seen.")] = False,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Write it there, not to standard output.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")] = False,
    *,
    settings: Settings,  # noqa: ARG001 - every command gets them
) -> Outcome:
    """Write the least manifest that allows the calls that were made.

    Without --exact, --ranges, --enums or --prefixes, numbers become ranges, up to ten different strings a list, more of
    them a prefix. The calls are tried on what is written. A log can be forged: 'amla policy verify-log' tells.
    """
    from amla_capabilities.learn import LearnError
    from amla_capabilities.learn import learn as learned_from
    from amla_cli._traces import read_traces
    from amla_cli.check._revision import load_old

    style = _style(exact=exact, ranges=ranges, enums=enums, prefixes=prefixes)
    if not traces:
        raise CliError("usage", "there is no trace to learn from", "name a file that 'amla run --audit FILE' wrote")
    trace = read_traces(traces)
    base = None if tools is None else _base(tools)
    upper = load_old(within) if within is not None else base
    try:
        learned = learned_from(trace.calls, base=base, schemas=_schemas(base), style=style)
    except LearnError as error:
        raise CliError("learn", str(error)) from error
    wider = _wider(learned, upper)
    if wider and within is not None:
        return _refused(within, wider)
    if output is not None:
        from amla_cli._new_file import write_new

        write_new(Path(output), learned.text, replace=force, other="-o OTHER.toml")
    return _outcome(learned, trace, wider, base, output)


def _style(*, exact: bool, ranges: bool, enums: bool, prefixes: bool) -> Style:
    from amla_capabilities.learn import Style

    chosen = ranges or enums or prefixes
    if exact and chosen:
        raise CliError("usage", "--exact goes with none of --ranges, --enums and --prefixes")
    return Style(exact, ranges, enums, prefixes) if chosen else Style(exact)


def _base(file: str) -> Manifest:
    from amla_cli._manifests import read_manifests

    return read_manifests([file])[0]


def _schemas(base: Manifest | None) -> Mapping[str, Mapping[str, Any]]:
    """The schemas of Python tools, as far as their source tells them."""
    from amla_cli._catalog import catalog

    entries = [] if base is None else catalog([base], load=False)
    return {entry.tool.path: entry.definition.schema for entry in entries if not entry.unknown}


def _wider(learned: Learned, upper: Manifest | None) -> list[Finding]:
    from amla_capabilities.compare import widened

    return [] if upper is None else widened(upper, learned.manifest)


def _refused(within: str, wider: list[Finding]) -> Outcome:
    problems = [
        Problem("wider", f"{finding.code} {_placed(finding)}", where={"finding": finding.code, "path": finding.path})
        for finding in wider
    ]
    first = Problem(
        "wider",
        f"what was learned is not within {within}, or that cannot be proved; nothing is written",
        "a stricter style, such as --exact, allows less",
    )
    return Outcome(problems=(first, *problems), exit_code=Exit.SCRIPT_ERROR)


def _placed(finding: Finding) -> str:
    return f"{finding.path}: {finding.message}" if finding.path else finding.message


def _outcome(
    learned: Learned, trace: Trace, wider: list[Finding], base: Manifest | None, output: str | None
) -> Outcome:
    data = {
        "path": None if output is None else str(Path(output).absolute()),
        "manifest": learned.text,
        "calls": len(trace.calls),
        "left_out": dict(trace.left_out),
        "stubs": list(learned.stubs),
    }
    text = learned.text if output is None else f"written: {output}"
    return Outcome(data, text, messages=tuple(_messages(learned, trace, wider, base, output)))


_LEFT_OUT = {
    "refused": "refused, so nothing of that is allowed",
    "cut short": "recorded with arguments that were cut short",
}


def _messages(
    learned: Learned, trace: Trace, wider: list[Finding], base: Manifest | None, output: str | None
) -> list[Message]:
    said = [
        Message(
            "warning" if reason == "cut short" else "hint",
            f"{count:,} {'call was' if count == 1 else 'calls were'} {_LEFT_OUT[reason]}",
        )
        for reason, count in trace.left_out.items()
    ]
    if learned.stubs:
        names = ", ".join(learned.stubs)
        said.append(Message("warning", f"nobody declared {names}: replace 'python' in each by what the tool is"))
    if output is not None and base is not None and base.path is not None and not _beside(output, base.path):
        what = f"Python tools, 'cwd' and mounts mean other files there than beside {base.path}"
        said.append(Message("warning", what))
    return said + [
        Message("warning", f"wider than the base manifest: {finding.code} {_placed(finding)}") for finding in wider
    ]


def _beside(output: str, base: Path) -> bool:
    return Path(output).resolve().parent == base.resolve().parent


app = make_app(
    learn,
    name="learn",
    epilog=examples(
        ("amla run job.js --tools all.toml --audit calls.log", "do the work once, watched"),
        ("amla policy learn calls.log --tools all.toml -o tools.toml", "allow that, and little more"),
        ("amla policy learn calls.log --tools all.toml --exact", "allow exactly that"),
        ("amla policy learn calls.log --tools all.toml --within main:tools.toml", "and prove that it is no wider"),
    ),
)
