"""A session is saved, and loaded in another process: what it was is there, and what it may not bring is not."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from amla_sandbox import Limits, MethodCapability, Sandbox, SandboxBusyError, Session, StateError

KEY = b"k" * 32


def pay(n: int) -> int:
    """Pay."""
    return n


def sandbox_of(**options: Any) -> Sandbox:
    return Sandbox(tools=[pay], capabilities=[MethodCapability("pay", max_calls=3)], **options)


@pytest.fixture
def session() -> Iterator[Session]:
    with sandbox_of() as sandbox:
        session = Session(sandbox)
        session.run(
            "const kept = { n: 1 }; let f = () => kept.n + 1; class A { x = 3 }; await pay({ n: 1 })", "javascript"
        )
        session.run(
            "v=7; a=(1 2); g() { echo g$v; }; alias hi='echo hello'; mkdir sub; cd sub; echo text > file", "shell"
        )
        yield session


def test_a_session_goes_on_where_it_was(session: Session) -> None:
    """Variables, functions, classes, files, the folder, and how many calls are left."""
    data = session.save(KEY)
    with sandbox_of() as sandbox:
        loaded = Session.load(sandbox, data, KEY)
        assert loaded.cwd == "/workspace/sub"
        assert (
            loaded.run("kept.n = 5; [f(), new A().x, process.cwd()]", "javascript").shown
            == "[ 6, 3, '/workspace/sub' ]"
        )
        assert (
            loaded.run("g; hi; echo ${a[1]}; cat file; pwd", "shell").stdout == "g7\nhello\n2\ntext\n/workspace/sub\n"
        )
        assert sandbox.get_call_counts() == {"cap:tool-call:pay": 2}
    assert session.run("f()", "javascript").shown == "2"


def test_counts_are_the_higher_of_both(session: Session) -> None:
    """Going back to an older state gives no call back (R6)."""
    data = session.save(KEY)
    with sandbox_of() as sandbox:
        sandbox.run("await pay({ n: 1 }); await pay({ n: 1 })")
        loaded = Session.load(sandbox, data, KEY)
        assert sandbox.get_call_counts() == {"cap:tool-call:pay": 1}
        again = Session.load(sandbox, data, KEY)
        assert again.run("await pay({ n: 1 })", "javascript").shown == "1"
        assert loaded.run("1", "javascript").exit_code == 0
        assert again.run("await pay({ n: 1 })", "javascript").exit_code == 77


def test_r35_tools_and_limits_are_the_loading_sides(session: Session) -> None:
    """A tool that is not declared here cannot be called, whatever the saved session could (R35)."""
    data = session.save(KEY)
    with Sandbox(limits=Limits(timeout=0.3)) as sandbox:
        loaded = Session.load(sandbox, data, KEY)
        result = loaded.run("await pay({ n: 1 })", "javascript")
        assert result.exit_code != 0
        assert "pay" in str(result.error)
        assert loaded.run("for (;;) {}", "javascript").exit_code == 124


def test_randomness_is_not_repeated(session: Session) -> None:
    """Two copies of one session do not draw the same numbers."""
    data = session.save(KEY)
    drawn = []
    for _ in range(2):
        with sandbox_of() as sandbox:
            loaded = Session.load(sandbox, data, KEY)
            line = "[Math.random(), crypto.randomUUID()].join()"
            drawn += [loaded.run(line, "javascript").shown, loaded.run("echo $RANDOM$RANDOM$RANDOM", "shell").stdout]
    assert len(set(drawn)) == len(drawn)


def test_a_line_can_be_undone_after_loading(session: Session) -> None:
    """A loaded session is held as any other."""
    data = session.save(KEY)
    with sandbox_of(limits=Limits(timeout=0.5)) as sandbox:
        loaded = Session.load(sandbox, data, KEY)
        assert "undone" in loaded.run("kept.n = 9; new Array(1e8).join('ab')", "javascript").note
        assert loaded.run("kept.n", "javascript").shown == "1"


@pytest.mark.parametrize("change", ["cut", "flipped", "junk", "empty", "other key", "seal", "header"])
def test_r35_what_this_user_did_not_sign_is_refused(session: Session, change: str) -> None:
    """Nothing of it is read, and the sandbox is as it was."""
    data = session.save(KEY)
    broken = {
        "cut": data[:-1],
        "flipped": data[:5000] + bytes([data[5000] ^ 1]) + data[5001:],
        "junk": b"amla session",
        "empty": b"",
        "other key": data,
        "seal": data[:16] + bytes(32) + data[48:],
        "header": data[:48] + b"\xff\xff\xff\xff" + data[52:],
    }[change]
    with sandbox_of() as sandbox:
        sandbox.fs.write("/workspace/mine", b"mine")
        with pytest.raises(StateError):
            Session.load(sandbox, broken, b"o" * 32 if change == "other key" else KEY)
        assert sandbox.fs.read("/workspace/mine") == b"mine"


def test_a_signed_session_must_still_make_sense(session: Session) -> None:
    """Lengths, versions and pages are checked as well: a key may be shared, a file may be another build's."""
    from amla_sandbox._sessions._state import SavedState, pack_state, unpack_state

    pristine, told = bytes(8192), {"number": 1}
    good = pack_state(SavedState(told, b"\1" * 4096 + bytes(8192)), pristine, "guest", KEY)
    assert unpack_state(good, pristine, "guest", KEY) == SavedState(told, b"\1" * 4096 + bytes(8192))
    with pytest.raises(StateError, match="another version"):
        unpack_state(good, pristine, "other", KEY)
    with pytest.raises(StateError, match="limit 'memory'"):
        unpack_state(good, pristine, "guest", KEY, most=8192)


def test_a_bomb_is_not_unpacked() -> None:
    """A signed file cannot make the host take more memory than it names."""
    import hmac
    import json
    import struct
    import zlib

    from amla_sandbox._sessions._state import unpack_state

    magic = b"amla session 1\n\0"
    header = {"version": 1, "guest": "g", "memory": 65536, "pages": 1, "session": {}}
    text = json.dumps(header).encode()
    body = struct.pack("<I", len(text)) + text + zlib.compress(bytes(200 << 20), 9)
    data = magic + hmac.new(KEY, magic + body, "sha256").digest() + body
    with pytest.raises(StateError, match="not as long as it says"):
        unpack_state(data, bytes(65536), "g", KEY)


def test_two_processes_share_the_users_key(session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a key of the caller's, a session is signed with this user's, kept with its caches."""
    monkeypatch.setenv("AMLA_CACHE_DIR", str(tmp_path / "cache"))
    state = tmp_path / "state"
    state.write_bytes(session.save())
    script = (
        "import sys; from amla_sandbox import Sandbox, Session\n"
        "with Sandbox() as sandbox:\n"
        "    loaded = Session.load(sandbox, open(sys.argv[1], 'rb').read())\n"
        "    print(loaded.run('f() + new A().x', 'javascript').shown)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(state)], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.stdout, done.returncode) == ("5\n", 0), done.stderr
    key = tmp_path / "cache" / "sessions" / "key"
    assert key.stat().st_mode & 0o077 == 0
    key.unlink()
    with sandbox_of() as sandbox, pytest.raises(StateError):
        Session.load(sandbox, state.read_bytes())


def test_a_running_session_is_not_saved(session: Session) -> None:
    """Only a session at rest is a value."""
    with session._inside.idle(), pytest.raises(SandboxBusyError):
        session.save(KEY)


def test_only_what_changed_is_kept(session: Session) -> None:
    """A saved session is small: the guest's own memory is in every copy of the guest."""
    assert len(session.save(KEY)) < 1_000_000
