"""Where scripts call tools: asked of a guest, for nothing of a script is parsed on the host; each answer is checked."""

from __future__ import annotations

import contextlib
import re
import sys
import threading
import time
from bisect import bisect_right
from collections.abc import Callable, Collection, Mapping
from itertools import accumulate
from typing import TYPE_CHECKING, Any, cast

from amla_sandbox._guest import _threads
from amla_sandbox._guest._guest import Guest, GuestTrapError
from amla_sandbox._guest._protocol import Fault, ProtocolError, Sites, configure_frame, parse_frames, sites_frame
from amla_sandbox._runs._language import language_named

if TYPE_CHECKING:
    from amla_capabilities.check import CallSite, CallSites, OpenText, SiteError

    from ._kept import KeptAnswers

__all__ = ["SiteFinder", "find_calls"]

_MEMORY = 256 << 20
"""Bytes of the guest that looks at scripts."""

_MAX_SITES = 20_000
_MAX_OPEN = 100_000
_MAX_STEPS = 64
_MAX_TEXT = 2_000
"""Sites, open paths in all, steps of a path, and characters of a text, as taken of what a guest says; arbitrary."""

_EXCERPT = 500
"""Characters of a site's source."""

_TYPESCRIPT = ("typescript", "ts")
_BOM = "\ufeff"


class SiteFinder:
    """Looks at scripts in a sandbox of its own, which is kept from one to the next. Thread-safe."""

    def __init__(
        self,
        tools: Mapping[str, Mapping[str, Any] | None] | None = None,
        servers: Collection[str] = (),
        *,
        keep: bool = False,
    ) -> None:
        """`tools` are the declared tools' paths with the schemas of their arguments, None for one that is not known;
        under `servers`, names of MCP servers, any name is taken for a tool. With `keep` what is found is kept in the
        user's cache folder, and found there the next time."""
        entries = [{"path": path, "description": "", "parameters": schema} for path, schema in (tools or {}).items()]
        configuration: dict[str, Any] = {
            "files": {},
            "tools": [_without_null(entry) for entry in entries],
            "open": sorted(servers),
        }
        self._configuration = configure_frame(configuration)
        self._kept = _kept_answers(self._configuration) if keep else None
        self._lock = threading.Lock()
        self._guest: Guest | None = None
        self._questions = 0

    def find(self, source: str, filename: str, language: str, timeout: float = 10.0) -> CallSites:
        """The sites of a script; what `find_calls` says."""
        from amla_capabilities.check import CallSites, SiteError

        known = language_named(language)
        name = (
            "script.ts" if language.lower() in _TYPESCRIPT or filename.endswith((".ts", ".mts", ".cts")) else "script"
        )
        mark = len(source) - len(source.removeprefix(_BOM))
        data = source[mark:].encode("utf-8", "replace")
        script = b"\0".join((known.encode(), name.encode(), data))
        if self._kept and (answer := self._kept.get(script)) is not None:
            with contextlib.suppress(ProtocolError):
                return _Answer(source, mark).read(answer)
        try:
            answer = _threads.call(self._ask, known, name, data, timeout)
            found = _Answer(source, mark).read(answer)
            if self._kept:
                self._kept.put(script, answer)
            return found
        except GuestTrapError as error:
            reason = f"it takes longer than {timeout:g} s to look at" if error.killed else "it is too large to look at"
        except MemoryError:
            reason = "it is too large to look at"
        except ProtocolError as error:
            reason = f"it could not be looked at: {error}"
        return CallSites((), SiteError(reason, 1, 1))

    def close(self) -> None:
        """Give the sandbox back."""
        with self._lock:
            self._drop()

    def __del__(self, _ending: Callable[[], bool] = sys.is_finalizing) -> None:
        if not _ending() and hasattr(self, "_guest"):
            self._drop()

    def _ask(self, language: str, name: str, source: bytes, timeout: float) -> Mapping[str, Any]:
        with self._lock:
            try:
                return self._answered(language, name, source, timeout)
            except (GuestTrapError, ProtocolError, MemoryError):
                self._drop()
                raise

    def _answered(self, language: str, name: str, source: bytes, timeout: float) -> Mapping[str, Any]:
        self._questions = (self._questions + 1) & 0xFFFFFFFF
        frames: tuple[bytes, ...] = (sites_frame(self._questions, language, name, source),)
        if self._guest is None:
            from amla_sandbox._guest._engine import engine

            self._guest = Guest(engine(), _MEMORY, bytes(16))
            frames = (self._configuration, *frames)
        deadline = time.monotonic() + timeout
        for frame in parse_frames(self._guest.serve(frames, deadline)):
            if isinstance(frame, Sites) and frame.id == self._questions:
                return frame.answer
            if isinstance(frame, Fault):
                raise ProtocolError(frame.text)
        if time.monotonic() >= deadline:
            raise GuestTrapError("the guest was interrupted", killed=True)
        raise ProtocolError("the guest did not answer")

    def _drop(self) -> None:
        if self._guest is not None:
            self._guest.close()
            self._guest = None


