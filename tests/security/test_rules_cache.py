"""R32: precompiled code is loaded only from files that nobody else can write, and only the bytes that were verified.

Who owns a file is changed for real where the tests run as root; elsewhere the process claims to be another user.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import grp
import hmac
import os
import pwd
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import wasmtime

from amla_sandbox import _cache as cache
from amla_sandbox._cache import CacheStatus, Outcome, _copy, _load, _sealed, _secret, _trust

STRANGER = 12345
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
on_linux = pytest.mark.skipif(not hasattr(os, "memfd_create"), reason="sealed files in memory are Linux's")

PLAIN = "plain"


@pytest.fixture(scope="module")
def engine() -> wasmtime.Engine:
    return wasmtime.Engine()


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the cache will be: two folders deep, so that there are ancestors to spoil."""
    monkeypatch.setenv("AMLA_CACHE_DIR", str(tmp_path / "home" / "cache"))
    monkeypatch.delenv("AMLA_PRECOMPILED", raising=False)
    return tmp_path / "home" / "cache"


@pytest.fixture
def guest(tmp_path: Path, root: Path) -> Path:
    return write_guest(tmp_path / "guest.wasm", 42)


@pytest.fixture
def entry(engine: wasmtime.Engine, guest: Path) -> Path:
    """The entry of a cache in good order."""
    path = cache.precompile(engine, guest, PLAIN).path
    assert path
    return path


def write_guest(path: Path, answer: int) -> Path:
    path.write_bytes(wasmtime.wat2wasm(f'(module (func (export "answer") (result i32) i32.const {answer}))'))
    return path


def answer(module: wasmtime.Module, engine: wasmtime.Engine) -> Any:
    store = wasmtime.Store(engine)
    function = wasmtime.Instance(store, module, []).exports(store)["answer"]
    assert isinstance(function, wasmtime.Func)
    return function(store)


def load(engine: wasmtime.Engine, guest: Path, precompiled: Path | None = None) -> CacheStatus:
    """Load and run the guest, which must give 42 whatever was planted; the status."""
    module, status = cache.load(engine, guest, PLAIN, precompiled=precompiled)
    assert answer(module, engine) == 42
    return status


def evil_code(engine: wasmtime.Engine, tmp_path: Path) -> bytearray:
    """Code that the engine would run, and that gives 666."""
    return wasmtime.Module(engine, write_guest(tmp_path / "evil.wasm", 666).read_bytes()).serialize()


# Modes


def test_what_is_made_is_for_its_owner_only_whatever_the_umask(engine: wasmtime.Engine, guest: Path) -> None:
    for umask in (0o000, 0o277):
        before = os.umask(umask)
        try:
            folder = cache.load(engine, guest, PLAIN).status.path
        finally:
            os.umask(before)
        assert folder
        assert stat.S_IMODE(folder.parent.stat().st_mode) == 0o700
        files = [path for path in folder.parent.iterdir() if path.name != "lock"]
        assert [stat.S_IMODE(path.stat().st_mode) for path in files] == [0o600, 0o600]
        cache.clear()


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o660, 0o666, 0o644, 0o640])
def test_an_entry_open_to_others_is_not_believed_and_replaced(
    mode: int, entry: Path, engine: wasmtime.Engine, guest: Path
) -> None:
    entry.chmod(mode)
    status = load(engine, guest)
    assert status.outcome is Outcome.STORED
    assert "open to other users" in status.reason
    assert stat.S_IMODE(entry.stat().st_mode) == 0o600
    assert load(engine, guest).outcome is Outcome.USED


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o620, 0o666])
def test_a_key_that_others_could_read_or_write_is_replaced(
    mode: int, entry: Path, engine: wasmtime.Engine, guest: Path
) -> None:
    key = entry.with_name("key")
    before = key.read_bytes()
    key.chmod(mode)
    assert load(engine, guest).outcome is Outcome.STORED
    assert key.read_bytes() != before
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert load(engine, guest).outcome is Outcome.USED


def test_a_sound_key_is_kept(entry: Path, engine: wasmtime.Engine, guest: Path) -> None:
    before = entry.with_name("key").read_bytes()
    cache.precompile(engine, guest, "another")
    assert entry.with_name("key").read_bytes() == before


