"""What guests said of scripts, kept for this user, so that a script that did not change is not looked at again.

    <cache>/sites/               0700, ours
        key                      0600, what the entries are sealed with
        <fingerprint>.json       0600, a line with the seal, then the answer

A fingerprint covers the guest, the script and the declared tools. An entry is believed as far as the guest is: the
answer is checked field by field, and decides nothing. Nothing is kept, or believed, in a folder that lies in a git
repository: what is checked there may have been put there by whoever wrote it (R3).
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from amla_sandbox._cache import CacheError, cache_folder
from amla_sandbox._cache._atomic import write_atomically
from amla_sandbox._cache._identity import guest_hash
from amla_sandbox._cache._secret import make_secret, read_secret
from amla_sandbox._cache._trust import open_trusted, own_folder
from amla_sandbox._guest._engine import GUEST

__all__ = ["KeptAnswers"]

FOLDER = "sites"
MOST_ENTRIES = 2_000
_FORM = "1"  # of the entries
_MAX_BYTES = 16 << 20
_FAULTS = (CacheError, OSError, ValueError)


class KeptAnswers:
    """The answers to one kind of question. What is damaged, foreign or cannot be written is as good as nothing."""

    def __init__(self, question: bytes) -> None:
        """`question` is what all answers depend on besides the guest and the script."""
        self._question = question
        self._pruned = False

    def get(self, script: bytes) -> Mapping[str, Any] | None:
        """The answer about a script (all that tells it from others), if it is known."""
        try:
            return self._read(self._path(script))
        except _FAULTS:
            return None

    def put(self, script: bytes, answer: Mapping[str, Any]) -> None:
        """Keep an answer, if that is possible."""
        with contextlib.suppress(*_FAULTS):
            path, text = self._path(script), json.dumps(answer).encode()
            write_atomically(path, [self._seal(path, text), b"\n", text], durable=False)
            self._prune(path.parent)

    @cached_property
    def _folder(self) -> Path:
        folder = own_folder(cache_folder() / FOLDER, create=True)
        if any((parent / ".git").exists() for parent in folder.parents):
            raise CacheError(f"{folder} lies in a repository")
        return folder

    @cached_property
    def _secret(self) -> bytes:
        try:
            return read_secret(self._folder)
        except CacheError:
            return make_secret(self._folder)

    @cached_property
    def _start(self) -> bytes:
        facts = [_FORM, guest_hash(GUEST), hashlib.sha256(self._question).hexdigest()]
        return json.dumps(facts).encode()

    def _path(self, script: bytes) -> Path:
        digest = hashlib.sha256(self._start + b"\0" + script)
        return self._folder / f"{digest.hexdigest()}.json"

    def _read(self, path: Path) -> Mapping[str, Any]:
        file = open_trusted(path)
        with os.fdopen(file, "rb") as opened:
            seal, _, text = opened.read(_MAX_BYTES).partition(b"\n")
        if not hmac.compare_digest(seal, self._seal(path, text)):
            raise CacheError(f"{path} is damaged")
        answer = json.loads(text)
        if not isinstance(answer, dict):
            raise CacheError(f"{path} is damaged")
        return cast("dict[str, Any]", answer)

    def _seal(self, path: Path, text: bytes) -> bytes:
        return hmac.new(self._secret, path.name.encode() + b"\n" + text, "sha256").hexdigest().encode()

    def _prune(self, folder: Path) -> None:
        """Once in a process: forget the entries that were made first, if there are too many."""
        if self._pruned:
            return
        self._pruned = True
        entries = sorted(folder.glob("*.json"), key=lambda path: path.lstat().st_mtime, reverse=True)
        for path in entries[MOST_ENTRIES:]:
            path.unlink(missing_ok=True)
