"""URLs from an owner's template and a call's values: no value can change anything but its own segment (R24)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

from amla_capabilities.manifest import Template

from ._errors import ArgumentError, ToolDefinitionError
from ._fill import has_value, require_text, text_of
from ._json import is_array

__all__ = ["UrlTemplate", "query_pairs"]

_HEAD = re.compile(r"https?://(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?(?=[/?]|\Z)")
_LITERAL = "!$&'()*+,;=:@/?%-._~"  # what the owner may write in a path or query without its being encoded again
_FORBIDDEN = re.compile(r"[/\\\x00-\x1f\x7f]")
_MAX_DECODINGS = 8  # arbitrary; a value that still changes after so many is hiding something


class UrlTemplate(NamedTuple):
    """A URL with parameters in its path and query; scheme, host and port are always literal."""

    tool: str
    template: Template

    @classmethod
    def checked(cls, tool: str, template: Template) -> UrlTemplate:
        """Raises ToolDefinitionError unless scheme, host and port stand in the first, literal part."""
        first = template.parts[0] if template.parts else ""
        literal = first if isinstance(first, str) else ""
        match = _HEAD.match(literal)
        if match is None or (match.end() == len(literal) and len(template.parts) > 1):
            raise ToolDefinitionError(f"{tool}: the url must start with http(s)://host/ before the first parameter")
        return cls(tool, template)

    def fill(self, arguments: Mapping[str, Any]) -> str:
        """The URL for these arguments. Raises ArgumentError for a value that could change the path around it."""
        if not has_value(self.template, arguments):
            missing = next(name for name in self.template.slots() if arguments.get(name) is None)
            raise ArgumentError(f"{self.tool}: missing parameter {missing}", missing)
        url = ""
        for part in self.template.parts:
            if isinstance(part, str):
                url += quote(part, safe=_LITERAL + "[]")
            else:
                encode = self._in_query if "?" in url else self._in_path
                url += encode(part.name, text_of(arguments[part.name]))
        self._compare_path(url)
        return url

    def _in_path(self, name: str, value: str) -> str:
        require_text(value, self.tool, [name])
        for decoded in _decodings(value):
            if decoded in ("", ".", "..") or _FORBIDDEN.search(decoded):
                raise ArgumentError(
                    f"{self.tool}: {name} must be one path segment: not empty, '.' or '..', and without '/' or '\\'",
                    name,
                )
        return quote(value, safe="")

    def _in_query(self, name: str, value: str) -> str:
        return quote(require_text(value, self.tool, [name]), safe="")

    def _compare_path(self, url: str) -> None:
        """The filled path must have the template's literal segments in their places, and no others."""
        literal = [part if isinstance(part, str) else "\0" for part in self.template.parts]
        wanted = _path("".join(literal)).split("/")
        for mine, theirs in zip(_path(url).split("/"), wanted, strict=True):
            pieces = [re.escape(quote(piece, safe=_LITERAL)) for piece in theirs.split("\0")]
            if not re.fullmatch("[^/]+".join(pieces), mine) or unquote(mine) in (".", ".."):
                raise ArgumentError(f"{self.tool}: the path of the URL differs from its template")


def query_pairs(tool: str, name: str, value: Any) -> list[tuple[str, str]]:
    """One argument as it stands in a query or form: null is left out, an array repeats the name."""
    if value is None:
        return []
    values = value if is_array(value) else [value]
    return [(name, require_text(text_of(item), tool, [name])) for item in values if item is not None]


def _path(url: str) -> str:
    after_host = url.split("://", 1)[-1].split("?", 1)[0]
    return "/" + after_host.partition("/")[2]


def _decodings(value: str) -> list[str]:
    """A value and what it becomes when decoded again and again, as servers behind proxies may do."""
    seen = [value]
    while len(seen) <= _MAX_DECODINGS:
        decoded = unquote(seen[-1])
        if decoded == seen[-1]:
            return seen
        seen.append(decoded)
    return [*seen, ""]  # refused
