"""`amla repl` from its first prompt to its end."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import ExitStack, closing, redirect_stdout
from typing import Protocol

from amla_cli._exit import Exit
from amla_cli._mounts import give_back, mount_all
from amla_cli._outcome import Outcome, Settings
from amla_cli._records import watched
from amla_cli._terminal import Progress, is_drawn

from ._guest import Guest
from ._interrupts import Interrupts, raising
from ._lines import Lines
from ._repl import Repl
from ._screen import PlainScreen, Screen, TerminalScreen
from ._start import Order, Plan, make_session

__all__ = ["converse"]


class Reader(Protocol):
    """Where inputs come from."""

    def read(self, text: str = "") -> str:
        """The next input. Raises EOFError at the end, KeyboardInterrupt for Ctrl-C."""
        ...


def converse(order: Order, settings: Settings) -> Outcome:
    """Hold a session to its end. Raises what `_errors` has sentences for."""
    typed, shown = os.isatty(0), os.isatty(1)
    drawn = typed and is_drawn(1)
    with ExitStack() as stack:
        if not shown:  # what tools print is no output of a script's
            stack.enter_context(redirect_stdout(sys.stderr))
        plan = Plan.of(order)
        policy = plan.policy()
        screen = _screen(settings, shown)
        watch = stack.enter_context(watched(plan.records, policy, remember=True))
        if watch.approve is not None:
            watch = watch._replace(approve=screen.making_room(watch.approve))
        guest = stack.enter_context(closing(Guest(lambda say: make_session(plan, policy, watch, say))))
        interrupts = stack.enter_context(Interrupts())
        repl = Repl(guest, screen, plan, settings, interrupts, typed=typed)
        repl.greet()
        if plan.mounts or plan.saved is not None or not drawn:
            _make(repl)
        _talk(repl, _reader(repl, order, drawn))
        return _end(repl)


def _screen(settings: Settings, shown: bool) -> Screen:
    if not shown:
        return PlainScreen(settings)
    drawn = is_drawn(1)
    return TerminalScreen(color=drawn and settings.color and not os.environ.get("NO_COLOR"), drawn=drawn)


def _make(repl: Repl) -> None:
    """Make the session before the first prompt, since something of it may have to be said."""
    with Progress(repl.settings) as progress, repl.interrupts.calling(raising):
        repl.guest.make(progress)
    said = mount_all(repl.guest.sandbox, repl.plan.mounts)
    repl.screen.complain(Outcome(messages=tuple(said)))


def _reader(repl: Repl, order: Order, drawn: bool) -> Reader:
    if not drawn:
        return Lines(repl, prompts=repl.typed)
    from ._prompt import Prompt

    return Prompt(repl, keeps_history=order.keeps_history)


def _talk(repl: Repl, reader: Reader) -> None:
    """One input after the other."""
    while not repl.left:
        try:
            text = reader.read(repl.take_next())
        except EOFError:
            return
        except KeyboardInterrupt:
            if not repl.typed:
                repl.status = Exit.INTERRUPTED
                return
        else:
            _collect_garbage()
            repl.feed(text)
            if repl.status == Exit.INTERRUPTED and not repl.typed:
                return


def _collect_garbage() -> None:
    """From the first input on; what is loaded by then stays, and is not looked through again and again."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def _end(repl: Repl) -> Outcome:
    """Give back what is to be given back. On a terminal only `.exit` and scripts choose the status."""
    status = repl.status if repl.left or not repl.typed else Exit.OK
    messages, lost = give_back(repl.guest.sandbox, (), repl.plan.guarded) if repl.guest.is_ready else ([], [])
    return Outcome(messages=tuple(messages), problems=tuple(lost), exit_code=Exit.BROKEN if lost else status & 0xFF)
