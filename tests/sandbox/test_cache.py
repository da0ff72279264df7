"""The cache of the compiled guest: used, stored, checked, pruned, cleared, exported; and whatever a home can be like.

What R32 asks of it is in ``tests/security/test_rules_cache.py``.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import wasmtime

from amla_sandbox import _cache as cache
from amla_sandbox._cache import CacheStatus, Outcome, _copy, _identity, _load, _lock, _store
from amla_sandbox._cache._extents import GRAIN, MOST_PARTS, Extents, extents_of, read_extents

COMPILING = _load.COMPILING


def write_guest(path: Path, answer: int = 42) -> Path:
    code = f'(module (memory 1) (func (export "answer") (result i32) i32.const {answer}))'
    path.write_bytes(wasmtime.wat2wasm(code))
    return path


def answer(module: wasmtime.Module, engine: wasmtime.Engine) -> Any:
    store = wasmtime.Store(engine)
    function = wasmtime.Instance(store, module, []).exports(store)["answer"]
    assert isinstance(function, wasmtime.Func)
    return function(store)


@pytest.fixture(scope="module")
def engine() -> wasmtime.Engine:
    return wasmtime.Engine()


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AMLA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("AMLA_PRECOMPILED", raising=False)
    monkeypatch.setattr(_load, "_warned", set[str]())
    return tmp_path / "cache"


@pytest.fixture
def guest(tmp_path: Path, root: Path) -> Path:
    return write_guest(tmp_path / "guest.wasm")


def entries(root: Path) -> list[Path]:
    return sorted((root / "precompiled").glob("*.compiled"))


def status(engine: wasmtime.Engine, guest: Path, configuration: str = "plain") -> CacheStatus:
    return cache.load(engine, guest, configuration).status


# Use


def test_first_start_compiles_and_stores_the_next_one_uses(engine: wasmtime.Engine, guest: Path, root: Path) -> None:
    told: list[str] = []
    first = cache.load(engine, guest, "plain", progress=told.append)
    second = cache.load(engine, guest, "plain", progress=told.append)
    assert [first.status.outcome, second.status.outcome] == [Outcome.STORED, Outcome.USED]
    assert told == [COMPILING]
    assert [answer(first.module, engine), answer(second.module, engine)] == [42, 42]
    assert entries(root) == [second.status.path]


@pytest.mark.parametrize("without", ["memfd_create", "deserialize_file"])
def test_a_system_without_memory_files_or_proc_uses_the_cache(
    without: str, engine: wasmtime.Engine, guest: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSYS, "no") if without == "memfd_create" else wasmtime.WasmtimeError("no")

    status(engine, guest)
    monkeypatch.setattr(os if without == "memfd_create" else wasmtime.Module, without, refuse)
    module, used = cache.load(engine, guest, "plain")
    assert used.outcome is Outcome.USED
    assert answer(module, engine) == 42


def test_importing_the_cache_does_not_import_the_engine() -> None:
    code = "import sys, amla_sandbox._cache; sys.exit('wasmtime' in sys.modules)"
    assert run_python(code).wait() == 0


# The key


def test_another_configuration_guest_or_engine_has_another_entry(
    engine: wasmtime.Engine, guest: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    status(engine, guest)
    assert status(engine, guest, "fuel").outcome is Outcome.STORED
    other = cache.load(engine, write_guest(guest, 7), "plain")
    assert other.status.outcome is Outcome.STORED
    assert answer(other.module, engine) == 7

    def another_version(_: Path) -> str:
        return "wasmtime-0.0.0"

    monkeypatch.setattr(_identity, "engine_version", another_version)
    assert status(engine, guest).outcome is Outcome.STORED
    assert len(entries(root)) == 4


def test_the_engines_version_is_the_installed_one() -> None:
    from importlib.metadata import version

    assert version("wasmtime") in _identity.engine_version(Path(wasmtime.__file__))


def test_machines_that_share_a_home_do_not_replace_each_others_entries(
    engine: wasmtime.Engine, guest: Path, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, features in enumerate([b"cpu:avx2", b"cpu:avx512"]):
        (tmp_path / str(number)).write_bytes(features)
        monkeypatch.setattr(_identity, "CPU_FEATURES", tmp_path / str(number))
        assert status(engine, guest).outcome is Outcome.STORED
    assert len(entries(root)) == 2


def test_code_that_the_engine_refuses_is_compiled_anew(guest: Path, engine: wasmtime.Engine) -> None:
    status(engine, guest)
    settings = wasmtime.Config()
    settings.consume_fuel = True
    again = status(wasmtime.Engine(settings), guest)
    assert again.outcome is Outcome.STORED
    assert "does not suit this machine" in again.reason


def write_provenance(guest: Path, digest: str) -> Path:
    path = guest.with_name("provenance.json")
    path.write_text(json.dumps({"guest": {"sha256": digest, "size": guest.stat().st_size}}))
    return path


def test_the_recorded_hash_spares_hashing_the_guest(guest: Path) -> None:
    write_provenance(guest, "0" * 64)
    assert _identity.identify(guest, "plain").guest == "0" * 64


def test_a_record_older_than_the_guest_is_not_believed(guest: Path) -> None:
    write_provenance(guest, "0" * 64)
    time.sleep(0.02)
    write_guest(guest, 41)
    assert _identity.identify(guest, "plain").guest == hashlib.sha256(guest.read_bytes()).hexdigest()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"guest": 1}', '{"guest": {"sha256": 5, "size": 5}}'])
def test_an_odd_record_is_not_believed(text: str, guest: Path) -> None:
    guest.with_name("provenance.json").write_text(text)
    assert _identity.identify(guest, "plain").guest == hashlib.sha256(guest.read_bytes()).hexdigest()


def test_under_a_wrong_record_nothing_is_stored(engine: wasmtime.Engine, guest: Path, root: Path) -> None:
    write_provenance(guest, "0" * 64)
    module, bypassed = cache.load(engine, guest, "plain")
    assert answer(module, engine) == 42
    assert bypassed.outcome is Outcome.BYPASSED
    assert "provenance.json does not describe" in bypassed.reason
    assert entries(root) == []


# Damage


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "header cut": lambda data: data[:40],
    "header only": lambda data: data[:80],
    "cut short": lambda data: data[:-1],
    "longer": lambda data: data + b"\0",
    "another format": lambda data: b"x" + data[1:],
    "fingerprint": lambda data: flip(data, 20),
    "seal": lambda data: flip(data, 60),
    "first byte": lambda data: flip(data, 80),
    "middle": lambda data: flip(data, len(data) // 2),
    "last byte": lambda data: flip(data, len(data) - 1),
}


def flip(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_entry_is_replaced_and_the_status_says_so(
    damage: str, engine: wasmtime.Engine, guest: Path, root: Path
) -> None:
    status(engine, guest)
    (entry,) = entries(root)
    entry.write_bytes(DAMAGE[damage](entry.read_bytes()))
    module, replaced = cache.load(engine, guest, "plain")
    assert answer(module, engine) == 42
    assert replaced.outcome is Outcome.STORED
    assert str(entry) in replaced.reason
    assert status(engine, guest) == CacheStatus(Outcome.USED, entry)


@pytest.mark.parametrize("content", [None, b"", b"short", b"k" * 33, b"k" * 32])
def test_without_the_right_key_the_entries_are_made_anew(
    content: bytes | None, engine: wasmtime.Engine, guest: Path, root: Path
) -> None:
    status(engine, guest)
    key = root / "precompiled" / "key"
    key.unlink() if content is None else key.write_bytes(content)
    assert status(engine, guest).outcome is Outcome.STORED
    assert status(engine, guest).outcome is Outcome.USED


# Homes


@pytest.fixture
def read_only(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Call it, and no file or folder can be made or written to (root may write whatever the modes say)."""
    really_open = os.open

    def refuse(path: object, *_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    def open_only(path: str, flags: int, *rest: Any, **named: Any) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            refuse(path)
        return really_open(path, flags, *rest, **named)

    def close_up() -> None:
        monkeypatch.setattr(os, "open", open_only)
        for name in ("mkdir", "utime", "chmod", "unlink", "rename", "replace"):
            monkeypatch.setattr(os, name, refuse)

    return close_up


def test_a_read_only_home_compiles_in_memory_and_says_why(
    engine: wasmtime.Engine, guest: Path, read_only: Callable[[], None]
) -> None:
    read_only()
    module, bypassed = cache.load(engine, guest, "plain")
    assert answer(module, engine) == 42
    assert bypassed.outcome is Outcome.BYPASSED
    assert "Read-only file system" in bypassed.reason


def test_a_read_only_home_with_a_cache_uses_it(
    engine: wasmtime.Engine, guest: Path, read_only: Callable[[], None]
) -> None:
    status(engine, guest)
    read_only()
    assert status(engine, guest).outcome is Outcome.USED


def test_a_full_disk_compiles_in_memory_and_leaves_nothing_behind(
    engine: wasmtime.Engine, guest: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    module, bypassed = cache.load(engine, guest, "plain")
    assert answer(module, engine) == 42
    assert bypassed.outcome is Outcome.BYPASSED
    assert "No space left on device" in bypassed.reason
    assert [path.name for path in (root / "precompiled").iterdir()] == ["lock"]


@pytest.mark.parametrize("place", ["relative/folder", "/proc/amla", "/dev/null/amla"])
def test_an_impossible_folder_is_bypassed(
    place: str, engine: wasmtime.Engine, guest: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AMLA_CACHE_DIR", place)
    bypassed = status(engine, guest)
    assert bypassed.outcome is Outcome.BYPASSED
    assert place.rpartition("/")[0] in bypassed.reason


def test_a_file_in_the_folders_place_is_bypassed(engine: wasmtime.Engine, guest: Path, root: Path) -> None:
    root.mkdir(mode=0o700)
    (root / "precompiled").write_text("mine")
    assert status(engine, guest).outcome is Outcome.BYPASSED
    assert (root / "precompiled").read_text() == "mine"


def test_a_user_without_a_home_is_bypassed(
    engine: wasmtime.Engine, guest: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("AMLA_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    bypassed = status(engine, guest)
    assert bypassed.outcome is Outcome.BYPASSED
    assert "no home folder" in bypassed.reason


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {}, "/home/me/.cache/amla"),
        ("linux", {"XDG_CACHE_HOME": "/fast"}, "/fast/amla"),
        ("linux", {"XDG_CACHE_HOME": "relative"}, "/home/me/.cache/amla"),
        ("linux", {"XDG_CACHE_HOME": ""}, "/home/me/.cache/amla"),
        ("linux", {"XDG_CACHE_HOME": "/fast", "AMLA_CACHE_DIR": "/mine"}, "/mine"),
        ("linux", {"AMLA_CACHE_DIR": ""}, "/home/me/.cache/amla"),
        ("linux", {"AMLA_CACHE_DIR": "~/mine"}, "/home/me/mine"),
        ("darwin", {"XDG_CACHE_HOME": "/fast"}, "/home/me/Library/Caches/amla"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/amla/Cache"),
        ("win32", {}, "/home/me/AppData/Local/amla/Cache"),
    ],
)
def test_where_the_cache_is(
    platform: str, variables: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AMLA_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"HOME": "/home/me", **variables}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert cache.cache_folder() == Path(expected)


def test_the_warning_comes_once_for_each_reason(
    engine: wasmtime.Engine, guest: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AMLA_CACHE_DIR", "relative")
    with pytest.warns(cache.CacheWarning, match="compiled in memory.*not an absolute path"):
        cache.load_module(engine, guest, "plain")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert answer(cache.load_module(engine, guest, "plain"), engine) == 42


def test_a_guest_that_is_not_wasm_raises_what_the_compiler_says(engine: wasmtime.Engine, guest: Path) -> None:
    guest.write_bytes(b"not wasm")
    with pytest.raises(wasmtime.WasmtimeError):
        cache.load_module(engine, guest, "plain")


# Several processes


def run_python(code: str, *arguments: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


CHILD = """
import sys, wasmtime
from pathlib import Path
from amla_sandbox import _cache as cache
engine = wasmtime.Engine()
print("ready", flush=True)
sys.stdin.readline()
module, status = cache.load(engine, Path(sys.argv[1]), "plain", progress=lambda text: print(text, flush=True))
store = wasmtime.Store(engine)
print(status.outcome.value, wasmtime.Instance(store, module, []).exports(store)["answer"](store))
"""


def test_of_processes_that_start_at_once_one_compiles_and_the_others_use_it(guest: Path, root: Path) -> None:
    children = [run_python(CHILD, str(guest)) for _ in range(4)]
    for child in children:
        assert child.stdout
        assert child.stdout.readline() == "ready\n"
    for child in children:
        assert child.stdin
        child.stdin.write("go\n")
        child.stdin.flush()
    said = "".join(child.communicate(timeout=60)[0] for child in children).splitlines()
    assert said.count(COMPILING) == 1
    assert sorted(line for line in said if line.endswith("42")) == ["stored 42", "used 42", "used 42", "used 42"]
    assert sorted(path.suffix for path in (root / "precompiled").iterdir()) == ["", "", ".compiled"]


def test_a_lock_that_is_held_too_long_is_not_waited_for(
    engine: wasmtime.Engine, guest: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    status(engine, guest, "other")
    monkeypatch.setattr(_store, "LOCK_SECONDS", 0.05)
    told: list[str] = []
    with (root / "precompiled" / "lock").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        module, bypassed = cache.load(engine, guest, "plain", progress=told.append)
        with pytest.raises(cache.CacheError, match="another process has held"):
            cache.clear()
    assert answer(module, engine) == 42
    assert bypassed.outcome is Outcome.BYPASSED
    assert told == [_load.WAITING, COMPILING]


def test_a_file_system_without_locks_is_used_without(
    engine: wasmtime.Engine, guest: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_locks(_: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(_lock, "_try_lock", no_locks)
    assert [status(engine, guest).outcome for _ in range(2)] == [Outcome.STORED, Outcome.USED]


# Keeping it small


def test_only_the_entries_used_last_are_kept(engine: wasmtime.Engine, guest: Path, root: Path) -> None:
    for number in range(_store.MOST_ENTRIES):
        stored = status(engine, guest, str(number))
        assert stored.path
        os.utime(stored.path, (number, number))
    status(engine, guest, "0")  # the oldest, but used now
    status(engine, guest, "one more")
    assert len(entries(root)) == _store.MOST_ENTRIES
    assert status(engine, guest, "0").outcome is Outcome.USED
    assert cache.check(engine, guest, "1").outcome is Outcome.MISSING


def test_what_a_dead_process_left_unfinished_is_removed(engine: wasmtime.Engine, guest: Path, root: Path) -> None:
    status(engine, guest)
    dead, alive = root / "precompiled" / "dead.part", root / "precompiled" / "alive.part"
    dead.touch()
    alive.touch()
    os.utime(dead, (0, 0))
    status(engine, guest, "other")
    assert not dead.exists()
    assert alive.exists()


def test_clear_removes_what_is_ours_and_nothing_else(engine: wasmtime.Engine, guest: Path, root: Path) -> None:
    assert cache.clear() == 0
    assert not root.exists()
    for configuration in "ab":
        status(engine, guest, configuration)
    (root / "note.txt").touch()
    (root / "precompiled" / "note.txt").touch()
    assert cache.clear() == 2
    assert (root / "note.txt").exists()
    assert sorted(path.name for path in (root / "precompiled").iterdir()) == ["lock", "note.txt"]
    assert status(engine, guest, "a").outcome is Outcome.STORED


# amla precompile


def test_check_says_what_the_next_start_will_find_and_writes_nothing(
    engine: wasmtime.Engine, guest: Path, root: Path
) -> None:
    assert cache.check(engine, guest, "plain") == CacheStatus(Outcome.MISSING)
    assert not root.exists()
    stored = cache.precompile(engine, guest, "plain")
    assert stored.ready
    assert cache.check(engine, guest, "plain") == CacheStatus(Outcome.USED, stored.path)
    (entry,) = entries(root)
    entry.write_bytes(b"")
    damaged = cache.check(engine, guest, "plain")
    assert not damaged.ready
    assert str(entry) in damaged.reason
    assert entry.read_bytes() == b""


@pytest.fixture
def exported(engine: wasmtime.Engine, guest: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An exported file, with no cache left beside it."""
    file = tmp_path / "shipped.compiled"
    cache.export(engine, guest, "plain", file)
    cache.clear()
    return file


def test_an_exported_file_starts_without_a_cache(
    exported: Path, engine: wasmtime.Engine, guest: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_argument = cache.load(engine, guest, "plain", precompiled=exported)
    monkeypatch.setenv("AMLA_PRECOMPILED", str(exported))
    by_variable = cache.load(engine, guest, "plain")
    assert by_argument.status == by_variable.status == CacheStatus(Outcome.USED, exported)
    assert answer(by_variable.module, engine) == 42
    assert entries(root) == []


def test_an_exported_file_is_for_every_processor_that_the_engine_accepts(
    exported: Path, engine: wasmtime.Engine, guest: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_identity, "CPU_FEATURES", tmp_path / "another")
    assert cache.load(engine, guest, "plain", precompiled=exported).status.path == exported


@pytest.mark.parametrize("fault", ["missing", "damaged", "another guest", "a folder"])
def test_an_exported_file_of_no_use_is_passed_over_and_the_status_says_why(
    fault: str, exported: Path, engine: wasmtime.Engine, guest: Path
) -> None:
    if fault == "missing":
        exported.unlink()
    elif fault == "damaged":
        exported.write_bytes(flip(exported.read_bytes(), 100))
    elif fault == "another guest":
        write_guest(guest, 7)
    else:
        exported.unlink()
        exported.mkdir()
    for outcome in (Outcome.STORED, Outcome.USED):
        _, passed = cache.load(engine, guest, "plain", precompiled=exported)
        assert passed.outcome is outcome
        assert str(exported) in passed.reason


def test_export_says_when_it_cannot_write(engine: wasmtime.Engine, guest: Path, tmp_path: Path) -> None:
    with pytest.raises(cache.CacheError, match="cannot be written"):
        cache.export(engine, guest, "plain", tmp_path / "nowhere" / "file")


def test_both_kinds_of_copy_hold_the_same_bytes(tmp_path: Path) -> None:
    path = tmp_path / "file"
    held = bytes(range(256)) * 100
    path.write_bytes(held)
    with path.open("rb") as file:
        for make in (_copy.private_copy, _copy.HeapCopy):
            copy = make(file.fileno(), 80, Extents(300, ((10, 20), (100, 300))))
            with copy.view() as view:
                assert bytes(view) == bytes(10) + held[80:90] + bytes(80) + held[90:290]
            copy.close()


@pytest.mark.parametrize(
    ("code", "parts"),
    [
        (b"", ()),
        (bytes(GRAIN * 3 + 5), ()),
        (b"x", ((0, 1),)),
        (bytes(GRAIN) + b"x" + bytes(GRAIN * 2), ((GRAIN, GRAIN * 2),)),
        (b"x" * (GRAIN + 1) + bytes(GRAIN * 2) + b"x", ((0, GRAIN * 2), (GRAIN * 3, GRAIN * 3 + 2))),
    ],
)
def test_only_grains_that_are_not_zeros_are_kept(code: bytes, parts: tuple[tuple[int, int], ...]) -> None:
    extents = extents_of(code)
    assert extents == (len(code), parts)
    assert read_extents(extents.table() + b"what follows") == extents


def test_many_parts_are_kept_as_the_most_that_a_table_may_have() -> None:
    extents = extents_of((b"x" * GRAIN + bytes(GRAIN)) * (MOST_PARTS + 10))
    assert len(extents.parts) == MOST_PARTS
    assert extents.parts[-1][1] == GRAIN * (2 * (MOST_PARTS + 10) - 1)
    assert read_extents(extents.table()) == extents


@pytest.mark.parametrize(
    "table",
    [
        b"",
        Extents(10, ((0, 10),)).table()[:-1],
        Extents(10, ((0, 11),)).table(),
        Extents(10, ((5, 4),)).table(),
        Extents(10, ((0, 5), (4, 10))).table(),
        Extents(1 << 40, ((0, 5),)).table(),
        Extents(10, ((1, 1),) * (MOST_PARTS + 1)).table(),
        b"\xff" * 100,
    ],
)
def test_a_table_that_makes_no_sense_is_refused(table: bytes) -> None:
    with pytest.raises(cache.CacheError):
        read_extents(table)
