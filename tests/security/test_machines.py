"""R38: an instance that one sandbox had reaches the next as it was when it was made, or not at all."""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Callable

import pytest

from amla_sandbox import Limits, Sandbox, SandboxError
from amla_sandbox._guest import _pages, _threads
from amla_sandbox._guest._engine import Engine, engine
from amla_sandbox._guest._guest import Guest, GuestTrapError
from amla_sandbox._guest._machine import Machine
from amla_sandbox._guest._protocol import Done, RunHeader, parse_frames, run_frame

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells which pages were written to")
HEADER = RunHeader("javascript", "s.js", (), (), "/workspace", 0)
SECRET = "correct horse battery staple"
WORK = {
    "nothing": "",
    "little": f"console.log('{SECRET}'); fs.writeFileSync('f', '{SECRET}')",
    "much": f"globalThis.kept = []; for (let i = 0; i < 20000; i++) kept.push('{SECRET}' + i)",
    "a command": f"await $`echo {SECRET} | grep -c horse; export X=1; f() {{ :; }}`",
    "an endless loop": "for (;;);",
}


@pytest.fixture
def own() -> Engine:
    """The process's engine, with no instances at hand before and afterwards."""
    shared = engine()
    return Engine(shared.wasmtime_engine, shared.module)


def run(guest: Guest, source: str, seconds: float = 30) -> list[int]:
    frames = guest.step([run_frame(1, HEADER, source.encode())], time.monotonic() + seconds)
    return [frame.exit for frame in parse_frames(frames) if isinstance(frame, Done)]


def stack(machine: Machine) -> int:
    return int(machine.exports["__stack_pointer"].value(machine.store))


def on_guest_thread(work: Callable[[], None]) -> None:
    _threads.call(work)


def first_memory(own: Engine) -> bytes:
    """An instance's memory before anything calls it, but for what making a `Guest` does."""
    guest = Guest(own, seed=bytes(range(16)))
    return guest.save()


@linux
@pytest.mark.parametrize("work", WORK)
def test_r38_an_instance_is_the_same_to_the_byte_in_its_next_life(own: Engine, work: str) -> None:
    def lives() -> None:
        guest = Guest(own)
        size, top = guest.memory_size, stack(guest._machine)
        run(guest, WORK[work], 0.1 if "endless" in work else 30)
        grown = guest.memory_size > size
        guest.close()
        assert len(own.spares) == (not grown)
        assert all(stack(spare) == top for spare in own.spares)
        second = Guest(own, seed=bytes(range(16)))
        memory = second.save()
        assert memory == first_memory(Engine(own.wasmtime_engine, own.module))
        assert SECRET.encode() not in memory
        assert run(second, "console.log(typeof kept, fs.existsSync('f'))") == [0]

    on_guest_thread(lives)


@linux
def test_r38_what_was_written_is_gone_before_anyone_asks_again(own: Engine) -> None:
    def work() -> None:
        guest = Guest(own)
        run(guest, WORK["little"])
        written = _pages.spans(guest._base, guest.memory_size)
        assert SECRET.encode() in b"".join(ctypes.string_at(guest._base + at, size) for at, size in written)
        guest.close()
        spare = own.spares[0]
        assert SECRET.encode() not in ctypes.string_at(spare.base, spare.size)

    on_guest_thread(work)


@linux
def test_r38_many_lives_stay_the_same(own: Engine) -> None:
    def lives() -> None:
        first = first_memory(Engine(own.wasmtime_engine, own.module))
        for number in range(30):
            guest = Guest(own, seed=bytes(range(16)))
            assert guest.save() == first
            run(guest, f"const a = new Array({number * 997}).fill('{SECRET}'); fs.writeFileSync('f{number}', a.join())")
            guest.close()

    on_guest_thread(lives)


def killed(guest: Guest) -> None:
    guest.interrupt = lambda: None  # type: ignore[method-assign]
    with pytest.raises(GuestTrapError, match="out of bounds"):
        run(guest, "for (;;);", 0.01)


def grown(guest: Guest) -> None:
    run(guest, "const a = new Uint8Array(40_000_000).fill(1)")


def deep(guest: Guest) -> None:
    """Megabytes of native stack, which would stay with the machine."""
    run(guest, "try { JSON.parse('['.repeat(1e5)) } catch { }")


