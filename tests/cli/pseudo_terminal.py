"""A command line on a pseudo-terminal of its own, which is also its controlling terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import subprocess
import termios
import time
from collections.abc import Sequence
from pathlib import Path

from cli_process import COMMAND, environment

SECONDS = 30.0


class Session:
    """A process on a terminal. What it shows is in `shown`; ask for the end with `ended`."""

    def __init__(
        self,
        args: Sequence[str],
        folder: Path,
        *,
        command: Sequence[str] = COMMAND,
        stdout: int | None = None,
        **env: str,
    ) -> None:
        self.outer, inner = pty.openpty()
        self.shown = ""
        self._seen = 0
        variables = environment(**{"TERM": "xterm-256color", "COLUMNS": "80", **env})
        self.process = subprocess.Popen(
            [*command, *args], stdin=inner, stdout=inner if stdout is None else stdout, stderr=inner, cwd=folder,
            env=variables, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509 - there is no other way
        )  # fmt: skip
        os.close(inner)

    def until(self, text: str) -> str:
        """What is shown from the last look on up to `text`, that included."""
        deadline = time.monotonic() + SECONDS
        while text not in self.shown[self._seen :]:
            left = deadline - time.monotonic()
            assert left > 0, f"no {text!r} in {self.shown!r}"
            if not self._more(left):
                assert text in self.shown[self._seen :], f"ended without {text!r}: {self.shown!r}"
        start, self._seen = self._seen, self.shown.index(text, self._seen) + len(text)
        return self.shown[start : self._seen]

    def type(self, text: str) -> None:
        os.write(self.outer, text.encode())

    def interrupt(self) -> None:
        os.killpg(self.process.pid, signal.SIGINT)

    def ended(self) -> tuple[int, str]:
        """The status, once it is over, and what was shown since the last look."""
        while self._more(SECONDS):
            pass
        status = self.process.wait(SECONDS)
        os.close(self.outer)
        return status, self.shown[self._seen :]

    def echoes(self) -> bool:
        """Whether the terminal shows what is typed, and takes it line by line."""
        flags = termios.tcgetattr(self.outer)[3]
        return bool(flags & termios.ECHO) and bool(flags & termios.ICANON)

    def _more(self, seconds: float) -> bool:
        if not select.select([self.outer], [], [], seconds)[0]:
            return False
        try:
            part = os.read(self.outer, 65536)
        except OSError:  # the other end is closed
            return False
        self.shown += part.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(part)


def plain(text: str) -> str:
    """Text without colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)
