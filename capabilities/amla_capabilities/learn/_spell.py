"""From the values that arguments had to constraints, spelled as a manifest spells them.

Every spelling admits all the values that it was made from. With `Style(exact=True)` it admits, at each place, no other;
otherwise numbers become ranges and strings become lists or prefixes, as chosen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from amla_capabilities._algebra._witnesses import place
from amla_capabilities._constraints._spelling import constraints_from_dict
from amla_capabilities._decisions._tool_limits import ToolLimits
from amla_capabilities._errors import ConstraintError
from amla_capabilities._paths import EVERY, Step, parse_path, path_text
from amla_capabilities._values import Json, as_list, as_mapping, less, same, type_name

from ._beginnings import beginnings

__all__ = ["Spelling", "Style", "spell_calls", "spell_size"]

Spelling = dict[str, Any]  # of a place in the arguments to its constraints, as under `constraints` in a manifest
Steps = tuple[Step, ...]
_ABSENT: Any = object()
_FEW = 10  # different strings that are listed rather than described by a prefix; arbitrary


class Style(NamedTuple):
    """How much more than what happened is allowed."""

    exact: bool = False
    ranges: bool = True
    enums: bool = True
    prefixes: bool = True


def spell_calls(calls: Sequence[Mapping[str, Any]], style: Style, limits: ToolLimits) -> Spelling:
    """What all of these arguments have in common. Of places that `limits` call secret only presence is known.

    Raises `ConstraintError` for values that no manifest can hold.
    """
    speller = _Speller(style, limits)
    for name in dict.fromkeys(name for arguments in calls for name in arguments):
        speller.place((name,), [arguments.get(name, _ABSENT) for arguments in calls])
    return speller.found


def spell_size(calls: Sequence[Mapping[str, Any]]) -> Spelling:
    """How many arguments there were, which closes a schema that is open to others."""
    return {"": _brief({"length": _range(list(map(len, calls)))})}


class _Speller:
    """Spells places within the arguments, or within the elements of the array at `inside`."""

    def __init__(self, style: Style, limits: ToolLimits, inside: Steps = ()) -> None:
        self._style = style
        self._limits = limits
        self._inside = inside
        self.found: Spelling = {}

    def place(self, at: Steps, values: Sequence[Json]) -> None:
        """Spell what the values at one place have in common; some may be absent."""
        present = [value for value in values if value is not _ABSENT]
        optional = len(present) < len(values)
        kinds = set(map(type_name, present))
        if self._limits.covers((*self._inside, *at)):
            self._note(at, present, {} if optional else {"exists": True})
        elif kinds == {"object"} and not self._is_plain(at, present):
            self._object(at, present, optional)
        elif kinds == {"array"} and not self._is_plain(at, present):
            self._array(at, present, optional)
        else:
            self._note(at, present, _with_optional(self._value(present), optional))

    def _note(self, at: Steps, values: Sequence[Json], table: dict[str, Any]) -> None:
        if not table:
            return
        spelling = _brief(table)
        if not _admits(at, spelling, values):
            raise ConstraintError(f"the values of {path_text(at)} cannot be written as a constraint")
        self.found[path_text(at)] = spelling

    def _is_plain(self, at: Steps, values: Sequence[Json]) -> bool:
        """Whether objects and arrays are compared as a whole: one value, all of it known, that TOML can write."""
        return (
            len(_distinct(values)) == 1 and not _holds_null(values[0]) and not self._limits.hides((*self._inside, *at))
        )

    def _object(self, at: Steps, tables: Sequence[Mapping[str, Json]], optional: bool) -> None:
        """Its keys, each by itself; their number closes it against others."""
        sizes = list(map(len, tables))
        self._note(at, tables, _with_optional({"length": _range(sizes), **_typed("object", sizes)}, optional))
        for key in dict.fromkeys(key for table in tables for key in table):
            inner = [table.get(key, _ABSENT) for table in tables]
            self.place((*at, key), [*inner, _ABSENT] if optional else inner)

    def _array(self, at: Steps, arrays: Sequence[Sequence[Json]], optional: bool) -> None:
        sizes = list(map(len, arrays))
        size = {"length": _range(sizes), **_typed("array", sizes)}
        if self._style.exact:
            self._note(at, arrays, _with_optional(size, optional))
            for index in range(max(sizes)):
                self.place((*at, index), [array[index] if index < len(array) else _ABSENT for array in arrays])
            return
        inner = _Speller(self._style, self._limits, (*self._inside, *at, EVERY))
        if any(sizes):
            inner.place((), [item for array in arrays for item in array])
        if not optional and not any("any_of" in str(spelling) for spelling in inner.found.values()):
            self._note(at, arrays, size)
            self.found |= {path_text((*at, EVERY, *parse_path(place))): each for place, each in inner.found.items()}
        else:
            each = {"each": {_quoted(place): each for place, each in inner.found.items()}} if inner.found else {}
            self._note(at, arrays, _with_optional({**size, **each}, optional))

    # One place, as a table of operators

    def _value(self, values: Sequence[Json]) -> dict[str, Any]:
        by_kind: dict[str, list[Json]] = {}
        for value in _distinct(values):
            by_kind.setdefault(type_name(value), []).append(value)
        tables = [self._kind(kind, group) for kind, group in by_kind.items()]
        return tables[0] if len(tables) == 1 else {"any_of": tables}

    def _kind(self, kind: str, values: list[Json]) -> dict[str, Any]:
        """Different values of one type."""
        if len(values) > 1 and not self._style.exact:
            if kind == "number" and self._style.ranges:
                return _range(values)
            if kind == "string" and self._style.prefixes and (len(values) > _FEW or not self._style.enums):
                return next((table for table in beginnings(values) if _admits((), table, values)), {"is_in": values})
        if kind in ("array", "object") and any(map(_holds_null, values)):
            return {"is_type": kind}  # beside other types, and TOML has no null: no spelling says more
        return {"is_in": values} if len(values) > 1 else {"eq": values[0]}


def _with_optional(spelling: dict[str, Any], optional: bool) -> dict[str, Any]:
    return {**spelling, "optional": True} if optional else spelling


def _range(values: Sequence[Any]) -> dict[str, Any]:
    low = high = values[0]
    for value in values:
        low, high = (value if less(value, low) else low), (value if less(high, value) else high)
    return {"eq": low} if same(low, high) else {"ge": low, "le": high}


def _typed(kind: str, sizes: Sequence[int]) -> dict[str, Any]:
    """The type, where nothing inside would show it."""
    return {} if any(sizes) else {"is_type": kind}


# Shorter spellings, each only where it means the same


def _brief(table: dict[str, Any]) -> Any:
    if "any_of" in table:
        table = {**table, "any_of": [_brief(part) for part in table["any_of"]]}
    if isinstance(table.get("length"), dict):
        table = {**table, "length": _brief(table["length"])}
    if table.get("eq", 0) is None:  # TOML has no null
        return {"any_of": ["== null"], "optional": True} if "optional" in table else "== null"
    short = _short(table)
    return short if short is not None and _means(short, table) else table


def _short(table: dict[str, Any]) -> Any:
    if table.keys() == {"ge", "le"}:
        return [f">={table['ge']}", f"<={table['le']}"]
    return next(iter(table.values())) if table.keys() in ({"eq"}, {"is_in"}) else None


def _means(short: Any, table: dict[str, Any]) -> bool:
    try:
        return constraints_from_dict({"x": short}) == constraints_from_dict({"x": table})
    except ConstraintError:
        return False


def _quoted(place: str) -> str:
    """A path that cannot be taken for an operator: `["type"]` for `type`."""
    import json

    return f"[{json.dumps(place)}]" if place.isidentifier() else place


# Values


def _distinct(values: Iterable[Json]) -> list[Json]:
    kept: dict[str, Json] = {}
    for value in values:
        kept.setdefault(_key(value), value)
    return list(kept.values())


def _key(value: Json) -> str:
    import json

    return json.dumps(value, sort_keys=True, default=dict)


def _holds_null(value: Json) -> bool:
    items, table = as_list(value), as_mapping(value)
    inner = items if items is not None else list(table.values()) if table is not None else []
    return any(item is None or _holds_null(item) for item in inner)


def _admits(at: Steps, spelling: Any, values: Iterable[Json]) -> bool:
    """Whether a spelling, read as a manifest's would be, holds of every value."""
    try:
        constraints = constraints_from_dict({path_text(at): spelling})
    except ConstraintError:
        return False
    return all(constraints.holds(place({}, at, value)) for value in values)
