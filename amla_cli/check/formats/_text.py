"""For people: a finding a paragraph, then a line that sums up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from amla_capabilities.findings import Finding
from amla_cli._terminal import printable, text_width, uncommanded
from amla_cli.check._findings import ON_TRIAL, CheckedSite, Report, Unchecked

__all__ = ["render"]

_STYLES = {"error": "1;31", "warning": "33", "note": "36", "caret": "31", "dim": "2"}


def render(report: Report, options: Mapping[str, bool]) -> str:
    color = options.get("color", False)
    blocks = [_finding(finding, color) for finding in report.findings]
    blocks += [_unchecked(one, color) for one in report.unchecked]
    if options.get("verbose"):
        blocks += [*_sites(report), *_tests(report)]
    if not options.get("quiet"):
        blocks.append(_summary(report))
    return uncommanded("\n".join(blocks))


def _finding(finding: Finding, color: bool) -> str:
    path = f"{finding.path}: " if finding.path else ""
    place = _place(finding.file, finding.line, finding.column)
    head = f"{place}: {_styled(finding.severity, finding.code, color)} {_line(path + finding.message)}"
    lines = [head, *_excerpt(finding.source, finding.caret, color)]
    if finding.hint:
        lines += [f"    {_styled('dim', line, color)}" for line in printable(finding.hint).split("\n")]
    return "\n".join(lines)


def _unchecked(one: Unchecked, color: bool) -> str:
    code = f"{one.code} " if one.code else ""
    told = f"{_styled('error', f'{code}not checked:', color)} {_line(one.message)}"
    return "\n".join([f"{_place(one.file, one.line, one.column)}: {told}", *_excerpt(one.source, one.caret, color)])


def _excerpt(source: str, caret: int, color: bool) -> list[str]:
    """The source line and a caret below it; the caret counts characters, of which some take two columns or none."""
    if not source:
        return []
    shown = printable(source[:caret])
    return [f"    {_line(source)}", f"    {' ' * text_width(shown)}{_styled('caret', '^', color)}"]


def _sites(report: Report) -> Iterator[str]:
    for site in report.sites:
        reason = f": {_line(_rest(site))}" if _rest(site) else ""
        yield f"{_place(site.file, site.line, site.column)}: {_line(site.tool) or '?'}: {site.verdict}{reason}"


def _rest(site: CheckedSite) -> str:
    """The reason without the name and the verdict, which it begins with."""
    rest = site.reason.removeprefix(site.tool)
    for word in (" is denied", " denied", " is decided at run time", " is allowed"):
        rest = rest.removeprefix(word)
    return rest.removeprefix(": ")


def _tests(report: Report) -> Iterator[str]:
    for test in report.tests:
        passed = "passed" if test.passed else "FAILED"
        decided = f"{test.actual}, by {_line(test.rule)}"
        yield f"{_place(test.file, test.line, 1)}: test of {_line(test.call)} {passed}: {decided}"


def _place(file: str, line: int, column: int) -> str:
    return f"{_line(file)}:{line}:{column}"


def _line(text: str) -> str:
    """Text that cannot begin a line of its own."""
    return printable(text).replace("\n", "\\n")


def _summary(report: Report) -> str:
    failed = sum(not test.passed for test in report.tests)
    found = Counter(finding.severity for finding in report.findings)
    unchecked = f"{len(report.unchecked)} not checked" if report.unchecked else ""
    findings = ", ".join(_count(found[level], level) for level in ("error", "warning", "note") if found[level])
    parts = [
        _count(len(report.files), "file"),
        *_calls(report),
        f"{_count(len(report.tests), 'test')}, {failed} failed" if report.tests else "",
        ", ".join(part for part in (findings, unchecked) if part) or "nothing found",
    ]
    return "; ".join(part for part in parts if part)


def _calls(report: Report) -> Iterator[str]:
    """How the calls in scripts were judged, and those that were made on trial."""
    verdicts = Counter(site.verdict for site in report.sites)
    for on_trial, where in ((False, "in scripts"), (True, "made on trial")):
        kind = Counter({verdict: n for verdict, n in verdicts.items() if verdict.endswith(ON_TRIAL) is on_trial})
        if kind:
            yield f"{_count(kind.total(), 'call')} {where}{_listed(kind)}"


def _listed(verdicts: Counter[str]) -> str:
    return f" ({', '.join(f'{count} {verdict.removesuffix(ON_TRIAL)}' for verdict, count in verdicts.items())})"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def _styled(style: str, text: str, color: bool) -> str:
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if color else text