def _kept_answers(question: bytes) -> KeptAnswers:
    from ._kept import KeptAnswers

    return KeptAnswers(question)


_last: tuple[Mapping[str, Any] | None, tuple[str, ...], SiteFinder] | None = None
_last_lock = threading.Lock()


def find_calls(
    source: str,
    filename: str,
    language: str,
    tools: Mapping[str, Mapping[str, Any] | None] | None = None,
    *,
    servers: Collection[str] = (),
    timeout: float = 10.0,
) -> CallSites:
    """Every place in a script where a tool is called, or may be; nothing of the script is run.

    The script is parsed in a sandbox. `language` is a name that `Sandbox.run` takes; with "typescript", or for a
    `filename` that ends in `.ts`, it is read as TypeScript. `tools` and `servers` are as `SiteFinder` has them; the
    sandbox is kept while they stay the same. `timeout` is in seconds. A script that cannot be parsed, or that takes
    too long, has no sites and an `error`. Raises UnsupportedLanguageError.

    For each call that a run of the script makes there is a site that names its tool, or one without a name, and the
    arguments agree with what the site knows of them, unless the script goes out of its way to hide what it does
    (names of properties that it puts together when it runs). So a site is a hint for people; what a run may do is
    decided when it does it.
    """
    return _finder(tools, servers).find(source, filename, language, timeout)


def _finder(tools: Mapping[str, Any] | None, servers: Collection[str]) -> SiteFinder:
    global _last
    names = tuple(sorted(servers))
    with _last_lock:
        if _last is not None and _last[1] == names and (_last[0] is tools or _last[0] == tools):
            return _last[2]
        if _last is not None:
            _last[2].close()
        made = SiteFinder(tools, names)
        _last = (dict(tools) if tools is not None else None, names, made)
        return made


def _without_null(entry: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in entry.items() if value is not None}


