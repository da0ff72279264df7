"""`--against REVISION:FILE`: OLD comes from that revision alone, and git runs nothing that a repository names (R37)."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from amla_capabilities import ManifestError
from amla_capabilities.compare import widened
from amla_cli._outcome import CliError
from amla_cli.check._revision import load_old

TOOL = '[tools.x]\ncommand = ["{}"]\n'


class Repository:
    """A repository in a folder of its own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str) -> str:
        config = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
        done = subprocess.run(
            ["git", *config, *arguments], cwd=self.root, capture_output=True, check=True, text=True, env=_environment()
        )
        return done.stdout.strip()

    def write(self, name: str, text: str) -> Path:
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def commit(self, **files: str) -> str:
        """Commit the whole folder; names use `__` for `/` and `_toml` for `.toml`."""
        for name, text in files.items():
            self.write(name.replace("__", "/").replace("_toml", ".toml"), text)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "c", "--allow-empty")
        return self.git("rev-parse", "HEAD")


def _environment() -> dict[str, str]:
    dropped = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**dropped, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    root = tmp_path / "repo"
    root.mkdir()
    monkeypatch.chdir(root)
    return Repository(root)


def refused(spec: str) -> str:
    with pytest.raises(CliError) as caught:
        load_old(spec)
    return caught.value.problem.message


def argv(spec: str, tool: str = "x") -> str:
    return str(load_old(spec).tools[tool].argv[0])  # type: ignore[attr-defined]


def test_r37_the_revision_counts_and_not_the_work_tree(repository: Repository) -> None:
    first = repository.commit(tools_toml='include = ["sub/more.toml"]\n', sub__more_toml=TOOL.format("old"))
    repository.commit(sub__more_toml=TOOL.format("new"))
    repository.write("sub/more.toml", TOOL.format("uncommitted"))
    assert argv(f"{first}:tools.toml") == "old"
    assert argv("main:tools.toml") == "new"
    assert argv("main~1:tools.toml") == "old"
    assert argv("./tools.toml") == "uncommitted"


def test_an_include_that_only_the_work_tree_has_is_missing(repository: Repository) -> None:
    repository.commit(tools_toml='include = ["late.toml"]\n')
    repository.write("late.toml", TOOL.format("late"))
    with pytest.raises(ManifestError) as caught:
        load_old("main:tools.toml")
    assert [(fault.file, fault.line) for fault in caught.value.faults] == [("main:tools.toml", 1)]


def test_files_are_named_as_git_names_them(repository: Repository) -> None:
    text = TOOL.format("x") + '[[tests]]\ncall = "x"\nexpect = "deny"\n'
    repository.commit(conf__tools_toml='include = ["inc/a.toml"]\n', conf__inc__a_toml=text)
    old = load_old("main:conf/tools.toml")
    assert old.files == ("main:conf/tools.toml", "main:conf/inc/a.toml")
    assert (old.tools["x"].file, old.tests[0].file) == ("main:conf/inc/a.toml",) * 2
    (finding,) = widened(old, load_old("./conf/tools.toml")) or [None]
    assert finding is None


def test_a_removed_test_is_placed_in_the_revision(repository: Repository) -> None:
    tool = TOOL.format("x")
    repository.commit(tools_toml=tool + '[[tests]]\ncall = "x"\nexpect = "deny"\n')
    repository.write("tools.toml", tool)
    (finding,) = widened(load_old("main:tools.toml"), load_old("tools.toml"))
    assert (finding.code, finding.file, finding.line, finding.source) == ("AM512", "main:tools.toml", 3, "[[tests]]")


def test_a_moved_include_is_seen_through_the_names_of_a_revision(repository: Repository) -> None:
    """The folder of a tool is told from the top file's, at a revision as in the work tree."""
    python = '[tools.x]\npython = "m:f"\n'
    repository.commit(conf__tools_toml='include = ["a/i.toml"]\n', conf__a__i_toml=python)
    assert widened(load_old("main:conf/tools.toml"), load_old("conf/tools.toml")) == []
    repository.write("conf/tools.toml", 'include = ["b/i.toml"]\n')
    repository.write("conf/b/i.toml", python)
    found = widened(load_old("main:conf/tools.toml"), load_old("conf/tools.toml"))
    assert [finding.code for finding in found] == ["AM506"]


