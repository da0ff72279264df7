"""Tool names: one canonical path per tool, and the spellings that reach it.

The canonical path is segments joined by `/`, after Unicode NFC: `stripe/charges/create`. A guest may also write
`stripe.charges.create` (JavaScript and shell), put `mcp:` in front once, and write `_` for a character that
JavaScript identifiers lack (`my_tool` for `my-tool`). Nothing else reaches a tool, and nothing is cleaned up:
a malformed name is an error (R19).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from ._errors import ToolNameError
from ._suggest import nearest

__all__ = ["ToolNames", "canonical_name", "identifier", "js_name", "mcp_segment", "merge_message"]

MCP_PREFIX = "mcp:"
MAX_NAME = 512  # characters; arbitrary, far above any real tool name
MAX_SEGMENTS = 12  # arbitrary as well

# Control, format, surrogate, private, unassigned; line and paragraph separators: all invisible or not comparable.
_REFUSED_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_PLAIN = re.compile(r"[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+){0,11}")  # names that need no closer look
_REFUSED_CHARACTERS = {
    ".": "write '/' between segments",
    ":": "only one leading 'mcp:' is understood",
    "*": "'*' belongs in patterns",
}


def canonical_name(name: str) -> str:
    """The canonical path of a tool name given in canonical form, with or without `mcp:`.

    Raises `ToolNameError` for anything malformed.
    """
    path = _nfc(name).removeprefix(MCP_PREFIX)
    return path if _PLAIN.fullmatch(path) and len(path) <= MAX_NAME else _checked(path, name)


def _checked(path: str, name: str) -> str:
    if not path:
        raise ToolNameError(f"tool name {name!r} is empty")
    if len(path) > MAX_NAME:
        raise ToolNameError(f"tool name {name[:40]!r}… is longer than {MAX_NAME} characters")
    segments = path.split("/")
    if len(segments) > MAX_SEGMENTS:
        raise ToolNameError(f"tool name {name[:40]!r}… has more than {MAX_SEGMENTS} segments")
    for segment in segments:
        check_segment(segment, f"tool name {name!r}", _REFUSED_CHARACTERS)
    return path


def mcp_segment(name: str) -> str:
    """An MCP server's or an MCP tool's name as the single path segment it must be."""
    segment = _nfc(name)
    if "/" in segment:
        raise ToolNameError(f"MCP name {name!r} holds '/': it must be one segment")
    check_segment(segment, f"MCP name {name!r}", _REFUSED_CHARACTERS)
    return segment


def check_segment(segment: str, whole: str, refused: dict[str, str]) -> None:
    """Raise `ToolNameError` unless `segment` may stand between two slashes; `whole` names it in the message."""
    if not segment:
        raise ToolNameError(f"{whole} has an empty segment: no leading, trailing or double '/'")
    for character in segment:
        if character in refused:
            raise ToolNameError(f"{whole} holds {character!r}: {refused[character]}")
        if not character.isascii() or not character.isprintable():
            _check_category(character, whole)


def _check_category(character: str, whole: str) -> None:
    if unicodedata.category(character) in _REFUSED_CATEGORIES:
        raise ToolNameError(f"{whole} holds U+{ord(character):04X}, which cannot be seen or compared reliably")


def _nfc(name: str) -> str:
    return name if name.isascii() else unicodedata.normalize("NFC", name)


def identifier(segment: str) -> str:
    """The JavaScript identifier that a segment answers to: other characters become `_`."""
    text = "".join(c if c in "_$" or ("a" + c).isidentifier() else "_" for c in segment)
    return text if text[0] in "_$" or text[0].isidentifier() else "_" + text


def js_name(path: str) -> str:
    """How a script calls the tool: `stripe.charges.create`."""
    return ".".join(identifier(segment) for segment in path.split("/"))


def merge_message(first: str, second: str) -> str:
    """Why two tools cannot both be declared."""
    if first == second:
        return f"tool {first!r} is declared twice"
    return f"tools {first!r} and {second!r} would both answer to {js_name(second)!r}: rename one"


class ToolNames:
    """The declared tools of a sandbox, and which of them a guest's spelling means."""

    def __init__(self, paths: Iterable[str]) -> None:
        """`paths` are canonical or carry `mcp:`. Raises `ToolNameError` naming every pair of tools that would merge."""
        self.paths: tuple[str, ...] = tuple(map(canonical_name, paths))
        self._known = frozenset(self.paths)
        self._by_js_name: dict[str, str] = {}
        clashes = [merge_message(other, path) for path in self.paths if (other := self._claim(path)) is not None]
        if clashes:
            raise ToolNameError("; ".join(clashes))

    def _claim(self, path: str) -> str | None:
        """Enter a tool; the one that already answers to its JavaScript name, if there is one."""
        name = js_name(path)
        if name in self._by_js_name:
            return self._by_js_name[name]
        self._by_js_name[name] = path
        return None

    def resolve(self, spelling: str) -> str | None:
        """The tool that a guest's spelling means, or None. Raises `ToolNameError` for a malformed spelling."""
        bare = _nfc(spelling).removeprefix(MCP_PREFIX)
        if "." in bare and "/" in bare:
            raise ToolNameError(f"tool name {spelling!r} mixes '.' and '/': use one of them")
        written = _checked(bare.replace(".", "/"), spelling)
        if written in self._known:
            return written
        path = self._by_js_name.get(js_name(written))
        return path if path is not None and _spells(written, path) else None

    def nearest(self, spelling: str) -> str | None:
        """The declared tool whose path looks most like `spelling`, for a "did you mean"."""
        return nearest(spelling.removeprefix(MCP_PREFIX).replace(".", "/"), self.paths)

    def __contains__(self, path: object) -> bool:
        return path in self._known

    def __iter__(self) -> Iterator[str]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)


def _spells(written: str, path: str) -> bool:
    """Whether each segment is the path's own or its JavaScript spelling; the JavaScript names are known to be equal."""
    pairs = zip(written.split("/"), path.split("/"), strict=True)
    return all(segment in (own, identifier(own)) for segment, own in pairs)
