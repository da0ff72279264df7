"""Checks for secrets: written into the file, or sent where others can read them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

from amla_capabilities._values import as_list, as_mapping
from amla_capabilities.findings import Finding
from amla_capabilities.manifest import HttpTool, Template
from amla_capabilities.manifest._masking import is_secret_name, token_in

from ._subject import Subject

__all__ = ["in_the_file", "in_the_open"]

At = tuple[str | int, ...]

_COMMENT = re.compile(r"^[^\n\"']*?(#[^\n]*)", re.MULTILINE)
_HOLDERS = ("headers", "query", "fields", "env")  # tables in which a name says what its value is
_NO_SECRET = re.compile(r"<.*>|(.)\1*|your\W.*|\$?\{.*|/.*|\w+://[^@]*|true|false|none|null|\d{1,7}", re.IGNORECASE)
_SCHEME = re.compile(r"(?:bearer|basic|token|digest|apikey)\s+", re.IGNORECASE)


def in_the_file(subject: Subject) -> Iterator[Finding]:
    """AM206."""
    hint = "revoke it, and take the new one from the environment: ${NAME}"
    for source in subject.manifest.sources:
        for at, text in _strings(tomllib.loads(source.text), ()):
            if token_in(text) is not None:
                what = "this looks like a key or password"
            elif _is_secret(at, text):
                what = f"the value of {at[-1]!r} looks like a secret"
            else:
                continue
            yield subject.manifest.finding("AM206", at, what, file=source.file, hint=hint)
        for comment in _COMMENT.finditer(source.text):
            if token_in(comment[0]) is not None:
                yield source.place_at("AM206", comment.start(1), "this comment holds what looks like a key", hint=hint)


def _is_secret(at: At, text: str) -> bool:
    """Whether a literal stands where a secret does, such as `headers.Authorization`, or after `--token`."""
    holder, name = ("", *at)[-2:]
    named = holder in _HOLDERS or at[0] == "env"
    value = _SCHEME.sub("", text)
    literal = "{" not in value and _NO_SECRET.fullmatch(value) is None and len(value) >= 4
    return named and isinstance(name, str) and is_secret_name(name) and literal


def _strings(value: Any, at: At) -> Iterator[tuple[At, str]]:
    items, table = as_list(value), as_mapping(value)
    if isinstance(value, str):
        yield at, value
    elif items is not None:
        for n, item in enumerate(items):
            yield from _strings(item, (*at, n))
    elif table is not None:
        for key, item in table.items():
            yield from _strings(item, (*at, key))


_LOCAL = re.compile(
    r"http://(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|[\w-]+(?:\.local(?:host)?|\.internal)?)(?=[:/?]|$)"
)


def in_the_open(subject: Subject) -> Iterator[Finding]:
    """AM217."""
    for tool in subject.manifest.tools.values():
        if not isinstance(tool, HttpTool) or not str(tool.url).startswith("http://") or _LOCAL.match(str(tool.url)):
            continue
        name = next((name for template in _templates(tool) for name in template.env()), None)
        if name is not None:
            yield _readable(subject, name, (*tool.at, "http", "url"), tool.file)
    for server in subject.manifest.mcp.values():
        if (server.url or "").startswith("http://") and not _LOCAL.match(server.url or ""):
            name = next((name for template in server.headers.values() for name in template.env()), None)
            if name is not None:
                yield _readable(subject, name, ("mcp", server.name, "url"), server.file)


def _readable(subject: Subject, name: str, path: At, file: str) -> Finding:
    message = f"${{{name}}} is sent over http://, readable by everyone on the way"
    return subject.manifest.finding("AM217", path, message, file=file, hint="use https://")


def _templates(tool: HttpTool) -> Iterator[Template]:
    for table in (tool.query, tool.headers, tool.fields):
        yield from table.values()
    if tool.text is not None:
        yield tool.text
