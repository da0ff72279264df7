"""Tools that are programs: an argument list, never a shell (R23)."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from amla_capabilities.manifest import CommandTool, Template

from ._command import Command, Finished
from ._declared import declared
from ._definition import Arguments, ToolDefinition
from ._errors import ArgumentError, ToolDefinitionError, ToolFailedError
from ._fill import Environment, has_value, require_text, text_of
from ._secrets import mask_text

__all__ = ["command_check", "command_tool", "find_program"]

MAX_OUTPUT = 16_000_000  # bytes of standard output, where the manifest says nothing
TIMEOUT = 60.0  # seconds, likewise

_PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "SYSTEMROOT")
"""What nearly every program needs to work at all; everything else must be listed in ``env``."""

_OPTION_STARTS = "-+@"
_NOT_PROGRAMS = (".bat", ".cmd")  # run by a shell that splits arguments by rules of its own

_SHOWN_STDERR = 1_500
"""Characters of a failed program's standard error that its failure shows."""


@dataclass(frozen=True)
class _Plan:
    """A command tool with everything decided that a call cannot change."""

    tool: CommandTool
    program: str
    cwd: str
    environment: Mapping[str, str]
    secrets: tuple[str, ...] = ()

    def render(self, arguments: Arguments) -> Command:
        """The process to start for these arguments. Raises ArgumentError for values that a program must not see."""
        argv, released = [self.program], False
        for template in self.tool.argv[1:]:
            argv.append(self._element(template, arguments, _OPTION_STARTS[1:] if released else _OPTION_STARTS))
            released = released or template.parts == ("--",)
        return Command(tuple(argv), self.cwd, self.environment, self._stdin(arguments))

    def _element(self, template: Template, arguments: Arguments, refused: str) -> str:
        slots = list(template.slots())
        if not slots:
            return str(template.fill(str, str))
        if not has_value(template, arguments):
            missing = next(name for name in slots if arguments.get(name) is None)
            raise ArgumentError(f"{self.tool.path}: missing parameter {missing}", missing)
        text = template.fill(lambda name: text_of(arguments[name]), str)
        require_text(text, self.tool.path, slots)
        literal_start = isinstance(template.parts[0], str)  # then the owner chose how the element begins
        if text[:1] and text[0] in refused and not literal_start and not set(slots) <= set(self.tool.options_ok):
            what = f"{slots[0]} must not start with {text[0]!r}, which the program could read as an option"
            raise ArgumentError(f"{self.tool.path}: {what}", slots[0])
        return text

    def _stdin(self, arguments: Arguments) -> bytes:
        name = self.tool.stdin
        value = arguments.get(name) if name is not None else None
        if name is None or value is None:
            return b""
        try:
            return text_of(value).encode()
        except UnicodeEncodeError:
            raise ArgumentError(f"{self.tool.path}: {name} holds an unpaired surrogate", name) from None

    async def run(self, arguments: Arguments) -> Any:
        """Start the program, wait for it, and read what it printed."""
        from ._process import run_command  # with asyncio, which a check of arguments has no use for

        limit = self.tool.max_output or MAX_OUTPUT
        finished = await run_command(self.render(arguments), limit=limit, timeout=self.tool.timeout or TIMEOUT)
        if finished.status not in self.tool.exit_ok:
            raise ToolFailedError(_failure_of(Path(self.program).name, finished, self.secrets))
        text = finished.stdout.decode("utf-8", "replace")
        return _parsed(text, self.tool.path, self.secrets) if self.tool.output == "json" else text.removesuffix("\n")


def command_check(tool: CommandTool) -> Callable[[Arguments], object]:
    """What refuses arguments that the program must not see. Looks for no program, fills in no variable (R1)."""
    return _Plan(tool, "", "", {}).render


def command_tool(tool: CommandTool, folder: Path, variables: Mapping[str, str]) -> ToolDefinition:
    """The definition of a manifest's program. ``folder`` is the manifest's, ``variables`` the host's environment.

    The result of a call is the program's standard output: text without its last newline, or parsed JSON.
    Raises ToolDefinitionError if the program is not there, or a needed variable is not set.
    """
    environment = Environment(tool.path, variables)
    expanded = environment.expand_all(tool.env)
    passed = {name: variables[name] for name in _PASSED_ON if name in variables}
    plan = _Plan(
        tool=tool,
        program=find_program(_literal(tool.argv[0], tool.path), folder, variables.get("PATH", ""), tool.path),
        cwd=_folder(tool, folder),
        environment=passed | {name: _literal(value, tool.path) for name, value in expanded.items()},
        secrets=environment.secrets,
    )
    return ToolDefinition(
        **declared(tool),
        description=tool.description,
        parameters=tool.schema or {},
        handler=plan.run,
        is_async=True,
        convert=plan.render,
        secret_values=environment.secrets,
        host_files=(plan.program, plan.cwd),
    )


def find_program(name: str, folder: Path, path: str, tool: str) -> str:
    """The absolute path of a program: beside the manifest if ``name`` has a folder, else from ``path`` ($PATH).

    Only absolute entries of ``path`` count, so that a program cannot be planted in a working directory.
    """
    if Path(name).suffix.lower() in _NOT_PROGRAMS:
        raise ToolDefinitionError(f"{tool}: {name} is a batch file, which a shell would run; name a program")
    entries = [Path(entry) for entry in path.split(os.pathsep)]
    folders = [entry for entry in entries if entry.is_absolute()] if Path(name).name == name else [folder.absolute()]
    for candidate in (place / name for place in folders):
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return str(candidate)
    raise ToolDefinitionError(f'{tool}: the program {name!r} was not found; install it or correct "command"')


def _literal(template: Template, tool: str) -> str:
    if any(template.slots()):
        raise ToolDefinitionError(f"{tool}: parameters may stand only in a program's arguments")
    return str(template.fill(str, str))


def _folder(tool: CommandTool, folder: Path) -> str:
    cwd = (folder / (tool.cwd or ".")).resolve()
    if not cwd.is_dir():
        raise ToolDefinitionError(f"{tool.path}: the folder {tool.cwd!r} (cwd) does not exist beside the manifest")
    return str(cwd)


def _failure_of(name: str, finished: Finished, secrets: tuple[str, ...]) -> str:
    """Secrets are masked before the text is cut: half a secret would not be found afterwards."""
    status = finished.status
    ended = f"was killed by signal {-status}" if status < 0 else f"exited with status {status}"
    said = mask_text(finished.stderr.decode("utf-8", "replace").strip(), secrets)[-_SHOWN_STDERR:]
    return f"{name} {ended}" + (f": {said}" if said else "")


def _parsed(text: str, tool: str, secrets: tuple[str, ...]) -> Any:
    import json

    try:
        return json.loads(text)
    except ValueError as error:
        began = mask_text(text, secrets)[:80]
        raise ToolFailedError(f"{tool}: the program printed no JSON ({error}); it began {began!r}") from None
