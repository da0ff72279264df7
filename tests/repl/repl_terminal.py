"""The program on a terminal that only exists in memory: keys go in, the screen is looked at."""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pexpect
import pyte

sys.path.insert(0, str(Path(__file__).parents[1] / "cli"))
from cli_process import COMMAND, environment

DEADLINE = 30.0
"""Seconds that something may take to appear: generous, a busy machine is no fault."""

KEYS = {
    "enter": "\r", "tab": "\t", "escape": "\x1b", "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
    "backspace": "\x7f", "s-tab": "\x1b[Z", "alt-enter": "\x1b\r", **{f"c-{c}": chr(ord(c) & 31) for c in "abcdefghklnprtuwxyz"},
}  # fmt: skip


class Screen(pyte.Screen):
    """A screen that answers where its cursor is, and remembers what has left it at its top."""

    def __init__(self, columns: int, rows: int, answer: Callable[[str], None]) -> None:
        self.left: list[str] = []
        super().__init__(columns, rows)
        self.answer = answer

    def write_process_input(self, data: str) -> None:
        self.answer(data)

    def index(self) -> None:
        if self.cursor.y == self.lines - 1:
            self.left.append(self.row(0))
        super().index()

    def row(self, number: int) -> str:
        """A line, without blanks at its end."""
        cells = self.buffer[number]
        return "".join(cells[column].data for column in range(self.columns)).rstrip()


class Terminal:
    """A process on a terminal of a fixed size."""

    def __init__(
        self, *args: str, cwd: Path, rows: int = 24, columns: int = 80, command: tuple[str, ...] = (), **env: str
    ) -> None:
        self.screen = Screen(columns, rows, self._answer)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self._lines: list[str] | None = None
        self._asked = 0
        settings = environment(**{
            "TERM": "xterm-256color", "XDG_STATE_HOME": str(cwd / "state"), "PROMPT_TOOLKIT_NO_CPR": "",
            **env,
        })  # fmt: skip
        program, *rest = command or (*COMMAND, "repl")
        self.process: Any = pexpect.spawn(
            program, [*rest, *args], cwd=str(cwd), env=settings, dimensions=(rows, columns), timeout=None
        )
        self.process.delaybeforesend = None
        self.process.delayafterread = None
        self.process.ptyproc.delayafterclose = 0
        self.process.ptyproc.delayafterterminate = 0

    # --- in ------------------------------------------------------------------------------------

    def type(self, text: str) -> None:
        self._asked = len(self.raw)
        self.process.send(text)

    def press(self, *keys: str) -> Terminal:
        self.type("".join(KEYS[key] for key in keys))
        return self

    def paste(self, text: str) -> None:
        """As a terminal pastes: in one piece, marked as such."""
        self.type(f"\x1b[200~{text}\x1b[201~")

    def enter(self, text: str = "") -> Terminal:
        self.type(text + "\r")
        return self

    def resize(self, rows: int, columns: int) -> None:
        self.screen.resize(rows, columns)
        self._lines = None
        self.process.setwinsize(rows, columns)

    def signal(self, number: int = signal.SIGINT) -> None:
        self.process.kill(number)

    def _answer(self, text: str) -> None:
        self.process.send(text)

    # --- out -----------------------------------------------------------------------------------

    @property
    def lines(self) -> list[str]:
        """What is on the screen, without blanks at the ends."""
        if self._lines is None:
            self._lines = [self.screen.row(number) for number in range(self.screen.lines)]
        return list(self._lines)

    @property
    def text(self) -> str:
        """All that is on the screen; it ends where the cursor is, or with the last line that holds something."""
        return self._down_to(len(self.lines))

    @property
    def history(self) -> str:
        """What has left the screen at its top."""
        return "\n".join(self.screen.left)

    @property
    def bar(self) -> str:
        return self.lines[-1]

    def wait(self, what: str | Callable[[Terminal], bool], seconds: float = DEADLINE) -> Terminal:
        """Wait until the screen shows a text, or something is true of it."""
        shown = (lambda _: what in self.text) if isinstance(what, str) else what
        until = time.monotonic() + seconds
        while not shown(self):
            if not self._read() or time.monotonic() > until:
                raise AssertionError(f"waited for {what!r}; the screen is\n{self.text}")
        return self

    def wait_prompt(self, *marks: str) -> Terminal:
        """Wait until there is a new prompt since the last keys, with nothing behind it, and the bar below it."""
        return self.wait(lambda _: any(map(self._is_new, marks or ("js>",))))

    def _is_new(self, mark: str) -> bool:
        cursor = self.screen.cursor
        is_empty = self.line == mark and cursor.x == len(mark) + 1
        is_drawn = cursor.y < self.screen.lines - 1 and bool(self.bar)
        return is_empty and is_drawn and self.raw.find(f"{mark} ".encode(), self._asked) >= 0

    def run(self, text: str, mark: str = "js>") -> Terminal:
        """Type an input of one line, and wait for the prompt after it."""
        self.enter(text)
        return self.wait_prompt(mark)

    def fresh(self, language: str) -> Terminal:
        """An empty prompt at the top of an empty screen, whatever was there before."""
        mark = {"js": "js>", "shell": "sh>"}[language]
        self.press("c-c").wait_prompt("js>", "sh>")
        self.enter(f".lang {language}").wait_prompt(mark)
        self.enter(".clear")
        self.wait(lambda _: self.lines[0] == mark and self.screen.cursor.y == 0 and bool(self.bar))
        return self

    @property
    def body(self) -> str:
        """What is above the bar."""
        return self._down_to(len(self.lines) - 1)

    @property
    def line(self) -> str:
        """The line that the cursor is on."""
        return self.lines[self.screen.cursor.y]

    def end(self, seconds: float = DEADLINE) -> int:
        """Wait for the end of the process; its status, negative for a signal."""
        until = time.monotonic() + seconds
        while self._read():
            if time.monotonic() > until:
                raise AssertionError(f"it does not end; the screen is\n{self.text}")
        self.process.wait()
        return self.process.exitstatus if self.process.exitstatus is not None else -self.process.signalstatus

    def hang_up(self) -> bool:
        """Take the terminal away; whether the process ends."""
        process, self.process.closed = os.pidfd_open(self.process.pid), True
        self.process.ptyproc.fileobj.close()
        self.process.ptyproc.closed = True
        ended = select.select([process], [], [], DEADLINE)[0]
        os.close(process)
        return bool(ended)

    def close(self) -> None:
        if self.process.isalive():
            self.process.kill(signal.SIGKILL)
            self.process.wait()
        self.process.close()

    def _down_to(self, row: int) -> str:
        lines = self.lines[:row]
        while lines and not lines[-1] and len(lines) - 1 > self.screen.cursor.y:
            del lines[-1]
        return "\n".join(lines)

    def _read(self) -> bool:
        """Take what the process has written; whether it is still there."""
        try:
            data = self.process.read_nonblocking(65536, timeout=0.05)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.raw += data
        self._lines = None
        self._stream.feed(data)
        return True


Start = Callable[..., Terminal]
"""Starts a session: its options, and `rows`, `columns`, `cwd`, environment variables by name."""
