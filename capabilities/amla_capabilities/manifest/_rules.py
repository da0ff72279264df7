"""Rules of a manifest: constraints and budgets, and the findings that it accepts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from amla_capabilities._budgets._bounds import rate_from
from amla_capabilities._budgets._spelling import expiry, read_totals
from amla_capabilities._constraints._operators import OPERATORS
from amla_capabilities._constraints._spelling import Misspelt
from amla_capabilities._suggest import did_you_mean
from amla_capabilities._values import as_mapping
from amla_capabilities.findings import FINDINGS

from ._faults import Source
from ._kinds import Checked, Field, Table, Text, describe
from ._model import Suppression
from ._positions import Path

__all__ = ["ACCEPTED", "CONSTRAINTS", "EXPIRES", "RATE", "Suppressions", "Totals"]

_MAPPING_OF_CONSTRAINTS = {
    "type": "object",
    "additionalProperties": {"type": ["string", "number", "boolean", "array", "object"]},
    "description": f"parameter to constraint; operators: {', '.join(OPERATORS)}",
}


def _constraints(value: Any) -> Any:
    if not isinstance(value, dict):
        raise ValueError(f"must be a table from parameter to constraint, not {describe(value)}")
    return value  # pyright: ignore[reportUnknownVariableType]


CONSTRAINTS = Checked(_constraints, _MAPPING_OF_CONSTRAINTS, "AM104")
RATE = Checked(rate_from, {"type": "string", "examples": ["10/minute", "5/30s"]}, "AM129")
EXPIRES = Checked(expiry, {"type": "string", "format": "date-time"}, "AM129")


@dataclass(frozen=True, slots=True)
class Totals:
    """Bounds on sums: a table from parameter to `<` or `<=` and a number."""

    def read(self, value: Any, path: Path, source: Source) -> Any:
        table = as_mapping(value)
        if table is None:
            return source.fault("AM104", path, f"must be a table from parameter to bound, not {describe(value)}")

        def note(fault: Misspelt) -> None:
            source.fault("AM129", (*path, *fault.where), fault.problem, offset=fault.offset)

        return read_totals(table, note)

    def schema(self) -> dict[str, Any]:
        return {"type": "object", "additionalProperties": {"type": "string", "examples": ["<=10000"]}}


@dataclass(frozen=True, slots=True)
class Suppressions:
    """Findings that are accepted: a table from code to a reason, or to `{ reason, path }`."""

    def read(self, value: Any, path: Path, source: Source) -> Any:
        table = as_mapping(value)
        if table is None:
            return source.fault("AM104", path, f"must be a table from code to reason, not {describe(value)}")
        return [found for code, item in table.items() if (found := self._one(code, item, (*path, code), source))]

    def _one(self, code: str, value: Any, path: Path, source: Source) -> Suppression | None:
        kind = FINDINGS.get(code)
        if kind is None or not kind.can_suppress:
            unknown = f"{code!r} is no finding{did_you_mean(code, FINDINGS)}"
            never = f"{code} is never suppressed: mend what was found"
            source.fault("AM128", path, never if kind else unknown, at_key=True)
            return None
        short = isinstance(value, str)
        read = {"reason": _REASON.read(value, path, source)} if short else ACCEPTED.read(value, path, source)
        if not read or not read.get("reason"):
            return None
        return Suppression(code, read["reason"], read.get("path", ""), source.file, path)

    def schema(self) -> dict[str, Any]:
        codes = sorted(code for code, kind in FINDINGS.items() if kind.can_suppress)
        accepted = {"anyOf": [_REASON.schema(), ACCEPTED.schema()]}
        return {
            "type": "object",
            "properties": {code: {**accepted, "description": FINDINGS[code].title} for code in codes},
            "additionalProperties": False,
        }


_REASON = Text()
ACCEPTED = Table(
    [
        Field("reason", _REASON, "why it is no problem", required=True),
        Field("path", Text(), "only findings about this place in the manifest, such as tools.pay"),
    ]
)
