"""The terminal that inputs are typed on: Ctrl-C comes as a signal, also while a prompt is shown.

As a key it would be lost when it is pressed after Enter and before the input runs.
"""

from __future__ import annotations

import contextlib
import termios
from collections.abc import Generator
from contextlib import AbstractContextManager

from prompt_toolkit.input.vt100 import Vt100Input

from amla_cli._streams import write_all

__all__ = ["TerminalInput"]

_LOCAL, _CHARACTERS = 3, 6
_OTHER_SIGNALS = (termios.VSUSP, termios.VQUIT)
"""These keys stay keys."""

_DISABLED = b"\0"
_FRESH_LINE = b"\r\x1b[K"
"""The terminal itself may have written `^C`, or what is typed ahead, where the prompt begins."""


class TerminalInput(Vt100Input):
    """A terminal that has one key fewer than others: Ctrl-C."""

    def raw_mode(self) -> AbstractContextManager[None]:
        return _with_signal(super().raw_mode(), self.fileno())


@contextlib.contextmanager
def _with_signal(raw: AbstractContextManager[None], fd: int) -> Generator[None]:
    with raw:
        with contextlib.suppress(termios.error):  # the terminal is gone; reading from it says so
            attributes = termios.tcgetattr(fd)
            attributes[_LOCAL] |= termios.ISIG
            for number in _OTHER_SIGNALS:
                attributes[_CHARACTERS][number] = _DISABLED
            termios.tcsetattr(fd, termios.TCSANOW, attributes)
        write_all(1, _FRESH_LINE)
        yield
