"""Asking a person on the terminal whether a call may be made (R33).

The question goes to the terminal itself and the answer comes from there, wherever the standard streams lead. What was
typed before is dropped. Arguments are shown as complete JSON in ASCII, behind a margin on every row, so that nothing in
them can look like something else. While a question is open nothing else is written to the terminal, or read from it.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING, Any

from amla_cli._streams import TERMINAL, write_all

if TYPE_CHECKING:
    from amla_sandbox import ApprovalAnswer, ApprovalRequest

__all__ = ["Approver", "TerminalApprovals", "approver", "json_text"]

Approver = Callable[["ApprovalRequest"], "bool | ApprovalAnswer"]

_TERMINAL = "/dev/tty"
_LOOK = 0.05
"""Seconds between two looks at whether the question was withdrawn."""

_MARGIN = "  | "
_LONGEST = 1024
"""Bytes of an answer; arbitrary."""

_ANSWERS = {"y": "yes", "yes": "yes", "n": "no", "no": "no", "a": "always", "always": "always"}


@contextlib.contextmanager
def approver(mode: str, *, remember: bool = False) -> Generator[Approver]:
    """What answers questions in a mode of `--approve`. Leave it when no run is under way any more."""
    if mode != "ask":
        yield _all if mode == "all" else _none
        return
    try:
        fd = os.open(_TERMINAL, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        yield _nobody
        return
    asking = TerminalApprovals(fd, remember=remember)
    try:
        yield asking
    finally:
        asking.close()


def _all(_: ApprovalRequest) -> bool:
    return True


def _none(_: ApprovalRequest) -> ApprovalAnswer:
    return _refusal("it needs approval, and --approve none refuses all such calls")


def _nobody(_: ApprovalRequest) -> ApprovalAnswer:
    return _refusal("it needs approval, and there is no terminal to ask on; --approve all allows such calls")


def _refusal(reason: str) -> ApprovalAnswer:
    from amla_sandbox import ApprovalAnswer

    return ApprovalAnswer(False, reason=reason)


class TerminalApprovals:
    """Puts questions to the terminal behind `fd`, one at a time.

    With `remember` an "always" holds for all runs that this object is asked by, as in a session of many lines.
    """

    def __init__(self, fd: int, *, remember: bool = False) -> None:
        self._fd = fd
        self._remember = remember
        self._scope = "session" if remember else "run"
        self._always: set[tuple[str, object]] = set()

    def __call__(self, asked: ApprovalRequest) -> bool | ApprovalAnswer:
        from amla_sandbox import ApprovalAnswer

        kind = (asked.tool, asked.capability)
        if kind in self._always:
            return True
        with TERMINAL, _conversation(self._fd):
            answer = self._ask(asked)
        if answer == "always" and self._remember:
            self._always.add(kind)
        return ApprovalAnswer(answer != "no", always=answer == "always")

    def close(self) -> None:
        """Close the terminal, once a question that was withdrawn has left it as it was."""
        if TERMINAL.acquire(timeout=1):
            TERMINAL.release()
        os.close(self._fd)

    def _ask(self, asked: ApprovalRequest) -> str:
        """`yes`, `no` or `always`; `no` too if nobody waits for it any more."""
        self._say(_question(asked, _width(self._fd)))
        while True:
            self._say(f"amla: allow {_ascii_name(asked.tool)}? [y]es, [n]o, [a]lways in this {self._scope}: ")
            typed = self._line(asked)
            if typed is None:
                self._say("\namla: not asked any more\n" if asked.withdrawn else "\n")
                return "no"
            answer = _ANSWERS.get(typed.strip().lower())
            if answer is not None:
                return answer

    def _line(self, asked: ApprovalRequest) -> str | None:
        """What was typed; None at its end, or when the question is withdrawn."""
        while not asked.withdrawn:
            if select.select([self._fd], [], [], _LOOK)[0]:
                data = os.read(self._fd, _LONGEST)
                return data.decode("utf-8", "replace") if data else None
        return None

    def _say(self, text: str) -> None:
        write_all(self._fd, text.encode("ascii", "backslashreplace"))


@contextlib.contextmanager
def _conversation(fd: int) -> Generator[None]:
    """A terminal that takes lines and shows what is typed, with nothing typed yet; afterwards as it was."""
    import termios

    before = termios.tcgetattr(fd)
    plain = termios.tcgetattr(fd)
    plain[0] |= termios.ICRNL
    plain[1] |= termios.OPOST | termios.ONLCR
    plain[3] |= termios.ICANON | termios.ECHO | termios.ISIG
    termios.tcsetattr(fd, termios.TCSAFLUSH, plain)
    try:
        yield
    finally:
        with contextlib.suppress(termios.error):  # the terminal is gone
            termios.tcsetattr(fd, termios.TCSADRAIN, before)


def _question(asked: ApprovalRequest, width: int) -> str:
    text = f"{_ascii_name(asked.tool)} {json_text(asked.arguments)}"
    step = max(width - len(_MARGIN) - 1, 16)
    rows = [_MARGIN + text[at : at + step] for at in range(0, len(text), step)]
    return "\n".join(["\r\x1b[0mamla: a call needs approval", *rows, *_about(asked), ""])


def _about(asked: ApprovalRequest) -> Iterator[str]:
    if asked.capability is not None:
        yield f"  granted by {_escaped(asked.capability.method_pattern)}" + _left(asked.remaining)
        if asked.capability.note:
            yield f"  note: {_escaped(asked.capability.note)}"


def _left(remaining: int | None) -> str:
    return "" if remaining is None else f"; {remaining:,} {'call is' if remaining == 1 else 'calls are'} left"


def json_text(value: Any) -> str:
    """A JSON value, or frozen arguments, complete and in printable ASCII."""
    return json.dumps(value, default=dict).replace("\x7f", "\\u007f")


def _escaped(text: str) -> str:
    return json_text(text)[1:-1]


def _ascii_name(name: str) -> str:
    """A tool's name, quoted if there is anything unusual about it."""
    return name if re.fullmatch(r"[\w./-]+", name, re.ASCII) else json_text(name)


def _width(fd: int) -> int:
    try:
        return os.get_terminal_size(fd).columns or 80
    except OSError:
        return 80
