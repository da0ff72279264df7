"""The prompt on a terminal: editing, history, search, completion, the bar at the bottom."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import History, InMemoryHistory
from prompt_toolkit.input.typeahead import clear_typeahead
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys
from prompt_toolkit.lexers import SimpleLexer
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

from amla_cli._scripts import Lang

from . import _lexer, _toolbar
from ._completer import InputCompleter
from ._guest import NO_HINT, Hint
from ._history import KeptHistory, history_file
from ._keys import make_keys
from ._terminal_input import TerminalInput
from ._words import is_dot

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

    from prompt_toolkit.application import Application
    from prompt_toolkit.buffer import Buffer, BufferAcceptHandler

    from ._repl import Repl

__all__ = ["Prompt"]

_MENU_ROWS = 8
_SUFFIXES = {Lang.js: ".js", Lang.shell: ".sh"}
_PLAIN = "fg:default bg:default"
"""The colours that people have chosen for their terminal: readable on light and dark ones."""

_STYLE = {
    "prompt.js": "ansiyellow bold",
    "prompt.shell": "ansigreen bold",
    "more": "ansibrightblack",
    "auto-suggestion": "ansibrightblack",
    "completion-menu": _PLAIN,
    "completion-menu.completion": f"{_PLAIN} reverse",
    "completion-menu.completion.current": f"{_PLAIN} noreverse bold",
    "completion-menu.meta.completion": f"{_PLAIN} reverse",
    "completion-menu.meta.completion.current": f"{_PLAIN} noreverse",
    "scrollbar.background": f"{_PLAIN} reverse",
    "scrollbar.button": _PLAIN,
}


class Prompt:
    """Reads the inputs of a session. Each language has a history, a lexer and keys of its own."""

    def __init__(self, repl: Repl, *, keeps_history: bool) -> None:
        self._repl = repl
        self._keeps_history = keeps_history
        self._input = TerminalInput(sys.stdin)
        self._sessions: dict[Lang, PromptSession[str]] = {}
        self._watcher = _toolbar.Watcher(self._look)

    def read(self, text: str = "") -> str:
        """The next input; `text` is what stands there to begin with.

        Raises EOFError for Ctrl-D, KeyboardInterrupt for Ctrl-C, and what making the session raised.
        """
        language = self._repl.language
        if language not in self._sessions:
            self._sessions[language] = self._make(language)
        self._watcher.hint = NO_HINT
        if self._repl.take_broken():
            clear_typeahead(self._input)  # as a terminal drops what was typed before Ctrl-C
        with self._repl.interrupts.calling(self._interrupt):
            return self._sessions[language].prompt(default=text, pre_run=self._watch_start, handle_sigint=False)

    def _interrupt(self) -> None:
        """Ctrl-C, from a signal handler: a key of the prompt, or else meant for what runs next."""
        app = self._app
        if app.loop is None or not app.is_running or app.is_done or not _call(app.loop, self._press):
            self._repl.interrupts.keep()

    def _press(self) -> None:
        app = self._app
        if app.is_done:
            self._repl.interrupts.keep()
            return
        app.key_processor.feed(KeyPress(Keys.ControlC, "\x03"))
        app.key_processor.process_keys()

    @property
    def _app(self) -> Application[str]:
        return self._sessions[self._repl.language].app

    # --- making ------------------------------------------------------------------------------------

    def _make(self, language: Lang) -> PromptSession[str]:
        color = self._repl.screen.color
        session: PromptSession[str] = PromptSession(
            [(f"class:prompt.{language}", _mark(language))],
            multiline=True,
            prompt_continuation=_continuation,
            lexer=_lexer.InputLexer(language) if color else SimpleLexer(),
            completer=InputCompleter(self._repl),
            complete_while_typing=False,
            reserve_space_for_menu=_MENU_ROWS,
            auto_suggest=AutoSuggestFromHistory(),
            history=self._history(language),
            input=self._input,
            key_bindings=make_keys(self._is_incomplete, indents=language is Lang.js, has_words=self._has_words),
            bottom_toolbar=self._bar,
            style=Style.from_dict({**_STYLE, **_lexer.STYLE, **_toolbar.STYLE}),
            include_default_pygments_style=False,
            color_depth=ColorDepth.DEPTH_4_BIT if color else ColorDepth.DEPTH_1_BIT,
            enable_suspend=True,
            search_ignore_case=True,
            tempfile_suffix=_SUFFIXES[language],
        )
        self._watcher.watch(session.default_buffer)
        accept = session.default_buffer.accept_handler
        session.default_buffer.accept_handler = partial(self._accept, accept)
        return session

    def _history(self, language: Lang) -> History:
        return KeptHistory(history_file(language)) if self._keeps_history else InMemoryHistory()

    # --- while it is shown -------------------------------------------------------------------------

    def _watch_start(self) -> None:
        """Make the session when the first prompt is drawn; draw the bar anew when there is news; leave if it failed."""
        app, guest = get_app(), self._repl.guest
        loop = app.loop
        if loop is None or guest.is_ready:
            return

        def look() -> None:
            if guest.failed and app.is_running:
                app.exit(exception=EOFError())
            self._watcher.look(app.current_buffer)
            app.invalidate()

        guest.notify = lambda: _call(loop, look)
        app.after_render += guest.start

    def _accept(self, accept: BufferAcceptHandler | None, buffer: Buffer) -> bool:
        """From here on Ctrl-C is meant for this input."""
        self._repl.interrupts.forget()
        return accept(buffer) if accept is not None else False

    def _is_incomplete(self, text: str) -> bool:
        return not is_dot(text) and self._repl.guest.is_incomplete(text, self._repl.language)

    def _has_words(self, text: str) -> bool:
        return is_dot(text) or self._repl.language is Lang.shell

    def _look(self, text: str, cursor: int) -> Hint:
        return NO_HINT if is_dot(text) else self._repl.guest.signature(text, cursor, self._repl.language)

    def _bar(self) -> StyleAndTextTuples:
        width = get_app().output.get_size().columns
        return _toolbar.toolbar(self._repl.standing, self._watcher.hint, self._repl.guest.note, width)


def _mark(language: Lang) -> str:
    return "js> " if language is Lang.js else "sh> "


def _continuation(width: int, number: int, wrapped: int) -> StyleAndTextTuples:  # noqa: ARG001 - as it is called
    return [("class:more", "... ".rjust(width) if not wrapped else " " * width)]


def _call(loop: AbstractEventLoop, function: Callable[[], None]) -> bool:
    """Have a prompt's loop call something; False if the prompt is over."""
    try:
        loop.call_soon_threadsafe(function)
    except RuntimeError:
        return False
    return True