@pytest.mark.parametrize("above", [0, 1, 2])
@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777])
def test_below_a_folder_that_others_can_write_to_nothing_is_used_or_stored(
    mode: int, above: int, entry: Path, engine: wasmtime.Engine, guest: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    def shared(*_: object) -> bool:
        return False

    monkeypatch.setattr(_trust, "_is_private_group", shared)
    folder = entry.parents[above]
    folder.chmod(mode)
    for _ in range(2):
        status = load(engine, guest)
        assert status.outcome is Outcome.BYPASSED
        assert f"other users can write to {folder}" in status.reason
    with pytest.raises(cache.CacheError, match="other users can write"):
        cache.clear()
    assert entry.exists()


def test_a_sticky_folder_above_is_trusted_since_nobody_can_swap_what_is_ours(
    entry: Path, engine: wasmtime.Engine, guest: Path
) -> None:
    entry.parents[2].chmod(0o1777)
    assert load(engine, guest).outcome is Outcome.USED


def test_the_cache_folder_itself_must_not_even_be_sticky(entry: Path, engine: wasmtime.Engine, guest: Path) -> None:
    entry.parent.chmod(0o1777)
    assert load(engine, guest).outcome is Outcome.BYPASSED


def test_a_cache_folder_that_others_could_read_is_closed(entry: Path, engine: wasmtime.Engine, guest: Path) -> None:
    entry.parent.chmod(0o755)
    cache.precompile(engine, guest, "another")
    assert stat.S_IMODE(entry.parent.stat().st_mode) == 0o700


# A folder of mode 0775 whose group is the user's own


@pytest.mark.parametrize(
    ("name", "members", "access_list", "trusted"),
    [
        ("me", [], False, True),
        ("me", ["me"], False, True),
        ("me", ["me", "somebody"], False, False),
        ("staff", [], False, False),
        ("me", [], True, False),
    ],
)
def test_a_group_that_is_this_user_alone_is_nobody_else(
    name: str,
    members: list[str],
    access_list: bool,
    trusted: bool,
    entry: Path,
    engine: wasmtime.Engine,
    guest: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    home = entry.parents[2]
    home.chmod(0o775)
    gid = home.stat().st_gid
    me = pwd.struct_passwd(("me", "x", os.geteuid(), gid, "", str(home), "/bin/sh"))
    group = grp.struct_group((name, "x", gid, members))
    monkeypatch.setattr(pwd, "getpwuid", {os.geteuid(): me}.__getitem__)
    monkeypatch.setattr(grp, "getgrgid", {gid: group}.__getitem__)

    def has_access_list(_: Path) -> bool:
        return access_list

    monkeypatch.setattr(_trust, "_has_access_list", has_access_list)
    assert (load(engine, guest).outcome is Outcome.USED) is trusted


# Owners


@as_root
@pytest.mark.parametrize("name", ["entry", "key"])
def test_a_strangers_file_is_neither_believed_nor_replaced(
    name: str, entry: Path, engine: wasmtime.Engine, guest: Path
) -> None:
    path = entry if name == "entry" else entry.with_name("key")
    before = path.read_bytes()
    os.chown(path, STRANGER, STRANGER)
    status = load(engine, guest)
    assert status.outcome is Outcome.BYPASSED
    assert f"{path} belongs to another user" in status.reason
    assert path.read_bytes() == before


@as_root
@pytest.mark.parametrize("above", [0, 1, 2])
def test_a_strangers_folder_is_refused(above: int, entry: Path, engine: wasmtime.Engine, guest: Path) -> None:
    folder = entry.parents[above]
    os.chown(folder, STRANGER, STRANGER)
    status = load(engine, guest)
    assert status.outcome is Outcome.BYPASSED
    assert f"{folder} belongs to another user (uid {STRANGER}" in status.reason


def test_to_another_user_nothing_of_it_can_be_trusted(
    entry: Path, engine: wasmtime.Engine, guest: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: STRANGER)
    status = load(engine, guest)
    assert status.outcome is Outcome.BYPASSED
    assert "belongs to another user" in status.reason


# Links and other kinds of file


def test_a_symbolic_link_in_the_entrys_place_is_not_followed(
    entry: Path, engine: wasmtime.Engine, guest: Path, tmp_path: Path
) -> None:
    target = entry.rename(tmp_path / "target")
    entry.symlink_to(target)
    before = target.read_bytes()
    status = load(engine, guest)
    assert status.outcome is Outcome.STORED
    assert "symbolic link" in status.reason
    assert not entry.is_symlink()
    assert target.read_bytes() == before


def test_a_symbolic_link_in_the_keys_place_is_not_followed(
    entry: Path, engine: wasmtime.Engine, guest: Path, tmp_path: Path
) -> None:
    key = entry.with_name("key")
    key.symlink_to(key.rename(tmp_path / "target"))
    assert load(engine, guest).outcome is Outcome.STORED
    assert not key.is_symlink()


def test_a_symbolic_link_in_the_folders_place_is_refused(
    entry: Path, engine: wasmtime.Engine, guest: Path, tmp_path: Path
) -> None:
    folder = entry.parent
    folder.symlink_to(folder.rename(tmp_path / "target"))
    status = load(engine, guest)
    assert status.outcome is Outcome.BYPASSED
    assert "is a link" in status.reason


@pytest.mark.parametrize("absolute", [True, False])
def test_a_link_of_ours_further_up_is_followed_and_its_target_looked_at(
    absolute: bool, entry: Path, engine: wasmtime.Engine, guest: Path, root: Path, tmp_path: Path
) -> None:
    elsewhere = root.rename(tmp_path / "elsewhere")
    root.symlink_to(elsewhere if absolute else Path("..", "elsewhere"))
    used = load(engine, guest)
    assert used == CacheStatus(Outcome.USED, elsewhere / "precompiled" / entry.name)
    elsewhere.chmod(0o777)
    assert load(engine, guest).outcome is Outcome.BYPASSED


@as_root
def test_a_strangers_link_further_up_is_not_followed(
    entry: Path, engine: wasmtime.Engine, guest: Path, root: Path, tmp_path: Path
) -> None:
    root.symlink_to(root.rename(tmp_path / "elsewhere"))
    os.chown(root, STRANGER, STRANGER, follow_symlinks=False)
    assert f"{root} belongs to another user" in load(engine, guest).reason


def test_a_circle_of_links_ends(engine: wasmtime.Engine, guest: Path, root: Path) -> None:
    root.parent.mkdir()
    root.symlink_to(root.with_name("other"))
    root.with_name("other").symlink_to(root)
    assert "too many symbolic links" in load(engine, guest).reason


def test_an_entry_with_a_second_name_is_not_believed(
    entry: Path, engine: wasmtime.Engine, guest: Path, tmp_path: Path
) -> None:
    (tmp_path / "second").hardlink_to(entry)
    status = load(engine, guest)
    assert status.outcome is Outcome.STORED
    assert "2 hard links" in status.reason


def test_a_named_pipe_in_the_entrys_place_is_not_waited_for(entry: Path, engine: wasmtime.Engine, guest: Path) -> None:
    entry.unlink()
    os.mkfifo(entry, 0o600)
    status = load(engine, guest)
    assert status.outcome is Outcome.STORED
    assert "not a regular file" in status.reason


def test_a_folder_in_the_entrys_place_is_left_alone(entry: Path, engine: wasmtime.Engine, guest: Path) -> None:
    entry.unlink()
    (entry / "inside").mkdir(parents=True)
    assert load(engine, guest).outcome is Outcome.BYPASSED
    assert (entry / "inside").is_dir()


# The seal


def plant(entry: Path, secret: bytes, code: bytearray, fingerprint: bytes | None = None) -> None:
    fingerprint = fingerprint or entry.read_bytes()[16:48]
    entry.write_bytes(b"".join(_sealed.sealed(fingerprint, secret, code)))


@pytest.mark.parametrize("secret", [b"", b"\0" * 32, _sealed.EXPORT_SECRET, os.urandom(32)])
def test_an_entry_sealed_with_another_secret_is_not_run(
    secret: bytes, entry: Path, engine: wasmtime.Engine, guest: Path, tmp_path: Path
) -> None:
    plant(entry, secret, evil_code(engine, tmp_path))
    status = load(engine, guest)
    assert status.outcome is Outcome.STORED
    assert "was not written by this user" in status.reason


def test_with_the_right_secret_it_would_have_run(
    entry: Path, engine: wasmtime.Engine, guest: Path, tmp_path: Path
) -> None:
    """So it is the seal that the tests here see at work, and nothing else."""
    plant(entry, _secret.read_secret(entry.parent), evil_code(engine, tmp_path))
    assert answer(cache.load(engine, guest, PLAIN).module, engine) == 666


def test_an_entry_under_another_ones_name_is_not_run(
    entry: Path, engine: wasmtime.Engine, guest: Path, tmp_path: Path
) -> None:
    evil = cache.precompile(engine, write_guest(tmp_path / "evil.wasm", 666), PLAIN).path
    assert evil
    evil.replace(entry)
    status = load(engine, guest)
    assert status.outcome is Outcome.STORED
    assert "compiled from another guest" in status.reason


@pytest.mark.parametrize("kind", [pytest.param("memory file", marks=on_linux), "heap"])
def test_what_is_loaded_is_what_was_verified_whatever_becomes_of_the_file(
    kind: str, entry: Path, engine: wasmtime.Engine, guest: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is overwritten in place and replaced right after its seal was found to be good."""
    evil = tmp_path / "evil"
    evil.write_bytes(entry.read_bytes())
    plant(evil, _secret.read_secret(entry.parent), evil_code(engine, tmp_path))
    compare = hmac.compare_digest
    swapped: list[bool] = []

    def compare_and_swap(one: bytes, other: bytes) -> bool:
        good = compare(one, other)
        entry.write_bytes(evil.read_bytes())
        evil.replace(entry)
        swapped.append(good)
        return good

    if kind == "heap":
        monkeypatch.setattr(_sealed, "private_copy", _copy.HeapCopy)
    monkeypatch.setattr(hmac, "compare_digest", compare_and_swap)
    assert load(engine, guest).outcome is Outcome.USED
    assert swapped == [True]


@on_linux
def test_the_copy_in_memory_cannot_be_changed(entry: Path) -> None:
    from amla_sandbox._cache._extents import Extents
    from amla_sandbox._cache._memory_file import MemoryFile

    with entry.open("rb") as file:
        copy = MemoryFile(file.fileno(), 80, Extents(100, ((0, 100),)))
    changes: list[Callable[[int], object]] = [
        lambda sealed: os.pwrite(sealed, b"x", 0),
        lambda sealed: os.ftruncate(sealed, 0),
        lambda sealed: os.ftruncate(sealed, 1 << 20),
    ]
    for change in changes:
        with pytest.raises(PermissionError):
            change(copy._file)
    copy.close()


# No way around it


def test_nothing_falls_back_to_a_shared_temporary_folder(
    engine: wasmtime.Engine, guest: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.setenv(name, str(shared))
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setenv("AMLA_CACHE_DIR", "/dev/null/amla")
    assert load(engine, guest).outcome is Outcome.BYPASSED
    assert list(shared.iterdir()) == []


# Exported files


@pytest.fixture
def exported(engine: wasmtime.Engine, guest: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "image"
    folder.mkdir(mode=0o755)
    cache.export(engine, guest, PLAIN, folder / "guest.compiled")
    return folder / "guest.compiled"


def test_an_exported_file_may_be_read_by_all_and_written_by_its_owner(
    exported: Path, engine: wasmtime.Engine, guest: Path
) -> None:
    assert stat.S_IMODE(exported.stat().st_mode) == 0o644
    assert load(engine, guest, exported) == CacheStatus(Outcome.USED, exported)


@pytest.mark.parametrize("mode", [0o664, 0o646])
def test_an_exported_file_that_others_can_write_is_passed_over(
    mode: int, exported: Path, engine: wasmtime.Engine, guest: Path
) -> None:
    exported.chmod(mode)
    status = load(engine, guest, exported)
    assert status.path != exported
    assert "open to other users" in status.reason


def test_an_exported_file_in_a_folder_that_others_can_write_to_is_passed_over(
    exported: Path, engine: wasmtime.Engine, guest: Path
) -> None:
    exported.parent.chmod(0o757)
    status = load(engine, guest, exported)
    assert status.path != exported
    assert "other users can write to" in status.reason


def test_a_link_to_an_exported_file_is_passed_over(
    exported: Path, engine: wasmtime.Engine, guest: Path, tmp_path: Path
) -> None:
    (tmp_path / "link").symlink_to(exported)
    assert "symbolic link" in load(engine, guest, tmp_path / "link").reason


@as_root
def test_a_strangers_exported_file_is_passed_over(exported: Path, engine: wasmtime.Engine, guest: Path) -> None:
    os.chown(exported, STRANGER, STRANGER)
    assert "belongs to another user" in load(engine, guest, exported).reason


@as_root
def test_roots_exported_file_is_used_by_others(
    exported: Path, engine: wasmtime.Engine, guest: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: STRANGER)
    assert load(engine, guest, exported) == CacheStatus(Outcome.USED, exported)


def test_the_warning_does_not_hide_what_to_do(
    entry: Path, engine: wasmtime.Engine, guest: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_load, "_warned", set[str]())
    entry.parent.chmod(0o777)
    with pytest.warns(cache.CacheWarning, match=f"chmod go-w {entry.parent}"):
        cache.load_module(engine, guest, PLAIN)
