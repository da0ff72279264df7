"""The lines of an audit log: each ends with a seal over itself and the seal of the line before (R36).

    {"v":1,…,"prev":"<seal of the line before>","sha256":"<seal>"}

The seal is a digest of the bytes of the line up to it. With a key it is an HMAC and called "hmac", so that only who has
the key can write lines that verify. Without one the chain means something only against a head, the last seal, that is
kept elsewhere. The first line follows 64 zeros.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

__all__ = ["GENESIS", "LONGEST", "Flaw", "Line", "Verification", "read_line", "sealed", "torn_record", "verify"]

GENESIS = "0" * 64
LONGEST = 1 << 20
"""Bytes of a line; arbitrary, far beyond what is written."""

VERSION = 1

_LINE = re.compile(rb'(\{"v":1,.*,"prev":"([0-9a-f]{64})"),"(sha256|hmac)":"([0-9a-f]{64})"\}')


class Line(NamedTuple):
    """A line taken apart: what is sealed, the seal before, the kind of seal (`sha256` or `hmac`), the seal."""

    body: bytes
    prev: str
    kind: str
    seal: str

    def is_genuine(self, key: bytes | None) -> bool:
        """Whether the seal is right. Without a key an `hmac` cannot be told, and is taken for right."""
        if self.kind == "hmac" and key is None:
            return True
        return self.kind == _kind(key) and hmac.compare_digest(_digest(self.body, key), self.seal)

    def record(self) -> dict[str, Any]:
        """What the line says. Raises ValueError if it is no JSON."""
        record: dict[str, Any] = json.loads(self.body + b"}")
        return record


def sealed(record: Mapping[str, object], prev: str, key: bytes | None) -> tuple[bytes, str]:
    """A record as a line, with its line break, and the line's seal. `record` must have a JSON form."""
    text = json.dumps({"v": VERSION, **record, "prev": prev}, allow_nan=False, separators=(",", ":"))
    body = text[:-1].encode("ascii")
    seal = _digest(body, key)
    return b'%s,"%s":"%s"}\n' % (body, _kind(key).encode(), seal.encode()), seal


def read_line(line: bytes) -> Line | None:
    """A line without its break, taken apart; None for what is no line of ours."""
    found = _LINE.fullmatch(line)
    if found is None:
        return None
    return Line(found[1], found[2].decode(), found[3].decode(), found[4].decode())


def torn_record(torn: bytes) -> dict[str, object]:
    """What the next writer records about a line that an interrupted one left unfinished."""
    return {"type": "torn", "bytes": len(torn), "digest": hashlib.sha256(torn).hexdigest()}


def _kind(key: bytes | None) -> str:
    return "sha256" if key is None else "hmac"


def _digest(body: bytes, key: bytes | None) -> str:
    return hashlib.sha256(body).hexdigest() if key is None else hmac.new(key, body, hashlib.sha256).hexdigest()


# --- verification -----------------------------------------------------------------------------------------


class Flaw(NamedTuple):
    """Something about a line, counted from 1, or about the whole log (0)."""

    line: int
    text: str


class Verification(NamedTuple):
    """What a look through a log found. `flaws` mean that it was tampered with, or damaged; `notes` are worth knowing.

    `head` is the last seal, to be kept elsewhere; None for a log without records. `keyed` says that seals are HMACs.
    """

    records: int
    head: str | None
    keyed: bool
    flaws: tuple[Flaw, ...]
    notes: tuple[Flaw, ...]

    @property
    def intact(self) -> bool:
        return not self.flaws


def verify(lines: Iterable[bytes], *, key: bytes | None = None, head: str | None = None) -> Verification:
    """Look through a log. `lines` come with their breaks; `head` is a seal that was kept: it must be among them."""
    reader = _Reader(key, head)
    for number, line in enumerate(lines, 1):
        reader.take(number, line)
    return reader.verdict()


class _Reader:
    def __init__(self, key: bytes | None, head: str | None) -> None:
        self._key, self._head = key, head
        self._prev = GENESIS
        self._before = 0  # the number of the last line that was a record
        self._torn: tuple[int, bytes] | None = None  # a line that is none, until the next one explains it
        self._records = self._after_head = 0
        self._found = head is None
        self._keyed = False
        self._flaws: list[Flaw] = []
        self._notes: list[Flaw] = []
        self._open: dict[str, dict[object, int]] = {}  # runs without an end, and their calls without a result

    def take(self, number: int, line: bytes) -> None:
        if not line.endswith(b"\n"):
            self._flaws.append(Flaw(number, "the last line is not whole: its writer was interrupted, or it was cut"))
            return
        text = line[:-1]
        found = read_line(text)
        if found is None:
            self._blame_torn()
            self._torn = number, text
        else:
            self._take(number, found)

    def _take(self, number: int, line: Line) -> None:
        record = self._record(number, line)
        self._explain_torn(record)
        if line.prev != self._prev:
            self._flaws.append(Flaw(number, self._gap()))
        self._keyed = self._keyed or line.kind == "hmac"
        self._prev, self._before = line.seal, number
        self._records += 1
        self._after_head += self._found
        if line.seal == self._head:
            self._found, self._after_head = True, 0
        self._follow(number, record)

    def _record(self, number: int, line: Line) -> dict[str, Any]:
        if not line.is_genuine(self._key):
            unsealed = self._key is not None and line.kind != "hmac"
            self._flaws.append(
                Flaw(number, "is not sealed with the key" if unsealed else "was changed, or the key is another")
            )
        try:
            return line.record()
        except ValueError:
            return {}

    def _gap(self) -> str:
        if not self._before:
            return "is not the first record of its log: the beginning was cut"
        return f"does not follow line {self._before}: records were cut, added or moved there"

    def _explain_torn(self, record: dict[str, Any]) -> None:
        """An unfinished line is in order if the next record is about just that."""
        if self._torn is None:
            return
        number, text = self._torn
        if all(record.get(name) == value for name, value in torn_record(text).items()):
            self._notes.append(Flaw(number, "is not whole: its writer was interrupted, as the next record says"))
            self._torn = None
        self._blame_torn()

    def _blame_torn(self) -> None:
        if self._torn is not None:
            self._flaws.append(Flaw(self._torn[0], "is no record"))
            self._torn = None

    def _follow(self, number: int, record: dict[str, Any]) -> None:
        run, kind = str(record.get("run")), record.get("type")
        if kind == "run":
            self._open[run] = {}
        elif kind == "call":
            self._open.setdefault(run, {})[record.get("call")] = number
        elif kind == "result":
            self._open.get(run, {}).pop(record.get("call"), None)
        elif kind == "end":
            self._open.pop(run, None)

    def verdict(self) -> Verification:
        self._blame_torn()
        if not self._found:
            self._flaws.append(Flaw(0, f"no record has the seal {self._head}: the end was cut, or it is another log"))
        elif self._head is not None and self._after_head:
            self._notes.append(Flaw(0, f"{self._after_head:,} records were written after that head"))
        self._notes += self._unended()
        head = self._prev if self._records else None
        return Verification(self._records, head, self._keyed, tuple(self._flaws), tuple(self._notes))

    def _unended(self) -> Iterator[Flaw]:
        for run, calls in self._open.items():
            for number in calls.values():
                yield Flaw(number, f"what came of this call is not recorded (run {run})")
            yield Flaw(0, f"run {run} has no end: it goes on, was killed, or the end of the log was cut")
