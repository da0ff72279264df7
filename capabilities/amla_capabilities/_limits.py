"""Every limit of a sandbox in one table: its name, default, unit and meaning.

The manifest's `[sandbox]`, the command line's options and the documentation are made from it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, NamedTuple

from ._suggest import did_you_mean
from ._units import format_duration, format_size, parse_duration, parse_size
from ._values import show

__all__ = ["LimitSpec", "Limits"]

Kind = Literal["duration", "size", "count"]
_MB = 1_000_000


class LimitSpec(NamedTuple):
    """One limit: `kind` says whether it is seconds, bytes or a plain number; `about` is a line for people."""

    name: str
    kind: Kind
    default: float
    about: str

    def parse(self, written: object) -> float:
        """The limit as a number, from how a person wrote it: `"30s"`, `"64MB"`, `1000`; 0 means none.

        Raises `ValueError`.
        """
        if isinstance(written, str) and self.kind != "count":
            return parse_duration(written) if self.kind == "duration" else parse_size(written)
        if isinstance(written, str) and written.isascii() and written.isdigit():
            return int(written)
        if isinstance(written, int) and not isinstance(written, bool) and (self.kind == "count" or written == 0):
            return self.checked(written)
        raise ValueError(f"{self.name} is {_EXPECTED[self.kind]}, not {show(written)}")

    def checked(self, value: float) -> float:
        """`value` if it can be this limit. Raises `ValueError`, and `TypeError` for what is no number."""
        if not isinstance(value, int | float):  # pyright: ignore[reportUnnecessaryIsInstance]
            units = {"duration": "number of seconds", "size": "number of bytes", "count": "whole number"}
            hint = f"; Limits().written({self.name}={value!r}) reads units" if isinstance(value, str) else ""
            raise TypeError(f"{self.name} is a {units[self.kind]}, not {show(value)}{hint}")
        whole = self.kind == "duration" or isinstance(value, int)
        if isinstance(value, bool) or not math.isfinite(value) or value < 0 or not whole:
            raise ValueError(f"{self.name} is {_EXPECTED[self.kind]}, not {show(value)}")
        return value

    def format(self, value: float) -> str:
        """The limit as it is written in a manifest; `none` for 0."""
        if not value:
            return "none"
        return {"duration": format_duration, "size": _format_size, "count": _format_count}[self.kind](value)


_EXPECTED = {
    "duration": 'a duration such as "30s" (0 for none)',
    "size": 'a size such as "64MB" (0 for none)',
    "count": "a whole number (0 for none)",
}


def _format_size(value: float) -> str:
    return format_size(int(value))


def _format_count(value: float) -> str:
    return f"{int(value):,}"


def _limit(default: float, kind: Kind, about: str) -> Any:
    return field(default=default, metadata={"default": default, "kind": kind, "about": about})


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of one sandbox: seconds for durations, bytes for sizes; 0 means none."""

    timeout: float = _limit(30.0, "duration", "wall time of a run, tools included, waiting for approvals not")
    cpu: float = _limit(10.0, "duration", "time that a run's own code may compute")
    memory: int = _limit(256 * _MB, "size", "memory of the sandbox")
    max_output: int = _limit(1 * _MB, "size", "stdout and stderr of a run; the rest is cut and counted")
    files: int = _limit(256 * _MB, "size", "bytes of all files in the sandbox")
    file_count: int = _limit(10_000, "count", "files and folders in the sandbox")
    source: int = _limit(4 * _MB, "size", "source text of a script")
    arguments: int = _limit(1 * _MB, "size", "arguments of one tool call, as JSON")
    argument_depth: int = _limit(64, "count", "nesting of the arguments of one tool call")
    argument_nodes: int = _limit(100_000, "count", "values in the arguments of one tool call")
    results: int = _limit(16 * _MB, "size", "result of one tool call, and value of a script, as JSON")
    max_calls: int = _limit(1_000, "count", "tool calls that a run may make")
    max_attempts: int = _limit(10_000, "count", "tool calls that a run may try, refused ones included")
    concurrency: int = _limit(128, "count", "tool calls at once; more wait in a queue")
    call_timeout: float = _limit(60.0, "duration", "time of one tool call")
    approval_timeout: float = _limit(600.0, "duration", "time that a person has to answer; then the call is denied")

    def __post_init__(self) -> None:
        for spec in self.specs():
            spec.checked(getattr(self, spec.name))

    @classmethod
    def specs(cls) -> Iterator[LimitSpec]:
        """The table, in order."""
        return (LimitSpec(f.name, f.metadata["kind"], f.metadata["default"], f.metadata["about"]) for f in fields(cls))

    @classmethod
    def spec(cls, name: str) -> LimitSpec:
        """One row. Raises `ValueError` with the nearest name."""
        for spec in cls.specs():
            if spec.name == name:
                return spec
        raise ValueError(f"unknown limit {name!r}{did_you_mean(name, [spec.name for spec in cls.specs()])}")

    def written(self, **limits: object) -> Limits:
        """These limits with some set as people write them: `limits.written(timeout="5s", max_calls=10)`."""
        parsed: dict[str, Any] = {name: self.spec(name).parse(value) for name, value in limits.items()}
        return replace(self, **parsed)

    def __getitem__(self, name: str) -> float | None:
        """The limit by name, None where it is off."""
        return getattr(self, self.spec(name).name) or None
