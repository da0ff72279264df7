"""Trees of files from the host and to it: what is read, written and carried back (rules: test_rules_files)."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from amla_sandbox import Sandbox
from amla_sandbox._errors import CopyBackError, SandboxFileError
from amla_sandbox._host_tree import apply, copy_back, plan_copy_back, read_host_tree, write_host_tree
from amla_sandbox._tree import TreeEntry


def folder(path: str = "", mode: int = 0o755) -> TreeEntry:
    return TreeEntry(path, "directory", mode)


def file(path: str, data: bytes = b"", mode: int = 0o644) -> TreeEntry:
    return TreeEntry(path, "file", mode, data=data)


def contents(top: Path) -> dict[str, bytes | None]:
    """Every path below `top`, with a file's bytes; so leftovers of any kind show."""
    return {str(path.relative_to(top)): path.read_bytes() if path.is_file() else None for path in top.rglob("*")}


@pytest.fixture
def umask() -> Iterator[None]:
    before = os.umask(0o027)
    yield
    os.umask(before)


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """A folder with something of everything that can be copied."""
    top = tmp_path / "top"
    (top / "sub" / "deep").mkdir(parents=True)
    (top / "a.txt").write_bytes(b"a\0\xff")
    (top / "run.sh").write_bytes(b"#!/bin/sh\n")
    (top / "run.sh").chmod(0o4755)
    (top / "sub" / "b.txt").write_bytes(b"b")
    (top / "sub" / "up").symlink_to("../a.txt")
    os.utime(top / "a.txt", ns=(0, 1_234_567_890_123_000_000))
    return top


