"""Constraints as written in manifests and in `constraints={...}`.

    amount = "<=1000"                     a comparison
    amount = [">=100", "<=10000"]         all of several comparisons
    currency = "USD"                      equality
    currency = ["USD", "EUR"]             one of several values
    path = "startswith:/api/"             also endswith: and contains:
    path = { starts_with = "/api/" }      operators by name, all of them
    "customer.country" = "DE"             a nested argument
    amount = { "<=" = 50, when = { kind = "cash" } }
                                          only where something else holds
    "" = { any_of = [{ a = 1 }, { b = 2 }] }
                                          about several parameters: "" is all arguments

What looks like a comparison and is none is an error, never a string to compare with (R18).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from amla_capabilities._errors import ConstraintError
from amla_capabilities._paths import Step, parse_path
from amla_capabilities._suggest import did_you_mean
from amla_capabilities._values import as_list, as_mapping

from ._comparisons import SYMBOLS, Misspelt, Where, split_comparison
from ._constraint import Constraint
from ._constraint_set import ConstraintSet
from ._leaf import Each, Leaf
from ._logic import AllOf, AnyOf, Not, When
from ._operators import OPERATORS

__all__ = ["Misspelt", "constraints_from_dict", "is_operator", "read_constraints", "split_comparison"]


def constraints_from_dict(mapping: Mapping[str, Any]) -> ConstraintSet:
    """The constraints of one tool, from parameter to spelling.

    Raises `ConstraintError` listing everything that does not parse, each with a caret.
    """
    faults: list[Misspelt] = []
    constraints = read_constraints(mapping, faults.append)
    if faults:
        raise ConstraintError("\n".join(f"{_dotted(fault.where)}: {fault}" for fault in faults))
    return ConstraintSet(constraints)


def read_constraints(mapping: Mapping[str, Any], fault: Callable[[Misspelt], None]) -> list[Constraint]:
    """The constraints that parse; each that does not is handed to `fault` with its place."""
    constraints: list[Constraint] = []
    for param, spelling in mapping.items():
        try:
            constraints.extend(_Reader(parse_path(param)).read(spelling, (param,)))
        except Misspelt as error:
            fault(error)
        except ConstraintError as error:
            fault(Misspelt(str(error), (param,)))
    return constraints


class _Reader:
    """Reads the spellings of one parameter."""

    def __init__(self, path: tuple[Step, ...], *, optional: bool = False, of_length: bool = False) -> None:
        self._path = path
        self._optional = optional
        self._of_length = of_length

    def read(self, spelling: object, where: Where) -> list[Constraint]:
        """The constraints that all must hold. Raises `Misspelt`."""
        if isinstance(spelling, str):
            return [self._string(spelling, where)]
        items, table = as_list(spelling), as_mapping(spelling)
        if items is not None:
            return self._list(items, where)
        if table is None:
            return [self._leaf("eq", spelling, where)]
        if not self._path and table and not any(map(is_operator, table)):
            return _parameters(table, where)
        return self._table(table, where)

    def _leaf(self, name: str, operand: object, where: Where, text: str = "", offset: int = 0) -> Constraint:
        try:
            return Leaf.build(name, self._path, operand, optional=self._optional, of_length=self._of_length)
        except Misspelt:
            raise
        except ConstraintError as error:
            raise Misspelt(str(error), where, text, offset) from None

    def _string(self, text: str, where: Where) -> Constraint:
        """The comparison that a string spells, or equality with a plain one. Raises `Misspelt` for what is neither."""
        name, operand, offset = split_comparison(text, where) or ("eq", text, 0)
        return self._leaf(name, operand, where, text, offset)

    def _list(self, items: list[Any], where: Where) -> list[Constraint]:
        if not items:
            raise Misspelt("an empty list allows nothing; leave the parameter out, or list what is allowed", where)
        comparing = [
            isinstance(item, Mapping) or (isinstance(item, str) and split_comparison(item, (*where, n)) is not None)
            for n, item in enumerate(items)
        ]
        if all(comparing):
            return [part for n, item in enumerate(items) for part in self.read(item, (*where, n))]
        if any(comparing):
            odd = comparing.index(not comparing[0])
            raise Misspelt("a list holds either plain values (one of) or comparisons (all of), not both", (*where, odd))
        return [self._leaf("is_in", items, where)]

    def _table(self, table: Mapping[str, Any], where: Where) -> list[Constraint]:
        optional = table.get("optional", self._optional)
        if not isinstance(optional, bool):
            raise Misspelt("'optional' is true or false", (*where, "optional"))
        reader = _Reader(self._path, optional=optional, of_length=self._of_length)
        keys = [key for key in table if key not in _MODIFIERS]
        if not keys:
            raise Misspelt(f"a table names at least one operator: {_OPERATOR_LIST}", where)
        parts = [reader._entry(key, table[key], (*where, key)) for key in keys]
        return [_when(table["when"], _all(parts), (*where, "when"))] if "when" in table else parts

    def _entry(self, key: str, value: Any, where: Where) -> Constraint:
        name = SYMBOLS.get(key) or _ALIASES.get(key, key)
        if name in ("exists", "not_exists"):
            return self._presence(name, value, where)
        if name in OPERATORS:
            return self._leaf(name, value, where)
        if name in _NESTED:
            return _NESTED[name](self, value, where)
        known = [*OPERATORS, *_NESTED, *_ALIASES]
        raise Misspelt(f"unknown operator {key!r}{did_you_mean(key, known) or _nested_hint(self._path, key)}", where)

    def _presence(self, name: str, value: object, where: Where) -> Constraint:
        if not isinstance(value, bool):
            raise Misspelt(f"{name} is true or false", where)
        present = (name == "exists") is value
        return Leaf.build("exists" if present else "not_exists", self._path)

    def length(self, value: Any, where: Where) -> Constraint:
        return _all(_Reader(self._path, optional=self._optional, of_length=True).read(value, where))

    def each(self, value: Any, where: Where) -> Constraint:
        """A table of operators judges the element itself; any other table names the element's parameters."""
        return Each(self._path, self._optional, _all(_Reader(()).read(value, where)))

    def any_of(self, value: Any, where: Where) -> Constraint:
        return AnyOf(self._parts(value, where))

    def all_of(self, value: Any, where: Where) -> Constraint:
        parts = self._parts(value, where)
        return parts[0] if len(parts) == 1 else AllOf(parts)

    def _parts(self, value: Any, where: Where) -> tuple[Constraint, ...]:
        items = as_list(value)
        if not items:
            raise Misspelt(f"{where[-1]} is a list of alternatives or demands, at least one", where)
        return tuple(_all(self.read(item, (*where, n))) for n, item in enumerate(items))

    def negation(self, value: Any, where: Where) -> Constraint:
        return Not.of(_all(self.read(value, where)))


