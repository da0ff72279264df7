"""What the terminal can do: colours, width, a line of progress that goes away again."""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
import unicodedata

from ._outcome import Settings

__all__ = ["Progress", "colored", "is_drawn", "printable", "terminal_width", "text_width", "uncommanded"]

_SGR = {"error": "1;31", "warning": "33", "hint": "36", "detail": "2", "call": "36", "caret": "31"}
_MARK = re.compile(r"##(?=\w*\[)")
_COMMAND = re.compile(r"^(\s*)::", re.MULTILINE)
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def is_drawn(fd: int) -> bool:
    """Whether a stream is a terminal that can do more than write lines."""
    try:
        return os.isatty(fd) and os.environ.get("TERM", "") != "dumb"
    except OSError:
        return False


def colored(text: str, style: str, settings: Settings) -> str:
    """`text` in a style, if stderr shows colours (https://no-color.org: a NO_COLOR that is not empty forbids them)."""
    if not settings.color or os.environ.get("NO_COLOR") or not is_drawn(2):
        return text
    return f"\x1b[{_SGR[style]}m{text}\x1b[0m"


def terminal_width() -> int:
    """Columns, within reason; $COLUMNS decides where it is set."""
    return max(20, shutil.get_terminal_size((100, 24)).columns)


def printable(text: str) -> str:
    """Text of foreign origin, harmless to a terminal (R3): control and format characters are spelled out.

    So is the mark of commands that CI services look for anywhere in a line, `##[` and the like.
    """
    return _MARK.sub("#\\\\x23", re.sub(r"[^\n\x20-\x7e]", lambda found: _spelled(found[0]), text))


def uncommanded(text: str) -> str:
    """Lines of which none begins like a command of GitHub's runner, which overlooks blanks before `::` (R3)."""
    return _COMMAND.sub(r"\1\\x3a:", text)


def _spelled(char: str) -> str:
    if unicodedata.category(char) not in _UNSEEN:
        return char
    return f"\\x{ord(char):02x}" if ord(char) < 0x100 else f"\\u{{{ord(char):x}}}"


def text_width(text: str) -> int:
    """The columns that `text` takes on a terminal."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


class Progress:
    """Tells on a terminal what takes long, and takes the line away when it is over; silent anywhere else.

    Call it with what is being done. Use it as a context manager, so that the line goes away.
    """

    def __init__(self, settings: Settings) -> None:
        self._shown = settings.verbosity >= 0 and sys.stderr is not None and _is_terminal(2)
        self._erase = is_drawn(2)
        self._since: float | None = None

    def __call__(self, what: str) -> None:
        if not self._shown:
            return
        self.done()
        self._since = time.monotonic()
        sys.stderr.write(f"amla: {what} …")
        sys.stderr.flush()

    def done(self) -> None:
        """Close the line that is open, if any."""
        if self._since is None:
            return
        sys.stderr.write("\r\x1b[K" if self._erase else f" {time.monotonic() - self._since:.1f} s\n")
        sys.stderr.flush()
        self._since = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self.done()


def _is_terminal(fd: int) -> bool:
    try:
        return os.isatty(fd)
    except OSError:
        return False