class TestRead:
    def test_files_folders_and_links_inside(self, top: Path):
        tree = read_host_tree(top)
        entries = {entry.path: entry for entry in tree.entries}
        assert list(entries) == ["", "a.txt", "run.sh", "sub", "sub/b.txt", "sub/deep", "sub/up"]
        assert entries["a.txt"].data == b"a\0\xff"
        assert entries["a.txt"].mtime == 1_234_567_890_123
        assert entries["sub/up"].target == "../a.txt"
        assert not tree.skipped

    def test_modes_are_kept_without_set_user_id(self, top: Path):
        entries = {entry.path: entry for entry in read_host_tree(top).entries}
        assert entries["run.sh"].mode == 0o755

    def test_one_file(self, top: Path):
        (entry,) = read_host_tree(top / "a.txt").entries
        assert (entry.path, entry.data) == ("", b"a\0\xff")

    def test_the_top_may_be_a_link_of_the_owner(self, top: Path, tmp_path: Path):
        (tmp_path / "link").symlink_to(top)
        tree = read_host_tree(tmp_path / "link")
        assert tree.root == str(top)
        assert len(tree.entries) == 7

    def test_nothing_there(self, tmp_path: Path):
        with pytest.raises(FileNotFoundError):
            read_host_tree(tmp_path / "missing")

    def test_too_many_bytes_stop_before_the_file_is_read(self, top: Path):
        with (top / "big").open("wb") as big:
            big.truncate(1 << 40)
        with pytest.raises(SandboxFileError, match="limit: files") as raised:
            read_host_tree(top, max_bytes=1 << 20)
        assert raised.value.code == "ENOSPC"
        assert raised.value.filename == str(top / "big")

    @pytest.mark.parametrize("limit", [13, 14])
    def test_exactly_as_many_bytes_as_there_is_room_for(self, top: Path, limit: int):
        size = sum(len(entry.data) for entry in read_host_tree(top).entries)
        assert size == 14
        if limit >= size:
            read_host_tree(top, max_bytes=limit)
        else:
            with pytest.raises(SandboxFileError):
                read_host_tree(top, max_bytes=limit)

    @pytest.mark.parametrize("limit", [6, 7])
    def test_exactly_as_many_files_as_there_is_room_for(self, top: Path, limit: int):
        if limit == 7:
            assert len(read_host_tree(top, max_files=7).entries) == 7
        else:
            with pytest.raises(SandboxFileError, match="limit: file_count"):
                read_host_tree(top, max_files=limit)

    def test_names_that_are_not_utf8_are_bytes(self, top: Path, tmp_path: Path):
        """Files and targets of links, there and back; latin-1's é beside UTF-8's."""
        latin = os.fsdecode(b"caf\xe9")
        (top / latin).write_bytes(b"latin")
        (top / "café").write_bytes(b"utf-8")
        (top / "to-latin").symlink_to(latin)
        with Sandbox() as sandbox:
            assert sandbox.fs.mount(top, "/workspace/in") == []
            result = sandbox.run("cd in; cat café caf? to-latin; printf +1 >> $'caf\\351'; touch $'\\376'", "shell")
            assert (result.stdout, result.stderr) == ("utf-8utf-8latinlatin", ""), result
            sandbox.fs.sync_back()
            sandbox.fs.export("/workspace/in", tmp_path / "out")
        for folder in (top, tmp_path / "out"):
            assert (folder / latin).read_bytes() == b"latin+1"
            assert (folder / "café").read_bytes() == b"utf-8"
            assert (folder / os.fsdecode(b"\xfe")).exists()

    def test_control_characters_in_names_are_told_escaped(self, top: Path):
        os.mkfifo(top / "\x1b[2J")
        assert read_host_tree(top).skipped == ["\\x1b[2J: a pipe is not copied"]

    def test_what_cannot_be_read_is_left_out_and_told(self, top: Path, monkeypatch: pytest.MonkeyPatch):
        """Permissions do not bind the superuser, so the call itself fails."""
        opening = os.open

        def refuse(path: str, *args: int, **more: int) -> int:
            if path == "a.txt":
                raise PermissionError(13, "Permission denied", path)
            return opening(path, *args, **more)

        monkeypatch.setattr(os, "open", refuse)
        tree = read_host_tree(top)
        assert tree.skipped == ["a.txt: Permission denied"]
        assert "a.txt" not in {entry.path for entry in tree.entries}

    def test_more_folders_than_descriptors(self, tmp_path: Path):
        deep = tmp_path / "top" / Path(*["d"] * 150)
        deep.mkdir(parents=True)
        tree = read_host_tree(tmp_path / "top")
        assert len(tree.entries) == 102
        assert "folders deep" in tree.skipped[0]

    def test_a_file_that_grows_while_it_is_read(self, top: Path, monkeypatch: pytest.MonkeyPatch):
        real = os.fstat

        def short(fd: int) -> os.stat_result:
            status = real(fd)
            if not stat.S_ISREG(status.st_mode):
                return status
            return os.stat_result((*status[:6], 0, *status[7:]), {"st_mtime_ns": status.st_mtime_ns})

        monkeypatch.setattr(os, "fstat", short)
        (entry,) = read_host_tree(top / "a.txt", max_bytes=3).entries
        assert entry.data == b"a\0\xff"
        with pytest.raises(SandboxFileError):
            read_host_tree(top / "a.txt", max_bytes=2)


