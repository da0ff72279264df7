"""The dot commands about tools: what there is, what was called, why the policy decides as it does."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

from amla_cli._outcome import CliError
from amla_cli._terminal import printable

from ._columns import Cell, Row, columns
from ._paint import painted
from ._screen import drawn_by_rich
from ._standing import seconds_text, size_text

if TYPE_CHECKING:
    from amla_capabilities import LimitSpec
    from amla_cli._catalog import Entry
    from amla_sandbox import CallRecord

    from ._repl import Repl

__all__ = ["calls", "limits", "names", "tools", "why"]

_MANIFEST = "start with --tools FILE; 'amla init' writes a manifest to begin with"


def tools(repl: Repl, words: str) -> None:
    """`.tools`: all in short, or one in full."""
    from amla_cli._listing import as_details, as_table

    entries = _entries(repl)
    if not entries:
        raise CliError("usage", "no tools are declared", _MANIFEST, exit_code=1)
    repl.screen.say(as_details(_named(entries, words)) if words else as_table(entries))


def _entries(repl: Repl) -> list[Entry]:
    from amla_cli._catalog import Entry

    definitions = {tool.path: tool for tool in repl.guest.sandbox.tools}
    policy = repl.guest.sandbox.policy
    return [
        Entry(tool, definitions[path], "", policy.grants(path), policy.remaining_calls(path))
        for manifest in repl.plan.manifests
        for path, tool in manifest.tools.items()
    ]


def _named(entries: list[Entry], name: str) -> Entry:
    from amla_capabilities import ToolNames, did_you_mean

    known = ToolNames(entry.tool.path for entry in entries)
    path = known.resolve(name)
    for entry in entries:
        if entry.tool.path == path:
            return entry
    raise CliError("unknown_tool", f"there is no tool {name!r}{did_you_mean(name, known)}", ".tools lists them all")


def names(repl: Repl, words: str) -> Iterator[tuple[str, int, str]]:
    """The tools' names, for completion."""
    for tool in repl.guest.sandbox.tools:
        if tool.path.startswith(words):
            yield tool.path, 0, tool.description.partition("\n")[0]


def why(repl: Repl, words: str) -> None:
    """`.why TOOL {json}`: the policy's derivation. The call that was last made stands for what is not named."""
    from amla_cli._derivation import derived, render

    name, _, text = words.partition(" ")
    entry = _named(_entries(repl), name or _last_called(repl))
    path = entry.tool.path
    derivation = derived(repl.guest.sandbox.policy, path, _arguments(repl, path, text.strip()), entry.prepare)
    repl.screen.say(drawn_by_rich(render(derivation), repl.screen))


def _last_called(repl: Repl) -> str:
    made = repl.guest.session.calls
    if not made:
        raise CliError("usage", "name a tool, and its arguments as JSON", '.why transfer {"amount": 5}')
    return made[-1].tool


def _arguments(repl: Repl, path: str, text: str) -> dict[str, Any]:
    if not text:
        made = [call.arguments for call in repl.guest.session.calls if call.tool == path]
        return dict(made[-1] or {}) if made else {}
    try:
        value = json.loads(text)
    except ValueError as error:
        raise CliError("usage", f"the arguments are not JSON: {error}", f'.why {path} {{"name": "value"}}') from None
    if not isinstance(value, dict):
        raise CliError("usage", "the arguments are no JSON object", f'.why {path} {{"name": "value"}}')
    return cast("dict[str, Any]", value)


def calls(repl: Repl, _words: str) -> None:
    """`.calls`: one row for each."""
    made = repl.guest.session.calls
    if not made:
        repl.screen.say(painted("no tool was called yet", "detail", repl.screen.color))
        return
    _say_table(repl, ("tool", "outcome", "time", "arguments"), list(map(_call_row, made)))


def _call_row(call: CallRecord) -> Row:
    arguments = "" if call.arguments is None else json.dumps(dict(call.arguments), default=str)
    outcome = Cell(call.outcome, "" if call.outcome == "ok" else "error")
    time = Cell(seconds_text(call.seconds) if call.seconds else "", right=True)
    said = f"{arguments}\n{call.message}" if call.message else arguments
    return Row([Cell(printable(call.tool)), outcome, time], printable(said))


def _say_table(repl: Repl, titles: Sequence[str], rows: Sequence[Row]) -> None:
    """A table whose last title is that of the text."""
    *heads, last = titles
    cells = [Cell(title, "title", cell.right) for title, cell in zip(heads, rows[0].cells, strict=True)]
    repl.screen.say(columns([Row(cells, last), *rows], repl.screen.columns, color=repl.screen.color))


def limits(repl: Repl, _words: str) -> None:
    """`.limits`: what is set, and what is used."""
    from amla_capabilities import Limits

    chosen, used = repl.guest.sandbox.limits, _used(repl)
    rows = [
        Row(
            [
                Cell(spec.name),
                Cell(_set_to(spec, getattr(chosen, spec.name)), right=True),
                Cell(used.get(spec.name, ""), right=True),
            ],
            spec.about,
        )
        for spec in Limits.specs()
    ]
    _say_table(repl, ("limit", "set to", "used", "what it bounds"), rows)


def _used(repl: Repl) -> dict[str, str]:
    """Of what is the session's until now, of what is a run's by the last input."""
    size, files = repl.guest.session.usage()
    made, tried = repl.guest.session.spent()
    used = {
        "files": size_text(size),
        "file_count": f"{files:,}",
        "max_calls": f"{made:,}",
        "max_attempts": f"{tried:,}",
    }
    if repl.usage is None:
        return used
    return used | {
        "timeout": seconds_text(repl.usage.wall_seconds),
        "cpu": seconds_text(repl.usage.cpu_seconds),
        "memory": size_text(repl.usage.memory_bytes),
        "max_output": size_text(repl.usage.output_bytes),
    }


def _set_to(spec: LimitSpec, value: float) -> str:
    return spec.format(value) if value else "none"
