"""What a single comparison can say: one table of operators.

An operator knows which JSON types it can judge, how to check its operand when a constraint is built, and how to test
a value of a fitting type. A value of another type is a fault, never a "no": under `~` a fault still denies (R11).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from amla_capabilities._errors import ConstraintError
from amla_capabilities._suggest import did_you_mean
from amla_capabilities._values import Json, is_finite, less, plain_number, plain_value, same, show, type_name

from ._dot_segments import climbs

__all__ = ["OPERATORS", "TYPES", "Operator", "RefusedValue", "operator_named"]

TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")

_JSON_TYPES = frozenset({"null", "boolean", "number", "string", "array", "object"})
_NUMBER = frozenset({"number"})
_STRING = frozenset({"string"})


class RefusedValue(Exception):  # noqa: N818
    """A value of a fitting type that an operator will not judge; the reason continues "path is "..." and"."""


@dataclass(frozen=True, slots=True)
class Operator:
    """One way to compare a value with an operand.

    `accepts` gives the JSON types of the values that it can judge, `read` checks and normalises an operand,
    `test` judges a value of an accepted type or raises `RefusedValue`, `opposite` names the operator that holds
    exactly where this one is false.
    """

    name: str
    symbol: str
    read: Callable[[object], Json]
    accepts: Callable[[Json], frozenset[str]]
    test: Callable[[Json, Json], bool]
    opposite: str | None = None


def operator_named(name: str) -> Operator:
    """The operator called `name`. Raises `ConstraintError` with the nearest name."""
    found = OPERATORS.get(name)
    if found is None:
        raise ConstraintError(f"unknown operator {name!r}{did_you_mean(name, OPERATORS)}")
    return found


def _accept_numbers(_: Json) -> frozenset[str]:
    return _NUMBER


def _accept_strings(_: Json) -> frozenset[str]:
    return _STRING


def _accept_all(_: Json) -> frozenset[str]:
    return _JSON_TYPES


def _accept_same(operand: Json) -> frozenset[str]:
    return _JSON_TYPES if operand is None else frozenset({type_name(operand)})


def _accept_members(operand: Json) -> frozenset[str]:
    return frozenset(map(type_name, operand))


def _accept_containers(operand: Json) -> frozenset[str]:
    return frozenset({"string", "array"}) if isinstance(operand, str) else frozenset({"array"})


def _text(operand: object) -> Json:
    if not isinstance(operand, str):
        raise ConstraintError(f"{show(operand)} is not a string")
    if not operand:
        raise ConstraintError("an empty string here would hold for every string")
    return operand


def _members(operand: object) -> Json:
    if isinstance(operand, str | bytes | Mapping) or not isinstance(operand, Iterable):
        raise ConstraintError(f"a list of values is expected, not {show(operand)}")  # pyright: ignore[reportUnknownArgumentType]
    members = [plain_value(member) for member in cast("Iterable[object]", operand)]
    if not members:
        raise ConstraintError("an empty list of values can never hold")
    return members


def _nothing(operand: object) -> Json:
    if operand is not None:
        raise ConstraintError(f"takes no operand, but got {show(operand)}")
    return None


def _is_in(value: Json, operand: Json) -> bool:
    return any(same(value, member) for member in operand)


def _contains(value: Json, operand: Json) -> bool:
    return operand in value if isinstance(value, str) else any(same(item, operand) for item in value)


# is_type


def _type(operand: object) -> Json:
    if not isinstance(operand, str) or operand not in TYPES:
        hint = did_you_mean(operand, TYPES) if isinstance(operand, str) else ""
        raise ConstraintError(f"{show(operand)} is not a JSON type ({', '.join(TYPES)}){hint}")
    return operand


def _is_type(value: Json, operand: Json) -> bool:
    if operand == "integer":
        return type_name(value) == "number" and bool(value == int(value))
    return type_name(value) == str(operand)


# starts_with: a literal with a slash is about a path or an address, where dot segments climb out again (R16)


def _prefix(operand: object) -> Json:
    text = _text(operand)
    problem = climbs(text) if "/" in text else None
    if problem is not None:
        raise ConstraintError(f"{show(text)} {problem}, so no value could pass")
    return text


def _starts_with(value: str, prefix: str) -> bool:
    problem = climbs(value) if "/" in prefix else None
    if problem is not None:
        raise RefusedValue(problem)
    return value.startswith(prefix)


# matches: the whole text, by an engine whose time is linear in it, whatever the expression


def _expression(operand: object) -> Json:
    if operand == "":
        raise ConstraintError('an empty expression matches nothing but the empty string: write == ""')
    text = _text(operand)
    if len(text) > _MAX_EXPRESSION:
        raise ConstraintError(f"a regular expression has at most {_MAX_EXPRESSION} characters")
    matcher(text)
    return text


_MAX_EXPRESSION = 1000  # arbitrary, as is the size of what it compiles to: both bound the time of a match
_MAX_COMPILED = 1 << 20


@lru_cache(maxsize=1024)
def matcher(expression: str) -> Callable[[str], bool]:
    """A full match. Raises `ConstraintError` for what needs backtracking or is no expression.

    It is the engine, and the language, of `pattern` in the schemas of tools.
    """
    import jsonschema_rs

    options = jsonschema_rs.RegexOptions(size_limit=_MAX_COMPILED)
    try:
        # On its own first: "a)|(b" would be one only between the parentheses.
        for pattern in (expression, f"^(?:{expression})$"):
            validator = jsonschema_rs.validator_for({"pattern": pattern}, pattern_options=options)
    except (ValueError, jsonschema_rs.ValidationError):
        raise ConstraintError(
            f"{show(expression)} is no regular expression that takes linear time (without look-around and \\1), "
            "or a very large one"
        ) from None
    return validator.is_valid


def _matches(value: str, expression: str) -> bool:
    try:
        return matcher(expression)(value)
    except UnicodeEncodeError:
        raise RefusedValue("holds half a surrogate pair") from None


# under: containment of lexical, absolute, already clean paths (R16)


def _folder(operand: object) -> Json:
    text = _text(operand)
    try:
        _clean_path(text)
    except RefusedValue as error:
        raise ConstraintError(f'{show(text)} {error}; write an absolute folder such as "/workspace/reports"') from None
    return text


def _under(value: str, folder: str) -> bool:
    _clean_path(value)
    return folder == "/" or value == folder or value.startswith(folder + "/")


def _clean_path(path: str) -> None:
    if not path.startswith("/"):
        raise RefusedValue("is not an absolute path")
    if "\\" in path or "\0" in path:
        raise RefusedValue("holds a backslash or NUL")
    if path != "/" and any(segment in ("", ".", "..") for segment in path[1:].split("/")):
        raise RefusedValue("holds an empty, '.' or '..' segment")


# host_in: only addresses that every URL parser reads the same way (R17)

_URL = re.compile(r"(https?)://([a-z0-9.-]+)(?::([0-9]{1,5}))?(?:[/?#][!-~]*)?")
_HOST = re.compile(r"([a-z0-9.-]+)(?::([0-9]{1,5}))?")
_BAD_LABEL = re.compile(r"[0-9]+|0x[0-9a-f]*")
_DEFAULT_PORTS = {"http": 80, "https": 443}


def _hosts(operand: object) -> Json:
    hosts = _members(operand)
    for host in hosts:
        found = _HOST.fullmatch(host) if isinstance(host, str) else None
        if found is None or not _plain_host(found[1]):
            raise ConstraintError(
                f'{show(host)} is not a lower-case host name such as "api.example.com" or "h.example:8443"'
            )
    return [host if ":" not in host else f"{host.split(':')[0]}:{int(host.split(':')[1])}" for host in hosts]


def _host_in(value: str, hosts: list[str]) -> bool:
    found = _URL.fullmatch(value)
    if found is None or "\\" in value or not _plain_host(found[2]):
        raise RefusedValue("is not a plain http(s) address")
    scheme, host, port = found[1], found[2], found[3]
    if port is None or int(port) == _DEFAULT_PORTS[scheme]:
        return host in hosts or f"{host}:{_DEFAULT_PORTS[scheme]}" in hosts
    return f"{host}:{int(port)}" in hosts


def _plain_host(host: str) -> bool:
    labels = host.split(".")
    return all(labels) and not _BAD_LABEL.fullmatch(labels[-1])


def _finite(test: Callable[[Json, Json], bool]) -> Callable[[Json, Json], bool]:
    """The test, refusing NaN, infinities and over-long integers anywhere in the value."""

    def checked(value: Json, operand: Json) -> bool:
        if not is_finite(value):
            raise RefusedValue("is not finite")
        return test(value, operand)

    return checked


def _table(*rows: Operator) -> Mapping[str, Operator]:
    return {row.name: row for row in rows}


OPERATORS: Mapping[str, Operator] = _table(
    Operator("le", "<=", plain_number, _accept_numbers, _finite(lambda v, o: not less(o, v)), "gt"),
    Operator("lt", "<", plain_number, _accept_numbers, _finite(less), "ge"),
    Operator("ge", ">=", plain_number, _accept_numbers, _finite(lambda v, o: not less(v, o)), "lt"),
    Operator("gt", ">", plain_number, _accept_numbers, _finite(lambda v, o: less(o, v)), "le"),
    Operator("eq", "==", plain_value, _accept_same, _finite(same), "ne"),
    Operator("ne", "!=", plain_value, _accept_same, _finite(lambda v, o: not same(v, o)), "eq"),
    Operator("is_in", "in", _members, _accept_members, _finite(_is_in), "not_in"),
    Operator("not_in", "not in", _members, _accept_members, _finite(lambda v, o: not _is_in(v, o)), "is_in"),
    Operator("starts_with", "starts with", _prefix, _accept_strings, _starts_with),
    Operator("ends_with", "ends with", _text, _accept_strings, lambda v, o: bool(v.endswith(o))),
    Operator("contains", "contains", plain_value, _accept_containers, _finite(_contains)),
    Operator("matches", "matches", _expression, _accept_strings, _matches),
    Operator("is_type", "is of type", _type, _accept_all, _finite(_is_type)),
    Operator("under", "is under", _folder, _accept_strings, _under),
    Operator("host_in", "has its host in", _hosts, _accept_strings, _host_in),
    # These two judge presence; the value itself is never looked at.
    Operator("exists", "exists", _nothing, _accept_all, lambda _v, _o: True, "not_exists"),
    Operator("not_exists", "does not exist", _nothing, _accept_all, lambda _v, _o: False, "exists"),
)
