"""Checks of programs: a parameter must not become code (AM216)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath

from amla_capabilities.findings import Finding
from amla_capabilities.manifest import CommandTool, Template

from ._subject import Subject

__all__ = ["run_parameters"]

# Interpreters, and the options after which they take code.
_CODE = {
    **dict.fromkeys(("sh", "bash", "dash", "zsh", "ksh", "ash", "fish"), re.compile(r"-[a-z]*c[a-z]*|--command")),
    **dict.fromkeys(("python", "pypy"), re.compile(r"-[A-Za-z]*c")),
    **dict.fromkeys(("node", "nodejs", "deno", "bun"), re.compile(r"-[a-z]*[ep]|--eval|--print|eval")),
    **dict.fromkeys(("perl", "ruby", "lua", "osascript"), re.compile(r"-[A-Za-z]*[eE]")),
    "php": re.compile(r"-[rBRE]"),
    **dict.fromkeys(("powershell", "pwsh"), re.compile(r"(?i)-(?:c|command|e|ec|encodedcommand)")),
    "cmd": re.compile(r"(?i)/[ck]"),
}
_VERSION = re.compile(r"[\d.]+(?:\.exe)?$|\.exe$", re.IGNORECASE)
_STARTERS = frozenset({"env", "sudo", "doas", "xargs", "nohup", "nice", "timeout", "time", "exec", "setsid", "busybox"})


def run_parameters(subject: Subject) -> Iterator[Finding]:
    """AM216."""
    for tool in subject.manifest.tools.values():
        found = _code_with_parameter(tool.argv) if isinstance(tool, CommandTool) else None
        if found is not None:
            n, message = found
            hint = "start the program itself, or hand the value over as an argument of its own"
            yield subject.manifest.finding("AM216", (*tool.at, "command", n), message, file=tool.file, hint=hint)


def _code_with_parameter(argv: tuple[Template, ...]) -> tuple[int, str] | None:
    """The first element of which a parameter makes code, and why it is that."""
    for n, element in enumerate(argv):
        program = _name(element)
        options = _CODE.get(program)
        for m in range(n + 1, len(argv) - 1 if options else n):
            slot = next(argv[m + 1].slots(), None)
            if options and slot is not None and options.fullmatch(str(argv[m])):
                return m + 1, f"{program} runs what {{{slot}}} holds as code"
    if _name(argv[0]) in _STARTERS:
        words = [n for n, element in enumerate(argv) if n and not str(element).startswith("-")]
        slot = next(argv[words[0]].slots(), None) if words else None
        if slot is not None:
            return words[0], f"{_name(argv[0])} starts the program that {{{slot}}} names"
    return None


def _name(element: Template) -> str:
    """The program that an element names, without folder and version; "" if a parameter is in it."""
    if next(element.slots(), None) is not None:
        return ""
    return _VERSION.sub("", PurePath(str(element)).name).lower()
