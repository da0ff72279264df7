"""The frames between host and guest (docs/protocol.md), read as what they are: bytes from an adversary.

A frame is a u32 length, a u8 kind, a u32 id and a payload, little endian. Everything that comes from the guest is
checked for kind, length, encoding and type here, and nowhere is a length believed that the guest wrote. What does not
fit raises `ProtocolError`, which costs the sandbox, never the host.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple, cast

__all__ = [
    "PREPARE_FRAME",
    "Answer",
    "Call",
    "Describe",
    "Done",
    "Fault",
    "FilesReply",
    "FromGuest",
    "Output",
    "ProtocolError",
    "RunHeader",
    "Sites",
    "Wait",
    "ask_frame",
    "configure_frame",
    "failure_frame",
    "files_frame",
    "input_frame",
    "parse_frames",
    "parse_output",
    "result_frame",
    "run_frame",
    "sites_frame",
    "stop_frame",
    "wake_frame",
]

PROTOCOL: Final = 4
_HEADER = struct.Struct("<IBI")
_U32 = struct.Struct("<I")
_STREAMS = (1, 2)
"""Kinds of frames that carry output; the kind is the stream's number."""

_IDLE: Final = b'{"delay":null,"input":false}'
"""What a script says that waits for nothing but answers, as the guest spells it; any other spelling is parsed."""

_PLAIN_END: Final = b'\x1b\0\0\0{"exit":0,"hasValue":false}'
"""What it says of a run that ended well and without a value; any other spelling is parsed."""

_MAX_NAME = 4096
"""Bytes of a tool's name as the guest spells it; longer names are refused by the policy anyway."""


class ProtocolError(RuntimeError):
    """The guest sent bytes that no guest of ours sends."""


# --- what the guest says ------------------------------------------------------------------


class Output(NamedTuple):
    """Bytes for a stream (1 or 2), or a count of bytes that were dropped at the limit."""

    fd: int
    data: bytes
    dropped: int = 0


class Call(NamedTuple):
    """A tool call: undecided, its arguments unparsed; they may be large, so that they are a part of the frames."""

    id: int
    name: str
    arguments: bytes | memoryview


class Describe(NamedTuple):
    """A question for a tool's description."""

    id: int
    name: str


class Wait(NamedTuple):
    """The guest has nothing to do until an answer comes, for `delay` seconds, or till `input` comes that it wants."""

    delay: float | None
    input: bool = False


class Done(NamedTuple):
    """A run is over. `value` is JSON text, still unparsed."""

    id: int
    exit: int
    value: bytes | None
    failure: Mapping[str, Any] | None
    line: Mapping[str, Any] | None = None
    """Of a line of a session: what the session is told, unchecked."""


class FilesReply(NamedTuple):
    """The answer to one request for files."""

    id: int
    ok: bool
    value: Any
    code: str
    message: str
    data: bytes


class Answer(NamedTuple):
    """The answer to a question about a session: any JSON."""

    id: int
    value: Any


class Sites(NamedTuple):
    """The answer to a question for call sites: a JSON object, each part of which is still to be checked."""

    id: int
    answer: Mapping[str, Any]


class Fault(NamedTuple):
    """The guest's own code failed; `text` is for a bug report."""

    text: str


FromGuest = Output | Call | Describe | Wait | Done | FilesReply | Answer | Sites | Fault


def parse_frames(data: bytes | memoryview) -> Iterator[FromGuest]:
    """The frames in `data`, one by one. Raises ProtocolError at the first malformed one."""
    data = memoryview(data)
    at, end = 0, len(data)
    while at < end:
        start = at + _HEADER.size
        if start > end:
            raise ProtocolError("a frame is cut short")
        size, kind, number = _HEADER.unpack_from(data, at)
        at += 4 + size
        if at < start or at > end:
            raise ProtocolError("a frame's length is wrong")
        reader = _READERS.get(kind)
        if reader is None:
            raise ProtocolError(f"frames of kind {kind} do not exist")
        yield reader(number, data[start:at])


