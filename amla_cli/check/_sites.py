"""The calls that scripts would make, found in a sandbox and judged here; nothing of a script is run (R1, R4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from amla_cli.check._accepted import unaccepted
from amla_cli.check._findings import CheckedSite, Unchecked
from amla_cli.check._scripts import LANGUAGES, CheckedScript

if TYPE_CHECKING:
    from amla_capabilities.check import Judge, SiteError, SiteVerdict
    from amla_capabilities.findings import Finding
    from amla_cli.check._subject import Subject
    from amla_sandbox import SiteFinder

__all__ = ["Looked", "check_sites"]

_SHOWN = 200  # characters of a site's source


class Looked(NamedTuple):
    """A script that can be parsed: what is said of its calls, and what is found there."""

    script: CheckedScript
    verdicts: list[SiteVerdict]
    findings: list[Finding]

    @property
    def sites(self) -> list[CheckedSite]:
        return [_checked(self.script, verdict) for verdict in self.verdicts]


def check_sites(subject: Subject, scripts: Sequence[CheckedScript], *, strict: bool) -> Iterator[Looked]:
    """Each script that can be parsed; the others become unchecked.

    That a call is decided at run time is a finding only if `strict`: most calls of most scripts are.
    """
    if not scripts:
        return
    judge, finder = _judge(subject), _finder(subject)
    try:
        for script in scripts:
            calls = finder.find(script.text, script.name, LANGUAGES[script.lang])
            if calls.error is not None:
                subject.unchecked.append(_unparsed(script, calls.error))
                continue
            verdicts = [judge.judge(site) for site in calls.sites]
            found = _findings(script, verdicts, strict=strict)
            yield Looked(script, verdicts, unaccepted(subject.manifests, found))
    finally:
        finder.close()


def _finder(subject: Subject) -> SiteFinder:
    from amla_sandbox import SiteFinder

    schemas = {path: subject.schema(path) for path in subject.paths}
    return SiteFinder(schemas, subject.servers, keep=True)


def _judge(subject: Subject) -> Judge:
    from amla_capabilities.check import Judge

    known = {path: schema for path in subject.paths if (schema := subject.schema(path)) is not None}
    return Judge(subject.policy(), subject.paths, schemas=known, servers=subject.servers, prepare=subject.prepare)


def _unparsed(script: CheckedScript, error: SiteError) -> Unchecked:
    from amla_capabilities.check import error_finding

    found = error_finding(error, script.file, script.text)
    return Unchecked(script.file, found.line, found.column, found.message, found.code, found.source, found.caret)


def _checked(script: CheckedScript, verdict: SiteVerdict) -> CheckedSite:
    site = verdict.site
    return CheckedSite(
        script.file,
        site.line,
        site.column,
        verdict.tool or site.tool or "",
        verdict.status,
        verdict.code,
        verdict.reason,
        verdict.open,
        site.text[:_SHOWN],
    )


def _findings(script: CheckedScript, verdicts: Iterable[SiteVerdict], *, strict: bool) -> list[Finding]:
    from amla_capabilities.check import site_finding

    found = [site_finding(one, script.file, script.text) for one in verdicts if strict or one.code != _AT_RUN_TIME]
    return [finding for finding in found if finding is not None]


_AT_RUN_TIME = "AM404"
