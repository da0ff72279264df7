"""Keys: Enter runs what is complete, Tab completes, the rest is as in Emacs and readline."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import takewhile

from prompt_toolkit.application import get_app
from prompt_toolkit.buffer import Buffer, CompletionState
from prompt_toolkit.completion import CompleteEvent, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.enums import DEFAULT_BUFFER
from prompt_toolkit.filters import Condition, completion_is_selected, has_completions, has_focus
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

__all__ = ["make_keys"]

_INDENT = "  "
_GOES_ON = ("/", "=")
"""What a word ends with that is not over yet."""

_OPENERS, _CLOSERS = "{([", "})]"


def make_keys(is_incomplete: Callable[[str], bool], *, indents: bool, has_words: Callable[[str], bool]) -> KeyBindings:
    """`is_incomplete` asks a parser; `indents` says whether a new line may get blanks that nobody typed, `has_words`
    whether an input consists of words, of which one that is completed is over.
    """

    def enter(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if buffer.text.strip() and is_incomplete(buffer.text):
            buffer.complete_state = None
            buffer.insert_text("\n" + (_margin(buffer.document) if indents else ""))
        else:
            buffer.validate_and_handle()

    keys = KeyBindings()
    editing = has_focus(DEFAULT_BUFFER)
    keys.add("enter", filter=editing & ~completion_is_selected)(enter)
    keys.add("enter", filter=editing & completion_is_selected)(_take_selected)
    keys.add("escape", "enter", filter=editing)(_new_line)
    keys.add("c-x", "c-e", filter=editing)(_edit)
    keys.add("escape", filter=editing & has_completions, eager=True)(_close_menu)
    keys.add("tab", filter=editing & ~has_completions)(partial(_complete, has_words))
    if indents:
        for closer in _CLOSERS:
            keys.add(closer, filter=editing & _only_blanks)(_close_bracket)
    return keys


def _take_selected(event: KeyPressEvent) -> None:
    event.current_buffer.complete_state = None


def _new_line(event: KeyPressEvent) -> None:
    event.current_buffer.insert_text("\n")


def _edit(event: KeyPressEvent) -> None:
    event.current_buffer.open_in_editor()


def _close_menu(event: KeyPressEvent) -> None:
    event.current_buffer.cancel_completion()


def _complete(has_words: Callable[[str], bool], event: KeyPressEvent) -> None:
    """Insert what all candidates have in common; if there are several, show them. Before a line's text: indent."""
    buffer = event.current_buffer
    if "\n" in buffer.text and not buffer.document.current_line_before_cursor.strip():
        buffer.insert_text(_INDENT)
        return
    found = _candidates(buffer)
    if len(found) > 1 and (common := _common(found, buffer.document)):
        buffer.insert_text(common)
        found = _candidates(buffer)
    if len(found) == 1:
        buffer.apply_completion(found[0])
        if buffer.document.is_cursor_at_the_end and has_words(buffer.text) and not buffer.text.endswith(_GOES_ON):
            buffer.insert_text(" ")
    elif found:
        buffer.complete_state = CompletionState(buffer.document, found)


def _candidates(buffer: Buffer) -> list[Completion]:
    return list(buffer.completer.get_completions(buffer.document, CompleteEvent(completion_requested=True)))


def _common(found: Sequence[Completion], document: Document) -> str:
    """What every candidate adds behind the cursor; nothing if one of them replaces what is there."""
    before = document.text_before_cursor
    if not all(before.endswith(each.text[: -each.start_position or None]) or not each.start_position for each in found):
        return ""
    added = [each.text[-each.start_position :] for each in found]
    return "".join(chars[0] for chars in takewhile(lambda chars: len(set(chars)) == 1, zip(*added, strict=False)))


@Condition
def _only_blanks() -> bool:
    before = get_app().current_buffer.document.current_line_before_cursor
    return bool(before) and not before.strip()


def _close_bracket(event: KeyPressEvent) -> None:
    """A closing bracket that begins a line goes where the line with the opening one began."""
    buffer = event.current_buffer
    buffer.delete_before_cursor(min(len(_INDENT), len(buffer.document.current_line_before_cursor)))
    buffer.insert_text(event.data)


def _margin(document: Document) -> str:
    """The blanks that a new line begins with: as many as before, more if brackets stay open, fewer if some closed."""
    line = document.current_line_before_cursor
    text = line.lstrip(" ")
    blanks = len(line) - len(text)
    opened = _balance(text.lstrip(_CLOSERS))
    return " " * max(0, blanks + len(_INDENT) * ((opened > 0) - (opened < 0)))


def _balance(text: str) -> int:
    return sum((char in _OPENERS) - (char in _CLOSERS) for char in text)