_NESTED: Mapping[str, Callable[[_Reader, Any, Where], Constraint]] = {
    "length": _Reader.length,
    "each": _Reader.each,
    "any_of": _Reader.any_of,
    "all_of": _Reader.all_of,
    "not": _Reader.negation,
}
_ALIASES = {"in": "is_in", "startswith": "starts_with", "endswith": "ends_with", "type": "is_type"}
_OPERATOR_LIST = ", ".join([*OPERATORS, *_NESTED])


_MODIFIERS = ("optional", "when")


def is_operator(key: str) -> bool:
    """Whether a key in a table is an operator, not a parameter's name."""
    return key in OPERATORS or key in _NESTED or key in _ALIASES or key in SYMBOLS


def _parameters(table: Mapping[str, Any], where: Where) -> list[Constraint]:
    """What a table from parameters to spellings demands. Raises the first fault."""
    faults: list[Misspelt] = []
    parts = read_constraints(table, faults.append)
    if faults:
        raise faults[0].inside(where)
    return parts


def _when(condition: object, wanted: Constraint, where: Where) -> Constraint:
    table = as_mapping(condition)
    if not table:
        raise Misspelt('when is a table of parameters, such as { kind = "cash" }', where)
    return When(_all(_parameters(table, where)), wanted)


def _all(parts: list[Constraint]) -> Constraint:
    return parts[0] if len(parts) == 1 else AllOf.of(*parts)


def _nested_hint(path: tuple[Step, ...], key: str) -> str:
    from amla_capabilities._paths import path_text

    whole = path_text((*path, key))
    return f'; for a nested argument write the path in quotes: "{whole}" = …'


def _dotted(where: Where) -> str:
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" if n else key for n, key in enumerate(where))
