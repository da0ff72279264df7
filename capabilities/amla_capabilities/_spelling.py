"""Constraints as written in manifests and in `constraints={...}`.

    amount = "<=1000"                     a comparison
    amount = [">=100", "<=10000"]         all of several comparisons
    currency = "USD"                      equality
    currency = ["USD", "EUR"]             one of several values
    path = "startswith:/api/"             also endswith: and contains:
    path = { starts_with = "/api/" }      operators by name, all of them
    "customer.country" = "DE"             a nested argument

What looks like a comparison and is none is an error, never a string to compare with (R18).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ._constraint import Constraint
from ._constraint_set import ConstraintSet
from ._errors import ConstraintError
from ._leaf import Each, Leaf
from ._logic import AllOf, AnyOf, Not
from ._operators import OPERATORS
from ._paths import Step, parse_path
from ._suggest import did_you_mean
from ._values import as_list, as_mapping

__all__ = ["Misspelt", "constraints_from_dict", "read_constraints"]

Where = tuple[str | int, ...]  # keys and indexes from the mapping to the faulty value


class Misspelt(ConstraintError):  # noqa: N818
    """A spelling that does not parse: `where` in the mapping, and at which character of a string."""

    def __init__(self, problem: str, where: Where = (), text: str = "", offset: int = 0) -> None:
        caret = f"\n    {text}\n    {' ' * offset}^" if text else ""
        super().__init__(f"{problem}{caret}")
        self.problem = problem
        self.where = where
        self.offset = offset


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
        if table is not None:
            return list(self._table(table, where))
        return [self._leaf("eq", spelling, where)]

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

    def _table(self, table: Mapping[str, Any], where: Where) -> Iterator[Constraint]:
        optional = table.get("optional", self._optional)
        if not isinstance(optional, bool):
            raise Misspelt("'optional' is true or false", (*where, "optional"))
        reader = _Reader(self._path, optional=optional, of_length=self._of_length)
        keys = [key for key in table if key != "optional"]
        if not keys:
            raise Misspelt(f"a table names at least one operator: {_OPERATOR_LIST}", where)
        for key in keys:
            yield reader._entry(key, table[key], (*where, key))

    def _entry(self, key: str, value: Any, where: Where) -> Constraint:
        name = _SYMBOLS.get(key) or _ALIASES.get(key, key)
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
        table = as_mapping(value)
        if table is None or any(map(_is_operator, table)):
            return Each(self._path, self._optional, _all(_Reader(()).read(value, where)))
        faults: list[Misspelt] = []
        parts = read_constraints(table, faults.append)
        if faults or not parts:
            first = faults[0] if faults else Misspelt("an empty table asks for nothing")
            raise Misspelt(str(first), (*where, *first.where))
        return Each(self._path, self._optional, _all(parts))

    def any_of(self, value: Any, where: Where) -> Constraint:
        items = as_list(value)
        if not items:
            raise Misspelt("any_of is a list of alternatives", where)
        return AnyOf(tuple(_all(self.read(item, (*where, n))) for n, item in enumerate(items)))

    def negation(self, value: Any, where: Where) -> Constraint:
        return Not.of(_all(self.read(value, where)))


_NESTED: Mapping[str, Callable[[_Reader, Any, Where], Constraint]] = {
    "length": _Reader.length,
    "each": _Reader.each,
    "any_of": _Reader.any_of,
    "not": _Reader.negation,
}
_SYMBOLS = {row.symbol: row.name for row in OPERATORS.values() if row.name in ("le", "lt", "ge", "gt", "eq", "ne")}
_ALIASES = {"in": "is_in", "startswith": "starts_with", "endswith": "ends_with", "type": "is_type"}
_OPERATOR_LIST = ", ".join([*OPERATORS, *_NESTED])


def _is_operator(key: str) -> bool:
    return key in OPERATORS or key in _NESTED or key in _ALIASES or key in _SYMBOLS


def _all(parts: list[Constraint]) -> Constraint:
    return parts[0] if len(parts) == 1 else AllOf.of(*parts)


def _nested_hint(path: tuple[Step, ...], key: str) -> str:
    from ._paths import path_text

    whole = path_text((*path, key))
    return f'; for a nested argument write the path in quotes: "{whole}" = …'


# Strings

_SIGNS = "<>=!~"
_COMPARISON = re.compile(r"\s*(<=|>=|==|!=|<|>)\s*")
_WORD = re.compile(r"\s*([A-Za-z_]+)\s*:")
_WORDS = {
    "startswith": "starts_with",
    "starts_with": "starts_with",
    "endswith": "ends_with",
    "ends_with": "ends_with",
    "contains": "contains",
}
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_LITERALS: Mapping[str, Any] = {"true": True, "false": False, "null": None}
_REPAIRS = {"=<": "<=", "=>": ">=", "=": "==", "!": "!=", "<>": "!=", "~": "!=", "===": "==", "!==": "!="}


def split_comparison(text: str, where: Where) -> tuple[str, Any, int] | None:
    """Operator name, operand and the operand's offset; None for a plain string. Raises `Misspelt`."""
    bare = text.lstrip()
    if bare[:1] and bare[0] in _SIGNS:
        return _symbolic(text, where)
    word = _WORD.match(text)
    if word and word[1] in _WORDS:
        return _WORDS[word[1]], text[word.end() :], word.end()
    if word and (hint := did_you_mean(word[1].lower(), ["startswith", "endswith", "contains"])):
        problem = f'"{text}" looks like a comparison{hint} (for equality with this text write {{ eq = … }})'
        raise Misspelt(problem, where, text, word.start(1))
    return None


