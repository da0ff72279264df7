"""Where everything goes that is shown: what scripts print, and what we say about it."""

from __future__ import annotations

import io
import os
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING, Any, Protocol

from amla_cli._escapes import EscapeFilter
from amla_cli._outcome import CliError, Outcome, Settings
from amla_cli._render import render
from amla_cli._streams import TERMINAL, GuardedOutlet, write_all

from ._fold import Fold
from ._paint import complaints

if TYPE_CHECKING:
    from amla_cli._approvals import Approver
    from amla_sandbox import ApprovalAnswer, ApprovalRequest

__all__ = ["PlainScreen", "Screen", "TerminalScreen", "drawn_by_rich"]


_NARROWEST, _USUAL = 20, 80
"""Columns; a terminal that does not know its width says 0."""


class Screen(Protocol):
    """Shows what one input comes to, between `begin` and `end`."""

    color: bool

    @property
    def columns(self) -> int: ...

    def begin(self) -> None: ...

    def take(self, fd: int, data: bytes) -> None:
        """What a script prints, from whatever thread."""

    def say(self, text: str) -> None:
        """Text of ours, on lines of its own; colours in it are wanted."""

    def say_error(self, text: str) -> None:
        """Text about an error; where the streams differ, on standard error."""

    def complain(self, outcome: Outcome) -> None:
        """Show messages and problems."""

    def end(self) -> None: ...

    def making_room(self, approve: Approver) -> Approver:
        """One that asks a person on lines of its own."""
        ...

    def broken_off(self) -> None:
        """Show no more of what the script prints."""

    def page(self) -> None:
        """Show again what the last input printed, page by page."""

    def clear(self) -> None: ...


class PlainScreen:
    """Files and pipes: what scripts print passes byte for byte."""

    def __init__(self, settings: Settings) -> None:
        self.color = self._muted = False
        self._kept = ""
        self.columns = _USUAL
        self._settings = settings
        self._outlet = GuardedOutlet()

    def begin(self) -> None:
        pass

    def take(self, fd: int, data: bytes) -> None:
        if not self._muted:
            self._outlet(fd, data)

    def say(self, text: str) -> None:
        write_all(1, _encoded(text + "\n"))

    def say_error(self, text: str) -> None:
        write_all(2, _encoded(text + "\n"))

    def complain(self, outcome: Outcome) -> None:
        render("repl", outcome, self._settings)

    def end(self) -> None:
        self._outlet.end()
        self._muted = False

    def making_room(self, approve: Approver) -> Approver:
        return approve

    def broken_off(self) -> None:
        self._muted = True

    def page(self) -> None:
        raise CliError("usage", "there are no pages without a terminal", exit_code=1)

    def clear(self) -> None:
        pass


class TerminalScreen:
    """A terminal: what scripts print is filtered and, if there is very much of it, folded."""

    def __init__(self, *, color: bool, drawn: bool) -> None:
        """`drawn` says whether the terminal can erase a line."""
        self.color = color
        self._muted = False
        self._kept = ""
        self._drawn = drawn
        self._errors_apart = not os.isatty(2)
        self._filters = {1: EscapeFilter(), 2: EscapeFilter()}
        self._fold = Fold(self.columns, progress=drawn)
        self._at_start = True
        self._asking = False

    @property
    def columns(self) -> int:
        try:
            return max(_NARROWEST, os.get_terminal_size(1).columns)
        except OSError:
            return _USUAL

    def begin(self) -> None:
        self._muted = False
        self._fold = Fold(self.columns, progress=self._drawn)

    def take(self, fd: int, data: bytes) -> None:
        if fd == 2 and self._errors_apart:
            write_all(2, data)
        elif not self._muted:
            with TERMINAL:  # a question to the person comes first
                self._put(self._filters[fd].take(data))

    def say(self, text: str) -> None:
        self._end_line()
        self._put(text + "\n")

    say_error = say

    def complain(self, outcome: Outcome) -> None:
        for line in complaints(outcome, self.color):
            self.say(line)

    def end(self) -> None:
        self._end_line()
        self._write(self._fold.end())
        self._kept = self._fold.text or self._kept

    def making_room(self, approve: Approver) -> Approver:
        def ask(request: ApprovalRequest) -> bool | ApprovalAnswer:
            with TERMINAL:
                self._end_line()
            self._asking = True
            try:
                return approve(request)
            finally:
                self._asking = False

        return ask

    def broken_off(self) -> None:
        """Ctrl-C: the terminal itself has written `^C`."""
        self._muted = True
        ends_its_line = self._fold.is_folding or self._asking
        self._at_start = self._at_start and ends_its_line

    def page(self) -> None:
        command = shlex.split(os.environ.get("PAGER") or "less -R") if self._drawn else ["cat"]
        try:
            subprocess.run(command, input=_encoded(self._kept), check=False)
        except OSError as error:
            raise CliError("pager", f"cannot start {command[0]}: {error.strerror}", "set $PAGER to one") from None

    def clear(self) -> None:
        if self._drawn:
            write_all(1, b"\x1b[H\x1b[2J\x1b[3J")

    def _end_line(self) -> None:
        """Put what is left in the filters, and begin a new line unless this one is empty."""
        self._put("".join(each.end() for each in self._filters.values()))
        self._put("" if self._at_start else "\n")

    def _put(self, text: str) -> None:
        if seen := text.removesuffix("\x1b[0m"):
            self._at_start = seen.endswith("\n")
        self._write(self._fold.take(text))

    def _write(self, text: str) -> None:
        if text:
            write_all(1, _encoded(text))


def _encoded(text: str) -> bytes:
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return text.encode(encoding, "backslashreplace")


def drawn_by_rich(renderable: Any, screen: Screen) -> str:
    """A renderable of rich's as text for the screen."""
    from rich.console import Console

    drawn = io.StringIO()
    console = Console(
        file=drawn, width=screen.columns, force_terminal=screen.color, no_color=not screen.color,
        color_system="standard" if screen.color else None, highlight=False, markup=False, emoji=False,
    )  # fmt: skip
    console.print(renderable)
    return "\n".join(line.rstrip() for line in drawn.getvalue().rstrip("\n").split("\n"))
