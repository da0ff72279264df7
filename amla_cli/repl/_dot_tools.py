"""The dot commands about tools: what there is, what was called, why the policy decides as it does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from amla_cli._outcome import CliError
from amla_cli._terminal import printable

from ._paint import painted
from ._screen import drawn_by_rich
from ._standing import seconds_text, size_text

if TYPE_CHECKING:
    from rich.table import Table

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
    """`.why TOOL {json}`: the policy's derivation. The call of that tool that was last made stands for no arguments."""
    from amla_cli._derivation import render

    name, _, text = words.partition(" ")
    if not name:
        raise CliError("usage", "name a tool, and its arguments as JSON", '.why transfer {"amount": 5}')
    path = _named(_entries(repl), name).tool.path
    derivation = repl.guest.sandbox.policy.explain(path, _arguments(repl, path, text.strip()))
    repl.screen.say(drawn_by_rich(render(derivation), repl.screen))


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
    from rich.text import Text

    made = repl.guest.session.calls
    if not made:
        repl.screen.say(painted("no tool was called yet", "detail", repl.screen.color))
        return
    table = _table()
    table.add_column("tool", overflow="fold")
    table.add_column("arguments", overflow="fold", ratio=1)
    table.add_column("outcome")
    table.add_column("time", justify="right")
    for call in made:
        arguments = "" if call.arguments is None else json.dumps(dict(call.arguments), default=str)
        said = f"{arguments}\n{call.message}" if call.message else arguments
        outcome = Text(call.outcome, "" if call.outcome == "ok" else "red")
        table.add_row(Text(printable(call.tool)), Text(printable(said)), outcome, _time(call))
    repl.screen.say(drawn_by_rich(table, repl.screen))


def _time(call: CallRecord) -> str:
    return seconds_text(call.seconds) if call.seconds else ""


def _table() -> Table:
    from rich.table import Table

    return Table(box=None, pad_edge=False, header_style="bold", show_edge=False)


def limits(repl: Repl, _words: str) -> None:
    """`.limits`: what is set, and what is used."""
    from amla_capabilities import Limits

    chosen = repl.guest.sandbox.limits
    size, files = repl.guest.session.usage()
    used = {"files": size_text(size), "file_count": f"{files:,}", "max_calls": f"{repl.standing.calls:,}"}
    table = _table()
    table.add_column("limit", no_wrap=True)
    table.add_column("set to", justify="right", no_wrap=True)
    table.add_column("used", justify="right", no_wrap=True)
    table.add_column("what it bounds")
    for spec in Limits.specs():
        table.add_row(spec.name, _set_to(spec, getattr(chosen, spec.name)), used.get(spec.name, ""), spec.about)
    repl.screen.say(drawn_by_rich(table, repl.screen))


def _set_to(spec: LimitSpec, value: float) -> str:
    return spec.format(value) if value else "none"
