"""`Session`: lines of both languages, one after the other, over one world that stays."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from amla_capabilities import RunMeter
from amla_sandbox._guest import _threads
from amla_sandbox._result import CallRecord, ExecutionResult
from amla_sandbox._runs._input import StdIn
from amla_sandbox._runs._language import language_named
from amla_sandbox._runs._run import OnOutput, Run
from amla_sandbox._sandbox import Sandbox

from ._completion import Completion, completion_of, in_slot, signature_of, slot_of
from ._line_result import LineResult
from ._state import SavedState, StateError, pack_state, unpack_state
from ._state_key import state_key

if TYPE_CHECKING:
    from amla_sandbox._guest._instance import Instance
    from amla_sandbox._runs._scheduler import Drive

__all__ = ["Session"]

Completeness = Literal["complete", "incomplete", "invalid"]

_UNDONE = "the line had to be stopped the hard way: what it did to variables and files is undone"
_LONGEST_PATH = 4096


class Session:
    """What a REPL is made of: each line finds what earlier ones left in the sandbox.

    Files and the present folder are common to both languages. A sandbox has one session at a time: a new one begins
    with fresh variables on the same files. Limits on time hold for each line, those on calls for all of them.
    `env` are environment variables beside the sandbox's own.
    """

    def __init__(self, sandbox: Sandbox, *, env: Mapping[str, str] | None = None) -> None:
        self._inside = sandbox.powers()
        self._env = dict(env or {})
        self._number = secrets.randbits(31)
        self._meter = RunMeter(sandbox.limits.max_calls, sandbox.limits.max_attempts)
        self._drive: Drive | None = None
        self._is_loaded = False
        """Whether no line was run since the session was loaded."""
        self.cwd = "/workspace"
        """The folder that the next line starts in."""
        self.calls: list[CallRecord] = []
        """The tool calls of all lines."""
        self._inside.instance.keep_state()

    # --- lines -------------------------------------------------------------------------------

    def run(
        self,
        line: str,
        language: str,
        *,
        on_output: OnOutput | None = None,
        stdin: StdIn = None,
        columns: int = 80,
        color: bool = False,
        filename: str = "repl",
    ) -> LineResult:
        """Run a line to its end: until its value is there, and what it started is over.

        `columns` and `color` are for the value as it is shown; `filename` is how errors name the line; the rest is as
        for `Sandbox.run`. Raises SandboxBusyError while another line or script runs.
        """
        inside = self._inside
        shape = {"session": self._number, "isLoaded": self._is_loaded, "columns": columns, "color": color}
        script = inside.script(line, language, stdin, (), self._env, filename)._replace(session=shape)
        earlier, inside.instance.undone = self._meter.calls, False
        drive = self._drive = inside.drive(script, on_output, meter=self._meter)
        try:
            result = inside.over(drive.wait())
            self._is_loaded = False
        finally:
            self._drive = None
        return self._ended(drive.run, result, earlier)

    def interrupt(self) -> None:
        """End the line that runs, if any, and keep what it has done; from any thread, or a signal handler."""
        drive = self._drive
        if drive is not None:
            threading.Thread(target=drive.cancel, name="amla-interrupt", daemon=True).start()

    def _ended(self, run: Run, result: ExecutionResult, earlier: int) -> LineResult:
        instance, told = self._inside.instance, run.told
        note, instance.undone = _UNDONE if instance.undone else "", False
        self.calls += result.calls
        self.cwd = _path(told.get("cwd")) or self.cwd
        values = {field.name: getattr(result, field.name) for field in fields(result)}
        values["usage"] = result.usage._replace(calls=result.usage.calls - earlier)
        if result.failure is not None:
            values["error"] = _advised(_text(told.get("error")), run.said, result.failure.message) or result.error
        shown, is_last = _text(told.get("shown")), told.get("isLast") is True
        return LineResult(**values, shown=shown, cwd=self.cwd, note=note, is_last=is_last)

    # --- at rest -----------------------------------------------------------------------------

    def save(self, key: bytes | None = None) -> bytes:
        """The whole session: files, variables of both languages, and what is left of budgets.

        Signed with `key`, by default this user's own. Raises SandboxBusyError while a line runs.
        """
        inside = self._inside
        with inside.idle():
            instance = inside.instance
            memory, pristine = _threads.call(_memories, instance)
            told = {
                "number": self._number,
                "cwd": self.cwd,
                "calls": self._meter.calls,
                "attempts": self._meter.attempts,
                "ledger": inside.policy().ledger.export(),
            }
            return pack_state(SavedState(told, memory), pristine, instance.guest_hash, key or state_key())

    @classmethod
    def load(cls, sandbox: Sandbox, data: bytes, key: bytes | None = None) -> Session:
        """A saved session, in a sandbox whose files it replaces; tools, limits and secrets are the sandbox's.

        Counts of calls are the higher of those saved and the sandbox's own (R6). Raises StateError, a SandboxError, for
        what this user did not sign, and what another version of amla or a sandbox with more memory saved.
        """
        session = cls(sandbox)
        inside = session._inside
        with inside.idle():
            instance = inside.instance
            pristine = _threads.call(_pristine, instance)
            most = int(sandbox.limits.memory)
            state = unpack_state(data, pristine, instance.guest_hash, key or state_key(), most=most)
            session._take_over(state.told)
            _threads.call(instance.load, state.memory)
        return session

    def _take_over(self, told: Mapping[str, Any]) -> None:
        ledger = told.get("ledger")
        try:
            self._inside.policy().ledger.restore(cast("Mapping[str, Any]", ledger if isinstance(ledger, dict) else {}))
        except ValueError as error:
            raise StateError(f"the session's counts of calls cannot be read: {error}") from error
        self._number, self._is_loaded = _count(told.get("number")), True
        self.cwd = _path(told.get("cwd")) or self.cwd
        self._meter.calls = _count(told.get("calls"))
        self._meter.attempts = _count(told.get("attempts"))

    # --- before a line is run ----------------------------------------------------------------

    def completeness(self, text: str, language: str) -> Completeness:
        """Whether `text` is a whole line, the beginning of one, or neither; said by the parser that would run it."""
        answer = self._ask("completeness", text, language)
        return cast("Completeness", answer) if answer in get_args(Completeness) else "invalid"

    def complete(self, text: str, cursor: int, language: str) -> Completion:
        """How the line may go on at `cursor`. Looks at what there is; no code of the session's runs."""
        before = text[:cursor]
        answer = self._ask("complete", before, language)
        found, slot = completion_of(answer, before), slot_of(answer)
        tool = self._inside.tools.find(slot.tool) if slot is not None else None
        if slot is None or tool is None:
            return found
        shell = language_named(language) == "shell"
        return Completion(found.start, (*in_slot(slot, tool, self._inside.policy(), shell=shell), *found.candidates))

    def signature(self, text: str, cursor: int, language: str) -> str | None:
        """How the tool is called whose call the cursor is in; None for none."""
        name = self._ask("tool", text[:cursor], language)
        tool = self._inside.tools.find(name) if isinstance(name, str) else None
        return signature_of(tool) if tool is not None else None

    def _ask(self, op: str, text: str, language: str) -> Any:
        """What the guest answers to a question; None if it cannot. Raises SandboxBusyError while a line runs."""
        inside = self._inside
        known = language_named(language)
        env = dict(inside.script("", known, None, (), self._env, None).env)
        question = {"op": op, "session": self._number, "text": text, "language": known, "env": env}
        with inside.idle():
            return inside.instance.ask(question)

    # --- what there is -----------------------------------------------------------------------

    def spent(self) -> tuple[int, int]:
        """Tool calls that were made, and that were tried, of all that the limits count: also before it was saved."""
        return self._meter.calls, self._meter.attempts

    def usage(self) -> tuple[int, int]:
        """Bytes and files that count against the sandbox's limits."""
        value = self._inside.instance.files("usage", "/").value
        counted: Mapping[str, Any] = cast("Mapping[str, Any]", value) if isinstance(value, dict) else {}
        return _count(counted.get("bytes")), _count(counted.get("files"))


def _memories(instance: Instance) -> tuple[bytes, bytes]:
    return instance.save(), _pristine(instance)


def _pristine(instance: Instance) -> bytes:
    """The memory of a guest in which nothing ran."""
    guest = instance.fresh()
    try:
        return guest.save()
    finally:
        guest.close()


def _text(value: object) -> str | None:
    """Text that can be printed: a lone surrogate must not break the host's output."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else None


def _advised(error: str | None, said: str, advised: str) -> str | None:
    """What the guest shows of an error, its message (`said`) replaced by the one with the host's advice."""
    if error is None or not said or advised in error:
        return error
    return error.replace(said, advised, 1)


def _path(value: object) -> str | None:
    text = _text(value)
    return text if text and text.startswith("/") and "\0" not in text and len(text) <= _LONGEST_PATH else None


def _count(value: object) -> int:
    return int(value) if isinstance(value, int | float) and 0 <= value < 2**53 else 0
