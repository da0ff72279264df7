"""`amla tools`: what is declared, and what of it is granted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from amla_cli._command import examples, make_app
from amla_cli._outcome import CliError, Message, Outcome, Settings
from amla_cli._params import one_of

if TYPE_CHECKING:
    from amla_cli._catalog import Entry

__all__ = ["app", "tools"]


_FORMATS = ("text", "json", "ts", "names")


def tools(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="One tool, in full.", show_default=False)] = None,
    tools: Annotated[
        list[str] | None,
        typer.Option("--tools", metavar="FILE", help="A manifest of tools; again for more ($AMLA_TOOLS)."),
    ] = None,
    format: Annotated[  # noqa: A002 - the option's name
        str,
        typer.Option("--format", metavar="|".join(_FORMATS), help="ts: declarations of what is granted, for a prompt."),
    ] = "text",
    load: Annotated[
        bool, typer.Option("--import", help="Import Python tools for their schemas, which runs their modules.")
    ] = False,
    *,
    settings: Settings,
) -> Outcome:
    """List the declared tools, what is granted, and how many calls are left.

    Nothing is run for it: the signatures of Python tools are read from their source, no program or server is started.
    """
    from amla_cli._catalog import catalog
    from amla_cli._manifests import chosen_files, notes, read_manifests

    style = one_of("--format", format, _FORMATS)
    files = chosen_files(tools)
    if not files:
        meant = f"'amla tools --tools {name}' lists those of {name}" if name and name.endswith(".toml") else ""
        hint = meant or "name one with --tools FILE, or 'amla init' writes one"
        raise CliError("usage", "there is no manifest to list", hint)
    manifests = read_manifests(files)
    entries = catalog(manifests, load=load)
    chosen = entries if name is None else [_named(entries, name)]
    servers = [name for manifest in manifests for name in manifest.mcp]
    unseen = [Message("warning", f"the MCP server {name!r} is not asked for its tools") for name in servers]
    messages = [] if style == "names" else [*notes(manifests), *unseen]
    return _outcome(chosen, style, single=name is not None, messages=messages, settings=settings)


def _named(entries: Sequence[Entry], name: str) -> Entry:
    from amla_capabilities import ToolNames, did_you_mean

    names = ToolNames(entry.tool.path for entry in entries)
    path = names.resolve(name)
    found = next((entry for entry in entries if entry.tool.path == path), None)
    if found is None:
        raise CliError(
            "unknown_tool", f"there is no tool {name!r}{did_you_mean(name, names)}", "'amla tools' lists them all"
        )
    return found


def _outcome(
    entries: Sequence[Entry],
    style: str,
    *,
    single: bool,
    messages: list[Message],
    settings: Settings,
) -> Outcome:
    import json

    from amla_cli import _listing

    granted = [entry for entry in entries if entry.granted]
    data = [_listing.as_data(entry) for entry in entries]
    texts = {
        "text": lambda: _listing.as_details(entries[0]) if single else _listing.as_table(entries),
        "json": lambda: json.dumps(data[0] if single else data, indent=2),
        "ts": lambda: _listing.as_typescript(entries if single else granted),
        "names": lambda: "\n".join(entry.tool.path for entry in entries),
    }
    if not entries and style == "text":
        messages = [*messages, Message("hint", "the manifest declares no tools")]
    text = "" if settings.json else texts[style]()
    return Outcome({"tools": data}, text, messages=tuple(messages))


app = make_app(
    tools,
    name="tools",
    epilog=examples(
        ("amla tools --tools tools.toml", "what scripts may call"),
        ("amla tools git/log --tools tools.toml", "one tool in full"),
        ("amla tools --tools tools.toml --format ts", "TypeScript declarations of what is granted"),
    ),
)
