"""Third-party archives: only plain files with relative names come out, and failures say what to do."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path, PurePosixPath

import pytest

from guest.build.cache import Cache
from guest.build.errors import BuildError
from guest.build.progress import Progress
from guest.build.sources import PINS, Pin, fetch, files_of, unpack


def archive(*members: tuple[str, bytes | str]) -> bytes:
    """A .tar.gz; a ``str`` stands for a symlink's target."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for name, content in members:
            member = tarfile.TarInfo(name)
            if isinstance(content, str):
                member.type, member.linkname = tarfile.SYMTYPE, content
                tar.addfile(member)
            else:
                member.size = len(content)
                tar.addfile(member, io.BytesIO(content))
    return out.getvalue()


def test_hostile_members_are_left_out() -> None:
    data = archive(
        ("top/src/a.c", b"a"),
        ("top/../../etc/passwd", b"x"),
        ("/etc/passwd", b"x"),
        ("top/link", "/etc/passwd"),
        ("lonely", b"x"),
    )
    assert dict(files_of(data, lambda _: True)) == {PurePosixPath("src/a.c"): b"a"}


def test_only_wanted_files_are_read() -> None:
    data = archive(("top/src/a.c", b"a"), ("top/src/b.h", b"b"))
    assert dict(files_of(data, lambda name: name.suffix == ".h")) == {PurePosixPath("src/b.h"): b"b"}


def test_unpacked_folders_are_named_by_content(tmp_path: Path) -> None:
    cache = Cache(tmp_path, kept=True)
    one = unpack(cache, "x", [(PurePosixPath("src/a.c"), b"a")])
    assert (one / "src" / "a.c").read_bytes() == b"a"
    assert unpack(cache, "x", [(PurePosixPath("src/a.c"), b"a")]) == one
    assert unpack(cache, "x", [(PurePosixPath("src/a.c"), b"b")]) != one
    assert sorted(path.name for path in one.parent.iterdir() if path.name.startswith("tmp")) == []


def test_no_index_gives_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a user without network sees: pip has nowhere to look."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    with pytest.raises(BuildError, match="could not be fetched"):
        fetch(Cache(tmp_path, kept=True), Progress())


def test_a_wrong_hash_gives_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An index that serves another archive than the pinned one."""
    index = tmp_path / "index"
    index.mkdir()
    pin = Pin("somewhere", "1.0", "0" * 64)
    metadata = b"Metadata-Version: 2.1\nName: somewhere\nVersion: 1.0\n"
    (index / "somewhere-1.0.tar.gz").write_bytes(archive(("somewhere-1.0/PKG-INFO", metadata)))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(index))
    monkeypatch.setitem(PINS, "quickjs", pin)
    monkeypatch.delitem(PINS, "jq")
    with pytest.raises(BuildError, match="hash differs"):
        fetch(Cache(tmp_path, kept=True), Progress())