@linux
@pytest.mark.parametrize("spoil", [killed, grown, deep])
def test_r38_what_trapped_or_grew_or_recursed_is_given_up(own: Engine, spoil: Callable[[Guest], None]) -> None:
    def work() -> None:
        guest = Guest(own)
        spoil(guest)
        guest.close()
        assert own.spares == []

    on_guest_thread(work)


def test_r38_nothing_is_kept_where_the_kernel_does_not_tell(own: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    def work() -> None:
        guest = Guest(own)
        run(guest, "1")
        guest.close()
        assert own.spares == []

    for told in (lambda *_: [], _pages.written):
        monkeypatch.setattr(_pages, "written", told)
        monkeypatch.setattr("os.open", refused)
        on_guest_thread(work)


@linux
def test_r38_nothing_is_kept_where_memory_is_no_mapping(own: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where wasmtime copied the first contents, all pages count as written, and one that is discarded comes back empty."""

    def work() -> None:
        everything = list(range(0, 1 << 20, _pages.SIZE))
        with monkeypatch.context() as patched:
            patched.setattr(_pages, "written", lambda *_: everything)
            guest = Guest(own)
        run(guest, "1")
        guest.close()
        assert own.is_mapped is False
        assert own.spares == []

    on_guest_thread(work)


@pytest.mark.parametrize("told", [True, False])
def test_a_guest_goes_back_to_a_copy_to_the_byte(own: Engine, monkeypatch: pytest.MonkeyPatch, told: bool) -> None:
    """Also where the other guest wrote to pages that the copied one never touched."""
    if not told:
        monkeypatch.setattr(_pages, "_marks", lambda *_: b"")

    def work() -> None:
        guest, other = Guest(own), Guest(own)
        run(guest, WORK["much"])
        run(other, WORK["a command"])
        copy = ctypes.create_string_buffer(guest.memory_size)
        spans = guest.copy_to(ctypes.addressof(copy))
        other.copy_from(ctypes.addressof(copy), guest.memory_size, spans)
        assert other.save() == guest.save()
        assert run(other, "console.log(1)") == [0]

    on_guest_thread(work)


def refused(*_: object) -> int:
    raise PermissionError


@linux
def test_r38_closing_twice_gives_an_instance_back_once(own: Engine) -> None:
    def work() -> None:
        guest = Guest(own)
        run(guest, "1")
        guest.close()
        guest.close()
        assert len(own.spares) == 1

    on_guest_thread(work)


@linux
def test_r38_whoever_had_it_cannot_end_what_the_next_runs(own: Engine) -> None:
    def work() -> None:
        first = Guest(own)
        first.close()
        second = Guest(own)
        first.end()
        first.interrupt()
        first.kill()
        assert first.published(0) == b""
        assert not first.supply(b"x")
        assert run(second, "for (let i = 0; i < 1e5; i++); return 1") == [0]

    on_guest_thread(work)


def test_r38_the_next_has_its_own_limit_on_memory() -> None:
    big = "new Uint8Array(60_000_000).fill(1).length"
    for limit, fits in ((200_000_000, True), (32_000_000, False), (0, True), (32_000_000, False), (200_000_000, True)):
        with Sandbox(limits=Limits(memory=limit)) as sandbox:
            assert (sandbox.run(big).exit_code == 0) is fits
    with Sandbox(limits=Limits(memory=1_000_000)) as small, pytest.raises(SandboxError, match="no sandbox fits"):
        small.run("1")


def test_r38_sandboxes_that_live_at_once_share_nothing() -> None:
    for _ in range(3):
        boxes = [Sandbox() for _ in range(5)]
        for number, box in enumerate(boxes):
            box.run(f"fs.writeFileSync('mine', '{number}')")
        assert [box.run("return fs.readFileSync('mine', 'utf8')").return_value for box in boxes] == list("01234")
        for box in boxes:
            box.close()


def test_r38_each_life_has_its_own_randomness() -> None:
    seen: set[object] = set()
    for _ in range(5):
        with Sandbox() as sandbox:
            seen.add(sandbox.run("return crypto.randomUUID()").return_value)
    assert len(seen) == 5