def parse_output(data: bytes) -> tuple[list[Output], int]:
    """The output among the whole frames that `data` begins with, and how many bytes these are.

    Stops at what is no frame: whoever reads all of them will find it again, and raise.
    """
    view, at, found = memoryview(data), 0, list[Output]()
    while len(view) - at >= _HEADER.size:
        size, kind, number = _HEADER.unpack_from(view, at)
        if size < 5 or size > len(view) - at - 4:
            break
        if kind in _STREAMS:
            found.append(Output(kind, bytes(view[at + _HEADER.size : at + 4 + size]), number))
        at += 4 + size
    return found, at


def _output(fd: int) -> Any:
    def read(number: int, payload: memoryview) -> Output:
        return Output(fd, bytes(payload), number)

    return read


def _call(number: int, payload: memoryview) -> Call:
    name, arguments = _prefixed(payload, _MAX_NAME)
    return Call(number, _text(name), arguments)


def _describe(number: int, payload: memoryview) -> Describe:
    name, rest = _prefixed(payload, _MAX_NAME)
    if rest:
        raise ProtocolError("bytes follow a question")
    return Describe(number, _text(name))


def _wait(_number: int, payload: memoryview) -> Wait:
    if bytes(payload) == _IDLE:
        return Wait(None)
    header = _object(payload)
    delay, wants_input = header.get("delay"), header.get("input") is True
    if delay is None:
        return Wait(None, wants_input)
    milliseconds = _as_float(delay)
    if milliseconds is None or not 0 <= milliseconds < math.inf:
        raise ProtocolError("a delay is no duration")
    return Wait(min(milliseconds, 2**31) / 1000, wants_input)


def _done(number: int, payload: memoryview) -> Done:
    if bytes(payload) == _PLAIN_END:
        return Done(number, 0, None, None)
    head, value = _prefixed(payload, len(payload))
    header = _object(head)
    exit_code, failure = _as_float(header.get("exit")), header.get("failure")
    if exit_code is None:
        raise ProtocolError("an exit status is no number")
    if failure is not None and not isinstance(failure, dict):
        raise ProtocolError("a failure is no object")
    status = int(exit_code) & 0xFF if math.isfinite(exit_code) else 1
    text = bytes(value) if header.get("hasValue") is True else None
    line = header.get("line")
    told = cast("dict[str, Any]", line) if isinstance(line, dict) else None
    return Done(number, status, text, cast("dict[str, Any] | None", failure), told)


