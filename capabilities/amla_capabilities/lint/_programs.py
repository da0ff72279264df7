"""Checks of programs: a parameter must not become code (AM216)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from amla_capabilities._constraints._leaf import Leaf
from amla_capabilities._values import as_list, as_mapping
from amla_capabilities.findings import Finding
from amla_capabilities.manifest import CommandTool, Template

from ._code_takers import CODE_TAKERS, CodeTaker
from ._subject import Subject

__all__ = ["run_parameters"]

_VERSION = re.compile(r"[\d.]+(?:\.exe)?$|\.exe$", re.IGNORECASE)
_TAME = frozenset({"integer", "number", "boolean", "null"})  # types of which no value is code
_CODE = "runs what {} holds as code"
_OPTIONS = "has options that run code, and {} may be one"


def run_parameters(subject: Subject) -> Iterator[Finding]:
    """AM216."""
    hint = "start the program itself, or hand the value over as an argument of its own"
    for tool in subject.manifest.tools.values():
        if isinstance(tool, CommandTool):
            wild = _wild(tool, subject.schemas.get(tool.path) or {})
            for at, message in list(_code(tool, wild))[:1]:
                yield subject.manifest.finding("AM216", (*tool.at, *at), message, file=tool.file, hint=hint)


def _wild(tool: CommandTool, schema: Mapping[str, Any]) -> frozenset[str]:
    """The parameters that may hold any text: neither their schema nor the tool's table confines them to a few."""
    properties = as_mapping(schema.get("properties")) or {}
    listed = {
        part.path[0]
        for part in tool.limits.constraints
        if isinstance(part, Leaf) and part.operator.name in ("eq", "is_in") and len(part.path) == 1
    }
    return frozenset(name for name, entry in properties.items() if name not in listed and not _is_tame(entry))


def _is_tame(entry: object) -> bool:
    schema = as_mapping(entry) or {}
    kinds = as_list(schema.get("type")) or [schema.get("type")]
    return "enum" in schema or "const" in schema or _TAME.issuperset(kinds)


def _code(tool: CommandTool, wild: frozenset[str]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Where in a tool's table a parameter becomes code, and how."""
    for n, taker in _programs(tool.argv):
        program = _name(tool.argv[n])
        places, reads = _taken(taker, tool.argv, n)
        places += [(m, _OPTIONS) for m in range(n + 1, len(tool.argv)) if _may_be_option(tool, tool.argv[m])]
        for m, does in places:
            slot = next((slot for slot in tool.argv[m].slots() if slot in wild), None)
            if slot is not None:
                yield ("command", m), f"{program} {does.format(f'{{{slot}}}')}"
        if reads and tool.stdin in wild:
            yield ("stdin",), f"{program} {_CODE.format(f'{{{tool.stdin}}}')}"


def _may_be_option(tool: CommandTool, element: Template) -> bool:
    return not _head(element) and next(element.slots(), None) in tool.options_ok


def _programs(argv: Sequence[Template]) -> Iterator[tuple[int, CodeTaker]]:
    """The programs that a command starts, one through the other; and, with its options alone, what may be one."""
    started = 0
    while taker := CODE_TAKERS.get(_name(argv[started])):
        yield started, taker
        places, _ = _taken(taker, argv, started)
        following = next((m for m, _ in places if m > started and _name(argv[m])), None)
        if following is None:
            break
        started = following
    for n in range(started + 1, len(argv)):
        taker = CODE_TAKERS.get(_name(argv[n]))
        if taker is not None and taker.leads:
            yield n, replace(taker, operands=(0, 0), reads=False)


def _taken(taker: CodeTaker, argv: Sequence[Template], start: int) -> tuple[list[tuple[int, str]], bool]:
    """The elements that the program at `start` takes for code, and what it does with each; and whether it reads any."""
    places: list[tuple[int, str]] = []
    operands, given, n = 0, False, start + 1
    first, end = taker.operands
    while n < len(argv) and not (taker.leads and operands) and not (taker.ends and given):
        head = _head(argv[n])
        option, joined, _ = head.partition("=")
        if re.fullmatch(taker.options, option):
            given = True
            n += not (joined or next(argv[n].slots(), None))  # its value is the next element, or stands in this one
            places += [(n, _CODE)] if n < len(argv) else []
        elif head.startswith("-"):
            n += re.fullmatch(taker.valued, head) is not None
        elif not re.fullmatch(taker.skips, head):
            places += [(n, taker.does)] if first <= operands < end and not (given and end == 1) else []
            operands += 1
        n += 1
    return places, taker.reads and not given and operands <= first


def _head(element: Template) -> str:
    """What an element begins with, whatever the parameters hold."""
    part = element.parts[0] if element.parts else ""
    return part if isinstance(part, str) else ""


def _name(element: Template) -> str:
    """The program that an element names, without folder and version; "" if a parameter is in it."""
    if next(element.slots(), None) is not None:
        return ""
    return _VERSION.sub("", PurePath(str(element)).name).lower()
