"""The summary and the parameter descriptions of a docstring, in the three styles in use: Google, NumPy, Sphinx."""

from __future__ import annotations

import re
from inspect import cleandoc
from typing import NamedTuple

__all__ = ["Docstring", "parse_docstring"]

_GOOGLE = re.compile(r"(?P<indent> *)(?P<title>[A-Z][A-Za-z ]*):\s*\Z")
_GOOGLE_ENTRY = re.compile(r"\*{0,2}(?P<name>\w+)\s*(?:\(.*?\)+)?\s*:(?:\s+(?P<text>.*))?\Z")
_NUMPY_ENTRY = re.compile(r"(?P<names>\*{0,2}\w+(?:\s*,\s*\*{0,2}\w+)*)\s*(?::.*)?\Z")
_SPHINX = re.compile(
    r":(?:param|parameter|arg|argument|key|keyword)\s+(?:[^:]*\s)?\*{0,2}(?P<name>\w+)\s*:\s*(?P<text>.*)\Z"
)
_SPHINX_OTHER = re.compile(r":(?:type|return|returns|rtype|raise|raises|except|exception|yields?|var|ivar)\b[^:]*:")
_PARAMETERS = frozenset(
    {"args", "arguments", "parameters", "params", "keyword args", "keyword arguments", "other parameters"}
)
_OTHERS = frozenset(
    {"returns", "return", "yields", "yield", "raises", "raise", "example", "examples", "note", "notes", "attributes"}
    | {"warning", "warnings", "see also", "references", "todo", "warns", "receives", "methods"}
)


class Docstring(NamedTuple):
    """``description`` is the prose outside sections; ``parameters`` maps names to their texts, on one line each."""

    description: str
    parameters: dict[str, str]


def parse_docstring(text: str | None) -> Docstring:
    """Read what a docstring says; an unknown layout is all description."""
    lines = cleandoc(text or "").split("\n")
    prose: list[str] = []
    parameters: dict[str, str] = {}
    index = 0
    while index < len(lines):
        title, start = _section_at(lines, index)
        if title:
            numpy = start == index + 2
            body, index = _body(lines, start, numpy=numpy)
            if title in _PARAMETERS:
                parameters.update(_entries(body, numpy=numpy))
        elif match := _SPHINX.match(lines[index].strip()):
            body, index = _continuation(lines, index + 1)
            parameters[match["name"]] = _joined([match["text"], *body])
        elif _SPHINX_OTHER.match(lines[index].strip()):
            _, index = _continuation(lines, index + 1)
        else:
            prose.append(lines[index])
            index += 1
    return Docstring("\n".join(prose).strip(), parameters)


def _section_at(lines: list[str], index: int) -> tuple[str, int]:
    """The lower-case title of the section that starts here and where its body starts; an empty title if none does."""
    line = lines[index]
    if index + 1 < len(lines) and _is_rule(lines[index + 1]) and line.strip().lower() in _PARAMETERS | _OTHERS:
        return line.strip().lower(), index + 2
    match = _GOOGLE.match(line)
    title = match["title"].lower() if match and not match["indent"] else ""
    return (title, index + 1) if title in _PARAMETERS | _OTHERS else ("", index)


def _is_rule(line: str) -> bool:
    return len(line.strip()) >= 3 and set(line.strip()) <= set("-=")


def _body(lines: list[str], start: int, *, numpy: bool) -> tuple[list[str], int]:
    """A section's lines: up to the next section (NumPy) or the next line without indentation (Google)."""
    index = start
    while index < len(lines):
        ends = _section_at(lines, index)[0] if numpy else lines[index].strip() and not lines[index].startswith(" ")
        if ends:
            break
        index += 1
    return lines[start:index], index


def _continuation(lines: list[str], start: int) -> tuple[list[str], int]:
    index = start
    while index < len(lines) and lines[index].startswith(" ") and lines[index].strip():
        index += 1
    return lines[start:index], index


def _entries(body: list[str], *, numpy: bool) -> dict[str, str]:
    """Parameters of a section: entries stand at the section's own indentation, their texts are indented deeper."""
    level = min((_indent(line) for line in body if line.strip()), default=0)
    found: dict[str, list[str]] = {}
    current: list[str] = []
    for line in body:
        if line.strip() and _indent(line) == level:
            current = []
            entry = (_NUMPY_ENTRY if numpy else _GOOGLE_ENTRY).match(line.strip())
            if entry and numpy:
                found.update((name.strip(" *"), current) for name in entry["names"].split(","))
            elif entry:
                current.append(entry["text"] or "")
                found[entry["name"]] = current
        else:
            current.append(line)
    return {name: text for name, parts in found.items() if (text := _joined(parts))}


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _joined(lines: list[str]) -> str:
    return " ".join(" ".join(lines).split())
