"""Scripts run with mocks in place of their tools: the calls that they really make, under the policy and its budgets.

A manifest's mounts are no part of a trial, and its limits only where they are stricter than the usual ones: what is
checked may have been written by whoever wants its reader's time or files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from amla_cli._limits import limits_of
from amla_cli.check._findings import ON_TRIAL, CheckedSite
from amla_cli.check._scripts import LANGUAGES, CheckedScript

if TYPE_CHECKING:
    from amla_capabilities import Limits, Manifest
    from amla_capabilities.check import SiteVerdict
    from amla_capabilities.findings import Finding
    from amla_cli.check._sites import Looked
    from amla_cli.check._subject import Subject
    from amla_sandbox import CallRecord, ExecutionResult

__all__ = ["trial_limits", "try_script"]

_SHOWN = 200  # characters of a call's arguments
_MOST_LINES = 10  # that a hint names

_Place = tuple[int, int]  # line and column


def trial_limits(manifests: Iterable[Manifest], written: Mapping[str, str]) -> Limits:
    """The limits of a trial: the strictest of the usual ones and the manifests', or what the command line says."""
    from amla_capabilities import Limits

    stated = limits_of(manifests, {})
    usual = Limits()
    values: dict[str, Any] = {}
    for spec in Limits.specs():
        first, second = getattr(stated, spec.name), getattr(usual, spec.name)
        values[spec.name] = min(first, second) or max(first, second)  # 0 is no limit at all
    values |= {name: getattr(limits_of((), {name: text}), name) for name, text in written.items()}
    return Limits(**values)


def try_script(subject: Subject, looked: Looked, limits: Limits) -> tuple[list[CheckedSite], list[Finding]]:
    """The calls that a script made on trial, with budgets of its own, and what is wrong with them.

    A trial does not know where in the script a call was made, unless its denial ended the script. It was made at one of
    the sites whose tool and known arguments are those of the call.
    """
    from amla_sandbox._mocks._dry_run import dry_run

    script = looked.script
    tried = dry_run(
        subject.manifests,
        script.text,
        LANGUAGES[script.lang],
        tools=[*subject.definitions.values(), *subject.open],
        limits=limits,
        filename=script.name,
    )
    made = [_made(looked, call, tried.result) for call in tried.calls]
    return [each.site for each in made], [*_denials(script, made), *_failure(script, tried.result)]


class _Made(NamedTuple):
    """A call made on trial; `places` are the lines where it may have been made, where there are several."""

    site: CheckedSite
    places: tuple[int, ...]


def _made(looked: Looked, call: CallRecord, result: ExecutionResult) -> _Made:
    from amla_sandbox._mocks._dry_run import would_be

    word = would_be(call)
    places = _denied_at(looked, call, result) if word == "denied" else _places(looked, call)
    code = "AM601" if word == "denied" else ""
    place = places[0] if len(places) == 1 or (places and code) else (1, 1)
    script = looked.script
    site = CheckedSite(script.file, *place, call.tool, word + ON_TRIAL, code, call.message, (), _shown(call))
    lines = tuple(dict.fromkeys(line for line, _ in places))
    return _Made(site, lines if len(lines) > 1 else ())


def _places(looked: Looked, call: CallRecord, *, among: Callable[[SiteVerdict], bool] = lambda _: True) -> list[_Place]:
    """Where a call may have been made, by its tool and its arguments."""
    from amla_capabilities.check import fits
    from amla_sandbox._calls._shown import MASK

    able = [one for one in looked.verdicts if (one.tool or one.site.tool or call.tool) == call.tool and among(one)]
    arguments = call.arguments
    fitting = [one for one in able if arguments is None or fits(one.site, arguments, mask=MASK)]
    return [(one.site.line, one.site.column) for one in fitting or able]


def _denied_at(looked: Looked, call: CallRecord, result: ExecutionResult) -> list[_Place]:
    """Where a call that was denied may stand: where the script ended for it, or at a site that can have made it.

    What constants alone decide, to be allowed, made no such call.
    """
    places = _places(looked, call, among=lambda verdict: verdict.status != "allowed")
    failure = result.failure
    if failure is None or failure.name not in _DENIALS or failure.message != call.message or not failure.line:
        return places
    on_line = [place for place in places if place[0] == failure.line]
    return on_line if len(on_line) == 1 else [(failure.line, failure.column or 1)]


def _shown(call: CallRecord) -> str:
    import json

    return json.dumps(call.arguments, default=dict)[:_SHOWN]


def _denials(script: CheckedScript, made: Iterable[_Made]) -> Iterator[Finding]:
    """One finding for the calls that were denied for the same reason, and may stand at the same places."""
    denied = [(call.site.reason or f"{call.site.tool} denied", call) for call in made if call.site.code]
    alike: dict[tuple[str, int, int], list[_Made]] = {}
    for message, call in denied:
        alike.setdefault((message, call.site.line, call.site.column), []).append(call)
    for (message, line, column), calls in alike.items():
        times = f" ({len(calls)} times)" if len(calls) > 1 else ""
        lines = ", ".join(map(str, calls[0].places[:_MOST_LINES]))
        hint = f"it was made in one of the lines {lines}" if lines else ""
        yield script.finding("AM601", f"on trial: {message}{times}", line=line, column=column, hint=hint)


def _failure(script: CheckedScript, result: ExecutionResult) -> Iterator[Finding]:
    """A script that a denial ended has its finding already."""
    failure = result.failure
    if result.success or (failure is not None and failure.name in _DENIALS) or result.exit_code in _DENIED:
        return
    said = (result.error or f"it ended with status {result.exit_code}").split("\n")[0]
    line, column = (failure.line or 1, failure.column or 1) if failure else (1, 1)
    yield script.finding("AM602", f"on trial: {said}", line=line, column=column)


_DENIALS = ("ToolDeniedError", "ToolLimitError", "ToolSchemaError", "UnknownToolError")
_DENIED = (77, 126)