class _Answer:
    """What a guest says of a source, taken field by field."""

    def __init__(self, source: str, mark: int) -> None:
        """`mark` is how many characters at its beginning the guest was not given."""
        self._source = source
        self._mark = mark
        self._units = None if source.isascii() or max(source) < "\U00010000" else _units(source[mark:])
        self._starts = [0, *(at + 1 for at, character in enumerate(source) if character == "\n")]
        self._open = 0

    def read(self, answer: Mapping[str, Any]) -> CallSites:
        from amla_capabilities.check import CallSites

        error = answer.get("error")
        if error is not None:
            return CallSites((), self._error(_object(error)))
        sites = [self._site(_object(site)) for site in _list(answer.get("sites"), _MAX_SITES)]
        sites.sort(key=lambda site: (site.line, site.column))
        return CallSites(tuple(sites))

    def _error(self, said: Mapping[str, Any]) -> SiteError:
        from amla_capabilities.check import SiteError

        return SiteError(_text(said.get("message")), *self._place(self._offset(said.get("offset"))))

    def _site(self, said: Mapping[str, Any]) -> CallSite:
        from amla_capabilities.check import CallSite

        start, end = self._offset(said.get("start")), self._offset(said.get("end"))
        if end < start:
            raise ProtocolError("a site ends before it begins")
        tool = said.get("tool")
        arguments = _arguments(said.get("arguments"))
        return CallSite(
            None if tool is None else _text(tool),
            arguments,
            ("",) if arguments is None else self._paths(said.get("open")),
            *self._place(start),
            *self._place(end),
            self._source[start : min(end, start + _EXCERPT)],
            said.get("shadowed") is True,
            _text(said.get("fault", "")),
            _text(said.get("note", "")),
            () if arguments is None else self._texts(said.get("texts")),
        )

    def _offset(self, value: object) -> int:
        """A place in the source; the guest counts in UTF-16."""
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise ProtocolError("a place is no number")
        offset = self._mark + (value if self._units is None else bisect_right(self._units, value) - 1)
        if offset > len(self._source):
            raise ProtocolError("a place lies outside the source")
        return offset

    def _place(self, offset: int) -> tuple[int, int]:
        """Line and column, from 1."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def _paths(self, value: object) -> tuple[str, ...]:
        from amla_capabilities.check import path_text

        paths = _list(value, _MAX_OPEN - self._open)
        self._open += len(paths)
        return tuple(dict.fromkeys(path_text(_steps(path)) for path in paths))

    def _texts(self, value: object) -> tuple[OpenText, ...]:
        from amla_capabilities.check import OpenText, path_text

        texts = [_list(text, 3) for text in _list(value, _MAX_OPEN)]
        if any(len(text) != 3 for text in texts):
            raise ProtocolError("a text is no path with two ends")
        return tuple(
            OpenText(path_text(_steps(path)), _beginning(prefix), _end(suffix)) for path, prefix, suffix in texts
        )


_SURROGATE = re.compile("[\ud800-\udfff]")  # half of a character whose other half is not known, or a byte that is none


def _beginning(value: object) -> str:
    return _SURROGATE.split(_string(value)[:_MAX_TEXT])[0]


def _end(value: object) -> str:
    return _SURROGATE.split(_string(value)[-_MAX_TEXT:])[-1]


def _units(source: str) -> list[int]:
    """Where each character begins in UTF-16, and where the last one ends."""
    return list(accumulate((2 if character > "\uffff" else 1 for character in source), initial=0))


def _steps(value: object) -> tuple[str | int, ...]:
    steps = _list(value, _MAX_STEPS + 1)
    for step in steps:
        if isinstance(step, bool) or not isinstance(step, str | int):
            raise ProtocolError("a path is made of something else than keys and indexes")
    return tuple(steps)


def _arguments(value: object) -> Mapping[str, Any] | None:
    """Arguments as a run's are read; None for what no run would pass on."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise ProtocolError("arguments are no text")
    from amla_sandbox.tools._errors import ArgumentError
    from amla_sandbox.tools._json import Caps, freeze, is_object, parse_json

    try:
        arguments = parse_json(value.encode("utf-8", "surrogatepass"), Caps())
    except ArgumentError:
        return None
    return cast("Mapping[str, Any]", freeze(arguments)) if is_object(arguments) else None


def _object(value: object) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ProtocolError("a part of the answer is no object")
    return cast("dict[str, Any]", value)


def _list(value: object, most: int) -> list[Any]:
    if not isinstance(value, list):
        raise ProtocolError("a part of the answer is no list")
    return _bounded(cast("Any", value), most)


def _bounded(items: list[Any], most: int) -> list[Any]:
    if len(items) > most:
        raise ProtocolError("a list in the answer is too long")
    return items


def _text(value: object) -> str:
    return _string(value)[:_MAX_TEXT].encode("utf-8", "replace").decode()


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise ProtocolError("a part of the answer is no text")
    return value
