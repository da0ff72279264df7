"""The bar at the bottom: where the session stands, or the signature of the tool that is being called."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from prompt_toolkit.application import get_app
from prompt_toolkit.formatted_text import StyleAndTextTuples

from amla_cli._terminal import printable, text_width

from ._guest import NO_HINT, Hint
from ._standing import fitting

if TYPE_CHECKING:
    from prompt_toolkit.buffer import Buffer

    from ._standing import Standing

__all__ = ["STYLE", "Watcher", "toolbar"]

STYLE = {
    "bottom-toolbar": "noreverse",
    "bottom-toolbar.text": "noreverse",
    "bar": "reverse",
    "bar.good": "reverse",
    "bar.bad": "reverse bold",
    "bar.language": "reverse bold",
}


def toolbar(standing: Standing, hint: Hint, note: str, width: int) -> StyleAndTextTuples:
    """One line of that width. `note` is said while the session is being made."""
    language = [("language", f" {standing.language}")]
    if note:
        parts = [("", note)]
    elif hint.signature:
        parts = _hinted(hint, width - text_width(language[0][1]) - 2)
    else:
        parts = standing.parts()
    shown = fitting([*language, *parts], width)
    return _line([(style, printable(text)) for style, text in shown], width)


def _hinted(hint: Hint, width: int) -> list[tuple[str, str]]:
    left = [] if hint.left is None else [("", f"{hint.left:,} left")]
    room = width - sum(text_width(text) + 2 for _, text in left) - 2
    return [("", _shortened(printable(hint.signature), room)), *left]


def _line(parts: list[tuple[str, str]], width: int) -> StyleAndTextTuples:
    line: StyleAndTextTuples = []
    for style, text in parts:
        line += [(f"class:bar.{style}" if style else "class:bar", text), ("class:bar", "  ")]
    used = sum(text_width(text) + 2 for _, text in parts)
    return [*line, ("class:bar", " " * max(0, width - used))]


def _shortened(text: str, width: int) -> str:
    if text_width(text) <= width:
        return text
    while text and text_width(text) > width - 1:
        text = text[:-1]
    return text + "…"


class Watcher:
    """Finds out, beside the typing, which tool is being called at the cursor."""

    def __init__(self, ask: Callable[[str, int], Hint]) -> None:
        self._ask = ask
        self._wanted: tuple[str, int] | None = None
        self._task: asyncio.Task[None] | None = None
        self.hint = NO_HINT

    def watch(self, buffer: Buffer) -> None:
        buffer.on_text_changed += self.look
        buffer.on_cursor_position_changed += self.look

    def look(self, buffer: Buffer) -> None:
        """Find out anew; in nothing no tool is called."""
        if not buffer.text:
            self._wanted, self.hint = None, NO_HINT
            if self._task is not None:
                self._task.cancel()
            return
        self._wanted = (buffer.text, buffer.cursor_position)
        if (self._task is None or self._task.done()) and get_app().is_running:
            self._task = get_app().create_background_task(self._answer())

    async def _answer(self) -> None:
        while self._wanted is not None:
            wanted, self._wanted = self._wanted, None
            with suppress(Exception):  # whoever runs the input hears of it
                hint = await asyncio.get_running_loop().run_in_executor(None, self._ask, *wanted)
                if hint != self.hint:
                    self.hint = hint
                    get_app().invalidate()
