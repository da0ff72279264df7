"""The build cache: keys follow the inputs, and only whole, unspoilt guests of our own are taken from it."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path

import pytest

from guest.build.cache import Cache, find_guest, is_guest, open_cache
from guest.build.tree import SourceTree

KEY = "0" * 64
posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")


def write_tree(root: Path) -> SourceTree:
    for name in ["build.py", "c/engine.c", "ts/system.ts", "ts/package-lock.json", "build/compile.py"]:
        path = root / "runtime" / "guest" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return SourceTree(root / "runtime" / "guest")


def write_guest(folder: Path, key: str = KEY) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "amla.wasm").write_bytes(b"module")
    provenance = {"inputs": key, "guest": {"sha256": hashlib.sha256(b"module").hexdigest()}}
    (folder / "provenance.json").write_text(json.dumps(provenance))
    return folder


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AMLA_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache" / "build"


@pytest.mark.parametrize("name", ["build.py", "c/engine.c", "ts/system.ts", "ts/package-lock.json", "build/compile.py"])
def test_the_key_follows_every_input(tmp_path: Path, name: str) -> None:
    tree = write_tree(tmp_path)
    before = tree.key()
    (tree.guest / name).write_text("changed")
    assert tree.key() != before


def test_the_key_follows_names(tmp_path: Path) -> None:
    tree = write_tree(tmp_path)
    before = tree.key()
    (tree.c / "engine.c").rename(tree.c / "motor.c")
    assert tree.key() != before


def test_the_key_ignores_the_place_and_what_the_build_makes(tmp_path: Path) -> None:
    tree, other = write_tree(tmp_path / "one"), write_tree(tmp_path / "two")
    for name in ["ts/node_modules/x/index.js", "ts/intl/generated/zones.ts", "build/__pycache__/compile.pyc"]:
        path = other.guest / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("made")
    assert tree.key() == other.key()


def test_a_stored_guest_is_found_again(home: Path, tmp_path: Path) -> None:
    with open_cache() as cache:
        cache.store_guest(KEY, write_guest(tmp_path / "built"))
    found = find_guest(KEY)
    assert found == home / "guests" / KEY
    assert find_guest("1" * 64) is None


def test_a_spoilt_guest_is_not_taken(home: Path) -> None:
    with open_cache():
        guest = write_guest(home / "guests" / KEY)
    (guest / "amla.wasm").write_bytes(b"other")
    assert find_guest(KEY) is None


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"inputs": 1, "guest": null}'])
def test_a_broken_provenance_makes_no_guest(tmp_path: Path, text: str) -> None:
    guest = write_guest(tmp_path)
    (guest / "provenance.json").write_text(text)
    assert not is_guest(guest, KEY)


def test_a_guest_of_other_inputs_is_not_up_to_date(tmp_path: Path) -> None:
    assert is_guest(write_guest(tmp_path), KEY)
    assert not is_guest(tmp_path, "1" * 64)


@posix
@pytest.mark.parametrize("mode", [0o777, 0o775, 0o722])
def test_a_folder_that_others_can_write_is_not_used(home: Path, mode: int) -> None:
    home.mkdir(parents=True)
    home.chmod(mode)
    with open_cache() as cache:
        assert not cache.kept
        assert cache.root != home
    assert find_guest(KEY) is None


@posix
def test_a_symlink_is_not_followed(home: Path, tmp_path: Path) -> None:
    home.parent.mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    home.symlink_to(tmp_path / "elsewhere")
    with open_cache() as cache:
        assert not cache.kept


def test_without_a_usable_home_a_temporary_folder_serves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("AMLA_CACHE_DIR", str(tmp_path / "file"))
    with open_cache() as cache:
        root = cache.root
        assert cache.folder("objects").is_dir()
    assert not root.exists()


def test_what_was_not_used_for_a_month_is_dropped(tmp_path: Path) -> None:
    cache = Cache(tmp_path, kept=True)
    old, new = write_guest(cache.folder("guests") / "old"), write_guest(cache.folder("guests") / "new")
    (cache.folder("objects") / "old.o").write_bytes(b"")
    for path in [old, tmp_path / "objects" / "old.o"]:
        os.utime(path, (1, 1))
    cache.prune()
    assert not old.exists()
    assert new.exists()
    assert not (tmp_path / "objects" / "old.o").exists()
