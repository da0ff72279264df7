"""Writes what repeats the code: limits.md from the table of limits, cli.md from the parser, findings.md from the table
of findings, the JSON Schema of manifests from what reads them, shell.md's list of commands from the guest.

Run ``python docs/generate.py`` with amla installed. A test compares what it would write with what is there.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

__all__ = ["main", "pages"]

_NOTE = "<!-- Written by docs/generate.py; change the code, not this page. -->"

_LIMITS = """\
# Limits

Each limit of a sandbox, its default, and what it bounds. A limit is set in three ways: under `[sandbox]` in a
[manifest](manifest.md), as an option of `amla run` (`max_output` is `--max-output`), and as a keyword of
`amla_sandbox.Limits`. The command line takes precedence over manifests; of several manifests the strictest counts.

Durations are written `500ms`, `30s`, `2m`; sizes `64kB`, `64MB`, `1GiB`. In Python durations are seconds and sizes
bytes. 0 means none."""

_CLI = """\
# The command line

`amla` and `python -m amla_cli` are the same. What a script prints goes to stdout and stderr byte for byte, as it
happens; what amla itself says goes to stderr. With `--json` stdout is one JSON object and nothing else."""

_FINDINGS = """\
# Findings

What `amla check-policy` can find. Each finding has a code; `[check.suppress]` in a manifest accepts those that are no
problem there, each with a reason. An error or a warning makes the check fail, a note does not."""

_GROUPS = {
    "AM1": "Faults of a manifest",
    "AM2": "Warnings about a manifest",
    "AM3": "Policy tests",
    "AM4": "Calls in scripts",
    "AM5": "Widened rights",
    "AM6": "Scripts run on trial",
}


_FENCES = {"toml": "toml", "js": "javascript"}
"""Scripts in the table of findings call tools, so they are not among the blocks that the tests run by themselves."""


def pages() -> dict[str, str]:
    """File to content, relative to this folder."""
    return {
        "cli.md": _page(_CLI, [*_commands(), *_exit_codes()]),
        "findings.md": _page(_FINDINGS, _findings()),
        "limits.md": _page(_LIMITS, _limits()),
        "manifest.schema.json": _schema(),
        "../capabilities/amla_capabilities/manifest/schema.json": _schema(),  # the copy that ships in the wheel
        "shell.md": _shell(),
    }


def _shell() -> str:
    """The page as it is, with the list of commands as it should be."""
    from amla_sandbox import Sandbox

    with Sandbox() as sandbox:
        names = sandbox.shell("ls /bin").split()
    listed = textwrap.fill(", ".join(f"`{name}`" for name in names) + ".", 120, break_on_hyphens=False)
    page = Path(__file__).with_name("shell.md").read_text("utf-8")
    return re.sub(r"(<!-- Commands: .*-->\n).*(<!-- end -->)", rf"\1{listed}\n\2", page, flags=re.DOTALL)


def _page(head: str, lines: Iterable[str]) -> str:
    title, _, rest = head.partition("\n")
    return "\n".join([title, "", _NOTE, rest, "", *lines]).rstrip() + "\n"


def _table(names: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    for row in (names, ["---"] * len(list(names)), *rows):
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
    yield ""


def _limits() -> Iterator[str]:
    from amla_capabilities import Limits

    rows = [[f"`{spec.name}`", spec.format(spec.default), spec.about] for spec in Limits.specs()]
    return _table(["limit", "default", "what it bounds"], rows)


def _schema() -> str:
    from amla_capabilities import manifest_schema

    return json.dumps(manifest_schema(), indent=1, ensure_ascii=False) + "\n"


def _findings() -> Iterator[str]:
    from amla_capabilities.findings import FINDINGS

    for prefix, title in _GROUPS.items():
        kinds = [kind for code, kind in sorted(FINDINGS.items()) if code.startswith(prefix)]
        if kinds:
            yield from [f"## {title}", ""]
        for kind in kinds:
            yield from _finding(kind)


def _finding(kind: Any) -> Iterator[str]:
    final = "" if kind.can_suppress else " It cannot be suppressed."
    yield from [f"### {kind.code}", "", f"**{kind.title}** ({kind.severity})", ""]
    yield from [*textwrap.wrap(kind.meaning + final, 120, break_on_hyphens=False), ""]
    if kind.example:
        yield from ["```text", *kind.example.splitlines(), "```", ""]
    yield from [*textwrap.wrap(kind.mend, 120, break_on_hyphens=False), ""]
    if kind.mended:
        yield from [f"```{_FENCES[kind.language]}", *kind.mended.splitlines(), "```", ""]


def _commands() -> Iterator[str]:
    every = list(_every_command())
    yield from _table(
        ["command", ""],
        [[f"[`{title}`](#{title.replace(' ', '-')})", _about(command)] for title, command in every],
    )
    for title, command in every:
        yield from _command(title, command)


def _every_command() -> Iterator[tuple[str, Any]]:
    """Each command with its whole name; of a group its members."""
    from amla_cli._app import COMMANDS, make_command

    group = make_command()
    for name in COMMANDS:
        command = group.get_command(None, name)
        if not hasattr(command, "list_commands"):
            yield f"amla {name}", command
            continue
        for member in command.list_commands(None):
            yield f"amla {name} {member}", command.get_command(None, member)


def _about(command: Any) -> str:
    return str(command.help or "").strip().partition("\n")[0]


def _command(title: str, command: Any) -> Iterator[str]:
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    options = [each for each in command.params if each.param_type_name == "option" and not each.hidden]
    words = [_argument(each) for each in arguments]
    yield from [
        f"## {title}",
        "",
        f"`{' '.join([title, '[OPTIONS]', *words])}`",
        "",
        "\n\n".join(textwrap.fill(each, 120, break_on_hyphens=False) for each in str(command.help or "").split("\n\n")),
        "",
    ]
    rows = [[f"`{_argument(each)}`", _help(each)] for each in arguments]
    rows += [[f"`{_option(each)}`", _help(each)] for each in options]
    yield from _table(["argument or option", ""], rows)


def _argument(argument: Any) -> str:
    name = argument.metavar or argument.name.upper()
    return name if argument.required else f"[{name}]"


def _option(option: Any) -> str:
    spelt = ", ".join([*option.opts, *option.secondary_opts])
    if option.is_flag or option.count:
        return spelt
    return f"{spelt} {option.metavar or '|'.join(getattr(option.type, 'choices', ())) or option.type.name.upper()}"


def _help(parameter: Any) -> str:
    return " ".join(str(parameter.help or "").split())


def _exit_codes() -> Iterator[str]:
    from amla_cli._exit import exit_table

    yield from ["## Exit codes", ""]
    yield from _table(["status", "meaning"], [[str(code), meaning] for code, meaning in exit_table()])
    yield "Any other status is the script's own."


def main() -> None:
    for name, text in pages().items():
        (Path(__file__).parent / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
