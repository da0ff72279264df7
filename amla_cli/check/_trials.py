"""Scripts run with mocks in place of their tools: the calls that they really make, under the policy and its budgets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from amla_cli.check._findings import CheckedSite
from amla_cli.check._scripts import CheckedScript

if TYPE_CHECKING:
    from amla_capabilities.findings import Finding
    from amla_cli.check._subject import Subject
    from amla_sandbox import CallRecord, ExecutionResult

__all__ = ["try_scripts"]

_LANGUAGES = {"js": "javascript", "ts": "typescript", "shell": "shell"}


def try_scripts(subject: Subject, scripts: list[CheckedScript]) -> Iterator[tuple[list[CheckedSite], list[Finding]]]:
    """For each script the calls that it made on trial, and what is wrong with them. Each has budgets of its own."""
    from amla_sandbox._dry_run import dry_run

    for script in scripts:
        tried = dry_run(
            subject.manifests,
            script.text,
            _LANGUAGES[script.lang],
            tools=[*subject.definitions.values(), *subject.open],
            filename=script.name,
        )
        sites = [_site(script, call) for call in tried.calls]
        yield sites, [*_denials(script, tried.denied), *_failure(script, tried.result)]


def _site(script: CheckedScript, call: CallRecord) -> CheckedSite:
    from amla_sandbox._dry_run import would_be

    return CheckedSite(script.file, 1, 1, call.tool, f"{would_be(call)} on trial", call.message, _shown(call))


def _shown(call: CallRecord) -> str:
    import json

    return json.dumps(call.arguments, default=dict)[:200]


def _denials(script: CheckedScript, denied: tuple[CallRecord, ...]) -> Iterator[Finding]:
    """One finding for the calls that were denied for the same reason."""
    counts: dict[tuple[str, str], int] = {}
    for call in denied:
        counts[call.tool, call.message] = counts.get((call.tool, call.message), 0) + 1
    for (tool, message), count in counts.items():
        times = f" ({count} times)" if count > 1 else ""
        yield script.finding("AM601", f"on trial: {message or f'{tool} denied'}{times}")


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
