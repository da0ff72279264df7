"""The session as the person sees it: an input goes in, is run, and what it comes to is shown."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Callable
from contextlib import nullcontext
from typing import TYPE_CHECKING

from amla_cli._errors import outcome_of
from amla_cli._exit import Exit
from amla_cli._outcome import Outcome, Settings
from amla_cli._scripts import Lang
from amla_cli._streams import TERMINAL

from ._guest import LANGUAGES, Guest
from ._interrupts import Breakable, Interrupts, raising
from ._paint import painted
from ._standing import Standing
from ._typed import TypedInput
from ._words import is_dot

if TYPE_CHECKING:
    from amla_sandbox import LineResult, Usage

    from ._screen import Screen
    from ._start import Plan

__all__ = ["Repl"]


class Repl:
    """One interactive session. `typed` says that inputs, and what scripts read, come from a terminal."""

    def __init__(
        self, guest: Guest, screen: Screen, plan: Plan, settings: Settings, interrupts: Interrupts, *, typed: bool
    ) -> None:
        self.guest = guest
        self.screen = screen
        self.plan = plan
        self.settings = settings
        self.language = plan.language
        self.standing = Standing(self.language)
        self.status = 0
        """Of the last input."""
        self.left = False
        """Whether the person, or a script, ended the session."""
        self.times = False
        """Whether the time of each input is told."""
        self.last = {Lang.js: "", Lang.shell: ""}
        """The last input in each language, for `.edit`."""
        self.usage: Usage | None = None
        """Of the last code that ran."""
        self._next = ""
        self._broken = False
        self.interrupts = interrupts
        self.typed = typed

    def greet(self) -> None:
        """On a terminal: what this is, and what the owner of the manifests should know."""
        if self.typed and self.settings.verbosity >= 0:
            self.screen.say(painted(_greeting(self), "detail", self.screen.color))
        self.screen.complain(Outcome(messages=tuple(self.plan.messages)))

    def take_next(self) -> str:
        """What stands at the next prompt to begin with."""
        text, self._next = self._next, ""
        return text

    def take_broken(self) -> bool:
        """Whether an input was broken off since this was last asked."""
        broken, self._broken = self._broken, False
        return broken

    def put_next(self, text: str) -> None:
        self._next = text

    # --- inputs ------------------------------------------------------------------------------------

    def feed(self, text: str) -> None:
        """Run one input, and show what comes of it."""
        if not text.strip():
            return
        with self.guest.held:
            self._feed(text)
            self.look()

    def run(self, text: str, *, language: Lang | None = None, filename: str = "repl") -> LineResult:
        """Run code, and show what it prints, its value, its error. Raises what the sandbox itself raises."""
        from ._results import report

        language = language or self.language
        session = self.guest.session
        began = time.monotonic()
        typed = TypedInput() if self.typed else nullcontext()
        with typed as stdin:
            line = Breakable(
                lambda: session.run(
                    text, LANGUAGES[language], on_output=self.screen.take, stdin=stdin, filename=filename,
                    columns=self.screen.columns, color=self.screen.color,
                ),
                session.interrupt,
            )  # fmt: skip
            with self.interrupts.calling(self._breaking(line)):
                result = line.run()
        with TERMINAL:  # a question that nobody waits for any more leaves the terminal as it was
            pass
        self._ran(result.exit_code, time.monotonic() - began)  # its own time, without that of showing it
        self.usage = result.usage
        self.left = self.left or result.is_last
        report(result, text, language, self)
        return result

    def look(self) -> None:
        """See where the session stands."""
        session, most = self.guest.session, self.plan.limits.max_calls
        size, files = session.usage()
        made, _ = session.spent()
        self.standing = self.standing._replace(
            language=self.language, cwd=session.cwd, size=size, files=files, calls=made,
            left=max(0, most - made) if most and self.plan.tools else None,
        )  # fmt: skip

    # --- inside ------------------------------------------------------------------------------------

    def _feed(self, text: str) -> None:
        """Whatever goes wrong is said, and the session goes on, unless there is none or nobody reads any more."""
        self.screen.begin()
        began = time.monotonic()
        try:
            self._ran(self._obey(text) if is_dot(text) else self._run_typed(text), time.monotonic() - began)
        except Exception as error:
            if self.guest.failed or isinstance(error, BrokenPipeError):
                raise
            outcome = outcome_of(error)
            self.screen.complain(outcome)
            self._ran(outcome.exit_code, time.monotonic() - began)
        finally:
            self.screen.end()

    def _run_typed(self, text: str) -> int:
        self.last[self.language] = text
        if self.language is Lang.shell and text.strip() == "clear":  # what the command prints is filtered
            self.screen.clear()
            return 0
        return self.run(text).exit_code

    def _obey(self, text: str) -> int:
        from . import _dots

        try:
            with self.interrupts.calling(raising):
                return _dots.obey(self, text)
        except KeyboardInterrupt:
            self.screen.broken_off()
            return Exit.INTERRUPTED

    def _breaking(self, line: Breakable[LineResult]) -> Callable[[], None]:
        def break_off() -> None:
            self._broken = True
            self.screen.broken_off()
            line.break_off()

        return break_off

    def _ran(self, status: int, seconds: float) -> None:
        self.status = status
        self.standing = self.standing._replace(status=status, seconds=seconds)


def _greeting(repl: Repl) -> str:
    from amla_sandbox import __version__

    tools = f"{len(repl.plan.tools):,} tools, " if repl.plan.tools else ""
    return "\n".join(
        textwrap.wrap(f"amla {__version__}: {tools}.help says what there is, Ctrl-D leaves", repl.screen.columns)
    )
