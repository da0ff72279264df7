"""The documentation is true: links lead somewhere, examples print what stands below them, tables are current."""

from __future__ import annotations

import importlib.util
import re
from itertools import zip_longest
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from amla_capabilities import parse_manifest
from amla_sandbox import Sandbox, __version__

ROOT = Path(__file__).parent.parent
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "examples").rglob("*.md"))]
BY_NAME = [pytest.param(page, id=page.relative_to(ROOT).as_posix()) for page in PAGES]

_FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_RULE_TEST = re.compile(r"^\s*(?:async )?def test_(r\d+)_\w+", re.MULTILINE)
_RULE_MODULE = re.compile(r'\A"""(R\d+):')


class Example(NamedTuple):
    """A fenced block. `output` is the `text` block right below it, None if there is none."""

    language: str
    code: str
    output: str | None
    line: int


def examples(page: Path) -> list[Example]:
    text = page.read_text("utf-8")
    blocks = list(_FENCED.finditer(text))
    found: list[Example] = []
    for block, following in zip_longest(blocks, blocks[1:]):
        told = following and following[1] == "text" and not text[block.end() : following.start()].strip()
        line = text[: block.start()].count("\n") + 1
        found.append(Example(block[1], block[2], following[2] if following and told else None, line))
    return found


def anchors(page: Path) -> set[str]:
    """The fragments that a page's headings answer to."""
    headings = re.findall(r"^#+ (.*)$", _FENCED.sub("", page.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", BY_NAME)
def test_links_lead_to_files_and_headings(page: Path) -> None:
    """Every relative link names a file of the repository, and a fragment one of its headings."""
    for target in _LINK.findall(_FENCED.sub("", page.read_text("utf-8"))):
        if target.startswith(("https:", "http:")):
            continue
        name, _, fragment = target.partition("#")
        linked = (page.parent / name).resolve() if name else page
        assert linked.exists(), f"{page.name} links to {target}"
        assert not fragment or fragment in anchors(linked), f"{page.name} links to {target}"


@pytest.mark.parametrize("page", BY_NAME)
def test_python_examples_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The Python blocks of a page run one after another, as in one file, and print what the page says."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "example"}
    for example in examples(page):
        if example.language != "python":
            continue
        if needed := re.match(r"# needs (\w+)", example.code):
            pytest.importorskip(needed[1])
        exec(compile("\n" * example.line + example.code, str(page), "exec"), names)
        printed = capsys.readouterr().out
        assert example.output is None or printed == example.output, f"line {example.line}"


@pytest.mark.parametrize("page", BY_NAME)
def test_scripts_run(page: Path) -> None:
    """The JavaScript, TypeScript and bash blocks of a page share one sandbox, and print what the page says."""
    with Sandbox() as sandbox:
        for example in examples(page):
            if language := {"js": "js", "ts": "ts", "bash": "shell"}.get(example.language):
                result = sandbox.run(example.code, language)
                assert result.success, f"line {example.line}: {result.error or result.stderr}"
                assert example.output is None or result.stdout == example.output, f"line {example.line}"


@pytest.mark.parametrize("page", BY_NAME)
def test_manifests_parse(page: Path) -> None:
    """The TOML blocks are manifests without a fault."""
    for example in examples(page):
        if example.language == "toml":
            parse_manifest(example.code)


def test_the_page_on_javascript_names_every_module_and_global() -> None:
    """What the guest's tables hold is documented."""
    page = (ROOT / "docs" / "javascript.md").read_text("utf-8")
    tables = ROOT / "runtime" / "guest" / "ts" / "node"
    names = set(re.findall(r'^  "node:([^"]+)":', (tables / "modules.ts").read_text("utf-8"), re.MULTILINE))
    table = (tables / "globals.ts").read_text("utf-8")
    for members in re.findall(r'"(?:amla|node):[^"]+": \[(.*?)\]', table, re.DOTALL):
        names.update(re.findall(r'"([^"]+)"', members))
    assert len(names) > 50
    assert sorted(name for name in names if f"`{name}`" not in page) == []


def test_the_page_on_the_shell_names_every_builtin() -> None:
    """Those that do nothing, too."""
    page = (ROOT / "docs" / "shell.md").read_text("utf-8")
    with Sandbox() as sandbox:
        names = sandbox.shell("enable -a | sed 's/enable //'").split()
    assert len(names) > 50
    assert [name for name in names if f"`{name}`" not in page] == []


def test_generated_pages_are_current() -> None:
    """`python docs/generate.py` would change nothing."""
    for page, text in _generator().pages().items():
        assert (ROOT / "docs" / page).read_text("utf-8") == text, f"docs/{page}: run python docs/generate.py"


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_generate", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_changelog_has_this_version() -> None:
    """The newest version of the changelog is the one that is installed."""
    released = re.findall(r"^## \[(\d[^\]]*)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert released[0] == __version__


def test_the_threat_model_names_the_tests_of_every_rule() -> None:
    """Every rule that tests are named after is in its table, with links to files that have such tests."""
    tested: dict[str, set[str]] = {}
    for file in (ROOT / "tests").rglob("test_*.py"):
        text = file.read_text("utf-8")
        for rule in [*_RULE_TEST.findall(text), *_RULE_MODULE.findall(text)]:
            tested.setdefault(rule.upper(), set()).add(file.relative_to(ROOT / "tests").as_posix())
    page = (ROOT / "docs" / "threat-model.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| (R\d+) \|.*\| ([^|]*) \|$", page, re.MULTILINE))
    assert rows.keys() == tested.keys()
    for rule, links in rows.items():
        linked = set(re.findall(r"\(\.\./tests/([^)]+)\)", links))
        assert linked, rule
        assert linked <= tested[rule], rule
