"""The files that the shell's rows read: about 5 MB each, the same on every machine."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

__all__ = ["write_files"]

SIZE = 5_000_000
LEVELS = ("INFO", "INFO", "INFO", "DEBUG", "WARN", "ERROR")
SERVICES = ("api", "web", "billing", "search", "mail")
NAMES = ("alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi")
METHODS = ("GET", "GET", "GET", "POST", "PUT", "DELETE")


def write_files(folder: Path) -> None:
    """Makes `log.txt`, `events.txt` (few different lines), `data.json` (an array) and `lines.txt` (10,000 lines)."""
    chance = random.Random(20260301)
    (folder / "log.txt").write_text(_filled(_log(chance)), "ascii")
    (folder / "events.txt").write_text(_filled(_events(chance)), "ascii")
    (folder / "data.json").write_text(f"[{_filled(_objects(chance)).strip().rstrip(',')}]\n", "ascii")
    (folder / "lines.txt").write_text("".join(f"name{i} {i * 7 % 1000} some words\n" for i in range(10_000)), "ascii")


def _filled(lines: Iterator[str]) -> str:
    """Lines up to SIZE."""
    taken: list[str] = []
    length = 0
    while length < SIZE:
        taken.append(next(lines))
        length += len(taken[-1])
    return "".join(taken)


def _log(chance: random.Random) -> Iterator[str]:
    second = 0
    while True:
        second += chance.randrange(3)
        clock = f"2026-03-{1 + second // 86400:02}T{second // 3600 % 24:02}:{second // 60 % 60:02}:{second % 60:02}"
        user = f"{chance.choice(NAMES)}{chance.randrange(100)}"
        path = f"/v1/{chance.choice(SERVICES)}/{chance.randrange(100_000)}"
        status = chance.choice((200, 200, 200, 201, 304, 404, 500))
        yield (
            f"{clock} {chance.choice(SERVICES)}-{chance.randrange(8)} {chance.choice(LEVELS)} user={user} "
            f"{chance.choice(METHODS)} {path} {status} took {chance.randrange(1, 2000)}\n"
        )


def _events(chance: random.Random) -> Iterator[str]:
    while True:
        words = [chance.choice(some) for some in (SERVICES, LEVELS, METHODS, NAMES)]
        yield f"{' '.join(words)} some text that is the same\n"


def _objects(chance: random.Random) -> Iterator[str]:
    number = 0
    while True:
        number += 1
        user = f"{chance.choice(NAMES)}{chance.randrange(20)}"
        shown = {
            "id": number,
            "user": user,
            "status": chance.choice((200, 404, 500)),
            "ms": chance.randrange(2000) / 8,
            "tags": [chance.choice(SERVICES), chance.choice(LEVELS)],
            "from": {"host": f"host-{chance.randrange(8)}", "path": f"/v1/{chance.randrange(1000)}"},
        }
        yield f"{json.dumps(shown)},\n"
