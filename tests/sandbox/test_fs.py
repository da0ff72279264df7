"""`sandbox.fs`: the host's side of a sandbox's files, and what scripts see of it."""

from __future__ import annotations

import json
import random
import struct
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from amla_sandbox import Limits, Sandbox, create_sandbox_tool
from amla_sandbox._errors import CopyBackError, SandboxClosedError, SandboxError, SandboxFileError
from amla_sandbox._guest._guest import Guest
from amla_sandbox._guest._protocol import FilesReply, ProtocolError, parse_frames
from amla_sandbox._tree import TreeEntry, batches, pack, unpack


@pytest.fixture
def top(tmp_path: Path) -> Path:
    top = tmp_path / "top"
    (top / "sub").mkdir(parents=True)
    (top / "a.txt").write_text("a")
    (top / "sub" / "b.txt").write_text("b")
    return top


def stdout(sandbox: Sandbox, script: str) -> str:
    result = sandbox.run(script)
    assert result.success, result.error
    return result.stdout


class TestReadAndWrite:
    @pytest.mark.parametrize("data", [b"", b"\0", bytes(range(256)) * 300, "grüße 🦜\r\n".encode(), b"\xff\xfe\xc0"])
    def test_bytes_come_back_as_they_are(self, sandbox: Sandbox, data: bytes):
        sandbox.fs.write("/workspace/x", data)
        assert sandbox.fs.read("/workspace/x") == data
        assert stdout(sandbox, "return [...(await fs.readFile('x'))].length") == f"{len(data)}\n"

    def test_twenty_megabytes(self, sandbox: Sandbox):
        data = bytes(range(256)) * (20_000_000 // 256)
        sandbox.fs.write("big", data)
        assert sandbox.fs.read("big") == data
        assert stdout(sandbox, "const b = await fs.readFile('big'); return [b.length, b[255], b.at(-1)]") == (
            f"[{len(data)},255,255]\n"
        )

    def test_later_writes_do_not_change_what_was_written(self, sandbox: Sandbox):
        for name, data in (("a", b"a" * 100_000), ("b", b"b" * 100_000), ("c", b"c")):
            sandbox.fs.write(name, data)
        sandbox.run("await fs.appendFile('a', 'more'); await fs.writeFile('c', 'longer than before')")
        assert sandbox.fs.read("a") == b"a" * 100_000 + b"more"
        assert sandbox.fs.read("b") == b"b" * 100_000
        assert sandbox.fs.read("c") == b"longer than before"

    def test_text(self, sandbox: Sandbox):
        sandbox.fs.write("x", "grüße")
        assert sandbox.fs.read("x") == "grüße".encode()
        assert sandbox.fs.read_text("x") == "grüße"

    @pytest.mark.parametrize("kind", [bytearray, memoryview])
    def test_other_bytes(self, sandbox: Sandbox, kind: Any):
        sandbox.fs.write("x", kind(b"abc"))
        assert sandbox.fs.read("x") == b"abc"

    def test_parents_are_made(self, sandbox: Sandbox):
        sandbox.fs.write("a/b/c.txt", b"1")
        assert sandbox.fs.stat("a/b").type == "directory"

    def test_what_scripts_write_is_read(self, sandbox: Sandbox):
        sandbox.run("await fs.writeFile('out.bin', new Uint8Array([0, 255, 10]))")
        assert sandbox.fs.read("/workspace/out.bin") == b"\0\xff\n"

    def test_after_the_end(self):
        with Sandbox() as sandbox:
            pass
        with pytest.raises(SandboxClosedError):
            sandbox.fs.read("x")


class TestFolders:
    def test_list(self, sandbox: Sandbox):
        sandbox.fs.write("b.txt", b"12")
        sandbox.fs.mkdir("a/deep")
        sandbox.run("await fs.symlink('b.txt', 'c')")
        listed = {info.name: info for info in sandbox.fs.list()}
        assert [(name, info.type) for name, info in listed.items()] == [
            ("a", "directory"),
            ("b.txt", "file"),
            ("c", "symlink"),
        ]
        assert (listed["b.txt"].size, listed["c"].size) == (2, 5)

    def test_stat(self, sandbox: Sandbox):
        sandbox.fs.write("x", b"123")
        sandbox.run("await fs.chmod('x', 0o640); await fs.utimes('x', 1, 2.5); await fs.symlink('x', 'l')")
        info = sandbox.fs.stat("/workspace/x")
        assert (info.name, info.type, info.size, info.mode, info.mtime) == ("x", "file", 3, 0o640, 2.5)
        assert sandbox.fs.stat("l").type == "file"
        assert sandbox.fs.stat("l", follow=False).type == "symlink"

    def test_exists(self, sandbox: Sandbox):
        assert sandbox.fs.exists("/workspace")
        assert not sandbox.fs.exists("/workspace/none/at/all")

    def test_remove(self, sandbox: Sandbox):
        sandbox.fs.write("d/x", b"")
        with pytest.raises(OSError, match="not empty"):
            sandbox.fs.remove("d")
        sandbox.fs.remove("d/x")
        sandbox.fs.remove("d")
        sandbox.fs.write("d/e/f", b"")
        sandbox.fs.remove("d", recursive=True)
        assert sandbox.fs.list() == []

    def test_usage(self, sandbox: Sandbox):
        before = sandbox.fs.usage()
        sandbox.fs.write("d/x", b"12345")
        after = sandbox.fs.usage()
        assert after["bytes"] - before["bytes"] == 5
        assert after["files"] - before["files"] == 2


class TestErrors:
    @pytest.mark.parametrize(
        ("call", "error"),
        [
            (lambda fs: fs.read("none"), FileNotFoundError),
            (lambda fs: fs.read("/workspace"), IsADirectoryError),
            (lambda fs: fs.read("file/x"), NotADirectoryError),
            (lambda fs: fs.write("/workspace", b""), IsADirectoryError),
            (lambda fs: fs.write("file/x", b""), NotADirectoryError),
            (lambda fs: fs.write("/etc/passwd", b""), PermissionError),
            (lambda fs: fs.write("/bin/new", b""), PermissionError),
            (lambda fs: fs.write("/new", b""), PermissionError),
            (lambda fs: fs.list("none"), FileNotFoundError),
            (lambda fs: fs.list("file"), NotADirectoryError),
            (lambda fs: fs.stat("none"), FileNotFoundError),
            (lambda fs: fs.remove("none"), FileNotFoundError),
            (lambda fs: fs.remove("/etc", recursive=True), OSError),
            (lambda fs: fs.mkdir("file"), FileExistsError),
            (lambda fs: fs.mkdir("/etc/x"), PermissionError),
            (lambda fs: fs.tree("none"), FileNotFoundError),
            (lambda fs: fs.read("loop"), OSError),
            (lambda fs: fs.read(""), ValueError),
            (lambda fs: fs.read("a\0b"), ValueError),
        ],
    )
    def test_they_are_those_of_open(self, sandbox: Sandbox, call: Any, error: type[Exception]):
        sandbox.fs.write("file", b"kept")
        sandbox.run("await fs.symlink('loop', 'loop')")
        with pytest.raises(error):
            call(sandbox.fs)
        assert sandbox.fs.read("file") == b"kept"

    def test_they_name_the_path(self, sandbox: Sandbox):
        with pytest.raises(FileNotFoundError) as raised:
            sandbox.fs.read("none")
        assert raised.value.filename == "/workspace/none"
        assert raised.value.errno == 2


class TestLimits:
    def test_too_many_bytes(self):
        with create_sandbox_tool([], limits=Limits(files=10_000)) as tool:
            result = tool.execute(
                "try { await fs.writeFile('x', 'a'.repeat(20000)) } catch (e) { return [e.code, e.message] }"
            )
            code, message = json.loads(result.stdout)
            assert code == "ENOSPC"
            assert "limit: files" in message
            with pytest.raises(SandboxFileError, match="limit: files"):
                tool.sandbox.fs.write("y", b"a" * 20_000)
            tool.sandbox.fs.write("z", b"a" * 5_000)

    def test_more_than_memory(self):
        with Sandbox(limits=Limits(memory=32_000_000)) as sandbox:
            sandbox.fs.write("kept", b"kept")
            with pytest.raises(OSError, match="limit: memory"):
                sandbox.fs.write("big", bytes(100_000_000))
            assert sandbox.fs.read("kept") == b"kept"

    def test_too_many_files(self):
        with create_sandbox_tool([], limits=Limits(file_count=20)) as tool:
            result = tool.execute(
                "try { for (let i = 0; ; i++) fs.writeFileSync(`${i}`, '') } catch (e) { return [e.code, e.message] }"
            )
            code, message = json.loads(result.stdout)
            assert code == "ENOSPC"
            assert "limit: file_count" in message

    def test_a_mount_counts(self, top: Path):
        (top / "big").write_bytes(b"a" * 8_000)
        with Sandbox(limits=Limits(files=10_000)) as sandbox:
            sandbox.fs.mount(top, "one")
            with pytest.raises(SandboxFileError, match="limit: files"):
                sandbox.fs.mount(top, "two")
            assert not sandbox.fs.exists("two")

    def test_space_that_is_freed_can_be_used(self):
        with create_sandbox_tool([], limits=Limits(files=10_000)) as tool:
            for _ in range(5):
                assert tool.execute("await fs.writeFile('x', 'a'.repeat(9000)); await fs.rm('x')").success


HARD = "new Array(1e8).join('abc')"
GENTLE = "for (;;) {}"
CHANGES = """
await fs.writeFile('kept', 'changed'); await fs.rm('gone'); await fs.mkdir('new'); await fs.writeFile('new/x', 'x');
await fs.appendFile('grown', 'more'); await fs.rename('moved', 'there'); await fs.chmod('grown', 0o600);
"""


@contextmanager
def killing(guest: Guest, after: float) -> Generator[None]:
    """Takes the guest's memory away in the first step that runs when so many seconds have passed: between steps a kill
    does nothing."""
    over = threading.Event()

    def kill() -> None:
        over.wait(after)
        while not over.wait(0.001):
            guest.kill()

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


class TestRunsThatAreStopped:
    @pytest.fixture
    def stopped(self) -> Iterator[Sandbox]:
        with create_sandbox_tool([], limits=Limits(timeout=0.3)) as tool:
            for name in ("kept", "gone", "grown", "moved"):
                tool.sandbox.fs.write(name, name)
            yield tool.sandbox

    @staticmethod
    def files(sandbox: Sandbox) -> dict[str, bytes]:
        return {entry.path: entry.data for entry in sandbox.fs.tree("/workspace") if entry.type == "file"}

    def test_a_hard_stop_puts_the_files_back(self, stopped: Sandbox):
        before, usage = stopped.fs.tree("/workspace"), stopped.fs.usage()
        assert stopped.run(CHANGES + HARD).exit_code == 124
        assert self.files(stopped) == {name: name.encode() for name in ("kept", "gone", "grown", "moved")}
        assert [(e.path, e.mode) for e in stopped.fs.tree("/workspace")] == [(e.path, e.mode) for e in before]
        assert stopped.fs.usage() == usage

    def test_a_gentle_stop_keeps_what_was_done(self, stopped: Sandbox):
        assert stopped.run(CHANGES + GENTLE).exit_code == 124
        assert self.files(stopped) == {
            "grown": b"grownmore", "kept": b"changed", "new/x": b"x", "there": b"moved",
        }  # fmt: skip

    def test_large_files_survive_a_hard_stop(self):
        """More than half of the memory that the sandbox may have, which is all in use when it is stopped."""
        with Sandbox(limits=Limits(timeout=0.3)) as sandbox:
            for number in range(9):
                sandbox.fs.write(f"f{number}", bytes([number]) * 10_000_000)
            sandbox.run("const all = []; try { for (;;) all.push(new Uint8Array(1e6)) } catch {} " + HARD)
            assert len(sandbox.fs.list()) == 9
            assert all(sandbox.fs.read(f"f{number}") == bytes([number]) * 10_000_000 for number in range(9))

    @pytest.mark.parametrize(
        "work",
        [
            "const f = () => Promise.resolve().then(f); await f()",
            "const a = []; for (;;) { const o = {}; o.o = o; a.push(o); if (a.length > 1e5) a.length = 0 }",
            "let s = '', m = new Map(); for (let i = 0; ; i++) m.set('k' + (i % 5000), (s = (s + i).slice(-99)))",
        ],
    )
    def test_files_survive_a_stop_in_the_midst_of_the_allocator_and_the_collector(self, work: str):
        """The memory is taken away at a moment of no meaning, as a hard stop does."""
        chance = random.Random(work)
        with Sandbox() as sandbox:
            sandbox.fs.write("kept.txt", "kept")
            for _ in range(8):
                with killing(sandbox._instance._ready(), after=chance.uniform(0.005, 0.05)):
                    sandbox.run("await fs.writeFile('kept.txt', 'changed');" + work)
                assert sandbox.fs.read("kept.txt") == b"kept"

    def test_what_earlier_runs_did_stays(self, stopped: Sandbox):
        assert stopped.run("await fs.writeFile('earlier', '1')").success
        stopped.run(HARD)
        assert stopped.fs.read("earlier") == b"1"
        assert stopped.run("await fs.writeFile('later', '2')").success
        assert stopped.fs.read("later") == b"2"

    def test_mounts_survive_a_hard_stop(self, stopped: Sandbox, top: Path):
        stopped.fs.mount(top, "/data", writable=False)
        stopped.fs.mount(top, "/workspace/in", writable=False)
        stopped.run(HARD)
        for place in ("/data", "/workspace/in"):
            assert stopped.fs.read(f"{place}/sub/b.txt") == b"b"
            script = f"try {{ await fs.writeFile('{place}/a.txt', 'x') }} catch (e) {{ return e.code }}"
            assert stdout(stopped, script) == "EACCES\n"


class TestMounts:
    def test_read_only(self, sandbox: Sandbox, top: Path):
        assert sandbox.fs.mount(top, "/data", writable=False) == []
        script = """
        const tried = async (f) => { try { await f(); return 'done' } catch (e) { return e.code } };
        return [await fs.readFile('/data/sub/b.txt', 'utf8'), await tried(() => fs.writeFile('/data/a.txt', 'x')),
          await tried(() => fs.rm('/data/a.txt')), await tried(() => fs.writeFile('/data/new', 'x'))]
        """
        assert json.loads(stdout(sandbox, script)) == ["b", "EACCES", "EACCES", "EACCES"]
        assert sandbox.fs.sync_back() == []

    def test_there_and_back(self, sandbox: Sandbox, top: Path):
        sandbox.fs.mount(top, "data", writable=True)
        sandbox.run(
            "await fs.writeFile('data/a.txt', 'A'); await fs.mkdir('data/n'); await fs.writeFile('data/n/x', 'X')"
        )
        assert (top / "a.txt").read_text() == "a"
        assert sandbox.fs.sync_back() == []
        assert (top / "a.txt").read_text() == "A"
        assert (top / "n" / "x").read_text() == "X"
        sandbox.run("await fs.writeFile('data/a.txt', 'AA'); await fs.rm('data/n', {recursive: true})")
        assert sandbox.fs.sync_back() == [
            "n: deleted in the sandbox, kept on the host",
            "n/x: deleted in the sandbox, kept on the host",
        ]
        assert (top / "a.txt").read_text() == "AA"

    def test_untouched_mounts_change_nothing(self, sandbox: Sandbox, top: Path):
        (top / "link").symlink_to("a.txt")
        (top / "tool").write_bytes(b"x")
        (top / "tool").chmod(0o4711)
        (top / "caf\u00e9 \u202e").write_bytes(b"")
        sandbox.fs.mount(top, "data", delete=True)
        before = {path: path.lstat() for path in top.rglob("*")}
        assert sandbox.fs.sync_back() == []
        assert {path: path.lstat() for path in top.rglob("*")} == before

    def test_deleting(self, sandbox: Sandbox, top: Path):
        sandbox.fs.mount(top, "data", delete=True)
        sandbox.run("await fs.rm('data', {recursive: true})")
        assert sandbox.fs.sync_back() == []
        assert list(top.iterdir()) == []

    def test_one_file(self, sandbox: Sandbox, top: Path):
        sandbox.fs.mount(top / "a.txt", "notes/a.txt")
        sandbox.run("await fs.appendFile('notes/a.txt', 'more'); await fs.writeFile('notes/other', '')")
        assert sandbox.fs.sync_back() == []
        assert (top / "a.txt").read_text() == "amore"
        assert sorted(path.name for path in top.iterdir()) == ["a.txt", "sub"]

    def test_a_conflict_in_one_mount_holds_back_all(self, sandbox: Sandbox, top: Path, tmp_path: Path):
        (tmp_path / "other").mkdir()
        sandbox.fs.mount(tmp_path / "other", "other")
        sandbox.fs.mount(top, "data")
        sandbox.run("await fs.writeFile('other/x', ''); await fs.writeFile('data/a.txt', 'A')")
        (top / "a.txt").write_text("mine")
        with pytest.raises(CopyBackError) as raised:
            sandbox.fs.sync_back()
        assert raised.value.reasons == ("a.txt: changed on the host since it was copied in",)
        assert list((tmp_path / "other").iterdir()) == []

    def test_files_that_the_sandbox_lost_are_not_deleted(self, sandbox: Sandbox, top: Path):
        sandbox.fs.mount(top, "data", delete=True)
        sandbox._instance.losses += 1
        sandbox.fs.remove("data", recursive=True)
        with pytest.raises(CopyBackError, match="lost its files"):
            sandbox.fs.sync_back()
        assert (top / "a.txt").exists()

    @pytest.mark.parametrize(("first", "second"), [("data", "data"), ("data", "data/in"), ("data/in", "data")])
    def test_writable_mounts_do_not_overlap(self, sandbox: Sandbox, top: Path, first: str, second: str):
        sandbox.fs.mount(top, first, writable=False)
        with pytest.raises(ValueError, match="overlap"):
            sandbox.fs.mount(top, second)
        sandbox.fs.mount(top, second, writable=False)
        sandbox.fs.mount(top, "database")
        assert [mount.guest for mount in sandbox.fs.mounts] == [
            f"/workspace/{name}" for name in (first, second, "database")
        ]

    @pytest.mark.parametrize("guest", ["/", "/.", "//", "/a/.."])
    def test_not_over_everything(self, sandbox: Sandbox, top: Path, guest: str):
        with pytest.raises(ValueError, match="cannot be mounted over"):
            sandbox.fs.mount(top, guest)

    def test_more_than_one_batch_keeps_times(self, sandbox: Sandbox, top: Path):
        import os

        for number in range(3):
            (top / "sub" / f"big{number}").write_bytes(bytes([number]) * 5_000_000)
        for path in (top / "sub", top):
            os.utime(path, (1_000_000_000, 1_000_000_000))
        sandbox.fs.mount(top, "data", writable=False)
        assert sandbox.fs.stat("data/sub").mtime == 1_000_000_000
        assert sandbox.fs.stat("data").mtime == 1_000_000_000
        assert sandbox.fs.read("data/sub/big2") == b"\2" * 5_000_000


class TestTree:
    def test_in_several_parts(self, sandbox: Sandbox):
        expected: dict[str, bytes] = {}
        for number, size in enumerate([3_000_000, 3_000_000, 9_000_000, 0, 1, 4 << 20, 5, 4_200_000]):
            expected[f"d{number % 3}/f{number}"] = bytes([number]) * size
        for path, data in expected.items():
            sandbox.fs.write(path, data)
        tree = sandbox.fs.tree("/workspace")
        assert {entry.path: entry.data for entry in tree if entry.type == "file"} == expected
        assert len(tree) == 1 + 3 + len(expected)

    def test_loading_in_parts(self):
        folders = [TreeEntry(path, "directory", mtime=5.0) for path in ("", "a")]
        files = [TreeEntry(f"a/{n}", "file", data=bytes(3_000_000)) for n in range(4)]
        parts = [unpack(part) for part in batches(folders + files)]
        assert [[entry.path for entry in part] for part in parts] == [
            ["", "a", "a/0", "a/1"],
            ["a/2", "a/3"],
            ["", "a"],
        ]


class TestExport:
    def test_a_folder(self, sandbox: Sandbox, tmp_path: Path):
        sandbox.run("await fs.mkdir('out'); await fs.writeFile('out/x', 'X'); await fs.symlink('/etc/passwd', 'out/l')")
        assert sandbox.fs.export("out", tmp_path / "out") == ["l: links are not made on the host"]
        assert [path.name for path in (tmp_path / "out").iterdir()] == ["x"]

    def test_a_file_twice(self, sandbox: Sandbox, tmp_path: Path):
        sandbox.fs.write("x", b"1")
        sandbox.fs.export("x", tmp_path / "x")
        sandbox.fs.write("x", b"2")
        with pytest.raises(FileExistsError):
            sandbox.fs.export("x", tmp_path / "x")
        sandbox.fs.export("x", tmp_path / "x", overwrite=True)
        assert (tmp_path / "x").read_bytes() == b"2"

    def test_nothing_there(self, sandbox: Sandbox, tmp_path: Path):
        with pytest.raises(FileNotFoundError):
            sandbox.fs.export("none", tmp_path / "x")
        assert list(tmp_path.iterdir()) == []


# --- a guest that is not ours ----------------------------------------------------------------------

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
headers = st.dictionaries(
    st.sampled_from(["path", "type", "mode", "mtime", "target", "ok", "value", "code", "message"]),
    json_values | st.sampled_from(["file", "directory", "symlink", "../x", "a/b", "", 1e400, "ENOENT", "errorcode"]),
)


def framed(text: bytes, data: bytes) -> bytes:
    return struct.pack("<I", len(text)) + text + struct.pack("<I", len(data)) + data


@given(
    st.binary(max_size=200)
    | st.tuples(headers, st.binary(max_size=9)).map(lambda e: framed(json.dumps(e[0]).encode(), e[1]))
)
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_malformed_tree_is_an_error(packed: bytes):
    """Whatever the bytes, there is a ValueError or sound entries."""
    try:
        entries = unpack(packed)
    except ValueError:
        return
    for entry in entries:
        assert entry.type in ("file", "directory", "symlink")
        assert 0 <= entry.mode <= 0o777
        assert (entry.target is None) == (entry.type != "symlink")
        assert ".." not in entry.path.split("/")
        assert not entry.path.startswith("/")


@pytest.mark.parametrize(
    "text", [b"[" * 100_000, b"1" * 100_000, b"{", b"null", b'{"path":"","type":"file","mode":NaN,"mtime":0}']
)
def test_a_header_that_is_none(text: bytes):
    with pytest.raises(ValueError, match=r"entry|JSON|property|digits|Expecting"):
        unpack(framed(text, b""))


@pytest.mark.parametrize("name", ["\udcc3\udca9", "\ud83d"])
@pytest.mark.parametrize("field", ["path", "target"])
def test_a_name_has_one_spelling(name: str, field: str):
    """`é` in two spellings would be two entries of a tree, and one file of the host."""
    header: dict[str, object] = {"path": "a", "type": "symlink", "mode": 0, "mtime": 0, "target": "b"}
    with pytest.raises(ValueError, match="spelled otherwise"):
        unpack(framed(json.dumps({**header, field: name}).encode(), b""))


paths = st.text(min_size=1, max_size=5).filter(lambda text: text not in (".", "..") and not set(text) & set("/\0"))


@given(st.lists(st.tuples(paths, st.binary(max_size=20), st.integers(0, 0o777), st.integers(0, 10**13))))
def test_a_sound_tree_comes_through(files: list[tuple[str, bytes, int, int]]):
    entries = [TreeEntry(path, "file", mode, float(time), data=data) for path, data, mode, time in files]
    assert unpack(pack(entries)) == entries


def reply(header: object, data: bytes = b"", kind: int = 6, number: int = 1) -> bytes:
    text = json.dumps(header).encode()
    return struct.pack("<IBI", 5 + 4 + len(text) + len(data), kind, number) + struct.pack("<I", len(text)) + text + data


@given(st.binary(max_size=60) | st.builds(reply, headers | json_values, st.binary(max_size=9)))
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_malformed_reply_is_a_protocol_error(data: bytes):
    try:
        frames = list(parse_frames(memoryview(data)))
    except ProtocolError:
        return
    for frame in frames:
        if isinstance(frame, FilesReply):
            assert isinstance(frame.data, bytes)
            assert isinstance(frame.code, str)


CALLS = {
    "read": lambda fs: fs.read("x"),
    "list": lambda fs: fs.list(),
    "stat": lambda fs: fs.stat("x"),
    "exists": lambda fs: fs.exists("x"),
    "usage": lambda fs: fs.usage(),
    "tree": lambda fs: fs.tree("x"),
    "write": lambda fs: fs.write("x", b""),
}


@given(
    st.binary(max_size=60) | st.builds(reply, headers | json_values, st.binary(max_size=9)),
    st.sampled_from(sorted(CALLS)),
)
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_a_guest_answers_the_host_gets_an_error_it_knows(answer: bytes, call: str):
    """The guest's memory is played by `serve`; a broken guest is replaced, and the next one works."""
    sandbox = _hostile()
    guest = sandbox._instance._ready()
    sandbox._instance._requests = 0
    guest.serve = lambda *_: memoryview(answer)
    try:
        CALLS[call](sandbox.fs)
    except (SandboxError, OSError, ValueError):
        pass
    finally:
        if sandbox._instance._guest is guest:
            del guest.serve
    sandbox.fs.write("x", b"1")
    assert sandbox.fs.read("x") == b"1"


_shared: list[Sandbox] = []


def _hostile() -> Sandbox:
    if not _shared:
        _shared.append(Sandbox())
    return _shared[0]


@pytest.fixture(scope="module", autouse=True)
def _close_shared() -> Iterator[None]:
    yield
    while _shared:
        _shared.pop().close()


def test_a_new_script_can_be_run() -> None:
    """A file that names its interpreter is executable, one that was there keeps its mode."""
    with Sandbox() as sandbox:
        sandbox.fs.write("run.sh", "#!/bin/sh\necho ran\n")
        sandbox.fs.write("data.txt", "#1\n")
        assert (sandbox.fs.stat("run.sh").mode & 0o777, sandbox.fs.stat("data.txt").mode & 0o777) == (0o755, 0o644)
        assert sandbox.shell("./run.sh") == "ran\n"
        sandbox.shell("chmod 600 run.sh")
        sandbox.fs.write("run.sh", "#!/bin/sh\necho again\n")
        assert sandbox.fs.stat("run.sh").mode & 0o777 == 0o600
