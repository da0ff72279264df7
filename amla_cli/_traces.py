"""Reading traces: files of JSON Lines with a record for each call, such as `--audit` writes."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

from ._outcome import CliError

if TYPE_CHECKING:
    from amla_capabilities.learn import Trace

__all__ = ["read_traces"]

_MAX_LINE = 64_000_000  # bytes; arguments are at most a few MB, and a file without line breaks must not fill the memory


def read_traces(files: Sequence[str]) -> Trace:
    """The calls of all the files together; `-` is standard input. Raises CliError for what is no trace."""
    from amla_capabilities.learn import Trace, read_calls

    whole = Trace()
    for file in files:
        try:
            trace = read_calls(_records(file))
        except ValueError as error:
            raise CliError("trace", f"{file}: {error}", _HINT) from None
        except OSError as error:
            raise CliError("trace", f"cannot read {file}: {error.strerror}") from error
        whole.calls += [call._replace(run=f"{file}:{call.run}") for call in trace.calls]
        whole.left_out.update(trace.left_out)
    return whole


_HINT = "a trace is a file that 'amla run --audit FILE' wrote, or JSON Lines with tool, arguments and verdict"


def _records(file: str) -> Iterator[dict[str, Any]]:
    if file == "-":
        yield from _parsed(_lines(sys.stdin.buffer))
        return
    with open(file, "rb") as opened:  # noqa: PTH123 - as the user wrote it
        yield from _parsed(_lines(opened))


def _lines(opened: BinaryIO) -> Iterator[bytes]:
    while line := opened.readline(_MAX_LINE + 1):
        yield line


def _parsed(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line) if len(line) <= _MAX_LINE else None
        except (ValueError, RecursionError):
            record = None
        if not isinstance(record, dict):
            raise ValueError(f"line {number} is no JSON object")
        yield record
