"""JUnit's XML, which CI services show as tests: a suite a file, with its policy tests, its call sites, its findings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from xml.etree import ElementTree as ET

from amla_capabilities.findings import Finding
from amla_cli._terminal import printable
from amla_cli.check._findings import Report

__all__ = ["render"]


def render(report: Report, options: Mapping[str, bool]) -> str:
    strict = options.get("strict", False)
    suites = [_suite(file, list(_cases(report, file, strict))) for file in _files(report)]
    root = ET.Element("testsuites", {"name": "amla check-policy", **_totals(suites)})
    root.extend(suites)
    ET.indent(root)
    return _uncommanded('<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode"))


def _uncommanded(text: str) -> str:
    """What no CI service takes for commands (R3); the document is the same."""
    return re.sub(r"^(\s*)::", r"\1&#58;:", text.replace("##", "#&#35;"), flags=re.MULTILINE)


def _files(report: Report) -> list[str]:
    named = [*report.files, *(f.file for f in report.findings), *(u.file for u in report.unchecked)]
    return list(dict.fromkeys(named))


def _suite(file: str, cases: list[ET.Element]) -> ET.Element:
    found = {name: sum(case.find(name[:-1]) is not None for case in cases) for name in ("failures", "errors")}
    counts = {name: str(count) for name, count in found.items()}
    suite = ET.Element("testsuite", {"name": printable(file), "tests": str(len(cases)), **counts})
    suite.extend(cases)
    return suite


def _totals(suites: list[ET.Element]) -> dict[str, str]:
    return {name: str(sum(int(suite.get(name, "0")) for suite in suites)) for name in ("tests", "failures", "errors")}


def _cases(report: Report, file: str, strict: bool) -> Iterator[ET.Element]:
    """What was judged and is in order, then what was found; a file with nothing of either is one case that passed."""
    found = {(finding.code, finding.line, finding.column) for finding in report.findings if finding.file == file}
    sites = [site for site in report.sites if site.file == file and (site.code, site.line, site.column) not in found]
    cases = [
        *(_case(file, f"test of {t.call} at line {t.line}") for t in report.tests if t.file == file and t.passed),
        *(_case(file, f"{s.tool or 'a call'} at line {s.line}: {s.verdict}") for s in sites),
        *(_failed(finding, strict) for finding in report.findings if finding.file == file),
        *(_broken(file, one.line, one.message) for one in report.unchecked if one.file == file),
    ]
    yield from cases or [_case(file, "checked")]


def _case(file: str, name: str) -> ET.Element:
    return ET.Element("testcase", {"classname": printable(file), "name": printable(name)})


def _failed(finding: Finding, strict: bool) -> ET.Element:
    case = _case(finding.file, f"{finding.code} at line {finding.line}")
    if strict or finding.severity != "note":
        fault = ET.SubElement(case, "failure", {"type": finding.code, "message": printable(finding.message)})
        fault.text = printable(str(finding))
    return case


def _broken(file: str, line: int, message: str) -> ET.Element:
    case = _case(file, f"not checked, line {line}")
    ET.SubElement(case, "error", {"type": "unchecked", "message": printable(message)})
    return case
