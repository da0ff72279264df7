"""Standard input that comes in pieces: read when the script wants it, in order, to its end, or not at all."""

from __future__ import annotations

import asyncio
import io
import time
from collections.abc import Iterator

import pytest

from amla_sandbox import Limits, MethodCapability, Sandbox

PIECES = [b"one\n", b"two\n", b"", b"three\n"]
TEXT = b"".join(PIECES).decode()

READING = {
    "for await": "let all = ''; for await (const part of process.stdin) all += part; return all",
    "events": """let all = ''; process.stdin.on('data', part => all += part);
                 await new Promise(done => process.stdin.on('end', done)); return all""",
    "promise": "return await fs.promises.readFile('/dev/stdin', 'utf8')",
    "stream": "let all = ''; for await (const part of fs.createReadStream('/dev/stdin')) all += part; return all",
    "sync": "return fs.readFileSync(0, 'utf8')",
    "sync by path": "return fs.readFileSync('/dev/stdin', 'utf8')",
    "sync in parts": """let all = ''; const part = Buffer.alloc(5);
                        for (let n; (n = fs.readSync(0, part));) all += part.subarray(0, n); return all""",
}


def slow(pieces: list[bytes] = PIECES) -> Iterator[bytes]:
    for piece in pieces:
        time.sleep(0.02)
        yield piece


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(limits=Limits(timeout=20)) as sandbox:
        yield sandbox


@pytest.mark.parametrize("script", READING.values(), ids=READING)
@pytest.mark.parametrize("make", [slow, lambda: io.BytesIO(TEXT.encode()), lambda: TEXT, TEXT.encode])
def test_every_way_of_reading_gets_all_of_it(sandbox: Sandbox, script: str, make: object) -> None:
    result = sandbox.run(script, stdin=make())  # type: ignore[operator]
    assert (result.exit_code, result.return_value) == (0, TEXT), result.error


def test_pieces_are_read_only_as_they_are_wanted(sandbox: Sandbox) -> None:
    taken: list[int] = []

    def endless() -> Iterator[bytes]:
        while True:
            taken.append(len(taken))
            yield b"y\n"

    assert sandbox.run("return 1", stdin=endless()).return_value == 1
    assert taken == []
    script = "for await (const part of process.stdin) { console.log(String(part).trim()); break }"
    assert sandbox.run(script, stdin=endless()).stdout == "y\n"
    assert len(taken) <= 3


def test_a_paused_input_keeps_no_script_alive(sandbox: Sandbox) -> None:
    def never() -> Iterator[bytes]:
        yield b"Ann\n"
        time.sleep(30)

    script = """const lines = require('readline').createInterface({ input: process.stdin });
                lines.question('', name => { console.log('hello ' + name); lines.close() })"""
    begun = time.monotonic()
    assert sandbox.run(script, stdin=never()).stdout == "hello Ann\n"
    assert time.monotonic() - begun < 10


def test_large_pieces_arrive_whole(sandbox: Sandbox) -> None:
    pieces = [b"a" * 1_000_000, b"b" * 500_000]
    script = "const all = fs.readFileSync(0, 'utf8'); return [all.length, all.indexOf('b')]"
    assert sandbox.run(script, stdin=iter(pieces)).return_value == [1_500_000, 1_000_000]


def test_input_and_calls_are_waited_for_at_once() -> None:
    def lookup(word: str) -> str:
        time.sleep(0.03)
        return word.upper()

    script = """const seen = []; const ticking = (async () => { for (let i = 0; i < 3; i++) seen.push(await lookup({ word: 't' + i })) })();
                for await (const part of process.stdin) seen.push(String(part).trim());
                await ticking; return seen.sort()"""
    with Sandbox(tools=[lookup], capabilities=[MethodCapability("lookup")]) as sandbox:
        assert sandbox.run(script, stdin=slow()).return_value == ["T0", "T1", "T2", "one", "three", "two"]


def test_what_reading_raises_ends_the_run(sandbox: Sandbox) -> None:
    def broken() -> Iterator[bytes]:
        yield b"one\n"
        raise ConnectionError("gone")

    for script in READING["for await"], READING["sync"]:
        with pytest.raises(ConnectionError, match="gone"):
            sandbox.run(script, stdin=broken())
    with pytest.raises(TypeError, match="comes in bytes, not int"):
        sandbox.run(READING["sync"], stdin=iter([1]))  # type: ignore[arg-type]
    assert sandbox.run("return 1").return_value == 1


def test_a_text_file_is_refused(sandbox: Sandbox) -> None:
    with pytest.raises(TypeError, match="binary mode"):
        sandbox.run("return 1", stdin=io.StringIO("x"))  # type: ignore[arg-type]


def test_input_that_never_comes_is_bounded_by_the_deadline() -> None:
    def silent() -> Iterator[bytes]:
        time.sleep(5)
        yield b"late"

    with Sandbox(limits=Limits(timeout=0.2)) as sandbox:
        for script in READING["for await"], READING["sync"]:
            result = sandbox.run(script, stdin=silent())
            assert result.exit_code == 124
            assert result.usage.wall_seconds < 2


def test_a_script_that_the_host_drives_reads_too() -> None:
    with Sandbox() as sandbox:
        for name in ("for await", "sync"):
            sandbox.start(READING[name], stdin=slow())
            assert sandbox.result().return_value == TEXT


def test_asyncio() -> None:
    async def main() -> object:
        with Sandbox() as sandbox:
            return (await sandbox.run_async(READING["for await"], stdin=slow())).return_value

    assert asyncio.run(main()) == TEXT
