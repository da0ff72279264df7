"""After a hard stop the files are as they were when the run began, wherever it hit the guest; hostile lists cost the files."""

from __future__ import annotations

import struct
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from amla_sandbox import Limits, Sandbox
from amla_sandbox._guest import _threads, _watchdog
from amla_sandbox._guest._guest import Guest
from amla_sandbox._guest._protocol import ProtocolError
from amla_sandbox._guest._salvage import salvaged

KILL = "new Array(1e8).join('abc')"
LIMITS = Limits(timeout=0.05, memory=512_000_000)

REBUILDING = {
    "map": "const m = new Map(); for (let i = 0;; i++) { m.set('k' + i % 90000, { i }); if (i % 90000 === 0) m.clear() }",
    "properties": "for (;;) { const o = {}; for (let i = 0; i < 9000; i++) o['p' + i] = i; for (const k in o) delete o[k] }",
    "clone": "const o = Array.from({ length: 9000 }, (_, i) => ({ i })); for (;;) structuredClone(o)",
    "json": "const o = Array.from({ length: 9000 }, (_, i) => ({ i })); for (;;) JSON.parse(JSON.stringify(o))",
    "new files": "for (let i = 0;; i++) fs.writeFileSync('t' + i % 500, 'x'.repeat(i % 5000))",
    "same files": """for (let i = 0;; i++) {
        fs.appendFileSync('kept.txt', 'z'); fs.writeFileSync('d/in.txt', 'q'.repeat(i % 99)); fs.truncateSync('kept.txt', 1);
        fs.renameSync('d', 'e'); fs.rmSync('kept.txt'); fs.writeFileSync('kept.txt', 'y'); fs.renameSync('e', 'd');
    }""",
}


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs are killed at their deadline, without being asked to stop first."""
    monkeypatch.setattr(_watchdog, "GRACE", 0.0)
    monkeypatch.setattr(Guest, "interrupt", lambda _: None)


def contents(sandbox: Sandbox) -> dict[str, bytes]:
    return {entry.path: entry.data for entry in sandbox.fs.tree("/workspace")}


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("script", REBUILDING.values(), ids=REBUILDING)
def test_no_file_is_lost_when_a_run_is_killed_in_mid_change(script: str) -> None:
    with Sandbox() as sandbox:
        sandbox.fs.write("kept.txt", "kept" * 1000)
        sandbox.fs.write("d/in.txt", "in")
        before = contents(sandbox)
        for attempt in range(12):
            sandbox.limits = Limits(timeout=0.02 + attempt * 0.005)
            result = sandbox.run(script)
            assert (result.exit_code, "lost" in (result.error or "")) == (124, False), result.error
            assert contents(sandbox) == before


def test_the_whole_tree_comes_back(tmp_path: Path) -> None:
    (tmp_path / "fixed.txt").write_text("fixed")
    (tmp_path / "fixed.txt").chmod(0o600)
    with Sandbox() as sandbox:
        sandbox.fs.mount(tmp_path, "/data", writable=False)
        sandbox.run("""
            fs.writeFileSync('a.txt', 'a'); fs.linkSync('a.txt', 'b.txt'); fs.symlinkSync('ü.txt', 'link');
            fs.writeFileSync('run.sh', ''); fs.symlinkSync(Buffer.from([254]), Buffer.from([128, 65])); fs.chmodSync('run.sh', 0o750); fs.utimesSync('a.txt', 1, 1000000);
            fs.mkdirSync('x/y/z', { recursive: true }); fs.writeFileSync('x/y/big', Buffer.alloc(3e6, 'b')); fs.utimesSync('x', 5, 5);
            fs.writeFileSync('/tmp/t', 't'.repeat(10)); fs.writeFileSync('gone', ''); fs.unlinkSync('gone');
        """)
        before, usage = sandbox.fs.tree("/workspace"), sandbox.fs.usage()
        sandbox.limits = LIMITS
        assert sandbox.run(KILL).exit_code == 124
        assert sandbox.fs.tree("/workspace") == before
        assert sandbox.fs.usage() == usage
        assert sandbox.fs.read("/tmp/t") == b"t" * 10
        sandbox.limits = Limits()
        assert sandbox.run("readlink $'\\200A'", "shell").stdout_bytes == b"\xfe\n"
        result = sandbox.run("""
            fs.appendFileSync('b.txt', '!');
            let code; try { fs.writeFileSync('/data/fixed.txt', '') } catch (error) { code = error.code }
            return [fs.readFileSync('a.txt', 'utf8'), code, fs.readFileSync('/data/fixed.txt', 'utf8')];
        """)
        assert result.return_value == ["a!", "EACCES", "fixed"], result.error


def test_what_the_host_and_earlier_runs_changed_is_kept() -> None:
    with Sandbox(limits=LIMITS) as sandbox:
        sandbox.run("fs.writeFileSync('one', '1'); fs.writeFileSync('gone', '')")
        sandbox.fs.write("two", "2")
        sandbox.fs.remove("gone")
        for _ in range(2):
            sandbox.run(f"fs.writeFileSync('one', 'x'); fs.rmSync('two'); {KILL}")
            assert contents(sandbox) == {"": b"", "one": b"1", "two": b"2"}


def test_ten_thousand_files_take_no_time_to_speak_of() -> None:
    with Sandbox(limits=Limits(timeout=60, memory=512_000_000)) as sandbox:
        sandbox.run(
            "fs.mkdirSync('d'.repeat(200)); for (let i = 0; i < 9900; i++) fs.writeFileSync('d'.repeat(200) + '/' + i, 'x')"
        )
        usage = sandbox.fs.usage()
        sandbox.limits = LIMITS
        begun = time.monotonic()
        assert sandbox.run(KILL).exit_code == 124
        assert time.monotonic() - begun < 4, "about 0.3 s on an idle machine"
        assert sandbox.fs.usage() == usage


def test_getting_ready_for_the_next_run_too_late_changes_nothing() -> None:
    """Whoever prepares a sandbox may be overtaken by its next run."""
    with Sandbox() as sandbox:
        sandbox.run("fs.writeFileSync('f', 'before')")
        sandbox.start("fs.writeFileSync('f', 'after'); setTimeout(() => {}, 1e6)")
        instance = sandbox.powers().instance
        _threads.call(instance.prepare)
        _threads.call(instance.condemn)
        sandbox.stop()
        assert sandbox.fs.read("f") == b"before"


class FakeGuest:
    """Memory of a kilobyte, with a list of files where the guest says."""

    def __init__(self, kept: int, memory: bytes = b"") -> None:
        self.kept, self.memory = kept, memory.ljust(1024, b"\0")

    def read(self, address: int, length: int) -> bytes:
        if address + length > len(self.memory):
            raise ProtocolError("no such memory")
        return self.memory[address : address + length]


HOSTILE = {
    "no list": FakeGuest(0),
    "a list beyond the memory": FakeGuest(1020),
    "a table beyond the memory": FakeGuest(16, bytes(16) + struct.pack("<4I", 1000, 1000, 0, 0)),
    "too many files": FakeGuest(16, bytes(16) + struct.pack("<4I", 0, 0, 0, 0xFFFFFFFF)),
    "extents beyond the memory": FakeGuest(16, bytes(16) + struct.pack("<4I", 0, 0, 0, 1000)),
    "a file beyond the memory": FakeGuest(16, bytes(16) + struct.pack("<6I", 0, 0, 32, 1, 1000, 1000)),
    "more bytes than can be": FakeGuest(16, bytes(16) + struct.pack("<8I", 0, 0, 32, 2, 0, 0x30000000, 0, 0x30000000)),
}


@pytest.mark.parametrize("guest", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_list_is_refused(guest: FakeGuest) -> None:
    with pytest.raises(ProtocolError):
        list(salvaged(guest))  # type: ignore[arg-type]


@pytest.fixture
def no_list(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setattr(Guest, "kept", 0)
        yield


@pytest.mark.usefixtures("no_list")
def test_files_that_cannot_be_read_out_are_lost_and_the_error_says_so() -> None:
    with Sandbox(limits=LIMITS) as sandbox:
        sandbox.fs.write("kept.txt", "kept")
        assert "files were lost" in (sandbox.run(KILL).error or "")
        assert sandbox.fs.list() == []
