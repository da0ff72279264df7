"""The guest is hostile: whatever bytes it sends, the host answers with an error of ours, calls nothing that was not decided,
and goes on."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amla_sandbox import Limits, MethodCapability, Policy
from amla_sandbox._calls._toolset import ToolSet
from amla_sandbox._guest._protocol import Call, ProtocolError, parse_frames
from amla_sandbox._runs._run import Run, Script
from amla_sandbox.tools import tool_from_function


def frame(kind: int, number: int, payload: bytes = b"") -> bytes:
    return struct.pack("<IBI", 5 + len(payload), kind, number) + payload


def named(name: bytes, rest: bytes = b"") -> bytes:
    return struct.pack("<I", len(name)) + name + rest


def headed(header: object, rest: bytes = b"") -> bytes:
    return named(json.dumps(header).encode(), rest)


MALFORMED = {
    "cut header": b"\x05\0",
    "length below the header": struct.pack("<IBI", 4, 1, 0),
    "length zero": struct.pack("<IBI", 0, 1, 0),
    "length beyond the end": struct.pack("<IBI", 1000, 1, 0),
    "huge length": struct.pack("<IBI", 0xFFFFFFFF, 1, 0),
    "unknown kind": frame(99, 0),
    "kind of the host's": frame(9, 0),
    "call without a name": frame(3, 1),
    "call with a name too long": frame(3, 1, struct.pack("<I", 1 << 31) + b"x"),
    "call with a name beyond the frame": frame(3, 1, struct.pack("<I", 10) + b"abc"),
    "name that is not UTF-8": frame(3, 1, named(b"\xff\xfe")),
    "name of a megabyte": frame(3, 1, named(b"a" * 1_000_000)),
    "wait that is not JSON": frame(4, 0, b"{"),
    "wait that is a list": frame(4, 0, b"[]"),
    "wait of NaN": frame(4, 0, b'{"delay": NaN}'),
    "wait of minus one": frame(4, 0, b'{"delay": -1}'),
    "wait of true": frame(4, 0, b'{"delay": true}'),
    "wait of a number beyond floats": frame(4, 0, b'{"delay": 1' + b"0" * 400 + b"}"),
    "wait of text": frame(4, 0, b'{"delay": "1"}'),
    "done without a header": frame(5, 1),
    "done without a status": frame(5, 1, headed({})),
    "done with a status of text": frame(5, 1, headed({"exit": "0"})),
    "done with a failure of text": frame(5, 1, headed({"exit": 0, "failure": "x"})),
    "deep JSON": frame(5, 1, named(b"[" * 100_000)),
    "files without a header": frame(6, 1, b"\0\0"),
    "files with a code of a number": frame(6, 1, headed({"ok": False, "code": 1})),
    "question with bytes behind it": frame(7, 1, named(b"a", b"b")),
}


@pytest.mark.parametrize("data", MALFORMED.values(), ids=MALFORMED)
def test_malformed_frames_are_refused(data: bytes) -> None:
    with pytest.raises(ProtocolError):
        list(parse_frames(data))


@given(st.binary(max_size=200))
def test_random_bytes_give_frames_or_a_protocol_error(data: bytes) -> None:
    try:
        list(parse_frames(data))
    except ProtocolError:
        return


@given(st.integers(0, 255), st.integers(0, 2**32 - 1), st.binary(max_size=100))
def test_random_frames_give_frames_or_a_protocol_error(kind: int, number: int, payload: bytes) -> None:
    try:
        list(parse_frames(frame(kind, number, payload)))
    except ProtocolError:
        return


def test_a_well_formed_call_is_read_as_written() -> None:
    [call] = parse_frames(frame(3, 7, named(b"a/b", b'{"x":1}')))
    assert call == Call(7, "a/b", b'{"x":1}')


# --- a run whose guest sends what it likes ----------------------------------------------------------


class FakeInstance:
    """A guest that answers each step with the next of its scripted bytes."""

    files_lost = False
    memory_size = 0

    def __init__(self, *answers: bytes | Callable[[bytes], bytes]) -> None:
        self.answers = list(answers)
        self.received: list[bytes] = []

    def step(self, frames: list[bytes], deadline: float) -> bytes:
        received = b"".join(frames)
        frames.clear()
        self.received.append(received)
        answer = self.answers.pop(0) if self.answers else DONE
        return answer(received) if callable(answer) else answer

    def interrupt(self) -> None: ...

    def prepare_first(self, frames: list[bytes]) -> None: ...

    def hold(self) -> None: ...

    def condemn(self) -> None:
        self.condemned = True


DONE = frame(5, 1, headed({"exit": 0, "hasValue": False}))
WAIT = frame(4, 0, b'{"delay": null}')
CALLED: list[Any] = []


def echo(x: int) -> int:
    CALLED.append(x)
    return x


def run(
    *answers: bytes | Callable[[bytes], bytes], capabilities: int = 1, limits: Limits | None = None
) -> tuple[Run, FakeInstance]:
    CALLED.clear()
    instance = FakeInstance(*answers)
    policy = Policy([MethodCapability("echo", max_calls=5)][:capabilities])
    made = Run(instance, Script("1"), ToolSet([tool_from_function(echo)]), lambda: policy, limits or Limits())  # type: ignore[arg-type]
    made.begin(1)
    return made, instance


@pytest.mark.parametrize("data", MALFORMED.values(), ids=MALFORMED)
def test_a_run_ends_with_status_125_at_the_first_malformed_frame(data: bytes) -> None:
    made, _ = run(data)
    assert made.result is not None
    assert made.result.exit_code == 125
    assert "malformed" in (made.result.error or "")


def test_a_call_becomes_a_request_only_once_it_is_decided() -> None:
    made, _ = run(frame(3, 1, named(b"echo", b'{"x":1}')) + WAIT)
    [request] = made.calls.ready
    assert (request.name, dict(request.arguments), request.decision.allowed) == ("echo", {"x": 1}, True)


REFUSED = {
    "unknown tool": (b"ech", b'{"x":1}', "ERR_UNKNOWN_TOOL"),
    "path tricks": (b"../echo", b'{"x":1}', "ERR_UNKNOWN_TOOL"),
    "not JSON": (b"echo", b"{", "ERR_TOOL_SCHEMA"),
    "not an object": (b"echo", b"[1]", "ERR_TOOL_SCHEMA"),
    "wrong type": (b"echo", b'{"x":"1"}', "ERR_TOOL_SCHEMA"),
    "true is no integer": (b"echo", b'{"x":true}', "ERR_TOOL_SCHEMA"),
    "extra": (b"echo", b'{"x":1,"y":2}', "ERR_TOOL_SCHEMA"),
    "duplicate key": (b"echo", b'{"x":1,"x":2}', "ERR_TOOL_SCHEMA"),
    "NaN": (b"echo", b'{"x":NaN}', "ERR_TOOL_SCHEMA"),
    "bad UTF-8": (b"echo", b'{"x":"\xff"}', "ERR_TOOL_SCHEMA"),
    "deep": (b"echo", b'{"x":' + b"[" * 50_000 + b"]" * 50_000 + b"}", "ERR_TOOL_SCHEMA"),
    "too large": (b"echo", b'{"x":"' + b"a" * 2_000_000 + b'"}', "ERR_TOOL_SCHEMA"),
    "a number of a million digits": (b"echo", b'{"x":' + b"1" * 900_000 + b"}", "ERR_TOOL_SCHEMA"),
}


@pytest.mark.parametrize(("name", "arguments", "code"), REFUSED.values(), ids=REFUSED)
def test_a_call_that_does_not_fit_is_refused_and_never_made(name: bytes, arguments: bytes, code: str) -> None:
    made, instance = run(frame(3, 1, named(name, arguments)) + WAIT, DONE)
    assert not made.calls.ready and not made.calls.pending
    answer = json.loads(instance.received[1][9:])
    assert answer["code"] == code
    assert CALLED == []


def test_a_reused_id_ends_the_run() -> None:
    call = frame(3, 1, named(b"echo", b'{"x":1}'))
    made, _ = run(call + call + WAIT)
    assert made.result is not None and made.result.exit_code == 125
    assert not made.calls.ready


def test_done_of_another_run_is_ignored() -> None:
    made, _ = run(frame(5, 99, headed({"exit": 0})) + WAIT)
    assert made.result is None


def test_answers_after_the_end_are_refused_to_the_host() -> None:
    made, _ = run(frame(3, 1, named(b"echo", b'{"x":1}')) + WAIT, DONE)
    [request] = made.calls.ready
    made.calls.succeed(request, 1)
    made.advance()
    with pytest.raises(ValueError, match="has an answer already"):
        made.calls.succeed(request, 1)


def test_without_capabilities_nothing_is_allowed() -> None:
    made, instance = run(frame(3, 1, named(b"echo", b'{"x":1}')) + WAIT, DONE, capabilities=0)
    assert not made.calls.ready
    assert json.loads(instance.received[1][9:])["code"] == "ERR_TOOL_DENIED"


def test_refused_calls_count_as_attempts() -> None:
    """R9: a script cannot probe the policy for ever."""
    calls = b"".join(frame(3, i, named(b"nothing", b"{}")) for i in range(50))
    made, instance = run(calls + WAIT, DONE, limits=Limits(max_attempts=10))
    assert made.result is not None
    codes = [json.loads(each)["code"] for each in _payloads(instance.received[1])]
    assert codes.count("ERR_TOOL_LIMIT") == 40, codes


def test_output_is_cut_by_the_host_whatever_the_guest_says() -> None:
    made, _ = run(frame(1, 0, b"x" * 5000) + DONE, limits=Limits(max_output=100))
    assert made.result is not None
    assert len(made.result.stdout_bytes) == 100
    assert made.result.usage.output_dropped == 4900


def test_a_value_that_is_no_json_is_no_value() -> None:
    made, _ = run(frame(5, 1, headed({"exit": 0, "hasValue": True}, b"{")))
    assert made.result is not None and made.result.return_value is None


def test_a_failure_with_fields_of_wrong_types_is_read_as_far_as_it_goes() -> None:
    failure = {"name": 1, "message": ["x"], "line": True, "column": -5, "stack": [1, {}], "file": 3, "text": None}
    made, _ = run(frame(5, 1, headed({"exit": 1, "failure": failure})))
    assert made.result is not None and made.result.failure is not None
    assert (made.result.failure.line, made.result.failure.column, made.result.failure.file) == (None, None, None)


def test_a_status_is_a_byte() -> None:
    for said, status in ((256, 0), (-1, 255), (3.7, 3), (1e300, 1)):
        made, _ = run(frame(5, 1, headed({"exit": said})))
        assert made.result is not None
        assert 0 <= made.result.exit_code <= 255
        if said != 1e300:
            assert made.result.exit_code == status


def _payloads(data: bytes) -> list[bytes]:
    found, at = [], 0
    while at < len(data):
        (size,) = struct.unpack_from("<I", data, at)
        found.append(data[at + 9 : at + 4 + size])
        at += 4 + size
    return found
