"""What the guest learns when a tool fails: the kind of error and its message, nothing of the host."""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from ._errors import ArgumentError, ResultError, ToolFailedError
from ._secrets import mask_text

__all__ = ["Failure", "describe_failure"]

MAX_MESSAGE = 2_000  # characters; arbitrary, a screenful

_PATH = re.compile(r"(?<![\w/:.])(?P<top>/[\w.-]+|[A-Za-z]:)[/\\](?:[\w.+@%~-]+[/\\])*(?P<last>[\w.+@%~-]+)")
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters save tab and newline, changes of direction, lone surrogates."""

_PLAIN = (ArgumentError, ResultError, ToolFailedError)


class Failure(NamedTuple):
    """``name`` is the class of the error (``ValueError``), ``message`` one text fit for the script."""

    name: str
    message: str


def describe_failure(error: BaseException, *, secrets: tuple[str, ...] = ()) -> Failure:
    """The guest's view of ``error``: no traceback, no host paths (their last part stays), no secrets, bounded."""
    message = _PATH.sub(_without_folders, mask_text(_message_of(error), secrets))
    message = _UNSEEN.sub(lambda found: ascii(found[0])[1:-1], message)
    if len(message) > MAX_MESSAGE:
        message = f"{message[:MAX_MESSAGE]}… ({len(message) - MAX_MESSAGE:,} more characters)"
    return Failure("ToolError" if isinstance(error, _PLAIN) else type(error).__name__, message)


def _without_folders(match: re.Match[str]) -> str:
    """The last part of a path of this host; a text that only looks like one (``/v1/charges``) stays whole."""
    ours = match["top"].endswith(":") or os.path.exists(match["top"])  # noqa: PTH110  # text, not a path we use
    return f"…/{match['last']}" if ours else match[0]


def _message_of(error: BaseException) -> str:
    try:
        return _known_message(error) or type(error).__name__
    except Exception:  # an exception whose __str__ raises
        return type(error).__name__


def _known_message(error: BaseException) -> str:
    if isinstance(error, TimeoutError) and not str(error):
        return "timed out"
    if isinstance(error, KeyError) and len(error.args) == 1:
        return str(error.args[0]) if " " in str(error.args[0]) else f"no such key: {error.args[0]!r}"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}: {error.filename}" if error.filename else error.strerror
    return str(error)
