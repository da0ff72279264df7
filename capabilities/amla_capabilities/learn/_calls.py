"""What happened: the calls that were made, out of the records of an audit log or a trace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from amla_capabilities._errors import ToolNameError
from amla_capabilities._names import canonical_name
from amla_capabilities._values import as_mapping, show

__all__ = ["Call", "Trace", "read_calls"]

_MADE = ("allow", "allowed")
_NOT_MADE = ("deny", "denied", "ask", "needs-approval", "refused")


class Call(NamedTuple):
    """A call that was allowed.

    Calls of one `run` shared its budgets. `grant` is the place, among the capabilities of that run, of the one that
    allowed it.
    """

    tool: str
    arguments: Mapping[str, Any]
    run: str = ""
    grant: int | None = None


@dataclass(slots=True)
class Trace:
    """The calls of a trace in order, and how many of its records are none, by the reason."""

    calls: list[Call] = field(default_factory=list[Call])
    left_out: Counter[str] = field(default_factory=Counter[str])


def read_calls(records: Iterable[Mapping[str, Any]]) -> Trace:
    """The calls among `records`: those of an audit log, or any with `tool`, `arguments` and `verdict`.

    Refused calls are left out, since nothing happened; so are calls whose arguments a record cut short, which cannot be
    learned from. Raises `ValueError` for a record that is neither.
    """
    trace = Trace()
    for number, record in enumerate(records, 1):
        if record.get("type", "call") != "call":
            if record["type"] == "refused":
                trace.left_out["refused"] += 1
            continue
        try:
            call = _call(record)
        except (ValueError, ToolNameError) as error:
            raise ValueError(f"record {number}: {error}") from None
        if isinstance(call, str):
            trace.left_out[call] += 1
        else:
            trace.calls.append(call)
    return trace


def _call(record: Mapping[str, Any]) -> Call | str:
    """The call of a record, or why there is nothing to learn from it."""
    tool, verdict = record.get("tool"), record.get("verdict")
    if not isinstance(tool, str) or verdict not in (*_MADE, *_NOT_MADE):
        raise ValueError("is no record of a call: it needs a 'tool', 'arguments' and a 'verdict' such as \"allowed\"")
    if verdict in _NOT_MADE:
        return "refused"
    arguments = record.get("arguments")
    if arguments is None:
        return "cut short"
    table = as_mapping(arguments)
    if table is None:
        raise ValueError(f"the arguments of a call are an object, not {show(arguments)}")
    grant = record.get("capability_index")
    known = grant if isinstance(grant, int) and not isinstance(grant, bool) and grant >= 0 else None
    return Call(canonical_name(tool), table, str(record.get("run", "")), known)
