"""Texts that some reader takes for a path that climbs out of where it begins (R16)."""

from __future__ import annotations

import re

__all__ = ["climbs"]

_DOT_SEGMENT = re.compile(r"(?:^|[/\\?#])\.\.?(?:$|[/\\?#;])")
_DROPPED = re.compile(r"[\x01-\x20\x7f]")  # by one reader or another: tabs in URLs, spaces at the end of a name
_OWN_ESCAPE = re.compile(r"%u[0-9a-f]{4}", re.IGNORECASE)
_DECODING_ROUNDS = 5


def climbs(text: str) -> str | None:
    """What makes `text`, read as a path, lead elsewhere than it says; a sentence without its subject.

    It is read as it stands and percent-decoded, also repeatedly. Escapes that readers disagree about are refused
    whatever they stand for.
    """
    if text.isascii() and not any(mark in text for mark in ".%\0"):
        return None
    from urllib.parse import unquote

    for _ in range(_DECODING_ROUNDS):
        if "\0" in text:
            return "holds a NUL, where some end the text"
        if _DOT_SEGMENT.search(_plainest(text)):
            return "holds a '.' or '..' segment"
        if _OWN_ESCAPE.search(text):
            return "holds an escape like %u002e, which some decode and some do not"
        try:
            decoded = unquote(text, errors="strict")
        except UnicodeDecodeError:
            return "holds percent escapes that are no UTF-8, which some decode all the same"
        if decoded == text:
            return None
        text = decoded
    return "is percent-encoded again and again"


def _plainest(text: str) -> str:
    """The text as the most lenient reader has it: without blanks, and full-width dots and slashes as plain ones."""
    if not text.isascii():
        from unicodedata import normalize

        text = normalize("NFKC", text)
    return _DROPPED.sub("", text)
