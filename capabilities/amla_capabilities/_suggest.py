""" "Did you mean": the nearest of some known words."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

__all__ = ["did_you_mean", "nearest"]


_MAX_LENGTH = 100  # characters of a word; a longer one was not mistyped
_MAX_COMPARED = 500  # words of nearly the same length, so that a long list costs no more than a short one


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word most like `word`, or None when nothing is close. Of very many words, the first are looked at."""
    import difflib

    if len(word) > _MAX_LENGTH:
        return None
    shortest, longest = len(word) / 2, len(word) * 2  # what lies outside is never close enough
    alike = (other for other in known if shortest <= len(other) <= longest)
    found = difflib.get_close_matches(word, list(islice(alike, _MAX_COMPARED)), n=1, cutoff=0.6)
    return found[0] if found else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?`, or nothing."""
    found = nearest(word, known)
    return f"; did you mean {found!r}?" if found else ""