class TestWrite:
    def test_a_folder(self, tmp_path: Path):
        tree = [folder(), file("a", b"1"), folder("sub"), file("sub/b", b"\0" * 70_000)]
        assert write_host_tree(tmp_path / "out", tree) == []
        assert contents(tmp_path) == {"out": None, "out/a": b"1", "out/sub": None, "out/sub/b": b"\0" * 70_000}

    def test_a_file(self, tmp_path: Path):
        write_host_tree(tmp_path / "out", [file("", b"x")])
        assert contents(tmp_path) == {"out": b"x"}

    def test_relative_to_the_current_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
        (tmp_path / "in").mkdir()
        monkeypatch.chdir(tmp_path / "in")
        write_host_tree("../out", [file("", b"x")])
        assert (tmp_path / "out").read_bytes() == b"x"

    def test_what_was_read_comes_out_the_same(self, top: Path, tmp_path: Path):
        before = read_host_tree(top).entries
        left_out = write_host_tree(tmp_path / "copy", before)
        assert left_out == ["sub/up: links are not made on the host"]
        after = read_host_tree(tmp_path / "copy").entries
        plain = [(e.path, e.type, e.data, e.mode) for e in before if e.type != "symlink"]
        assert [(e.path, e.type, e.data, e.mode) for e in after] == plain

    @pytest.mark.usefixtures("umask")
    @pytest.mark.parametrize("mode", [0o777, 0o644, 0o000, 0o555, 0o4777, 0o7777])
    def test_modes_are_masked(self, tmp_path: Path, mode: int):
        write_host_tree(tmp_path / "f", [file("", b"x", mode)])
        write_host_tree(tmp_path / "d", [folder("", mode), folder("in", mode), file("in/f", b"x", mode)])
        for path in ("f", "d", "d/in", "d/in/f"):
            assert stat.S_IMODE((tmp_path / path).stat().st_mode) == mode & 0o777 & ~0o027

    def test_an_empty_folder_may_be_filled(self, tmp_path: Path):
        (tmp_path / "out").mkdir()
        write_host_tree(tmp_path / "out", [folder(), file("a")])
        assert contents(tmp_path) == {"out": None, "out/a": b""}

    def test_a_file_or_a_full_folder_stays(self, top: Path):
        before = contents(top)
        for path, tree in ((top, [folder(), file("new")]), (top / "a.txt", [file("")])):
            with pytest.raises(FileExistsError):
                write_host_tree(path, tree)
        assert contents(top) == before

    def test_overwrite_replaces(self, top: Path):
        write_host_tree(top / "a.txt", [file("", b"new")], overwrite=True)
        write_host_tree(top / "sub", [folder(), file("only", b"1")], overwrite=True)
        assert contents(top) == {"a.txt": b"new", "run.sh": b"#!/bin/sh\n", "sub": None, "sub/only": b"1"}

    def test_overwrite_does_not_change_the_kind(self, top: Path):
        before = contents(top)
        with pytest.raises(IsADirectoryError):
            write_host_tree(top / "sub", [file("")], overwrite=True)
        with pytest.raises(FileExistsError):
            write_host_tree(top / "a.txt", [folder()], overwrite=True)
        assert contents(top) == before

    def test_the_parent_must_be_there(self, tmp_path: Path):
        with pytest.raises(FileNotFoundError) as raised:
            write_host_tree(tmp_path / "no" / "out", [file("")])
        assert raised.value.filename == str(tmp_path / "no")

    @pytest.mark.parametrize(
        "tree",
        [
            [],
            [file("a")],
            [folder(), file("")],
            [folder(), file("../x")],
            [folder(), file("/x")],
            [folder(), file("a/./b")],
            [folder(), file("a\0b")],
            [folder(), file("missing/b")],
            [folder(), file("a"), file("a")],
            [folder(), file("a"), file("a/b")],
            [TreeEntry("", "symlink", target="/etc/passwd")],
        ],
    )
    def test_a_bad_tree_writes_nothing(self, tmp_path: Path, tree: list[TreeEntry]):
        with pytest.raises((ValueError, OSError)):
            write_host_tree(tmp_path / "out", tree)
        assert contents(tmp_path) == {}

    def test_a_failure_in_the_last_step_leaves_what_was_there(self, top: Path, monkeypatch: pytest.MonkeyPatch):
        before = contents(top)
        rename = os.rename

        def refuse(source: str, target: str, **folders: int) -> None:
            if source == "new":
                raise OSError(5, "Input/output error")
            rename(source, target, **folders)

        monkeypatch.setattr(os, "rename", refuse)
        with pytest.raises(OSError, match="Input/output"):
            write_host_tree(top / "sub", [folder(), file("only")], overwrite=True)
        with pytest.raises(OSError, match="Input/output"):
            write_host_tree(top / "new file", [file("")])
        assert contents(top) == before


