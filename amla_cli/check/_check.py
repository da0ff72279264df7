"""From the words of the command line to a report and a status."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from amla_cli._outcome import CliError, Outcome, Settings
from amla_cli._terminal import is_drawn
from amla_cli.check._findings import CheckedSite, Report, Unchecked, joined
from amla_cli.check._policies import check_policies
from amla_cli.check._projects import projects
from amla_cli.check._scripts import named_files
from amla_cli.check._subject import Subject, read_subject

if TYPE_CHECKING:
    from amla_capabilities.findings import Finding

__all__ = ["Order", "check"]

_NO_MANIFEST = "its calls cannot be judged while the manifest has faults"
_FOUND, _NOT_CHECKED = 1, 2


class Order(NamedTuple):
    """The command line of `amla check-policy`, taken apart."""

    files: tuple[str, ...]
    tools: tuple[str, ...]
    run: bool
    against: str | None
    explain: str | None
    format: str
    strict: bool
    load: bool
    limits: Mapping[str, str]


def check(order: Order, settings: Settings) -> Outcome:
    """Check all that the order names. Raises CliError where there is nothing to check."""
    _refuse_contradictions(order, settings)
    found, strays = projects(order.tools, named_files(order.files))
    if not found:
        raise CliError(
            "usage", "there is no manifest to check", "name one with --tools FILE, or 'amla init' writes one"
        )
    if len(found) > 1 and (order.explain or order.against):
        option = "--explain" if order.explain else "--against"
        raise CliError("usage", f"{option} is about one policy", "name its manifests with --tools, and no others")
    reports = [Report(files=tuple(stray.file for stray in strays), unchecked=tuple(strays))]
    for project in found:
        subject = read_subject(project.manifests, load=order.load)
        if order.explain is not None and subject.sound:
            from amla_cli.check._explain import explain

            return explain(subject, order.explain, settings)
        reports.append(_report(subject, project.scripts, order))
    report = joined(reports)
    return Outcome(_data(report), _text(report, order, settings), exit_code=_status(report, order))


def _refuse_contradictions(order: Order, settings: Settings) -> None:
    """Raise CliError for options of which one would be without effect."""
    scripts = any(not file.endswith(".toml") for file in order.files)
    if order.limits and not order.run:
        raise CliError("usage", "limits are those of scripts that run, and nothing runs here", "add --run")
    if order.run and not scripts:
        raise CliError("usage", "there is no script to run", "name scripts, or folders of scripts")
    if settings.json and order.format not in ("text", "json"):
        raise CliError("usage", f"--json and --format {order.format} ask for two formats", "leave one of them out")
    if order.explain is not None and (scripts or order.run or order.against):
        raise CliError("usage", "--explain is about one call and checks nothing else", "leave the rest out")


def _report(subject: Subject, files: tuple[str, ...], order: Order) -> Report:
    found, tests = check_policies(subject)
    if order.against is not None:
        from amla_cli.check._against import check_against

        found += check_against(subject, order.against)
    sites: list[CheckedSite] = []
    for seen, wrong in _scripts(subject, files, order):
        sites += seen
        found += wrong
    findings = (*subject.findings, *found)
    return Report((*subject.files, *files), findings, tuple(tests), tuple(sites), tuple(subject.unchecked))


def _scripts(
    subject: Subject, files: tuple[str, ...], order: Order
) -> Iterator[tuple[list[CheckedSite], list[Finding]]]:
    """What is found in the scripts. Without all manifests nothing can be said of their calls."""
    if not files:
        return
    from amla_cli.check._scripts import read_scripts
    from amla_cli.check._sites import check_sites

    scripts, unread = read_scripts(files)
    subject.unchecked += unread
    if not subject.sound:
        subject.unchecked += [Unchecked(script.file, 1, 1, _NO_MANIFEST) for script in scripts]
        return
    for looked in check_sites(subject, scripts, strict=order.strict):
        yield looked.sites, looked.findings
        if order.run:
            from amla_cli.check._trials import trial_limits, try_script

            yield try_script(subject, looked, trial_limits(subject.manifests, order.limits))


def _status(report: Report, order: Order) -> int:
    if report.unchecked:
        return _NOT_CHECKED
    counting = ("error", "warning", "note") if order.strict else ("error", "warning")
    return _FOUND if any(finding.severity in counting for finding in report.findings) else 0


def _data(report: Report) -> Mapping[str, object]:
    from amla_cli.check.formats._json import as_data

    return as_data(report)


def _text(report: Report, order: Order, settings: Settings) -> str:
    from amla_cli.check.formats import formatter

    if settings.json:
        return ""
    color = settings.color and is_drawn(1)
    quiet, verbose = settings.verbosity < 0, settings.verbosity > 0
    options = {"color": color, "quiet": quiet, "strict": order.strict, "verbose": verbose}
    return formatter(order.format)(report, options)
