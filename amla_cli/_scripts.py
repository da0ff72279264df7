"""The script of `amla run`: where its text comes from, and what language it is in."""

from __future__ import annotations

import os
import re
import sys
from enum import StrEnum
from pathlib import PurePath
from typing import NamedTuple

from ._outcome import CliError

__all__ = ["EXTENSIONS", "Lang", "Script", "language_of", "read_script"]


class Lang(StrEnum):
    """The languages by their short names."""

    js = "js"
    ts = "ts"
    shell = "shell"


EXTENSIONS = {
    ".js": Lang.js, ".mjs": Lang.js, ".cjs": Lang.js,
    ".ts": Lang.ts, ".mts": Lang.ts, ".cts": Lang.ts,
    ".sh": Lang.shell, ".bash": Lang.shell,
}  # fmt: skip
_INTERPRETERS = {
    "node": Lang.js, "nodejs": Lang.js, "js": Lang.js, "amla": Lang.js,
    "deno": Lang.ts, "bun": Lang.ts, "tsx": Lang.ts, "ts-node": Lang.ts,
    "sh": Lang.shell, "bash": Lang.shell, "dash": Lang.shell,
}  # fmt: skip

_SHEBANG = re.compile(r"#!\s*(?:\S*/)?env\s+(?:-\S+\s+)*(\S+)|#!\s*(\S+)")


class Script(NamedTuple):
    """A script's text. `label` is how people know it, `name` how it knows itself: without the host's folders.

    `assumed`: nothing said that it is JavaScript.
    """

    text: str
    label: str
    name: str
    lang: Lang
    from_input: bool = False
    assumed: bool = False


def read_script(file: str | None, code: str | None, lang: Lang | None) -> Script:
    """The script that the command line names: a file, `-` for standard input, or the text itself. Raises CliError."""
    if code is not None:
        return _script(code, "[eval]", lang or Lang.js, assumed=lang is None)
    if file is None:
        raise CliError("usage", "there is no script to run", "name a file, '-' for standard input, or -e CODE")
    if file == "-":
        text = _decoded(sys.stdin.buffer.read(), "standard input")
        said = lang or _shebang_language(text)
        return _script(text, "[stdin]", said or Lang.js, from_input=True, assumed=said is None)
    text = _file_text(file)
    return _script(text, file, lang or language_of(file, text))


def language_of(file: str, text: str) -> Lang:
    """The language by extension, else by the first line. Raises CliError where neither says."""
    found = EXTENSIONS.get(PurePath(file).suffix.lower()) or _shebang_language(text)
    if found is None:
        raise CliError(
            "language",
            f"{file}: the name does not say what language it is in, and there is no #! line",
            f"say it with --lang js, ts or shell; known endings are {' '.join(EXTENSIONS)}",
        )
    return found


def _shebang_language(text: str) -> Lang | None:
    found = _SHEBANG.match(text.split("\n", 1)[0])
    if found is None:
        return None
    return _INTERPRETERS.get(PurePath(found[1] or found[2]).name)


def _script(text: str, label: str, lang: Lang, *, from_input: bool = False, assumed: bool = False) -> Script:
    name = PurePath(label).name
    if lang is Lang.ts and PurePath(name).suffix.lower() not in (".ts", ".mts", ".cts"):
        name += ".ts"  # the name is what tells the sandbox to strip types
    return Script(text, label, name, lang, from_input, assumed)


def _file_text(file: str) -> str:
    try:
        with open(file, "rb") as opened:  # noqa: PTH123 - as the user wrote it, `..` and all
            return _decoded(opened.read(), file)
    except OSError as error:
        hint = "to run code itself, use -e CODE" if isinstance(error, FileNotFoundError) else ""
        raise CliError("script", f"cannot read {file}: {os.strerror(error.errno or 0)}", hint) from error


def _decoded(data: bytes, label: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise CliError(
            "script", f"{label} is not UTF-8 text: line {line} holds the byte 0x{data[error.start]:02x}"
        ) from None
