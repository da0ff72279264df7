"""From a function that returns an `Outcome` to a command of Typer's, with the options that all commands share."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from typing import Annotated, Any

import typer

from ._exit import exit_table
from ._outcome import Message, Outcome, Settings
from ._params import PlainCommand
from ._render import render
from ._terminal import is_drawn

__all__ = ["examples", "exit_codes", "help_style", "make_app", "perform"]

_SHARED = (
    ("as_json", bool, False, typer.Option("--json", help="Print one JSON object on stdout, and nothing else.")),
    (
        "verbose",
        int,
        0,
        typer.Option("--verbose", "-v", count=True, show_default=False, help="Say more."),
    ),
    ("quiet", bool, False, typer.Option("--quiet", "-q", help="Say nothing but errors.")),
    ("no_color", bool, False, typer.Option("--no-color", help="No colours; so does NO_COLOR in the environment.")),
)


def help_style() -> Any:
    """Help is drawn by rich on a terminal and plain elsewhere, where rich would only cost time."""
    return "rich" if is_drawn(1) else None


def make_app(
    function: Callable[..., Outcome],
    *,
    name: str,
    epilog: str = "",
    extra: tuple[inspect.Parameter, ...] = (),
    passes_on: bool = False,
) -> typer.Typer:
    """An app of one command. Its help is the function's docstring.

    `extra` are options besides the function's own, gathered into its parameter `limits`. With `passes_on` all that
    follows the first argument is an argument.
    """
    app = typer.Typer(add_completion=False, rich_markup_mode=help_style())
    settings = {"help_option_names": ["-h", "--help"], "allow_interspersed_args": not passes_on}
    app.command(name, cls=PlainCommand, epilog=epilog or None, context_settings=settings)(
        _with_shared(name, function, extra)
    )
    return app


def _with_shared(
    name: str, function: Callable[..., Outcome], extra: tuple[inspect.Parameter, ...]
) -> Callable[..., int]:
    gathered = {parameter.name for parameter in extra}
    own = [
        p
        for p in inspect.signature(function, eval_str=True).parameters.values()
        if p.name not in ("settings", "limits")
    ]

    def invoke(**values: Any) -> int:
        verbosity = -1 if values.pop("quiet") else values.pop("verbose")
        values.pop("verbose", None)
        settings = Settings(values.pop("as_json"), verbosity, not values.pop("no_color"))
        if extra:
            written = {key: values.pop(key) for key in gathered}
            values["limits"] = {key: value for key, value in written.items() if value is not None}
        return perform(name, settings, lambda: function(**values, settings=settings))

    shared = [_option(*row) for row in _SHARED]
    parameters = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in (*own, *extra, *shared)]
    invoke.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    invoke.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    invoke.__doc__ = _unwrapped(function.__doc__)
    return invoke


def _unwrapped(text: str | None) -> str:
    """Paragraphs without breaks in them, which the help would keep."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in (text or "").split("\n\n"))


def _option(name: str, kind: type, default: object, option: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option])


def perform(command: str, settings: Settings, action: Callable[[], Outcome]) -> int:
    """Run a command to its end, whatever happens, and print what came of it; the exit status."""
    said: list[Message] = []
    with warnings.catch_warnings():
        _collect_warnings(said)
        try:
            outcome = action()
        except BaseException as error:  # a traceback of ours is a bug
            from ._errors import outcome_of

            outcome = _with_traceback(outcome_of(error), error, settings)
    return render(command, outcome._replace(messages=(*said, *outcome.messages)), settings)


def _collect_warnings(said: list[Message]) -> None:
    """Our own warnings become messages; those of other code keep the form that its authors know."""
    shown = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *rest: Any, **more: Any) -> None:
        if category.__module__.startswith("amla_"):
            said.append(Message("warning", str(message)))
        else:
            shown(message, category, *rest, **more)

    warnings.showwarning = show


def _with_traceback(outcome: Outcome, error: BaseException, settings: Settings) -> Outcome:
    if settings.verbosity <= 0 or not outcome.problems or outcome.problems[0].code not in ("internal", "sandbox"):
        return outcome
    import traceback

    text = "".join(traceback.format_exception(error)).rstrip()
    return outcome._replace(problems=(outcome.problems[0]._replace(excerpt=text),))


def examples(*rows: tuple[str, str]) -> str:
    """Examples for the end of a command's help: each a command line and what it does."""
    return _block("Examples:", [line for command, about in rows for line in (f"  {command}", f"      {about}")])


def exit_codes() -> str:
    """The table of exit codes for the end of a command's help."""
    return _block(
        "Exit codes (any other is the script's own):", [f"  {code:>3}  {about}" for code, about in exit_table()]
    )


def _block(title: str, lines: list[str]) -> str:
    r"""Lines that keep their breaks: plain help needs a `\b` for that, rich needs its markup escaped."""
    if help_style() is None:
        return "\n".join(["\b", title, *lines])
    return "\n".join([title, *(line.replace("[", r"\[") for line in lines)])