def _symbolic(text: str, where: Where) -> tuple[str, Any, int]:
    found = _COMPARISON.match(text)
    rest = text[found.end() :].rstrip() if found else ""
    if found is None or rest[:1] in tuple(_SIGNS):
        raise Misspelt(_not_a_comparison(text), where, text, len(text) - len(text.lstrip()))
    name = _SYMBOLS[found[1]]
    if not rest:
        raise Misspelt(f"{found[1]} needs something to compare with", where, text, len(text))
    if name in ("eq", "ne"):
        return name, _scalar(rest, where, text, found.end()), found.end()
    number = _number(rest)
    if number is None:
        raise Misspelt(_not_a_number(found[1], rest), where, text, found.end())
    return name, number, found.end()


def _not_a_comparison(text: str) -> str:
    bare = text.strip()
    signs = bare[: len(bare) - len(bare.lstrip(_SIGNS))]
    meant = f'; did you mean "{_REPAIRS[signs]}{bare[len(signs) :].strip()}"?' if signs in _REPAIRS else ""
    return f'"{bare}" starts like a comparison and is none{meant} (comparisons: <= < >= > == !=)'


def _not_a_number(symbol: str, rest: str) -> str:
    if re.search(r"[<>=!&|]|\b(and|or)\b", rest):
        return 'one comparison per string; write a list such as [">=100", "<=1000"], which means all of them'
    if re.fullmatch(r"[0-9]{1,3}([,_][0-9]{3})+", rest):
        return f"write the number without separators: {symbol}{re.sub('[,_]', '', rest)}"
    return f"{symbol} compares numbers, and {rest!r} is not one"


def _number(text: str) -> Any:
    found = _NUMBER.fullmatch(text)
    if found is None:
        return None
    if found[1] is None and found[2] is None:
        return int(text) if len(text) <= 4000 else None  # longer than that, Python refuses to convert
    from decimal import Decimal

    return Decimal(text)


def _scalar(text: str, where: Where, whole: str, offset: int) -> Any:
    """What `==` and `!=` compare with: a number, true, false, null, a quoted string, or the bare text."""
    if text in _LITERALS:
        return _LITERALS[text]
    number = _number(text)
    if number is not None:
        return number
    if text[0] not in "\"'":
        return text
    if len(text) < 2 or text[-1] != text[0] or text[0] in text[1:-1]:
        raise Misspelt("this quoted string does not end", where, whole, offset)
    return text[1:-1]


def _dotted(where: Where) -> str:
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" if n else key for n, key in enumerate(where))
