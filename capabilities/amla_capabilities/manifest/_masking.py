"""What in a manifest's text looks secret: found by `lint`, and starred out wherever a line is shown (R2)."""

from __future__ import annotations

import re

__all__ = ["is_secret_name", "masked", "token_in", "without_tokens"]

# Each expression can begin only where a word or a quote does, so that time grows with a line and not with its square.

# Shapes that keys of well-known services have.
_TOKEN = re.compile(
    r"(?<![\w-])(?:(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{8,}|sk-[A-Za-z0-9_-]{16,}|gh[opsur]_[A-Za-z0-9]{16,}"
    r"|github_pat_[A-Za-z0-9_]{16,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|A(?:KIA|SIA)[A-Z0-9]{12,}"
    r"|AIza[A-Za-z0-9_-]{30,}|npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{20,}|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"
    r"|eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]+)"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----[A-Za-z0-9+/=\s\\]*"
)
# Parts of addresses and options that carry a password or key.
_CARRIED = re.compile(
    r"(?<=://)[^/\s:@'\"]*:(?P<user>[^/\s@'\"]+)(?=@)"
    r"|[?&](?:[\w-]*(?:token|secret|passw(?:or)?d|api[_-]?key|access[_-]?key|signature))=(?P<query>[^&\s'\"]+)"
    r"|(?<![\w-])--?(?:[\w-]*(?:token|secret|passw(?:or)?d|api[_-]?key|access[_-]?key))=(?P<option>[^\s'\"]+)",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"(?:token|secret|passwd|password|passphrase|api[_-]?key|access[_-]?key|private[_-]?key|signing[_-]?key|credentials?"
    r"|authorization|pat)$",
    re.IGNORECASE,
)


def is_secret_name(name: str) -> bool:
    """Whether a header, variable or field of this name holds a secret: `X-Api-Key`, `GITHUB_TOKEN`, `password`."""
    return _NAME.search(name) is not None


def token_in(text: str) -> str | None:
    """The part of a text that looks like a key, or a password in an address or an option; None if nothing does."""
    found = _TOKEN.search(text)
    if found is not None:
        return found[0]
    carried = (next(filter(None, match.groups()), "") for match in _CARRIED.finditer(text))
    return next((value for value in carried if "{" not in value), None)


_ASSIGNED = re.compile(
    r"(?P<head>(?P<key>(?<![\w-])[\w-]+|\"[^\"]*\"|'[^']*')\s*=\s*)(?P<quote>[\"'])(?P<text>.*?)(?P=quote)",
    re.IGNORECASE,
)
_SECRET_LINE = re.compile(r"(?i)token|secret|passw|credential|api.?key|authorization|bearer|private")
_STRING = re.compile(r"\"[^\"]*\"|'[^']*'")


def without_tokens(text: str) -> str:
    """A text with what `token_in` finds in it starred out."""
    return _CARRIED.sub(_carried, _TOKEN.sub(lambda found: "*" * len(found[0]), text))


def masked(line: str) -> str:
    """A line with what looks secret in it starred out."""
    line = _ASSIGNED.sub(_assigned, without_tokens(line))
    return _STRING.sub(_string, line) if _SECRET_LINE.search(line) else line


def _carried(found: re.Match[str]) -> str:
    value = next(filter(None, found.groups()), "")
    return found[0] if "{" in value else found[0].removesuffix(value) + "*" * len(value)


def _assigned(found: re.Match[str]) -> str:
    """`password = "…"`: the value whatever its length, unless it is filled in from elsewhere."""
    secret = is_secret_name(found["key"].strip("\"'")) and "${" not in found["text"]
    return f"{found['head']}{found['quote']}{'*' * len(found['text'])}{found['quote']}" if secret else found[0]


def _string(found: re.Match[str]) -> str:
    """A string on a line that speaks of secrets, unless it is too short for one, or clearly none."""
    quoted = found[0]
    plain = len(quoted) < 10 or "${" in quoted or "://" in quoted
    return quoted if plain else quoted[0] + "*" * (len(quoted) - 2) + quoted[0]
