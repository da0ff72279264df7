"""The languages that scripts are written in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from amla_sandbox._errors import UnsupportedLanguageError
from amla_sandbox._script import Script

from ._input import StdIn, given

__all__ = ["LANGUAGES", "language_named", "script_for"]

LANGUAGES: Mapping[str, tuple[str, ...]] = {
    "javascript": ("javascript", "js", "typescript", "ts", "node", "mjs"),
    "shell": ("shell", "sh", "bash"),
}
"""Each language, and every name that it answers to."""

_KNOWN = {name: language for language, names in LANGUAGES.items() for name in names}

_ENVIRONMENT = {
    "HOME": "/workspace",
    "LANG": "C.UTF-8",
    "PATH": "/usr/bin:/bin",
    "PWD": "/workspace",
    "TZ": "UTC",
    "USER": "user",
}


_NAMES = {"javascript": "script.js", "typescript": "script.ts", "ts": "script.ts", "shell": "bash"}
"""How scripts without a file are named in their errors."""


def language_named(name: str) -> str:
    """The language that `name` means. Raises UnsupportedLanguageError."""
    if (language := _KNOWN.get(name.lower())) is not None:
        return language
    known = ", ".join(LANGUAGES)
    raise UnsupportedLanguageError(f"there is no language {name!r}; use one of {known}")


def script_for(
    code: str,
    language: str,
    stdin: StdIn,
    args: Sequence[str],
    env: Mapping[str, str],
    filename: str | None,
) -> Script:
    """A script ready to run. Raises UnsupportedLanguageError, and TypeError for code that is no text."""
    _require_text(code)
    known = language_named(language)
    data, pieces = given(stdin)
    name = filename or _NAMES.get(language.lower()) or _NAMES[known]
    return Script(code, name, known, tuple(args), {**_ENVIRONMENT, **env}, stdin=data, pieces=pieces)


def _require_text(code: object) -> None:
    if not isinstance(code, str):
        raise TypeError(f"the code of a script is a str, not {type(code).__name__}")