def test_paths_are_told_from_the_top_or_from_here(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.commit(tools_toml=TOOL.format("top"), conf__tools_toml=TOOL.format("conf"))
    monkeypatch.chdir(repository.root / "conf")
    assert argv("main:tools.toml") == "top"
    assert argv("main:./tools.toml") == "conf"
    assert argv("main:../tools.toml") == "top"


def test_r37_a_colon_is_always_a_revision(repository: Repository) -> None:
    """A file of the work tree cannot stand in for the revision that a workflow names."""
    repository.commit(tools_toml=TOOL.format("old"))
    repository.write("main:tools.toml", TOOL.format("planted"))
    assert argv("main:tools.toml") == "old"
    assert argv("./main:tools.toml") == "planted"


@pytest.mark.parametrize(
    "spec",
    [
        "gone:tools.toml",
        "main:gone.toml",
        ":tools.toml",
        "main:",
        "main:.",
        "main:/etc/passwd",
        "main:../tools.toml",
        "main:a/../../tools.toml",
        "--output=pwned:tools.toml",
        "--git-dir=.:tools.toml",
        "-:tools.toml",
        "main\n:tools.toml",
        "main^{tree}:tools.toml",
        "conf",
        "gone.toml",
    ],
)
def test_what_names_no_manifest_is_refused(repository: Repository, spec: str) -> None:
    repository.commit(tools_toml=TOOL.format("x"))
    assert refused(spec)
    assert not (repository.root / "pwned").exists()
    assert "fatal" not in refused(spec)


def test_outside_of_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert "no revision" in refused("main:tools.toml")


def test_links_and_submodules_are_not_followed(repository: Repository) -> None:
    (repository.root / "tools.toml").symlink_to("/etc/hostname")
    repository.write("real.toml", 'include = ["link.toml", "folder/in.toml"]\n')
    (repository.root / "link.toml").symlink_to("real.toml")
    repository.write("elsewhere/in.toml", TOOL.format("x"))
    (repository.root / "folder").symlink_to("elsewhere")
    repository.commit()
    assert "symbolic link" in refused("main:tools.toml")
    assert "symbolic link" in refused("main:real.toml")
    assert "a folder" in refused("main:elsewhere")
    commit = repository.git("rev-parse", "HEAD")
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{commit},module")
    repository.git("commit", "-q", "-m", "module")
    assert "a submodule" in refused("main:module")
    assert "there is no module/tools.toml" in refused("main:module/tools.toml")


def test_r2_an_include_outside_of_the_folder_is_a_fault(repository: Repository) -> None:
    repository.commit(secret_toml=TOOL.format("x"), conf__tools_toml='include = ["../secret.toml"]\n')
    with pytest.raises(ManifestError, match="outside"):
        load_old("main:conf/tools.toml")


def test_includes_in_a_circle_end(repository: Repository) -> None:
    repository.commit(tools_toml='include = ["a.toml"]\n', a_toml='include = ["tools.toml"]\n')
    with pytest.raises(ManifestError, match="includes itself"):
        load_old("main:tools.toml")


def test_a_large_file_is_refused(repository: Repository) -> None:
    repository.commit(tools_toml="#" * 4_000_001)
    assert "larger" in refused("main:tools.toml")


def test_r37_nothing_that_the_repository_names_is_run(repository: Repository, tmp_path: Path) -> None:
    """Hooks, pagers, monitors, text conversion, filters, replacement, remotes with a program: none touches the canary."""
    canary = tmp_path / "canary"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {canary}\ncat\n")
    program.chmod(0o755)
    repository.write(".gitattributes", "*.toml diff=evil filter=evil\n")
    commit = repository.commit(tools_toml=TOOL.format("old"), lost_toml=TOOL.format("lost"))
    for key in (
        "core.fsmonitor",
        "core.pager",
        "core.editor",
        "core.sshCommand",
        "core.askPass",
        "diff.evil.textconv",
        "diff.external",
        "filter.evil.smudge",
        "filter.evil.process",
        "gpg.program",
        "alias.rev-parse",
        "alias.cat-file",
    ):
        repository.git("config", key, f"!{program}" if key.startswith("alias") else str(program))
    for setting in (
        ("remote.origin.url", f"ext::{program}"),
        ("remote.origin.promisor", "true"),
        ("extensions.partialClone", "origin"),
        ("protocol.ext.allow", "always"),
        ("core.repositoryFormatVersion", "1"),
    ):
        repository.git("config", *setting)
    for hook in ("post-checkout", "reference-transaction", "pre-commit", "fsmonitor-watchman"):
        file = repository.root / ".git" / "hooks" / hook
        file.parent.mkdir(exist_ok=True)
        file.write_text(program.read_text())
        file.chmod(0o755)
    lost = repository.git("rev-parse", f"{commit}:lost.toml")
    (repository.root / ".git" / "objects" / lost[:2] / lost[2:]).unlink()
    canary.unlink(missing_ok=True)
    assert argv("main:tools.toml") == "old"
    assert "lacks it" in refused("main:lost.toml")
    assert not canary.exists()


def test_a_replacement_object_is_not_read(repository: Repository) -> None:
    repository.commit(tools_toml=TOOL.format("old"))
    old = repository.git("rev-parse", "HEAD:tools.toml")
    other = repository.git("hash-object", "-w", str(repository.write("other", TOOL.format("replaced"))))
    repository.git("replace", old, other)
    assert argv("main:tools.toml") == "old"


def test_a_folder_that_looks_like_a_repository_is_none(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bare repository that was committed as files does not answer for the one it lies in."""
    repository.commit(tools_toml=TOOL.format("old"))
    planted = repository.root / "planted"
    subprocess.run(["git", "clone", "-q", "--bare", ".", str(planted)], check=True, env=_environment())
    monkeypatch.chdir(planted)
    assert refused("main:tools.toml")
