"""Output appears while a script computes without a pause, once, in order, and also if the script is then killed."""

from __future__ import annotations

import time

import pytest

from amla_sandbox import Limits, Sandbox

BUSY = "const busy = ms => { for (const until = Date.now() + ms; Date.now() < until;); };"


def test_output_appears_while_the_script_computes() -> None:
    came: list[tuple[float, bytes]] = []
    with Sandbox() as sandbox:
        sandbox.run("1")
        begun = time.monotonic()
        script = f"{BUSY} for (let i = 0; i < 4; i++) {{ console.log(i); busy(250) }}"
        result = sandbox.run(script, on_output=lambda _, data: came.append((time.monotonic() - begun, data)))
    assert result.stdout == "0\n1\n2\n3\n"
    assert b"".join(data for _, data in came) == result.stdout_bytes
    assert came[0][0] < 0.8, "the first line came with the last"
    assert came[-1][0] - came[0][0] > 0.4


def test_each_byte_comes_once_and_in_order() -> None:
    came: list[tuple[int, bytes]] = []
    script = f"{BUSY} for (let i = 0; i < 3000; i++) {{ (i % 3 ? console.log : console.error)(i, 'x'.repeat(i % 50)); if (i % 100 === 0) busy(10) }}"
    with Sandbox(limits=Limits(timeout=20)) as sandbox:
        result = sandbox.run(script, on_output=lambda fd, data: came.append((fd, data)))
    lines = [(f"{i} {'x' * (i % 50)}\n", 1 if i % 3 else 2) for i in range(3000)]
    for fd, stream in ((1, result.stdout), (2, result.stderr)):
        assert stream == "".join(line for line, at in lines if at == fd)
        assert b"".join(data for at, data in came if at == fd).decode() == stream


def test_the_limit_holds() -> None:
    came: list[bytes] = []
    script = f"{BUSY} for (let i = 0; i < 40; i++) {{ console.log('x'.repeat(99)); busy(10) }}"
    with Sandbox(limits=Limits(max_output=1000)) as sandbox:
        result = sandbox.run(script, on_output=lambda fd, data: came.append(data) if fd == 1 else None)
    assert len(b"".join(came)) == len(result.stdout_bytes) == 1000
    assert result.usage.output_dropped == 3000


def test_what_a_killed_script_printed_is_there() -> None:
    with Sandbox(limits=Limits(timeout=0.1, memory=512_000_000)) as sandbox:
        result = sandbox.run("console.log('before'); new Array(1e8).join('abc')")
    assert (result.exit_code, result.stdout) == (124, "before\n")


def test_what_the_callback_raises_ends_the_script_at_once() -> None:
    def refuse(_fd: int, _data: bytes) -> None:
        raise ValueError("no more")

    with Sandbox(limits=Limits(timeout=20)) as sandbox:
        begun = time.monotonic()
        with pytest.raises(ValueError, match="no more"):
            sandbox.run("console.log('x'); for (;;);", on_output=refuse)
        assert time.monotonic() - begun < 5
        assert sandbox.run("return 1").return_value == 1


def test_a_callback_may_close_the_sandbox_while_the_script_computes() -> None:
    from amla_sandbox import SandboxClosedError

    sandbox = Sandbox(limits=Limits(timeout=20))
    begun = time.monotonic()
    with pytest.raises(SandboxClosedError):
        sandbox.run("console.log('x'); for (;;);", on_output=lambda _fd, _data: sandbox.close())
    assert time.monotonic() - begun < 4
