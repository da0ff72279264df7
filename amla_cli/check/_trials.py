"""Scripts run with mocks in place of their tools: the calls that they really make, under the policy and its budgets.

A manifest's mounts are no part of a trial, and its limits only where they are stricter than the usual ones: what is
checked may have been written by whoever wants its reader's time or files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from amla_cli._limits import limits_of
from amla_cli.check._findings import ON_TRIAL, CheckedSite
from amla_cli.check._scripts import LANGUAGES, CheckedScript

if TYPE_CHECKING:
    from amla_capabilities import Limits, Manifest
    from amla_capabilities.findings import Finding
    from amla_cli.check._subject import Subject
    from amla_sandbox import CallRecord, ExecutionResult

__all__ = ["trial_limits", "try_script"]

_SHOWN = 200  # characters of a call's arguments


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


def try_script(
    subject: Subject, script: CheckedScript, sites: Sequence[CheckedSite], limits: Limits
) -> tuple[list[CheckedSite], list[Finding]]:
    """The calls that a script made on trial, with budgets of its own, and what is wrong with them.

    A trial does not know where in the script a call was made, unless its denial ended the script; where only one of its
    `sites` can have been it, it was.
    """
    from amla_sandbox._mocks._dry_run import dry_run

    tried = dry_run(
        subject.manifests,
        script.text,
        LANGUAGES[script.lang],
        tools=[*subject.definitions.values(), *subject.open],
        limits=limits,
        filename=script.name,
    )
    made = [_site(script, call, sites, tried.result) for call in tried.calls]
    return made, [*_denials(script, made), *_failure(script, tried.result)]


def _site(
    script: CheckedScript, call: CallRecord, sites: Sequence[CheckedSite], result: ExecutionResult
) -> CheckedSite:
    from amla_sandbox._mocks._dry_run import would_be

    word = would_be(call)
    place = _place(sites, call, result) if word == "denied" else _only([s for s in sites if s.tool in (call.tool, "")])
    code = "AM601" if word == "denied" else ""
    return CheckedSite(
        script.file, *(place or (1, 1)), call.tool, word + ON_TRIAL, code, call.message, (), _shown(call)
    )


def _place(sites: Sequence[CheckedSite], call: CallRecord, result: ExecutionResult) -> tuple[int, int] | None:
    """Where a call that was denied stands: where the script ended for it, or at the one site that can have made it.

    What constants alone decide, to be allowed, made no such call.
    """
    able = [site for site in sites if site.tool in (call.tool, "") and site.verdict != "allowed"]
    failure = result.failure
    if failure is None or failure.name not in _DENIALS or failure.message != call.message or not failure.line:
        return _only(able)
    return _only([site for site in able if site.line == failure.line]) or (failure.line, failure.column or 1)


def _only(sites: Sequence[CheckedSite]) -> tuple[int, int] | None:
    return (sites[0].line, sites[0].column) if len(sites) == 1 else None


def _shown(call: CallRecord) -> str:
    import json

    return json.dumps(call.arguments, default=dict)[:_SHOWN]


def _denials(script: CheckedScript, made: Iterable[CheckedSite]) -> Iterator[Finding]:
    """One finding for the calls that were denied for the same reason."""
    denied = [call for call in made if call.code]
    for message, count in Counter(call.reason or f"{call.tool} denied" for call in denied).items():
        times = f" ({count} times)" if count > 1 else ""
        first = next(call for call in denied if message in (call.reason, f"{call.tool} denied"))
        yield script.finding("AM601", f"on trial: {message}{times}", line=first.line, column=first.column)


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