class TestCopyBack:
    @staticmethod
    def changed(top: Path, **changes: bytes | None) -> list[TreeEntry]:
        """The tree at `top` as a script left it: names (with `__` for `/`) and new bytes, None for what it removed."""
        named = {name.replace("__", "/"): data for name, data in changes.items()}
        tree = [entry for entry in read_host_tree(top).entries if entry.path not in named]
        return tree + [file(path, data) for path, data in named.items() if data is not None]

    def test_nothing_changed_writes_nothing(self, top: Path):
        tree = read_host_tree(top)
        inode = (top / "a.txt").stat().st_ino
        assert copy_back(tree.root, tree.snapshot(), tree.entries, delete=True) == []
        assert (top / "a.txt").stat().st_ino == inode

    def test_changed_and_new_files(self, top: Path):
        before = read_host_tree(top).snapshot()
        after = [*self.changed(top, sub__b_txt=None), folder("new"), file("new/n", b"n"), file("sub/b.txt", b"B")]
        after = [entry for index, entry in enumerate(after) if entry.path not in {e.path for e in after[index + 1 :]}]
        assert copy_back(str(top), before, after) == []
        assert (top / "sub/b.txt").read_bytes() == b"B"
        assert (top / "new/n").read_bytes() == b"n"
        assert not list(top.glob(".amla*"))

    def test_a_changed_file_keeps_its_mode(self, top: Path):
        (top / "a.txt").chmod(0o666)
        before = read_host_tree(top).snapshot()
        after = [e for e in read_host_tree(top).entries if e.path != "a.txt"] + [file("a.txt", b"new", 0o666)]
        copy_back(str(top), before, after)
        assert stat.S_IMODE((top / "a.txt").stat().st_mode) == 0o666

    def test_set_user_id_is_lost_with_the_old_content(self, top: Path):
        before = read_host_tree(top).snapshot()
        after = [e for e in read_host_tree(top).entries if e.path != "run.sh"] + [file("run.sh", b"evil", 0o4755)]
        copy_back(str(top), before, after)
        assert stat.S_IMODE((top / "run.sh").stat().st_mode) == 0o755

    def test_what_a_script_deleted_stays_and_is_told(self, top: Path):
        before = read_host_tree(top).snapshot()
        after = [entry for entry in read_host_tree(top).entries if entry.path != "a.txt"]
        assert copy_back(str(top), before, after) == ["a.txt: deleted in the sandbox, kept on the host"]
        assert (top / "a.txt").exists()

    def test_deletion_where_it_is_allowed(self, top: Path):
        before = read_host_tree(top).snapshot()
        after = [entry for entry in read_host_tree(top).entries if not entry.path.startswith("sub")]
        assert copy_back(str(top), before, after, delete=True) == []
        assert sorted(contents(top)) == ["a.txt", "run.sh"]

    def test_a_file_becomes_a_folder_only_where_deletion_is_allowed(self, top: Path):
        before = read_host_tree(top).snapshot()
        after = [e for e in read_host_tree(top).entries if e.path != "a.txt"] + [
            folder("a.txt"),
            file("a.txt/in", b"1"),
        ]
        with pytest.raises(CopyBackError, match=r"a\.txt: was a file"):
            copy_back(str(top), before, after)
        copy_back(str(top), before, after, delete=True)
        assert (top / "a.txt" / "in").read_bytes() == b"1"

    def test_a_folder_that_holds_more_than_was_copied_is_not_deleted(self, top: Path):
        os.mkfifo(top / "sub" / "pipe")
        before = read_host_tree(top).snapshot()
        kept = contents(top).keys()
        after = [entry for entry in read_host_tree(top).entries if not entry.path.startswith("sub")]
        with pytest.raises(CopyBackError, match="was not copied in"):
            copy_back(str(top), before, after, delete=True)
        assert contents(top).keys() == kept

    def test_one_file_that_was_mounted(self, top: Path):
        tree = read_host_tree(top / "a.txt")
        plan = plan_copy_back(tree.root, tree.snapshot(), [file("", b"new")])
        again = plan_copy_back(tree.root, apply(plan), [file("", b"newer")])
        apply(again)
        assert (top / "a.txt").read_bytes() == b"newer"

    def test_the_snapshot_afterwards_serves_the_next_time(self, top: Path):
        snapshot = read_host_tree(top).snapshot()
        for text in (b"1", b"2"):
            after = self.changed(top, fresh=text)
            snapshot = apply(plan_copy_back(str(top), snapshot, after))
        assert (top / "fresh").read_bytes() == b"2"

    @pytest.mark.parametrize("failing", range(1, 8))
    def test_a_failure_anywhere_takes_all_back(self, top: Path, monkeypatch: pytest.MonkeyPatch, failing: int):
        """The n-th change in the host's folder fails: the stage, a deletion, a folder, three files."""
        before, kept = read_host_tree(top).snapshot(), contents(top)
        gone = ("sub/b.txt", "a.txt")
        after = [e for e in read_host_tree(top).entries if e.path not in gone]
        after += [file("a.txt", b"changed"), folder("n"), file("n/1", b"1"), file("n/2", b"2")]
        count = 0

        def failing_call(name: str):
            real = getattr(os, name)

            def call(*args: object, **more: object) -> object:
                nonlocal count
                count += 1
                if count == failing:
                    raise OSError(28, "No space left on device")
                return real(*args, **more)

            return call

        plan = plan_copy_back(str(top), before, after, delete=True)
        for name in ("rename", "mkdir"):
            monkeypatch.setattr(os, name, failing_call(name))
        with pytest.raises(CopyBackError, match="No space"):
            apply(plan)
        assert contents(top) == kept

    def test_without_hard_links_the_old_file_is_moved(self, top: Path, monkeypatch: pytest.MonkeyPatch):
        def refuse(*_: object, **__: object) -> None:
            raise PermissionError(1, "Operation not permitted")

        monkeypatch.setattr(os, "link", refuse)
        before = read_host_tree(top).snapshot()
        after = [e for e in read_host_tree(top).entries if e.path != "a.txt"] + [file("a.txt", b"new")]
        copy_back(str(top), before, after)
        assert (top / "a.txt").read_bytes() == b"new"
        assert sorted(contents(top)) == ["a.txt", "run.sh", "sub", "sub/b.txt", "sub/deep", "sub/up"]


names = st.text("ab.é", min_size=1, max_size=2).filter(lambda name: name not in (".", ".."))
trees = st.recursive(
    st.binary(max_size=3), lambda inner: st.dictionaries(names, inner, max_size=4), max_leaves=8
).filter(lambda tree: isinstance(tree, dict))


def entries_of(tree: object, path: str = "") -> Iterator[TreeEntry]:
    if isinstance(tree, bytes):
        yield file(path, tree)
        return
    assert isinstance(tree, dict)
    yield folder(path)
    for name, inner in sorted(tree.items()):
        yield from entries_of(inner, f"{path}/{name}" if path else name)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(first=trees, second=trees)
def test_any_tree_becomes_any_other(tmp_path_factory: pytest.TempPathFactory, first: object, second: object):
    """Write one tree, copy another back over it with deletion: the host has the other."""
    out = tmp_path_factory.mktemp("any") / "out"
    write_host_tree(out, entries_of(first))
    read = read_host_tree(out)
    copy_back(read.root, read.snapshot(), list(entries_of(second)), delete=True)
    found = {entry.path: (entry.type, entry.data) for entry in read_host_tree(out).entries}
    assert found == {entry.path: (entry.type, entry.data) for entry in entries_of(second)}