def _as_float(value: object) -> float | None:
    """A JSON number as a float, infinite where it is too large for one; None for NaN and what is no number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
        return None
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _files(number: int, payload: memoryview) -> FilesReply:
    head, data = _prefixed(payload, len(payload))
    header = _object(head)
    code, message = header.get("code", ""), header.get("message", "")
    if not isinstance(code, str) or not isinstance(message, str):
        raise ProtocolError("a file error is no text")
    return FilesReply(number, header.get("ok") is True, header.get("value"), code, message, bytes(data))


def _answer(number: int, payload: memoryview) -> Answer:
    head, _ = _prefixed(payload, len(payload))
    return Answer(number, _object(head).get("value"))


def _sites(number: int, payload: memoryview) -> Sites:
    return Sites(number, _object(payload))


def _fault(_number: int, payload: memoryview) -> Fault:
    return Fault(str(payload[:10_000], "utf-8", "replace"))


_READERS: Mapping[int, Any] = {
    **{fd: _output(fd) for fd in _STREAMS},
    3: _call,
    4: _wait,
    5: _done,
    6: _files,
    7: _describe,
    8: _answer,
    9: _sites,
    15: _fault,
}


def _prefixed(payload: memoryview, most: int) -> tuple[memoryview, memoryview]:
    """A u32 length, that many bytes, and the rest."""
    if len(payload) < 4:
        raise ProtocolError("a field is cut short")
    (length,) = _U32.unpack_from(payload)
    if length > most or length > len(payload) - 4:
        raise ProtocolError("a field's length is wrong")
    return payload[4 : 4 + length], payload[4 + length :]


def _text(data: memoryview) -> str:
    try:
        return str(data, "utf-8")
    except UnicodeDecodeError as error:
        raise ProtocolError("a name is not UTF-8") from error


def _object(data: memoryview) -> dict[str, Any]:
    try:
        value = json.loads(str(data, "utf-8"))
    except (ValueError, RecursionError) as error:
        raise ProtocolError("a header is not JSON") from error
    if not isinstance(value, dict):
        raise ProtocolError("a header is no JSON object")
    return cast("dict[str, Any]", value)


# --- what the host says -------------------------------------------------------------------


def _frame(kind: int, number: int, payload: bytes = b"") -> bytes:
    return _HEADER.pack(5 + len(payload), kind, number) + payload


def _headed(header: Mapping[str, Any], data: bytes) -> bytes:
    return _prefix(json.dumps(header)) + data


def _prefix(text: str) -> bytes:
    data = text.encode()
    return _U32.pack(len(data)) + data


def configure_frame(configuration: Mapping[str, Any]) -> bytes:
    return _frame(1, 0, json.dumps(configuration).encode())


class RunHeader(NamedTuple):
    """What a run is told beside its source; `output_limit` in bytes, 0 for none."""

    language: str
    filename: str
    args: tuple[str, ...]
    env: tuple[tuple[str, str], ...]
    cwd: str
    output_limit: int

    def text(self, **more: object) -> str:
        named = {"args": list(self.args), "env": dict(self.env), "cwd": self.cwd, "outputLimit": self.output_limit}
        return json.dumps({"language": self.language, "filename": self.filename, **named, **more})


@lru_cache(16)
def _prefix_of(header: RunHeader) -> bytes:
    """Runs of one sandbox have the same header, mostly."""
    return _prefix(header.text())


def run_frame(number: int, header: RunHeader, source: bytes, line: Mapping[str, Any] | None = None) -> bytes:
    """Start a script; `line` makes it a line of a session."""
    prefix = _prefix_of(header) if line is None else _prefix(header.text(line=line))
    return _frame(2, number, prefix + source)


def result_frame(number: int, value: bytes) -> tuple[bytes, bytes]:
    """The answer to a call: JSON. In two parts, so that a large one need not be copied to join them."""
    return _HEADER.pack(5 + len(value), 3, number), value


def failure_frame(number: int, code: str, message: str, **more: object) -> bytes:
    """The refusal or failure of a call."""
    return _frame(4, number, json.dumps({"code": code, "message": message, **more}).encode())


def wake_frame() -> bytes:
    """Time has passed."""
    return _frame(5, 0)


def files_frame(number: int, request: Mapping[str, Any], data: bytes = b"") -> tuple[bytes, bytes]:
    """In two parts, as a result."""
    header = json.dumps(request).encode()
    size = 5 + _U32.size + len(header) + len(data)
    return _HEADER.pack(size, 6, number) + _U32.pack(len(header)) + header, data


def input_frame(data: bytes) -> bytes:
    """Standard input of the run; no bytes mean its end."""
    return _frame(7, 0, data)


def stop_frame(status: int) -> bytes:
    """End the run."""
    return _frame(8, status)


def ask_frame(number: int, question: Mapping[str, Any]) -> bytes:
    """A question about a session."""
    return _frame(10, number, _headed(question, b""))


PREPARE_FRAME: Final = _frame(9, 0)
"""Get ready for the next run."""


def sites_frame(number: int, language: str, filename: str, source: bytes) -> bytes:
    """Where does that script call tools?"""
    return _frame(11, number, _headed({"language": language, "filename": filename}, source))
