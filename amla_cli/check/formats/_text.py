"""For people: a finding a paragraph, then a line that sums up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from amla_capabilities.findings import Finding
from amla_cli._terminal import printable
from amla_cli.check._findings import Report

__all__ = ["render"]

_STYLES = {"error": "1;31", "warning": "33", "note": "36", "caret": "31", "dim": "2"}


def render(report: Report, options: Mapping[str, bool]) -> str:
    color = options.get("color", False)
    blocks = [_finding(finding, color) for finding in report.findings]
    blocks += [
        _styled("error", f"{_place(one.file, one.line, one.column)}: not checked: {printable(one.message)}", color)
        for one in report.unchecked
    ]
    if options.get("verbose"):
        blocks += [*_sites(report), *_tests(report)]
    if not options.get("quiet"):
        blocks.append(_summary(report))
    return "\n".join(blocks)


def _finding(finding: Finding, color: bool) -> str:
    path = f"{finding.path}: " if finding.path else ""
    place = _place(finding.file, finding.line, finding.column)
    lines = [f"{place}: {_styled(finding.severity, finding.code, color)} {printable(path + finding.message)}"]
    if finding.source:
        lines += [f"    {printable(finding.source)}", f"    {' ' * finding.caret}{_styled('caret', '^', color)}"]
    if finding.hint:
        lines.append(f"    {_styled('dim', printable(finding.hint), color)}")
    return "\n".join(lines)


def _sites(report: Report) -> Iterator[str]:
    for site in report.sites:
        reason = f": {printable(site.reason)}" if site.reason else ""
        yield f"{_place(site.file, site.line, site.column)}: {printable(site.tool)} {site.verdict}{reason}"


def _tests(report: Report) -> Iterator[str]:
    for test in report.tests:
        passed = "passed" if test.passed else "FAILED"
        decided = f"{test.actual}, by {printable(test.rule)}"
        yield f"{_place(test.file, test.line, 1)}: test of {printable(test.call)} {passed}: {decided}"


def _place(file: str, line: int, column: int) -> str:
    return f"{printable(file)}:{line}:{column}"


def _summary(report: Report) -> str:
    verdicts = Counter(site.verdict for site in report.sites)
    calls = f"{_count(len(report.sites), 'call')} in scripts" + _listed(verdicts) if report.sites else ""
    failed = sum(not test.passed for test in report.tests)
    tests = f"{_count(len(report.tests), 'test')}, {failed} failed" if report.tests else ""
    found = Counter(finding.severity for finding in report.findings)
    findings = ", ".join(_count(found[level], level) for level in ("error", "warning", "note") if found[level])
    parts = [_count(len(report.files), "file"), calls, tests, findings or "nothing found"]
    return "; ".join(part for part in parts if part)


def _listed(verdicts: Counter[str]) -> str:
    return f" ({', '.join(f'{count} {verdict}' for verdict, count in verdicts.items())})"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def _styled(style: str, text: str, color: bool) -> str:
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if color else text
