"""The session behind the prompt: made in the background, asked by one thread at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from amla_cli._scripts import Lang

if TYPE_CHECKING:
    from amla_sandbox import Completion, Sandbox, Session

__all__ = ["LANGUAGES", "NO_HINT", "Guest", "Hint"]

LANGUAGES = {Lang.js: "javascript", Lang.shell: "shell"}


class Hint(NamedTuple):
    """A tool's signature, empty for no tool, and how many more calls of it are allowed; None for no limit."""

    signature: str = ""
    left: int | None = None


NO_HINT = Hint()


class Guest:
    """The session, and the sandbox that it lives in, once they are made."""

    def __init__(self, make: Callable[[Callable[[str], None]], tuple[Sandbox, Session]]) -> None:
        """`make` gets a function to tell what takes long."""
        self._make = make
        self._made: tuple[Sandbox, Session] | None = None
        self._error: BaseException | None = None
        self._begun = False
        self._ready = threading.Event()
        self.held = threading.RLock()
        """Whoever asks the session something holds this; it answers one question at a time."""
        self.note = ""
        """What the session waits for while it is being made."""
        self.notify: Callable[[], object] = lambda: None
        """Called, from another thread, when there is a new note, when the session is there or could not be made."""

    def make(self, say: Callable[[str], None]) -> None:
        """Make the session here and now."""
        self._begun = True
        try:
            self._made = self._make(say)
        except BaseException as error:
            self._error = error
            raise
        finally:
            self._ready.set()

    def start(self, _: object = None) -> None:
        """Make the session in the background, unless that was begun before; also as an event's handler."""
        if not self._begun:
            self._begun = True
            threading.Thread(target=self._run, name="amla-start", daemon=True).start()

    @property
    def is_ready(self) -> bool:
        return self._ready.is_set()

    @property
    def failed(self) -> bool:
        return self._error is not None

    @property
    def session(self) -> Session:
        """The session, waited for. Raises what making it raised."""
        return self._wait()[1]

    @property
    def sandbox(self) -> Sandbox:
        return self._wait()[0]

    # --- what the prompt asks --------------------------------------------------------------------

    def is_incomplete(self, text: str, language: Lang) -> bool:
        """Whether a language's parser wants more of an input. A session that fails says so when the input is run."""
        with self.held, suppress(Exception):
            return self.session.completeness(text, LANGUAGES[language]) == "incomplete"
        return False

    def complete(self, text: str, cursor: int, language: Lang) -> Completion:
        """What could stand at the cursor; nothing if the session fails."""
        with self.held, suppress(Exception):
            return self.session.complete(text, cursor, LANGUAGES[language])
        return _nothing(cursor)

    def signature(self, text: str, cursor: int, language: Lang) -> Hint:
        """About the tool that is being called at the cursor."""
        if not self.is_ready or self.failed or not self.held.acquire(blocking=False):
            return NO_HINT
        try:
            told = self.session.signature(text, cursor, LANGUAGES[language])
            return Hint(told, self._left(told.partition("(")[0])) if told else NO_HINT
        finally:
            self.held.release()

    def _left(self, name: str) -> int | None:
        from amla_capabilities import ToolNames

        path = ToolNames(tool.path for tool in self.sandbox.tools).resolve(name)
        return None if path is None else self.sandbox.policy.remaining_calls(path)

    def close(self) -> None:
        """Free what was made; what is still being made ends with the process."""
        if self._made is not None:
            self._made[0].close()

    # --- inside ------------------------------------------------------------------------------------

    def _run(self) -> None:
        with suppress(BaseException):  # kept, for whoever asks for the session
            self.make(self._say)
        self.note = ""
        self.notify()

    def _say(self, what: str) -> None:
        self.note = f"{what} …"
        self.notify()

    def _wait(self) -> tuple[Sandbox, Session]:
        self.start()
        self._ready.wait()
        if self._made is None:
            raise self._error or RuntimeError("the session was not made")
        return self._made


def _nothing(cursor: int) -> Completion:
    from amla_sandbox import Completion

    return Completion(cursor, ())
